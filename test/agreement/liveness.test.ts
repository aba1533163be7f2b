/** What `stateful` says of executions without end, against brute force over paths, on generated systems of machines. */
import { liveness, machine, type Program, system } from 'allways'
import { describe, expect, test } from 'vitest'
import type { CycleProperty } from '../../src/core/property.ts'
import { Random } from '../../src/core/random.ts'
import { settingFrom } from '../../src/core/setting.ts'
import { stateful } from '../../src/engines/stateful/stateful.ts'
import type { Paths } from '../../src/program/path.ts'
import { replay, reproduced } from '../../src/semantics/replay.ts'
import { pathsOf } from '../../src/semantics/world-path.ts'
import { amount } from '../amount.ts'
import { isBrokenByBruteForce } from './liveness-oracle.ts'

/** What a machine does in one of its states: where it goes, whom it sends to, whether its timer is set. */
interface Reaction {
  readonly to: readonly number[]
  readonly sends: number | undefined
  readonly timer: boolean | undefined
}

interface Plan {
  /** By machine, then by state: on a message, and on the timer. */
  readonly machines: readonly (readonly (readonly [Reaction, Reaction])[])[]
  readonly network: 'bag' | 'fifo' | 'causal' | 'sender-queue'
  readonly loss: boolean
  /** Good if this machine is in this state. */
  readonly good: { readonly machine: number; readonly state: number }
}

const states = 3

function generated(random: Random): Plan {
  const network = random.pick(['bag', 'bag', 'fifo', 'causal', 'sender-queue'] as const)
  const size = 2 + random.below(2)
  const reaction = (): Reaction => ({
    to: Array.from({ length: random.below(5) === 0 ? 2 : 1 }, () => random.below(states)),
    sends: random.below(2) === 0 ? random.below(size) : undefined,
    timer: random.pick([true, false, undefined, undefined]),
  })
  return {
    machines: Array.from({ length: size }, () =>
      Array.from({ length: states }, () => [reaction(), reaction()] as const),
    ),
    network,
    loss: network === 'bag' && random.below(3) > 0,
    good: { machine: random.below(size), state: random.below(states) },
  }
}

interface Local {
  state: number
}

function systemOf({ machines, network, loss, good }: Plan): Program {
  const nameOf = (at: number): string => `m${at}`
  const kinds = machines.map((table, at) =>
    machine<Local, { readonly kind: 'k' }>(nameOf(at), {
      state: () => ({ state: 0 }),
      start: (_, { setTimer }) => setTimer('tick', { milliseconds: 10 }),
      on: { k: (state, _, context) => react(state, table[state.state]?.[0], context) },
      timers: { tick: (state, context) => react(state, table[state.state]?.[1], context) },
    }),
  )
  type Context = Parameters<NonNullable<Parameters<typeof machine<Local, { readonly kind: 'k' }>>[1]['start']>>[1]
  function react(state: Local, reaction: Reaction | undefined, context: Context): void {
    if (reaction === undefined) return
    const { to, sends, timer } = reaction
    state.state = context.choose(to)
    if (sends !== undefined) context.send(nameOf(sends), { kind: 'k' })
    if (timer === true) context.setTimer('tick', { milliseconds: 10 })
    if (timer === false) context.cancelTimer('tick')
  }
  return system('generated', { network, faults: loss ? { losses: 'any' } : {} }, () => ({
    machines: Object.fromEntries(kinds.map((kind, at) => [nameOf(at), kind.as()])),
    liveness: [liveness<Local>('again', (all) => all[nameOf(good.machine)]?.state === good.state)],
  }))
}

const mostStates = 30

interface Answer {
  readonly isBroken: boolean
  readonly isConfirmed: boolean
  readonly isEndless: boolean
}

function byEngine(program: Program, paths: Paths, order: 'breadth' | 'depth'): Answer | undefined {
  const setting = settingFrom({ params: {}, network: program.network, faults: program.faults })
  const subject = program.views.stateful?.(setting)
  if (subject === undefined) throw new Error('a system has states')
  let found: Answer = { isBroken: false, isConfirmed: true, isEndless: false }
  for (const event of stateful.explore(subject, { search: order })) {
    if (event.kind === 'diagnostic') throw new Error(event.diagnostic.message)
    if ('counts' in event && (event.counts.states ?? 0) > 10 * mostStates) return undefined
    if (event.kind !== 'violation') continue
    const { decisions, repeatsFrom, violation } = event
    const again = replay(paths, decisions, { places: false, repeatsFrom, decisions: decisions.length })
    const isConfirmed = reproduced(again, violation) !== undefined
    found = { isBroken: true, isConfirmed, isEndless: repeatsFrom !== undefined && repeatsFrom < decisions.length }
  }
  return found
}

describe('liveness of generated systems', () => {
  const seen = { broken: 0, held: 0, endless: 0 }
  const seeds = Array.from({ length: amount({ quick: 60, all: 2_000 }) }, (_, seed) => seed)

  test('stateful finds a violation exactly if brute force does, and the judge confirms it', () => {
    for (const seed of seeds) {
      const program = systemOf(generated(new Random(seed)))
      const setting = settingFrom({ params: {}, network: program.network, faults: program.faults })
      const runnable = program.views.runnable?.(setting)
      if (runnable === undefined) throw new Error('a system is runnable')
      const paths = pathsOf(runnable)
      const [property] = (paths.cycles ?? []) as readonly CycleProperty[]
      if (property === undefined) throw new Error('a system has what was declared')
      const truth = isBrokenByBruteForce(paths, property, mostStates)
      if (truth === undefined) continue
      for (const order of ['breadth', 'depth'] as const) {
        const answer = byEngine(program, paths, order)
        expect({ seed, order, ...answer }).toMatchObject({ seed, order, isBroken: truth, isConfirmed: true })
        if (answer?.isEndless === true) seen.endless++
      }
      seen[truth ? 'broken' : 'held']++
    }
  }, 600_000)

  test('among them are enough of each kind', () => {
    expect(seen.broken).toBeGreaterThan(seeds.length / 20)
    expect(seen.held).toBeGreaterThan(seeds.length / 20)
    expect(seen.endless).toBeGreaterThan(seeds.length / 50)
  })
})
