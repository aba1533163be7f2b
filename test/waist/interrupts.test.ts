/**
 * An interrupt is answered soon, whatever is under way, and so is the end of the time: it comes from the code that is explored, and what that
 * code does afterwards is counted. Without pauses inside executions, states and cuts, each of these would go on for many times as long.
 */
import { describe, expect, test } from 'vitest'
import { type CheckOptions, checkRequest } from '../../src/check/request.ts'
import { type Checked, type Progress, runCheck } from '../../src/check/run.ts'
import { orThrow } from '../../src/core/diagnostic.ts'
import type { Confirming, Host } from '../../src/distribute/driver.ts'
import {
  actions,
  assert,
  choose,
  invariant,
  machine,
  program,
  receive,
  self,
  send,
  spawn,
  system,
} from '../../src/index.ts'
import type { Program } from '../../src/program/program.ts'
import { scopeSentence } from '../../src/reports/scope.ts'
import { cut, oneIn } from '../amount.ts'
import { tickingHost } from '../ticking-host.ts'

/** Milliseconds: nothing takes so long on a clock that ticks. */
const time = 1_000_000

class Interrupted {
  #controller = new AbortController()
  #because: 'interrupt' | 'time' = 'interrupt'
  #left = Number.POSITIVE_INFINITY
  /** What was done since. */
  after = 0

