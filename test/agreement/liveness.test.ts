/** What `stateful` says of executions without end, against brute force over paths, on generated systems of machines. */
// @module-tag cut
import { eventually, type Liveness, leadsTo, liveness, machine, monitor, type Program, system } from 'allways'
import { describe, expect, test } from 'vitest'
import { Random } from '../../src/core/random.ts'
import { settingFrom } from '../../src/core/setting.ts'
import type { Value } from '../../src/core/value.ts'
import { stateful } from '../../src/engines/stateful/stateful.ts'
import type { Paths } from '../../src/program/path.ts'
import { replay, reproduced } from '../../src/semantics/replay.ts'
import { pathsOf } from '../../src/semantics/world-path.ts'
import { amount, atLeast, long } from '../amount.ts'
import { graphByBruteForce, isBrokenIn, type Question } from './liveness-oracle.ts'

/** What a machine does in one of its states: where it goes, whom it sends to, whether its timer is set. */
interface Reaction {
  readonly to: readonly number[]
  readonly sends: number | undefined
  readonly timer: boolean | undefined
  /** What it tells the monitor, before it sends and after it. */
  readonly announces: readonly ('x' | 'y')[]
}

interface Plan {
  /** By machine, then by state: on a message, and on the timer. */
  readonly machines: readonly (readonly (readonly [Reaction, Reaction])[])[]
  /** By machine: at its start. */
  readonly first: readonly (Reaction | undefined)[]
  readonly network: 'bag' | 'fifo' | 'causal' | 'sender-queue'
  readonly loss: boolean
  readonly asked: readonly Asked[]
  /** The monitor: by state, whether it is hot, and where it goes when it is told x and y. */
  readonly watch: readonly { readonly isHot: boolean; readonly x: number; readonly y: number }[]
}

/** Good, and where `leadsTo` begins, is where this machine is in this state. */
interface Asked {
  readonly form: 'liveness' | 'eventually' | 'leadsTo'
  readonly good: Spot
  readonly from: Spot
}

interface Spot {
  readonly machine: number
  readonly state: number
}

const states = 3

function generated(random: Random): Plan {
  const network = random.pick(['bag', 'bag', 'fifo', 'causal', 'sender-queue'] as const)
  const size = 2 + random.below(2)
  const reaction = (): Reaction => ({
    to: Array.from({ length: random.below(5) === 0 ? 2 : 1 }, () => random.below(states)),
    sends: random.below(3) === 0 ? random.below(size) : undefined,
    timer: random.pick([true, false, undefined, undefined]),
    announces: Array.from({ length: random.below(3) }, () => random.pick(['x', 'y'] as const)),
  })
  return {
    machines: Array.from({ length: size }, () =>
      Array.from({ length: states }, () => [reaction(), reaction()] as const),
    ),
    first: Array.from({ length: size }, () => {
      return random.below(3) === 0 ? { ...reaction(), to: [0], timer: undefined } : undefined
    }),
    network,
    loss: network === 'bag' && random.below(3) > 0,
    watch: Array.from({ length: states }, () => ({
      isHot: random.below(3) > 0,
      x: random.below(states),
      y: random.below(states),
    })),
    asked: forms.map((form) => ({ form, good: spot(size, random), from: spot(size, random) })),
  }
}

/** What takes long is to find the states by brute force: each question beside the first costs little. */
const forms = [
  ...Array.from({ length: 2 }, () => 'liveness' as const),
  ...Array.from({ length: 3 }, () => 'eventually' as const),
  ...Array.from({ length: 9 }, () => 'leadsTo' as const),
]

function spot(size: number, random: Random): Spot {
  return { machine: random.below(size), state: random.below(states) }
}

function declared({ form, good, from }: Asked, at: number): Liveness {
  const isAt =
    ({ machine: number, state }: Spot) =>
    (all: { readonly [machine: string]: Local }): boolean =>
      all[`m${number}`]?.state === state
  if (form === 'leadsTo') return leadsTo<Local>(String(at), isAt(from), isAt(good))
  return (form === 'liveness' ? liveness : eventually)<Local>(String(at), isAt(good))
}

/** The same without our code between the states of a path and the question. */
function questionOf({ form, good, from }: Asked): Question {
  const isAt =
    ({ machine: number, state }: Spot) =>
    (all: ReadonlyMap<string, Value>): boolean =>
      (all.get(`m${number}`) as unknown as { readonly data: Local } | undefined)?.data.state === state
  return form === 'leadsTo' ? { form, isGood: isAt(good), from: isAt(from) } : { form, isGood: isAt(good) }
}

interface Local {
  state: number
}

