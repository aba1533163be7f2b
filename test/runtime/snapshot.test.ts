/** Money is neither made nor lost in any snapshot of a bank that never rests. */
import { expect, test } from 'vitest'
import type { Snapshot } from '../../src/core/snapshot.ts'
import { machine, system } from '../../src/index.ts'
import { readSnapshot, snapshotToJson } from '../../src/runtime/snapshot.ts'
import { snapshotId } from '../../src/runtime/snapshot-id.ts'
import { SnapshotRecorder } from '../../src/runtime/snapshot-recorder.ts'
import { long } from '../amount.ts'
import { type Cluster, type ClusterOptions, cluster, dataOf, until } from './cluster.ts'
import { bank, stream } from './systems.ts'

/** Whatever else the machine does: nothing that comes late is taken for lost. */
const unhurried = { graceMilliseconds: 120_000, patienceMilliseconds: 120_000 }

const total = 3000

function worth({ states, underWay }: Snapshot): { readonly accounts: number; readonly underWay: number } {
  const accounts = states.reduce((sum, { data }) => sum + (data as { readonly balance: number }).balance, 0)
  const coins = underWay.reduce((sum, { message }) => sum + (message as { readonly amount: number }).amount, 0)
  return { accounts, underWay: coins }
}

/** So many, and more until one of them has something under way: otherwise nothing would be told about messages. */
async function snapshots(running: Cluster, count: number): Promise<readonly Snapshot[]> {
  const taken: Snapshot[] = []
  for (let at = 0; at < count || taken.every(({ underWay }) => underWay.length === 0); at++) {
    const received = dataOf<{ received: number }>(running.host('account 0')).received
    const snapshot = await running.host(`account ${at % 3}`).snapshot()
    if (!snapshot.ok) throw new Error(JSON.stringify(snapshot.diagnostics))
    taken.push(snapshot.value)
    // The bank goes on between two snapshots, and so do they between two of its steps.
    await until(() => dataOf<{ received: number }>(running.host('account 0')).received > received)
  }
  return taken
}

const settings: readonly (readonly [string, ClusterOptions])[] = [
  ['over tcp', { transport: 'tcp' }],
  ['over udp', { transport: 'udp' }],
  ['over udp with overtaking and delays', { faults: { reordering: 0.3, delay: { least: 0, most: 8 } }, seed: 1 }],
  ['over tcp with delays', { transport: 'tcp', faults: { delay: { least: 0, most: 8 } }, seed: 1 }],
]

for (const [name, options] of settings) {
  test(`${name}, accounts and coins under way are worth as much as at the beginning in each of 20 snapshots`, async () => {
    const running = await cluster(bank, { ...options, ...unhurried })
    const taken = await snapshots(running, 20)
    for (const snapshot of taken) {
      const { accounts, underWay } = worth(snapshot)
      expect({ worth: accounts + underWay, missing: snapshot.missing }).toEqual({ worth: total, missing: 0 })
    }
    expect(new Set(taken.map(({ states }) => running.machines.key(states[0] as never))).size).toBeGreaterThan(1)
  })
}

test.each(['udp', 'tcp'] as const)(
  'over %s, a coin that was lost is missing in exactly one snapshot',
  async (transport) => {
    const running = await cluster(bank, {
      transport,
      faults: { loss: 0.3 },
      seed: 5,
      ...unhurried,
      graceMilliseconds: 200,
    })
    let missing = 0
    for (let at = 0; at < 6; at++) {
      const snapshot = await running.host(`account ${at % 3}`).snapshot()
      if (!snapshot.ok) throw new Error(JSON.stringify(snapshot.diagnostics))
      missing += snapshot.value.missing
      const { accounts, underWay } = worth(snapshot.value)
      expect(accounts + underWay + missing).toBe(total)
    }
    expect(missing).toBeGreaterThan(0)
  },
)

test('where order counts, what is under way goes on exactly where its receiver stopped', async () => {
  const running = await cluster(stream, { transport: 'tcp', faults: { delay: { least: 0, most: 5 } }, ...unhurried })
  for (let at = 0; at < 10; at++) {
    const taken = await running.host(at % 2 === 0 ? 'source' : 'sink').snapshot()
    if (!taken.ok) throw new Error(JSON.stringify(taken.diagnostics))
    const [{ sent }, { last }] = taken.value.states.map(({ data }) => data) as unknown as [
      { sent: number },
      { last: number },
    ]
    const items = taken.value.underWay.filter(({ to }) => to === 'sink')
    const expected = Array.from({ length: sent - last }, (_, ahead) => last + 1 + ahead)
    expect(items.map(({ message }) => (message as { readonly number: number }).number)).toEqual(expected)
    await until(() => dataOf<{ last: number }>(running.host('sink')).last > last + 10)
  }
  expect(running.host('sink').counters.violations).toBe(0)
})

