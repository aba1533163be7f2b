/** What `check` does for systems by default: `local` and `stateful` in turn, and the one that answers is told. */
import { expect, test } from 'vitest'
import { epochsIgnored } from '../../../corpus/primary-backup/model.check.ts'
import { checkRequest } from '../../../src/check/request.ts'
import { runCheck } from '../../../src/check/run.ts'
import type { Verdict } from '../../../src/core/verdict.ts'
import type { Host } from '../../../src/distribute/driver.ts'
import { actions, invariant, liveness, machine, type SystemParts, system } from '../../../src/index.ts'

interface Message {
  readonly kind: 'read' | 'value' | 'write'
  readonly value?: number
}

const store = machine<{ value: number }, Message>('store', {
  state: () => ({ value: 0 }),
  on: {
    read: (state, _, { from, send }) => send(from, { kind: 'value', value: state.value }),
    write: (state, { value = 0 }) => {
      state.value = value
    },
  },
})

/** Reads and writes one more, so often. */
const client = machine<{ left: number }, Message, number>('client', {
  state: ({ args }) => ({ left: args }),
  start: (_, { send }) => send('store', { kind: 'read' }),
  on: {
    value: (state, { value = 0 }, { send }) => {
      send('store', { kind: 'write', value: value + 1 })
      if (--state.left > 0) send('store', { kind: 'read' })
    },
  },
})

/** Apart, a store may count for ever that two clients write to; together they cannot. */
function counters(times: number, more: Partial<SystemParts> = {}) {
  const named = [1, 2].map((at) => [`client ${at}`, client.as(times)])
  return system('counters', { faults: {} }, () => ({
    machines: { store: store.as(), ...Object.fromEntries(named) },
    invariants: [invariant<{ value: number }>('small', (states) => (states.store?.value ?? 0) < 100)],
    ...more,
  }))
}

async function verdictOf(...[program, options]: Parameters<typeof checkRequest>): Promise<Verdict> {
  return await verdictOn(undefined, program, options)
}

async function verdictOn(host: Host | undefined, ...asked: Parameters<typeof checkRequest>): Promise<Verdict> {
  const request = checkRequest(...asked)
  const ran = request.ok ? await runCheck(request.value, { host }) : request
  if (!ran.ok) throw new Error(ran.diagnostics.map(({ message }) => message).join('\n'))
  return ran.value.verdict
}

test('a small system is answered by local in its first turn', async () => {
  const verdict = await verdictOf(counters(1), {})
  expect(verdict).toMatchObject({ kind: 'verified', scope: { engine: 'local' } })
  expect(verdict.raced).toEqual([
    { engine: 'local', ended: 'answered', counts: verdict.counts },
    { engine: 'stateful', ended: 'outrun', counts: {} },
  ])
})

test('a machine of actions alone is asked of stateful: nothing is apart from it', async () => {
  const next = (at: number) => (at < 3 ? [{ name: 'on', after: at + 1 }] : [])
  const alone = (...names: readonly string[]) =>
    system('alone', { faults: {} }, () => ({
      machines: Object.fromEntries(
        names.map((name) => [name, actions<number>('count', { state: () => 0, next }).as()]),
      ),
      invariants: [invariant('small', () => true)],
    }))
  const verdict = await verdictOf(alone('one'), {})
  expect(verdict).toMatchObject({ kind: 'verified', scope: { engine: 'stateful' }, counts: { states: 4 } })
  expect(verdict.raced).toBeUndefined()
  expect((await verdictOf(alone('one', 'two'), {})).raced).toHaveLength(2)
  expect(await verdictOf(alone('one'), { engine: 'local' })).toMatchObject({ scope: { engine: 'local' } })
})

test('stateful answers where local does not end, with its own scope and counts', async () => {
  const verdict = await verdictOf(counters(3), {})
  const alone = await verdictOf(counters(3), { engine: 'stateful' })
  expect(verdict).toMatchObject({ kind: 'verified', scope: alone.scope, counts: alone.counts })
  expect(verdict.raced?.map(({ engine, ended }) => [engine, ended])).toEqual([
    ['local', 'outrun'],
    ['stateful', 'answered'],
  ])
})

test('who answers, and with which counts, depends on no clock', async () => {
  const clock = (tick: number): Host => {
    let now = 0
    return { now: () => (now += tick), memory: () => 0, pause: () => Promise.resolve() }
  }
  const [still, quick] = [await verdictOn(clock(0), counters(3), {}), await verdictOn(clock(9), counters(3), {})]
  expect(still.raced?.every(({ counts }) => (counts.states ?? 0) > 0)).toBe(true)
  expect(quick).toEqual(still)
})

test('what either finds is replayed, and told with the engine that found it', async () => {
  const verdict = await verdictOf(epochsIgnored, { params: { puts: 2 } })
  expect(verdict).toMatchObject({ kind: 'violated', exhausted: false, raced: [{ ended: 'answered' }, {}] })
  expect(verdict.evidence).toMatchObject([{ kind: 'execution', violation: { kind: 'invariant' } }])
})

test('a system that creates machines is left to stateful', async () => {
  const boss = machine<{ hired: number }, Message>('boss', {
    state: () => ({ hired: 0 }),
    requests: {
      hire(state, _: number, { create }) {
        state.hired++
        create('store', store.as())
      },
    },
  })
  const hiring = system('hiring', () => ({ machines: { boss: boss.as() }, requests: { boss: [['hire', 1]] } }))
  const verdict = await verdictOf(hiring, {})
  expect(verdict).toMatchObject({ kind: 'verified', scope: { engine: 'stateful' } })
  expect(verdict.raced?.map(({ ended }) => ended)).toEqual(['unable', 'answered'])
})

test('there is no race if an engine is named, or if one of them cannot decide', async () => {
  expect((await verdictOf(counters(1), { engine: 'local' })).raced).toBeUndefined()
  const live = counters(1, { liveness: [liveness('there', () => true)] })
  expect(await verdictOf(live, {})).toMatchObject({ kind: 'verified', scope: { engine: 'stateful' } })
  expect((await verdictOf(live, {})).raced).toBeUndefined()
})

test('a budget ends both, and the verdict is that of the first', async () => {
  let now = 0
  const host: Host = { now: () => now++, memory: () => 0, pause: () => Promise.resolve() }
  const verdict = await verdictOn(host, counters(3), { time: 400 })
  expect(verdict).toMatchObject({ kind: 'incomplete', because: 'time', scope: { engine: 'local' } })
  expect(verdict.counts).toEqual(verdict.raced?.[0]?.counts)
  expect(verdict.raced?.map(({ ended }) => ended)).toEqual(['time', 'time'])
})

test('if memory is short for both, one is given up and the verdict says so', async () => {
  // 70 bytes, from the third look on, are more than 0.6 of 100; nobody took them in a turn, so the first search is given up.
  let looks = 0
  const host: Host = { now: () => 0, memory: () => (looks++ < 2 ? 0 : 70), pause: () => Promise.resolve() }
  const verdict = await verdictOn(host, counters(3), { memory: 100 })
  expect(verdict).toMatchObject({ kind: 'verified', scope: { engine: 'stateful' } })
  expect(verdict.raced?.map(({ ended }) => ended)).toEqual(['memory', 'answered'])
})
