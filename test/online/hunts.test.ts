/**
 * The experiments of LMC §5.5 and §5.6: every machine in a process of its own, 30 % of the datagrams lost, proposals for new
 * indices at random times, and a checker that watches. The paper found the bugs after 1150 s and 225 s, with pauses of up to a
 * minute; with pauses of up to two seconds it is seconds.
 */
// @module-tag long
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { longIf } from '../amount.ts'
import { allways, inFolder, type Line, linesOf, RunningSystem, type SystemToRun } from './processes.ts'

const servers = ['N1', 'N2', 'N3']
const lossy = ['--loss', '0.3', '--seed', '1']

const paxos = (name: string): SystemToRun => ({
  file: resolve('corpus/paxos/model.check.ts'),
  name,
  machines: servers,
  flags: [...lossy, '--pause', '2s', '--param', 'proposals=900', '--param', 'indices=900'],
})

const onePaxos = (name: string): SystemToRun => ({
  file: resolve('corpus/one-paxos/model.check.ts'),
  name,
  machines: [...servers, 'configuration'],
  flags: [...lossy, '--pause', '250ms', '--param', 'work=1000'],
})

test('a proposer that uses the last response is caught while the system runs (LMC §5.5)', async () => {
  const system = paxos('accept uses last response')
  const { lines, finding } = await hunted(system)
  expect(lines.at(-1)).toMatchObject({ kind: 'summary', predicted: 1, interrupted: false })
  expect(finding).toMatchObject({ violation: { kind: 'invariant', property: 'agreement' } })
  expect(await roundFrom(system, finding.snapshot)).toMatchObject({ code: 1, round: { ended: 'violation' } })

  // From the same state, nothing is wrong with a proposer that uses the response with the highest ballot.
  const right = paxos('paxos')
  expect(await roundFrom(right, snapshotFor(right, finding.snapshot))).toMatchObject({
    code: 0,
    round: { ended: 'exhausted' },
  })
})

test('a leader that begins as its own acceptor is caught while the system runs (LMC §5.6)', async () => {
  const system = onePaxos('1Paxos with the wrong first acceptor')
  const { finding } = await hunted(system)
  expect(finding).toMatchObject({ violation: { kind: 'invariant', property: 'agreement' } })
  // How many of the others have learned of a new leader by then is up to the network; the first still asks itself.
  const { states } = JSON.parse(readFileSync(inFolder(finding.snapshot), 'utf8'))
  expect(states[0].data).toMatchObject({ leader: 'N1', acceptor: 'N1' })
  expect(await roundFrom(system, finding.snapshot)).toMatchObject({ code: 1, round: { ended: 'violation' } })
})

for (const [at, system] of [paxos('paxos'), onePaxos('1Paxos')].entries())
  test(`nothing is predicted of ${system.name}`, longIf(true, at > 0), async () => {
    const { checker } = await watched(system, '--rounds', '8')
    expect(await checker.ended()).toBe(0)
    const rounds = linesOf(checker.text.stdout).filter(({ kind }) => kind === 'round')
    expect(rounds.map(({ predicted }) => predicted)).toEqual(Array.from({ length: 8 }, () => false))
  })

async function watched(system: SystemToRun, ...flags: readonly string[]) {
  const { file, name = '' } = system
  const running = await RunningSystem.start(system)
  const rounds = ['--round', '5s', '--every', '1ms', ...flags]
  return { checker: allways('online', file, '-t', name, '--attach', running.controls, ...rounds, '--json') }
}

/** Ends with the first prediction; that there is none is for the time limit of the test to say. */
async function hunted(system: SystemToRun) {
  const { checker } = await watched(system)
  expect(await checker.ended()).toBe(1)
  const lines = linesOf(checker.text.stdout)
  const finding = lines.find(({ kind }) => kind === 'finding') as Line & { readonly snapshot: string }
  return { lines, finding }
}

/** The states of a snapshot, as if they were of this system. */
function snapshotFor({ name }: SystemToRun, path: string): string {
  const snapshot = JSON.parse(readFileSync(inFolder(path), 'utf8'))
  writeFileSync(inFolder('other.json'), JSON.stringify({ ...snapshot, system: name }))
  return 'other.json'
}

async function roundFrom({ file, name = '' }: SystemToRun, snapshot: string) {
  const checker = allways('online', file, '-t', name, '--from', snapshot, '--round', '10m', '--json')
  const code = await checker.ended()
  return { code, round: linesOf(checker.text.stdout).find(({ kind }) => kind === 'round') }
}
