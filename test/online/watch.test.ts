/** Rounds without a network: the source of snapshots is made up. */

import { expect, test } from 'vitest'
import { race } from '../../src/check/online/race.ts'
import type { SnapshotSource } from '../../src/check/online/source.ts'
import { type Round, type WatchOptions, watchOnline } from '../../src/check/online/watch.ts'
import { type Diagnostic, failure, success } from '../../src/core/diagnostic.ts'
import { settingFrom } from '../../src/core/setting.ts'
import type { Snapshot } from '../../src/core/snapshot.ts'
import type { Host } from '../../src/distribute/driver.ts'
import { machine, system } from '../../src/index.ts'
import type { LocalState, Machines } from '../../src/program/machines.ts'
import log from './fixtures/log.check.ts'

const params = { appends: 12, kept: 100 }
const machines = log.views.machines?.(settingFrom({ params, network: 'bag' })) as NonNullable<
  ReturnType<NonNullable<typeof log.views.machines>>
>

function snapshotOf(states: readonly LocalState[]): Snapshot {
  const about = { format: 'allways-snapshot/1', system: 'log', params, takenAt: '', missing: 0 } as const
  return { ...about, machines: machines.machines, states, underWay: [] }
}

const chosen = (values: object): LocalState => ({
  data: { chosen: values, accepted: {}, proposal: null } as never,
  timers: [],
  requests: 12,
  crashes: 0,
})
const fine = snapshotOf([chosen({}), chosen({}), chosen({})])
const wrong = snapshotOf([chosen({ 0: 'a' }), chosen({}), chosen({ 0: 'b' })])

const cut: Diagnostic = { code: 'E607', message: 'cut', hint: 'join' }

/** Gives these one after the other, and then the last one again. */
function sourceOf(...given: readonly (Snapshot | Diagnostic)[]): SnapshotSource & { closed: number } {
  let at = 0
  return {
    isLive: true,
    closed: 0,
    take: async () => {
      const next = given[Math.min(at++, given.length - 1)] as Snapshot | Diagnostic
      return 'code' in next ? failure(next) : success({ snapshot: next, shown: 'a test', overhead: undefined })
    },
    close() {
      this.closed++
    },
  }
}

async function watched(source: SnapshotSource, options: Partial<WatchOptions>) {
  const rounds: Round[] = []
  const told: string[] = []
  const all = { program: log, source, roundMilliseconds: 1000, everyMilliseconds: 0, rounds: 3, keepGoing: false }
  const ended = await watchOnline(
    { ...all, signal: new AbortController().signal, ...options },
    {
      attached: (_, isAgain) => told.push(isAgain ? 'attached again' : 'attached'),
      round: (round) => {
        rounds.push(round)
        told.push(`round ${round.number}`)
      },
      trouble: ([first]) => told.push(`trouble ${first?.code}`),
    },
  )
  return { ended, rounds, told }
}

test('the first prediction ends the rounds', async () => {
  const source = sourceOf(fine, wrong)
  const { ended, rounds, told } = await watched(source, {})
  expect(told).toEqual(['attached', 'round 1', 'round 2'])
  expect(rounds.map(({ prediction }) => prediction?.events)).toEqual([undefined, 0])
  expect(ended).toMatchObject({ ok: true, value: { rounds: 2, ended: { exhausted: 1, violation: 1 } } })
  expect(source.closed).toBe(1)
})

test('with keepGoing all rounds are made, and a violation that was predicted before is known', async () => {
  const { ended, rounds } = await watched(sourceOf(wrong), { keepGoing: true })
  expect(rounds.map(({ isKnown }) => isKnown)).toEqual([false, true, true])
  expect(ended.ok && ended.value.predictions.length).toBe(1)
})

test('rounds that were asked for are given up where nobody answers', async () => {
  const never = await watched(sourceOf(cut), { rounds: 1, attempts: 2 })
  expect(never.told).toEqual(['trouble E607'])
  expect(never.ended).toMatchObject({
    ok: true,
    value: { rounds: 0, troubles: 2, isInterrupted: false, unanswered: [cut] },
  })
  // Attempts are counted from the last snapshot.
  const once = await watched(sourceOf(cut, fine, cut), { rounds: 2, attempts: 2 })
  expect(once.told).toEqual(['trouble E607', 'attached again', 'round 1', 'trouble E607'])
  expect(once.ended).toMatchObject({ ok: true, value: { rounds: 1, unanswered: [cut] } })
})

