/**
 * Refinement, decided in several ways: on the order of one execution of each class (dpor), with the object beside the state along every interleaving
 * (exhaustive), in every state (stateful, and a search of the tests' own), by pairs and pasts where the object says what conflicts. All give the same answer, and looking adds no execution.
 */
import {
  type Address,
  announce,
  checkResult,
  join,
  type Operation,
  type Program,
  type PropertyDeclaration,
  program,
  receive,
  refines,
  refuse,
  send,
  spawn,
  specification,
} from 'allways'
import { expect, test } from 'vitest'
import { Random } from '../../src/core/random.ts'
import { amount, cut } from '../amount.ts'
import { isRefused, type Plan, type Step } from './refinement-oracle.ts'
import { treeCall, trees } from './tree-calls.ts'

interface Cell {
  value: number
}

const operations = {
  write(state: Cell, { value }: { readonly value: number }) {
    state.value = value
  },
  read(state: Cell, { value }: { readonly value: number }) {
    return state.value === value ? undefined : refuse(`it holds ${state.value}`)
  },
}
const cell = specification('cell', { state: { value: 0 }, operations })

/** A slot is filled once, after the slot before it. */
const filling = {
  fill(state: { filled: number[] }, { slot }: { readonly slot: number }) {
    if (state.filled.includes(slot)) return refuse('it is filled')
    if (slot > 0 && !state.filled.includes(slot - 1)) return refuse('the one before it is empty')
    state.filled = [...state.filled, slot].sort()
    return undefined
  },
}
const tried = specification('slots', { state: { filled: [] as number[] }, operations: filling })
const byPairs = specification('slots', {
  state: { filled: [] as number[] },
  operations: filling,
  conflicts: (one, other) => (one.slot === other.slot ? 'filled twice' : undefined),
  needs: ({ slot }, past) =>
    slot === 0 || past.some((one) => one.slot === (slot as number) - 1) ? undefined : 'the one before it is empty',
})

interface Objects {
  readonly name: string
  readonly refined: readonly { readonly object: Parameters<typeof refines>[0] }[]
  readonly calls: (random: Random) => () => never
}

const families: readonly Objects[] = [
  {
    name: 'cell',
    refined: [{ object: cell }],
    calls: (random) => {
      const value = random.below(2)
      return (random.below(2) === 0 ? () => cell.write({ value }) : () => cell.read({ value })) as () => never
    },
  },
  {
    name: 'slots',
    refined: [{ object: tried }, { object: byPairs }],
    calls: (random) => {
      const slot = random.below(3)
      // Written by hand: it is a call of either.
      return (() => ({ kind: 'slots.fill', slot })) as () => never
    },
  },
  { name: 'quorum tree', ...ofTrees('single', true) },
  { name: 'quorum tree with votes and open rounds', ...ofTrees('single', false) },
  { name: 'quorum tree of a log', ...ofTrees('log', true) },
  { name: 'quorum tree of a log with votes and open rounds', ...ofTrees('log', false) },
  { name: 'quorum tree for each slot', ...ofTrees('slots', true) },
  { name: 'quorum tree for each slot with votes and open rounds', ...ofTrees('slots', false) },
  { name: 'quorum tree with lists as rounds', ...ofTrees('lists', true) },
  { name: 'quorum tree with lists as rounds, votes and open rounds', ...ofTrees('lists', false) },
]

function ofTrees(of: keyof typeof trees, isByPairs: boolean): Omit<Objects, 'name'> {
  return { refined: [{ object: trees[of] }], calls: (random) => treeCall(random, { of, isByPairs }) as () => never }
}

function drawn(random: Random, { calls }: Objects): Plan {
  const processes = 2 + random.below(2)
  const steps = Array.from({ length: processes }, (_, own) =>
    Array.from({ length: 1 + random.below(3) }, (): Step => {
      const kind = random.below(6)
      if (kind === 0) return { kind: 'receive' }
      if (kind === 1) return { kind: 'send', to: (own + 1 + random.below(processes - 1)) % processes }
      if (kind === 2 && processes === 2)
        return { kind: 'leave to another', call: calls(random), isJoined: random.below(2) === 0 }
      return { kind: 'call', call: calls(random) }
    }),
  )
  return { network: random.pick(networks), processes: steps }
}

interface Begin {
  readonly kind: 'begin'
  readonly peers: readonly Address<Message>[]
}

type Message = Begin | { readonly kind: 'go' }

function* body(steps: readonly Step[]): Generator<Operation, void, unknown> {
  const { peers } = (yield* receive<Begin>('begin')) as Begin
  for (const step of steps) {
    if (step.kind === 'send') yield* send(peers[step.to] as Address<Message>, { kind: 'go' })
    else if (step.kind === 'receive') yield* receive('go')
    else if (step.kind === 'call') yield* announce(step.call())
    else {
      const other = yield* spawn('other', function* () {
        yield* announce(step.call())
      })
      if (step.isJoined) yield* join(other)
    }
  }
}

/** Without mailbox, which dpor refuses here. */
const networks = ['bag', 'fifo', 'causal', 'sender-queue'] as const

function programOf(plan: Plan, properties: readonly PropertyDeclaration[]): Program {
  return program('generated', { deadlock: 'allow', network: plan.network, properties }, function* () {
    const peers: Address<Message>[] = []
    for (const [at, steps] of plan.processes.entries()) peers.push(yield* spawn(`p${at}`, () => body(steps)))
    for (const one of peers) yield* send(one, { kind: 'begin', peers })
  })
}

test.each(families)(
  '$name: every way to decide gives the same answer, and none adds an execution',
  cut,
  async (family) => {
    let violated = 0
    const followed = amount({ quick: 1, rest: 12, all: 200 })
    for (let seed = 0; seed < amount({ quick: 4, rest: 24, all: 2_000 }); seed++) {
      const plan = drawn(new Random(seed), family)
      const plain = await checkResult(programOf(plan, []), { engine: 'dpor', keepGoing: true })
      const answers = []
      for (const { object } of family.refined) {
        const refined = programOf(plan, [refines(object)])
        const byOrder = await checkResult(refined, { engine: 'dpor', keepGoing: true })
        expect.soft(executionsOf(byOrder), `seed ${seed}`).toBe(executionsOf(plain))
        answers.push(kindOf(byOrder), isRefused(plan, object) ? 'violated' : 'verified')
        answers.push(kindOf(await checkResult(refined, { engine: 'stateful' })))
        if (seed < followed) answers.push(kindOf(await checkResult(refined, { engine: 'exhaustive' })))
      }
      expect(new Set(answers).size, `seed ${seed}: ${answers.join()}`).toBe(1)
      if (answers[0] === 'violated') violated++
    }
    expect(violated).toBeGreaterThan(0)
  },
)

type Checked = Awaited<ReturnType<typeof checkResult>>

function verdictOf(result: Checked) {
  if (!result.ok) throw new Error(JSON.stringify(result))
  return result.value
}

function kindOf(result: Checked): string {
  return verdictOf(result).kind
}

function executionsOf(result: Checked): number {
  const { executions = 0, blocked = 0 } = verdictOf(result).counts
  return executions + blocked
}
