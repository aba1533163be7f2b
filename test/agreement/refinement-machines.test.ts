/**
 * Refinement by machines, decided with the object beside the state (stateful), by pairs of calls of one execution of each class (dpor), and by states of
 * machines apart that remember their calls (local): all give the same answer.
 */
import { checkResult, machine, type Program, refines, refuse, specification, system } from 'allways'
import { expect, test } from 'vitest'
import { Random } from '../../src/core/random.ts'
import type { AbstractCall, Refined } from '../../src/program/refinement.ts'
import { amount, cut } from '../amount.ts'
import { tree, treeCall } from './tree-calls.ts'

/** A slot is filled once, after the slot before it; anybody may look at one that is filled. */
const slots = specification('slots', {
  state: { filled: [] as number[] },
  operations: {
    fill(state: { filled: number[] }, { slot }: { readonly slot: number }) {
      if (state.filled.includes(slot)) return refuse('it is filled')
      if (slot > 0 && !state.filled.includes(slot - 1)) return refuse('the one before it is empty')
      state.filled = [...state.filled, slot].sort()
      return undefined
    },
    look: (state: { filled: number[] }, { slot }: { readonly slot: number }) =>
      state.filled.includes(slot) ? undefined : refuse('it is empty'),
  },
  conflicts: (one, other) =>
    one.kind === 'slots.fill' && other.kind === 'slots.fill' && one.slot === other.slot ? 'filled twice' : undefined,
  needs({ kind, slot }, past) {
    const needed = kind === 'slots.look' ? slot : (slot as number) - 1
    if (needed === -1) return undefined
    return past.some((one) => one.kind === 'slots.fill' && one.slot === needed) ? undefined : 'it is empty'
  },
})

type Act =
  | { readonly kind: 'send'; readonly to: number; readonly step: number }
  | { readonly kind: 'call'; readonly call: () => AbstractCall }

interface Family {
  readonly name: string
  readonly object: Refined
  readonly call: (random: Random) => () => AbstractCall
}

const families: readonly Family[] = [
  {
    name: 'slots',
    object: slots,
    call: (random) => {
      const slot = random.below(3)
      return random.below(3) === 0 ? () => slots.look({ slot }) : () => slots.fill({ slot })
    },
  },
  { name: 'quorum tree', object: tree, call: (random) => treeCall(random, { isByPairs: true }) },
]

interface Plan {
  /** By machine and by step: what it does when it is told to, the first time. */
  readonly steps: readonly (readonly (readonly Act[])[])[]
  /** By machine: steps that it is asked for. */
  readonly asked: readonly (readonly number[])[]
  readonly restarts: number
}

const stepsOfEach = 2

function drawn(random: Random, { call }: Family): Plan {
  const machines = 2 + random.below(2)
  const act = (own: number): Act => {
    if (random.below(5) < 2) {
      const to = (own + 1 + random.below(machines - 1)) % machines
      return { kind: 'send', to, step: random.below(stepsOfEach) }
    }
    return { kind: 'call', call: call(random) }
  }
  return {
    steps: Array.from({ length: machines }, (_, own) =>
      Array.from({ length: stepsOfEach }, () => Array.from({ length: 1 + random.below(3) }, () => act(own))),
    ),
    asked: Array.from({ length: machines }, (_, own) =>
      own === 0 || random.below(2) === 0 ? [random.below(stepsOfEach)] : [],
    ),
    restarts: random.below(4) === 0 ? 1 : 0,
  }
}

function systemOf({ steps, asked, restarts }: Plan, { object }: Family): Program {
  const faults = { losses: 'any', crashes: restarts, restarts } as const
  return system('generated', { faults }, () => {
    const kinds = steps.map((own, at) =>
      machine<{ done: number[] }, { readonly kind: 'do'; readonly step: number }>(`m${at}`, {
        state: () => ({ done: [] }),
        on: { do: (state, { step }, context) => act(own, state, step, context) },
        requests: { ask: (state, step: number, context) => act(own, state, step, context) },
      }),
    )
    return {
      machines: Object.fromEntries(kinds.map((kind, at) => [`m${at}`, kind.as()])),
      requests: Object.fromEntries(asked.map((all, at) => [`m${at}`, all.map((step) => ['ask', step] as const)])),
      properties: [refines(object)],
    }
  })
}

interface Acting {
  send(to: string, message: { readonly kind: 'do'; readonly step: number }): void
  announce(event: never): void
}

function act(own: readonly (readonly Act[])[], state: { done: number[] }, step: number, context: Acting): void {
  if (state.done.includes(step)) return
  state.done = [...state.done, step].sort()
  for (const one of own[step] ?? []) {
    if (one.kind === 'send') context.send(`m${one.to}`, { kind: 'do', step: one.step })
    else context.announce(one.call() as never)
  }
}

test.each(families)(
  '$name: stateful, dpor and local agree on generated systems of machines',
  { timeout: 3_600_000, ...cut },
  async (family) => {
    const answers = { verified: 0, violated: 0 }
    for (let seed = 0; seed < amount({ quick: 40, rest: 120, all: 2_000 }); seed++) {
      const checked = systemOf(drawn(new Random(seed), family), family)
      const kinds = []
      for (const engine of ['stateful', 'local', 'dpor']) {
        const result = await checkResult(checked, { engine })
        if (!result.ok) throw new Error(`seed ${seed}, ${engine}: ${JSON.stringify(result.diagnostics)}`)
        kinds.push(result.value.kind)
      }
      expect(new Set(kinds).size, `seed ${seed}: ${kinds.join()}`).toBe(1)
      answers[kinds[0] as 'verified' | 'violated']++
    }
    expect(answers.verified).toBeGreaterThan(3)
    expect(answers.violated).toBeGreaterThan(3)
  },
)
