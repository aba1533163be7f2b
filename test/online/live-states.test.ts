/** One round from the live states that LMC §5.5 and §5.6 report, by each search alone and by both. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { long } from '../amount.ts'
import { allways } from '../cli/harness.ts'
import { linesOf } from './processes.ts'

const folder = mkdtempSync(join(tmpdir(), 'allways-live-'))

afterAll(() => rmSync(folder, { recursive: true }))

const engines = [
  { title: 'local alone', flags: ['--engine', 'local'], by: 'local' },
  { title: 'stateful alone', flags: ['--engine', 'stateful'], by: 'stateful' },
  { title: 'both', flags: [], by: expect.any(String) },
]

interface Live {
  readonly system: string
  readonly params: object
  readonly machines: readonly string[]
  readonly states: readonly object[]
}

async function round(file: string, live: Live, flags: readonly string[]) {
  const about = { format: 'allways-snapshot/1', takenAt: '2011-03-30T00:00:00.000Z', missing: 0, underWay: [] }
  const states = live.states.map((data) => ({ data, timers: [], requests: 0, crashes: 0 }))
  const path = join(folder, 'live.json')
  writeFileSync(path, JSON.stringify({ ...about, ...live, states }))
  const all = ['online', `corpus/${file}/model.check.ts`, '-t', live.system, '--from', path, '--round', '10m', '--json']
  const { code, stdout } = await allways([...all, ...flags])
  const [first, finding] = linesOf(stdout)
  return { code, round: first, finding }
}

/** Only N1 has learned what it proposed and N1 and N2 have accepted. */
describe('from the live state of LMC §5.5', () => {
  const accepted = { ballot: 1, value: 'v1' }
  const slot = { promised: 1, accepted, attempt: { '#undefined': true }, learned: [], chosen: { '#undefined': true } }
  const attempt = { ballot: 1, own: 'v1', promises: [], bound: { '#undefined': true }, proposed: true }
  const live = (system: string): Live => ({
    system,
    params: { machines: 3, proposals: 2, indices: 1, retries: 0 },
    machines: ['N1', 'N2', 'N3'],
    states: [{ slots: { 0: { ...slot, attempt, chosen: 'v1' } } }, { slots: { 0: slot } }, { slots: {} }],
  })

  test.each(engines)('N2 is predicted to choose another value, by $title', long, async ({ flags, by }) => {
    const { code, round: first, finding } = await round('paxos', live('accept uses last response'), flags)
    expect(code).toBe(1)
    expect(first).toMatchObject({ ended: 'violation', by })
    // At least the request, 2 Prepare, 2 PrepareResponse, 2 Accept and 2 Learn.
    expect(finding?.events).toBeGreaterThanOrEqual(9)
    const message = expect.stringMatching(/^N1 says {0: "v1"}, N[23] says {0: "N2"}$/)
    expect(finding).toMatchObject({ violation: { message } })
  })

  test.each(engines)('nothing is predicted of the right one, by $title', async ({ flags }) => {
    expect(await round('paxos', live('paxos'), flags)).toMatchObject({ code: 0, round: { ended: 'exhausted' } })
  })
})

/** N3 leads, N2 is the acceptor, and all but N1 have chosen v3. */
describe('from the live state of LMC §5.6', () => {
  const nothing = { proposed: {}, waiting: {}, promised: 0, accepted: {}, chosen: {} }
  const [proposed, chosen] = [{ 0: 'v3' }, { 0: 'v3' }]
  const live = (system: string, first: string): Live => ({
    system,
    params: { replacements: 0, work: 0 },
    machines: ['N1', 'N2', 'N3', 'configuration'],
    states: [
      { ...nothing, leader: 'N1', acceptor: first, ballot: 0, adopted: true },
      { ...nothing, leader: 'N1', acceptor: first, ballot: 0, adopted: false, promised: 1, accepted: chosen, chosen },
      { ...nothing, leader: 'N3', acceptor: 'N2', ballot: 1, adopted: true, proposed, chosen },
      { leader: 'N3', acceptor: 'N2', ballot: 1, carried: {} },
    ],
  })

  test.each(engines)('N1 is predicted to choose its own value, by $title', async ({ flags, by }) => {
    const {
      code,
      round: first,
      finding,
    } = await round('one-paxos', live('1Paxos with the wrong first acceptor', 'N1'), flags)
    expect(code).toBe(1)
    expect(first).toMatchObject({ ended: 'violation', by })
    // The request, Accept and Learn, all of them by N1.
    expect(finding).toMatchObject({ events: 3, violation: { message: 'N1 says {0: "v1"}, N2 says {0: "v3"}' } })
  })

  test.each(engines)('nothing is predicted of the right one, by $title', async ({ flags }) => {
    const ended = await round('one-paxos', live('1Paxos', 'N2'), flags)
    expect(ended).toMatchObject({ code: 0, round: { ended: 'exhausted' } })
  })
})