function systemOf({ machines, first, network, loss, asked, watch }: Plan): Program {
  const nameOf = (at: number): string => `m${at}`
  const kinds = machines.map((table, at) =>
    machine<Local, { readonly kind: 'k' }>(nameOf(at), {
      state: () => ({ state: 0 }),
      start(state, context) {
        context.setTimer('tick', { milliseconds: 10 })
        react(state, first[at], context)
      },
      on: { k: (state, _, context) => react(state, table[state.state]?.[0], context) },
      timers: { tick: (state, context) => react(state, table[state.state]?.[1], context) },
    }),
  )
  type Context = Parameters<NonNullable<Parameters<typeof machine<Local, { readonly kind: 'k' }>>[1]['start']>>[1]
  function react(state: Local, reaction: Reaction | undefined, context: Context): void {
    if (reaction === undefined) return
    const { to, sends, timer, announces } = reaction
    state.state = to.length === 1 ? (to[0] as number) : context.choose(to)
    const [first, ...later] = announces
    if (first !== undefined) context.announce({ kind: first })
    if (sends !== undefined) context.send(nameOf(sends), { kind: 'k' })
    for (const one of later) context.announce({ kind: one })
    if (timer === true) context.setTimer('tick', { milliseconds: 10 })
    if (timer === false) context.cancelTimer('tick')
  }
  return system('generated', { network, faults: loss ? { losses: 'any' } : {} }, () => ({
    machines: Object.fromEntries(kinds.map((kind, at) => [nameOf(at), kind.as()])),
    liveness: asked.map(declared),
    monitors: [
      monitor('watch', {
        state: () => ({ at: 0 }),
        on: {
          x: ({ at }) => ({ at: watch[at]?.x ?? 0 }),
          y: ({ at }) => ({ at: watch[at]?.y ?? 0 }),
        },
        hot: ({ at }) => watch[at]?.isHot === true,
      }),
    ],
  }))
}

/** Of the monitor, as paths show it. */
const neverHot: Question = {
  form: 'never hot for ever',
  isGood: (all) => {
    const { isHot, wasCold } = all.get('watch') as { readonly isHot: boolean; readonly wasCold: boolean }
    return !isHot || wasCold
  },
}

const mostStates = 24

interface Answer {
  readonly broken: readonly string[]
  readonly unconfirmed: readonly string[]
  /** How many of them by an execution that goes on. */
  readonly endless: number
}

function byEngine(program: Program, paths: Paths, order: 'breadth' | 'depth'): Answer {
  const setting = settingFrom({ params: {}, network: program.network, faults: program.faults })
  const subject = program.views.stateful?.(setting)
  if (subject === undefined) throw new Error('a system has states')
  const [broken, unconfirmed]: [string[], string[]] = [[], []]
  let endless = 0
  for (const event of stateful.explore(subject, { search: order })) {
    if (event.kind === 'diagnostic') throw new Error(event.diagnostic.message)
    if (event.kind !== 'violation') continue
    const { decisions, repeatsFrom, violation } = event
    const again = replay(paths, decisions, { places: false, repeatsFrom, decisions: decisions.length })
    broken.push(violation.property)
    if (reproduced(again, violation) === undefined) unconfirmed.push(violation.property)
    if (repeatsFrom !== undefined && repeatsFrom < decisions.length) endless++
  }
  return { broken: broken.sort(), unconfirmed, endless }
}

describe('liveness of generated systems', long, () => {
  const seen = { broken: 0, held: 0, endless: 0, asked: 0 }
  const count = { liveness: 0, eventually: 0, leadsTo: 0, watch: 0 }
  const seeds = Array.from({ length: amount({ quick: 20, rest: 60, thorough: 110, all: 2_000 }) }, (_, seed) => seed)

  test('stateful finds a violation exactly if brute force does, and the judge confirms it', () => {
    for (const seed of seeds) {
      const plan = generated(new Random(seed))
      const program = systemOf(plan)
      const setting = settingFrom({ params: {}, network: program.network, faults: program.faults })
      const runnable = program.views.runnable?.(setting)
      if (runnable === undefined) throw new Error('a system is runnable')
      const paths = pathsOf(runnable)
      const graph = graphByBruteForce(paths, mostStates)
      if (graph === undefined) continue
      const truth = [...plan.asked.map(questionOf), neverHot].map((question) => isBrokenIn(graph, question))
      const broken = truth.flatMap((isBroken, at) => (isBroken ? [String(plan.asked[at] ? at : 'watch')] : [])).sort()
      for (const order of ['breadth', 'depth'] as const) {
        const answer = byEngine(program, paths, order)
        expect({ seed, order, ...answer }).toMatchObject({ seed, order, broken, unconfirmed: [] })
        seen.endless += answer.endless
      }
      seen.asked += truth.length
      seen.broken += broken.length
      seen.held += truth.length - broken.length
      for (const at of broken) count[plan.asked[Number(at)]?.form ?? 'watch']++
    }
  }, 600_000)

  test('among them are enough of each kind', () => {
    expect(seen.asked).toBeGreaterThan(4 * seeds.length)
    expect(seen.broken).toBeGreaterThan(atLeast(seen.asked / 20))
    expect(seen.held).toBeGreaterThan(atLeast(seen.asked / 20))
    expect(seen.endless).toBeGreaterThan(atLeast(seen.asked / 50))
    expect(Math.min(...Object.values(count))).toBeGreaterThan(atLeast(seen.asked / 100))
  })
})