test('an attempt without a snapshot is no round', async () => {
  const { ended, told } = await watched(sourceOf(cut, fine, cut, fine), { rounds: 2 })
  expect(told).toEqual(['trouble E607', 'attached again', 'round 1', 'trouble E607', 'attached again', 'round 2'])
  expect(ended).toMatchObject({ ok: true, value: { rounds: 2, troubles: 2 } })
})

test('a snapshot of another system ends everything with a diagnostic', async () => {
  const source = sourceOf(fine, { ...fine, system: 'ledger' })
  const { ended } = await watched(source, {})
  expect(ended).toMatchObject({ ok: false, diagnostics: [{ code: 'E608' }] })
  expect(source.closed).toBe(1)
})

/** Every look at the clock takes a while, and every pause costs memory. */
function host(growth: number): Host & { pauses: number } {
  let time = 0
  const made = {
    pauses: 0,
    now: () => (time += 10),
    memory: () => made.pauses * growth,
    pause: async () => void made.pauses++,
  }
  return made
}

test('a race gives up the global search first when memory runs out, and then itself', async () => {
  const limits = { milliseconds: Number.POSITIVE_INFINITY, memory: { one: 3, both: 15 } }
  const some = await race(machines, { ...limits, milliseconds: 1500 }, host(0))
  const raced = await race(machines, limits, host(1))
  expect(raced).toMatchObject({ because: 'memory', by: undefined, found: undefined })
  expect(some).toMatchObject({ because: 'time', by: undefined })
  expect(raced.local.states).toBeGreaterThan(0)
  expect(raced.stateful.states).toBeLessThan(some.stateful.states)
})

test('a race that is interrupted has no answer', async () => {
  const limits = { milliseconds: Number.POSITIVE_INFINITY, memory: { one: 1e9, both: 1e9 } }
  const raced = await race(machines, { ...limits, signal: AbortSignal.abort() }, host(0))
  expect(raced).toMatchObject({ because: 'interrupt', by: undefined, found: undefined })
})

/** Counts for ever, and counts how often its handler ran. */
function endless() {
  const ran = { times: 0 }
  const counter = machine<{ count: number }, never>('counter', {
    state: () => ({ count: 0 }),
    start: (_state, context) => context.setTimer('next', { milliseconds: 10 }),
    timers: {
      next(state, context) {
        ran.times++
        state.count++
        context.setTimer('next', { milliseconds: 10 })
      },
    },
  })
  const program = system('endless', () => ({ machines: { counter: counter.as() } }))
  return { ran, subject: program.views.machines?.(settingFrom({ params: {}, network: 'bag' })) as Machines }
}

test('a race ends when its time is over, however slow the first progress of its searches is', async () => {
  const { ran, subject } = endless()
  const clock = host(0)
  const slowly: Host = { ...clock, now: () => clock.now() + 10 * ran.times }
  const raced = await race(subject, { milliseconds: 1000, memory: { one: 1e9, both: 1e9 } }, slowly)
  expect(raced).toMatchObject({ because: 'time', by: undefined })
  // A hundred handlers take the time there is; the search is stopped at its next sign of progress, not after a head start.
  expect(ran.times).toBeGreaterThanOrEqual(90)
  expect(ran.times).toBeLessThan(4000)
})

test.each(['local', 'stateful'] as const)('a race of %s alone leaves the other where it was', async (engine) => {
  const raced = await race(machines, { milliseconds: 200, memory: { one: 1e9, both: 1e9 }, engine }, host(0))
  const states = { local: raced.local.states, stateful: raced.stateful.states }
  expect(Object.entries(states).filter(([, count]) => count > 0)).toMatchObject([[engine, expect.any(Number)]])
})

test('a global search that is alone and runs out of memory is over', async () => {
  const limits = { milliseconds: Number.POSITIVE_INFINITY, memory: { one: 3, both: 1e9 }, engine: 'stateful' } as const
  expect(await race(machines, limits, host(1))).toMatchObject({ because: 'memory', by: undefined })
})
