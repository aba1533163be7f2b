/** What running machines have announced, in snapshots: in an order that they can have had, over restarts, or known to be unknown. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { machine, refines, refuse, specification, system } from '../../src/index.ts'
import { abstractObjectOf } from '../../src/program/refinement.ts'
import { CallHistory, mostCalls } from '../../src/runtime/call-history.ts'
import type { MachineHost } from '../../src/runtime/machine-host.ts'
import { readSnapshot, snapshotToJson } from '../../src/runtime/snapshot.ts'
import { type ClusterOptions, cluster, machinesIn, openedAgain, until } from './cluster.ts'

const counter = specification('counter', {
  state: { count: 0 },
  operations: {
    /** Each call is the one after the last. */
    next: (state: { count: number }, { count }: { readonly count: number }) =>
      count === state.count + 1 ? { count } : refuse(`${state.count} was the last`),
    seen: (state: { count: number }) => state,
  },
  idempotent: ['seen'],
})

/** A number goes back and forth: each call depends on the one before, by another machine. */
const player = machine<{ last: number }, { readonly kind: 'go'; readonly count: number }>('player', {
  state: () => ({ last: 0 }),
  on: {
    go(state, { count }, { from, send, announce }) {
      state.last = count
      announce(counter.next({ count }))
      announce(counter.seen({}))
      if (count % 10 !== 0) send(from, { kind: 'go', count: count + 1 })
    },
  },
  requests: {
    serve(_, count: number, { peers, send }) {
      send(peers[0] as string, { kind: 'go', count })
    },
  },
  durable: ['last'],
})

// The names are not in the order in which they call.
const game = system('game', { faults: {} }, () => ({
  machines: { b: player.as(), a: player.as() },
  properties: [refines(counter)],
}))

let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'allways-calls-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

const lastOf = (host: MachineHost): number => (host.state.data as unknown as { readonly last: number }).last

async function calledIn(host: MachineHost) {
  const taken = await host.snapshot()
  if (!taken.ok) throw new Error(JSON.stringify(taken.diagnostics))
  const { value } = taken
  // What is written is what is read.
  expect(readSnapshot(JSON.stringify(snapshotToJson(value)), 'it')).toEqual({ ok: true, value })
  const counts = value.calls?.flatMap(({ call }) => {
    const { kind, count } = call as unknown as { readonly kind: string; readonly count: number }
    return kind === 'counter.next' ? [count] : []
  })
  return {
    counts,
    seen: value.calls?.filter(({ call }) => 'kind' in Object(call) && !('count' in Object(call))),
    value,
  }
}

const upTo = (last: number): readonly number[] => Array.from({ length: last }, (_, at) => at + 1)

test('calls of different machines come in the order in which one led to the other', async () => {
  const { host } = await cluster(game)
  host('a').request('serve', 1)
  await until(() => lastOf(host('a')) + lastOf(host('b')) === 19)
  const { counts, seen } = await calledIn(host('b'))
  expect(counts).toEqual(upTo(10))
  // Repeated by each of them, and kept once of each.
  expect(seen?.map(({ by }) => by).sort()).toEqual(['a', 'b'])
})

async function restarted(options: ClusterOptions) {
  const { host, peers, machines } = await cluster(game, options)
  host('a').request('serve', 1)
  await until(() => lastOf(host('a')) + lastOf(host('b')) === 19)
  const { address } = host('b')
  await host('b').stop()
  const again = await openedAgain({ ...options, system: game.name, machines, machine: 'b', listen: address })
  again.start(peers)
  await until(() => again.counters.received > 0)
  return { again, other: host('a') }
}

test('a machine that keeps its state keeps its calls, and goes on after them', async () => {
  const { again, other } = await restarted({ stateFolder: folder })
  await until(() => again.isRunning)
  await until(() => {
    // What is sent before the other side has heard of this life is lost.
    if (lastOf(other) < 11) again.request('serve', 11)
    return Math.max(lastOf(again), lastOf(other)) === 20
  })
  const { counts } = await calledIn(other)
  // Served more than once, perhaps: each number follows one before it all the same.
  expect([...new Set(counts)]).toEqual(upTo(20))
})