test('two machines that take snapshots at the same time both get a consistent one', async () => {
  const running = await cluster(bank, { transport: 'tcp', ...unhurried })
  const taken = await Promise.all([0, 1, 2, 0, 1, 2].map((at) => running.host(`account ${at}`).snapshot()))
  for (const snapshot of taken) {
    if (!snapshot.ok) throw new Error(JSON.stringify(snapshot.diagnostics))
    const { accounts, underWay } = worth(snapshot.value)
    expect(accounts + underWay).toBe(total)
  }
})

test('a snapshot survives being written and read, and machines can go on from it', async () => {
  const running = await cluster(bank, { faults: { delay: { least: 1, most: 8 } }, ...unhurried })
  const taken = await running.host('account 1').snapshot()
  if (!taken.ok) throw new Error(JSON.stringify(taken.diagnostics))
  const read = readSnapshot(JSON.stringify(snapshotToJson(taken.value)), 'a.json')
  expect(read).toEqual(taken)
  const { states, underWay } = taken.value
  const again = running.machines.from(states, underWay)
  expect(again.start).toEqual({ states, underWay })
})

test(
  'a snapshot without an answer from everybody names who was silent, and not who waited for them',
  long,
  async () => {
    const running = await cluster(bank, { patienceMilliseconds: 2000 })
    await running.host('account 0').snapshot()
    await running.host('account 2').stop()
    const taken = await running.host('account 0').snapshot()
    expect(taken).toMatchObject({
      ok: false,
      diagnostics: [{ code: 'E605', message: 'no part of the snapshot came from account 2 within 2000 ms' }],
    })
  },
)

const ballast = 'x'.repeat(500_000)
const heavy = machine<{ load: string }>('heavy', { state: () => ({ load: ballast }) })

test('states that are larger than any datagram come through, though a third of the frames is lost', async () => {
  const freight = system('freight', () => ({ machines: { a: heavy.as(), b: heavy.as() } }))
  const { host } = await cluster(freight, { faults: { loss: 0.3 }, seed: 2, ...unhurried })
  const taken = await host('a').snapshot()
  expect(taken).toMatchObject({
    ok: true,
    value: { missing: 0, states: [{ data: { load: ballast } }, { data: { load: ballast } }] },
  })
})

function recorderTelling(sent: string[], recorded: () => boolean): SnapshotRecorder {
  return new SnapshotRecorder({
    self: 0,
    machines: 2,
    network: {
      mark: () => ({ cut: 0, incarnation: 1 }),
      cutOf: () => 0,
      incarnationOf: () => 1,
      awaited: () => 0,
      missing: () => 0,
      giveUp: () => {},
      sendControl: (to, kind, snapshot) => sent.push(`${kind} ${snapshot} to ${to}`),
      limit: 1000,
    },
    earlier: snapshotId(5, 1),
    graceMilliseconds: 10,
    patienceMilliseconds: 10,
    state: () => ({ data: null, timers: [], requests: 0, crashes: 1 }),
    local: () => [],
    recorded,
    done: () => {},
  })
}

test('a machine that came back takes no part in a snapshot of its earlier life', () => {
  const sent: string[] = []
  const recorder = recorderTelling(sent, () => sent.push('recorded') > 0)
  const sessions = { from: 1, to: 0, fromIncarnation: 1, toIncarnation: 1 }
  const marker = { kind: 'marker', ...sessions, sequence: 0, number: 0, body: Buffer.from('{"cut":0}') } as const
  const [old, next] = [snapshotId(5, 1), snapshotId(6, 1)]
  recorder.control({ ...marker, snapshot: old })
  expect(sent).toEqual([`marked ${old} to 1`])
  recorder.control({ ...marker, snapshot: next })
  expect(sent.slice(1)).toEqual(['recorded', `marker ${next} to 1`, `marked ${next} to 1`, `report ${next} to 1`])
  recorder.stop()
})

test('a machine that could not keep what it recorded tells nobody, and waits for nobody', () => {
  const sent: string[] = []
  const recorder = recorderTelling(sent, () => false)
  recorder.record(snapshotId(6, 1))
  expect({ sent, isBusy: recorder.isBusy }).toEqual({ sent: [], isBusy: false })
})