  get left(): number {
    return this.#left
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** The interrupt, or the end of the time, comes when this has been called so often. */
  comesAfter(calls: number, because: 'interrupt' | 'time' = 'interrupt'): void {
    this.#controller = new AbortController()
    this.#because = because
    this.#left = calls
    this.after = 0
  }

  call(): void {
    if (this.#left <= 0) this.after++
    else if (--this.#left === 0 && this.#because === 'interrupt') this.#controller.abort()
  }

  /** Time passes by itself, and with the last call. */
  get host(): Host {
    const ticking = tickingHost()
    return { ...ticking, now: () => ticking.now() + (this.#left <= 0 && this.#because === 'time' ? time : 0) }
  }
}

const interrupt = new Interrupted()

/** One execution has twice as many steps as messages, and some more. */
const long = program('long', { params: { messages: 3_000 } }, function* ({ messages }) {
  yield* stream(messages)
})

/** What is violated shows at its end. */
const late = program('late', { params: { messages: 3_000 } }, function* ({ messages }) {
  yield* stream(messages)
  yield* assert(messages === 0, 'nothing is sent')
})

/** Each order in which messages come violates something else. */
const faulty = program('faulty', { params: { senders: 4 } }, function* ({ senders }) {
  const me = yield* self<number>()
  for (let number = 0; number < senders; number++) {
    yield* spawn(`sender ${number}`, function* () {
      yield* send(me, number)
    })
  }
  let order = ''
  for (let number = 0; number < senders; number++) order += yield* receive<number>()
  interrupt.call()
  yield* assert(order === '', `nothing comes in the order ${order}`)
})

/** 4! */
const orders = 24

const counter = machine<{ count: number }, never>('counter', {
  state: () => ({ count: 0 }),
  requests: {
    tick(state) {
      state.count++
    },
  },
})

const small = invariant<{ count: number }>('small', (states) => {
  interrupt.call()
  const counters = Object.values(states) as { count: number }[]
  return counters.reduce((sum, { count }) => sum + count ** 2, 0) < 1_000_000
})

/** Six ticks of five counters: the invariant tells 7⁵ combinations of their states apart. */
const counters = system('counters', () => {
  const names = ['a', 'b', 'c', 'd', 'e']
  const ticks = Array.from({ length: 6 }, () => ['tick', null] as const)
  return {
    machines: Object.fromEntries(names.map((name) => [name, counter.as()])),
    requests: Object.fromEntries(names.map((name) => [name, ticks])),
    invariants: [small],
  }
})

const never = 1_000_000_000

const clock = machine<{ count: number }, never>('clock', {
  state: () => ({ count: 0 }),
  requests: {
    tick(state) {
      interrupt.call()
      state.count++
    },
  },
})

/** One machine that is asked many times, each time in another state. */
const ticking = system('ticking', () => ({
  machines: { clock: clock.as() },
  requests: { clock: Array.from({ length: 200 }, () => ['tick', null] as const) },
}))

interface Places {
  readonly places: readonly number[]
}

/** Each of some parties may go on by any number of places up to so many: all of that may happen in one state. */
const wide = system('wide', { params: { places: 1_000 } }, ({ places }) => {
  const anywhere = actions<Places>('anywhere', {
    state: () => ({ places: [0, 0, 0] }),
    next: (state) =>
      state.places.flatMap((place, party) =>
        Array.from({ length: places }, (_, by) => ({
          name: `party ${party} goes on by ${by + 1}`,
          after: () => {
            interrupt.call()
            return { places: state.places.with(party, (place + by + 1) % (places + 1)) }
          },
        })),
      ),
    alike: {
      parties: (state) => state.places,
      renamed: (state, order) => ({ places: order.map((party) => state.places[party] as number) }),
    },
  })
  return { machines: { anywhere: anywhere.as() } }
})

function* stream(messages: number) {
  const me = yield* self<number>()
  yield* spawn('sender', function* () {
    for (let number = 0; number < messages; number++) {
      interrupt.call()
      yield* send(me, number)
    }
  })
  for (let number = 0; number < messages; number++) {
    interrupt.call()
    yield* receive<number>()
  }
}

async function interrupted(
  asked: Program,
  options: CheckOptions,
  calls = 500,
  because: 'interrupt' | 'time' = 'interrupt',
): Promise<Checked> {
  interrupt.comesAfter(calls, because)
  const request = orThrow(checkRequest(asked, { ...options, time, signal: interrupt.signal }))
  return orThrow(await runCheck(request, { host: interrupt.host }))
}

const ends = ['interrupt', 'time'] as const

describe.each(ends)('within a long execution: %s', (because) => {
  test.each(['dpor', 'exhaustive', 'random', 'pct', 'stateful'])('%s', async (engine) => {
    const { verdict, rest } = await interrupted(long, { engine }, 500, because)
    expect(verdict).toMatchObject({ kind: 'incomplete', because })
    expect(interrupt.after).toBeLessThan(64)
    expect(rest === undefined).toBe(engine === 'stateful')
  })

  test.each(['exhaustive', 'random', 'pct'])('%s goes on afterwards with nothing lost', async (engine) => {
    const params = { messages: 400 }
    const { verdict, rest } = await interrupted(long, { engine, params }, 500, because)
    expect(verdict.counts.executions ?? 0).toBe(0)
    const request = orThrow(checkRequest(long, { engine, params, maxExecutions: 1 }))
    const resumed = orThrow(await runCheck(request, { resume: rest }))
    const fresh = orThrow(await runCheck(request))
    expect(resumed.verdict.counts).toEqual(fresh.verdict.counts)
  })
})

describe.each(ends)('after a long execution: %s', (because) => {
  const params = { messages: 1_000 }
  const whole = 2_000

  // As it was, in another order, and each process alone, with its messages and with copies of them.
  const repetitions = because === 'time' ? [1] : [0, 1, 2, 3]
  const repeated = ['dpor', 'random'].flatMap((engine) => repetitions.map((times) => ({ engine, times })))

  test.each(oneIn(3, repeated))('$engine: while it is repeated, after $times times', cut, async ({ engine, times }) => {
    const { verdict } = await interrupted(long, { engine, params }, whole + times * whole + 500, because)
    // All that dpor has to explore is explored by then.
    expect(verdict.kind).toBe(engine === 'dpor' ? 'verified' : 'incomplete')
    expect(verdict.counts.executions).toBe(1)
    expect(interrupt.after).toBeLessThan(64)
  })

  test.each(['dpor', 'random'])('%s: while what it violates is judged', async (engine) => {
    const { verdict, rest } = await interrupted(late, { engine, params }, whole + 500, because)
    if (because === 'time') {
      expect(verdict).toMatchObject({ kind: 'violated', evidence: [{ kind: 'execution' }] })
      return
    }
    expect(verdict).toMatchObject({ kind: 'incomplete', because, isUnconfirmed: true, evidence: [] })
    expect(interrupt.after).toBeLessThan(1_500)
    expect(rest).toBeUndefined()
  })

  test('that it is judged is told while it is', async () => {
    const told: (Confirming | undefined)[] = []
    interrupt.comesAfter(whole + 500, because)
    const request = orThrow(checkRequest(late, { engine: 'random', params, time, signal: interrupt.signal }))
    const onProgress = ({ confirming }: Progress): void => void told.push(confirming)
    const { verdict } = orThrow(await runCheck(request, { host: interrupt.host, onProgress }))
    expect(verdict.kind).toBe(because === 'time' ? 'violated' : 'incomplete')
    // An interrupt is answered before anybody has to be told what takes so long.
    const confirming = { violations: 1, steps: 1 + 2 * params.messages }
    if (because === 'time') expect(told).toContainEqual(confirming)
    else expect(told).not.toContainEqual(confirming)
  })

  test('what is left of many violations is counted, however many there are', async () => {
    const options = { engine: 'dpor', keepGoing: true }
    await interrupted(faulty, options, never)
    const { verdict } = await interrupted(faulty, options, never - interrupt.left - 2 * orders, because)
    const { evidence, unconfirmed = 0 } = verdict as Extract<typeof verdict, { readonly kind: 'violated' }>
    expect(verdict).toMatchObject({ kind: 'violated', because })
    expect(evidence.length + unconfirmed).toBe(orders)
    expect(evidence.length).toBeGreaterThan(0)
    // Each is executed three times, and tells its order at the end of each.
    expect(interrupt.after).toBeLessThan(orders)
    expect(scopeSentence(verdict)).toContain(`before ${unconfirmed} more were confirmed`)
  })

  test('what is nearly judged is judged to its end', async () => {
    const options = { engine: 'random', params: { messages: 20 } }
    await interrupted(late, options, never)
    const { verdict } = await interrupted(late, options, never - interrupt.left - 5, because)
    expect(verdict).toMatchObject({ kind: 'violated', evidence: [{ kind: 'execution' }] })
    expect(interrupt.after).toBe(5)
  })
})

/** So much is remembered of a long execution that most that differ from it at the end take no time, and then some begin anew. */
test.each(oneIn(3, [0, 2, 3]))('after executions that began anew, moment %i', cut, async (moment) => {
  let asked = 0
  const forks = program('forks', function* () {
    for (let at = 0; at < 1_500; at++) {
      asked++
      interrupt.call()
      yield* choose([1, 2, 3, 4])
    }
  })
  interrupt.comesAfter(150_000 + moment * 7_001)
  // Time passes while the program is at work.
  const host = { ...tickingHost(), now: () => asked / 100 }
  const request = orThrow(checkRequest(forks, { engine: 'dpor', time, signal: interrupt.signal }))
  const { verdict } = orThrow(await runCheck(request, { host }))
  expect(verdict).toMatchObject({ kind: 'incomplete', because: 'interrupt' })
  expect(interrupt.after).toBeLessThan(4_000)
})

test.each(['dpor', 'local', 'stateful'])('within many states that are met together: %s', async (engine) => {
  const { verdict } = await interrupted(counters, { engine })
  expect(verdict).toMatchObject({ kind: 'incomplete', because: 'interrupt' })
  expect(interrupt.after).toBeLessThan(256)
})

/** Of a search that ended calls are made again: in two orders, in the same system and in one made anew. */
test.each(ends)('while what handlers did is asked again: %s', async (because) => {
  const whole = await interrupted(ticking, { engine: 'stateful' }, never)
  expect(whole.verdict.kind).toBe('verified')
  const { verdict } = await interrupted(ticking, { engine: 'stateful' }, never - interrupt.left - 4 * 200 + 20, because)
  expect(verdict).toMatchObject({ kind: 'incomplete', because })
  expect(interrupt.after).toBeLessThan(64)
})

// In the first state, while it is compared with others whose parties stand in another order, and when it is left.
test.each(oneIn(4, [10, 1_500, 4_000, 20_000]))(
  'within a state that has many outcomes, after %i of them',
  cut,
  async (calls) => {
    const { verdict } = await interrupted(wide, { engine: 'stateful', options: { symmetry: true } }, calls)
    expect(verdict).toMatchObject({ kind: 'incomplete', because: 'interrupt' })
    expect(interrupt.after).toBeLessThan(256)
  },
)