test('a machine that keeps nothing has forgotten them, and the snapshot says so', async () => {
  const { again } = await restarted({})
  const { value } = await calledIn(again)
  expect(value).toMatchObject({ callsUnknown: expect.stringContaining('a machine was restarted') })
  expect(value.calls).toBeUndefined()
})

test('more calls than can be kept are unknown, and logical time is never earlier than before', () => {
  const object = abstractObjectOf(counter) as NonNullable<ReturnType<typeof abstractObjectOf>>
  const history = new CallHistory([object], undefined, true)
  history.heard(70)
  history.announced([{ event: counter.next({ count: 1 }), after: 0 }])
  expect(history.calls?.map(({ at }) => at)).toEqual([71])
  expect(history.isUnsaved).toBe(true)
  const saved = history.toSave()
  expect(history.isUnsaved).toBe(false)
  // Whatever the last life has seen without telling the disk.
  history.heard((saved?.clock ?? 0) - 1)
  expect(history.isUnsaved).toBe(false)
  const next = new CallHistory([object], saved, false)
  expect(next.next()).toBeGreaterThan((saved?.clock ?? 0) - 1)
  history.heard(saved?.clock ?? 0)
  expect(history.isUnsaved).toBe(true)
  const many = upTo(mostCalls).map((count) => ({ event: counter.next({ count }), after: 0 }))
  next.announced(many)
  expect(next.calls).toBeUndefined()
  expect(new CallHistory([object], undefined, false).calls).toBeUndefined()
})

test('a system that refines nothing has no calls in its snapshots', async () => {
  const plain = system('plain', { faults: {} }, () => ({ machines: { b: player.as(), a: player.as() } }))
  const { host } = await cluster(plain)
  host('a').request('serve', 1)
  await until(() => lastOf(host('a')) + lastOf(host('b')) === 19)
  const { value } = await calledIn(host('b'))
  expect(Object.keys(value)).not.toContain('calls')
  expect(machinesIn(plain).refines).toEqual([])
})

interface LoggedLine {
  readonly machine: string
  readonly step?: number
  readonly calls?: readonly { readonly at: number; readonly call: { readonly count?: number } }[]
  readonly refines?: readonly string[]
  readonly earlier?: { readonly incarnation: number; readonly calls: readonly { readonly at: number }[] }
}

test('logs hold calls at the events that announced them, numbered, and a later life says what came before it', async () => {
  const lines: LoggedLine[] = []
  const log = { write: (line: unknown) => lines.push(line as LoggedLine) > 0, close: async () => {} }
  const { again } = await restarted({ stateFolder: folder, log })
  await until(() => again.isRunning)
  const calls = lines.flatMap(({ machine, calls = [] }) => calls.map(({ at, call }) => ({ machine, at, ...call })))
  const counts = calls.filter(({ count }) => count !== undefined).sort((one, other) => one.at - other.at)
  expect(counts.map(({ count }) => count)).toEqual(upTo(10))
  // What changes nothing is written once.
  expect(calls.filter(({ count }) => count === undefined)).toHaveLength(2)
  const [first, , second] = lines.filter(({ refines }) => refines !== undefined)
  expect(first).toMatchObject({ machine: 'b', refines: ['counter'], params: {} })
  expect(second?.machine).toBe('b')
  const ofB = calls.filter(({ machine }) => machine === 'b')
  expect(second?.earlier?.calls.map(({ at }) => at)).toEqual(ofB.map(({ at }) => at))
  const steps = lines.filter(({ machine, step }) => machine === 'a' && step !== undefined).map(({ step }) => step)
  expect(steps).toEqual(upTo(steps.length))
})
