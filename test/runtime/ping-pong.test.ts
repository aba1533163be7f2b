/** Two machines over real sockets. */
import { expect, test, vi } from 'vitest'
import { machine, system } from '../../src/index.ts'
import type { Machines } from '../../src/program/machines.ts'
import { MachineHost } from '../../src/runtime/machine-host.ts'
import { cluster, dataOf, machinesIn, opened, until } from './cluster.ts'
import { pingPong, stream } from './systems.ts'

for (const transport of ['udp', 'tcp'] as const) {
  test(`over ${transport} every ball comes back, and nothing is refused`, async () => {
    const { host } = await cluster(pingPong, { transport })
    host('left').request('play', 50)
    await until(() => dataOf<{ hits: number }>(host('left')).hits === 50)
    expect(dataOf(host('left'))).toEqual({ hits: 50, goal: 50 })
    for (const name of ['left', 'right']) {
      const { malformed, oversized, unauthenticated, foreign, replayed } = host(name).counters
      expect({ malformed, oversized, unauthenticated, foreign, replayed }).toEqual({
        malformed: 0,
        oversized: 0,
        unauthenticated: 0,
        foreign: 0,
        replayed: 0,
      })
    }
  })
}

test('with a third of all frames lost, retries bring every ball back', async () => {
  const { host } = await cluster(pingPong, { faults: { loss: 0.3 }, seed: 7 })
  host('left').request('play', 12)
  await until(() => dataOf<{ hits: number }>(host('left')).hits === 12)
  expect(host('left').counters.lost).toBeGreaterThan(0)
  expect(host('right').counters.lost).toBeGreaterThan(0)
})

test('balls that are delayed, overtaken and repeated still count once', async () => {
  const faults = { duplication: 0.5, reordering: 0.3, delay: { least: 0, most: 5 } }
  const { host } = await cluster(pingPong, { faults, seed: 3 })
  host('left').request('play', 20)
  await until(() => dataOf<{ hits: number }>(host('left')).hits === 20)
  expect(dataOf(host('left'))).toEqual({ hits: 20, goal: 20 })
  const { duplicated, delayed, reordered } = host('left').counters
  expect(Math.min(duplicated, delayed, reordered)).toBeGreaterThan(0)
  // A repetition is a message of its own for the receiver, not a replay.
  expect(host('right').counters.replayed).toBe(0)
})

test('a system that relies on order is not run over datagrams', async () => {
  const machines = machinesIn(stream)
  const refused = await MachineHost.open({ system: 'stream', machines, machine: 'sink' })
  expect(refused).toMatchObject({
    ok: false,
    diagnostics: [{ code: 'E606', message: expect.stringContaining('UDP does not keep it') }],
  })
})

test('messages wait for a machine that is started later', async () => {
  const options = { system: pingPong.name, machines: machinesIn(pingPong) }
  const left = await opened({ ...options, machine: 'left' })
  const right = await opened({ ...options, machine: 'right' })
  left.start(new Map([['right', right.address]]))
  left.request('play', 1)
  expect(left.counters).toMatchObject({ sent: 1, unsendable: 0 })
  right.start(new Map([['left', left.address]]))
  await until(() => dataOf<{ hits: number }>(left).hits === 1)
  expect(right.counters.replayed).toBe(0)
})

test('a timer waits as long as its handler said', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const machines = machinesIn(pingPong)
  const timed: Machines = {
    ...machines,
    key: (state) => machines.key(state),
    internal: (number, state) => machines.internal(number, state),
    from: (states, underWay) => machines.from(states, underWay),
    handle: (number, state, event) =>
      machines.handle(number, state, event).map((outcome) => ({ ...outcome, waits: new Map([['again', 7]]) })),
  }
  const left = await opened({ system: pingPong.name, machines: timed, machine: 'left' })
  left.start(new Map())
  left.request('play', 1)
  vi.advanceTimersByTime(6)
  expect(left.counters.sent).toBe(1)
  vi.advanceTimersByTime(1)
  expect(left.counters.sent).toBe(2)
  vi.advanceTimersByTime(70)
  expect(left.counters.sent).toBe(12)
  vi.useRealTimers()
})

test('a timer that is set at the beginning waits as long as it was told', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const clock = machine<{ ticks: number }, never>('clock', {
    state: () => ({ ticks: 0 }),
    start: (_state, context) => context.setTimer('tick', { milliseconds: 3000 }),
    timers: { tick: (state) => void state.ticks++ },
  })
  const program = system('clock', () => ({ machines: { clock: clock.as() } }))
  const host = await opened({ system: program.name, machines: machinesIn(program), machine: 'clock' })
  host.start(new Map())
  vi.advanceTimersByTime(2999)
  expect(dataOf(host)).toEqual({ ticks: 0 })
  vi.advanceTimersByTime(1)
  expect(dataOf(host)).toEqual({ ticks: 1 })
  vi.useRealTimers()
})
