/**
 * Raft in three processes, one of which forgets its vote when it comes back: predicted from snapshots of the running system, which hold what was announced
 * before them. With votes on the disk nothing is predicted.
 */
// @module-tag long
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { longIf } from '../amount.ts'
import { allways, connected, inFolder, type Line, linesOf, RunningSystem, until } from './processes.ts'

const timeout = 120_000
const file = resolve('examples/raft.check.ts')

async function running(forgets: boolean, kept = true): Promise<RunningSystem> {
  const flags = ['--param', 'terms=1000', '--param', `forgets=${forgets}`, '--loss', '0.2', '--seed', '1']
  const system = { file, machines: ['S1', 'S2', 'S3'], flags: kept ? [...flags, '--state-dir', 'kept'] : flags }
  return await RunningSystem.start(system)
}

interface Called {
  readonly calls?: readonly { readonly by: string; readonly call: { readonly kind: string } }[]
  readonly callsUnknown?: string
}

async function snapshotOf(system: RunningSystem): Promise<Called> {
  const client = await connected(system.machine('S1').control)
  const taken = await client.snapshot()
  client.close()
  if (!taken.ok) throw new Error(JSON.stringify(taken.diagnostics))
  return taken.value as unknown as Called
}

const leadersIn = ({ calls = [] }: Called): number => calls.filter(({ call }) => call.kind === 'raft.add').length

function watched(system: RunningSystem, ...flags: readonly string[]) {
  return allways('online', file, '--attach', system.controls, '--round', '5s', '--every', '1ms', '--json', ...flags)
}

test('a server that forgets its vote is predicted, from what was announced and from where it stands', {
  timeout,
}, async () => {
  const system = await running(true)
  // Leaders of several terms have announced their entries, one of them in a life that is over.
  await until(async () => leadersIn(await snapshotOf(system)) >= 2)
  await system.kill('S1')
  await system.begin('S1')
  const after = await snapshotOf(system)
  expect(leadersIn(after)).toBeGreaterThanOrEqual(2)
  const checker = watched(system)
  expect(await checker.ended()).toBe(1)
  const finding = linesOf(checker.text.stdout).find(({ kind }) => kind === 'finding') as Line & { snapshot: string }
  expect(finding).toMatchObject({ engine: 'stateful', violation: { kind: 'refinement', property: 'raft' } })

  // From the same snapshot again; a server that keeps its vote does nothing wrong there.
  const from = (path: string) => allways('online', file, '--from', path, '--round', '60s', '--json')
  expect(await from(finding.snapshot).ended()).toBe(1)
  const snapshot = JSON.parse(readFileSync(inFolder(finding.snapshot), 'utf8'))
  expect(leadersIn(snapshot)).toBeGreaterThanOrEqual(2)
  // Without the calls nothing is known about what comes next.
  const { calls: _, ...forgotten } = snapshot
  writeFileSync(inFolder('forgotten.json'), JSON.stringify(forgotten))
  const refused = from('forgotten.json')
  expect(await refused.ended()).toBe(2)
  expect(refused.text.stdout).toContain('E610')
})

test('nothing is predicted of servers that keep their votes', { timeout }, async () => {
  const system = await running(false)
  await until(async () => leadersIn(await snapshotOf(system)) >= 2)
  const checker = watched(system, '--rounds', '3')
  expect(await checker.ended()).toBe(0)
  const rounds = linesOf(checker.text.stdout).filter(({ kind }) => kind === 'round')
  expect(rounds.map(({ predicted }) => predicted)).toEqual([false, false, false])
})

test('a server that keeps nothing and comes back has forgotten what it announced, and nothing is claimed', {
  ...longIf(true, true),
  timeout,
}, async () => {
  const system = await running(true, false)
  await until(async () => leadersIn(await snapshotOf(system)) >= 1)
  await system.kill('S2')
  await system.begin('S2')
  await until(async () => (await snapshotOf(system)).callsUnknown !== undefined)
  const checker = watched(system, '--rounds', '1')
  expect(await checker.ended()).toBe(2)
  expect(checker.text.stdout).toContain('E610')
})
