/** What goes wrong while a system is watched: a machine is killed and comes back, the checker is interrupted. */
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { addressText } from '../../src/runtime/address.ts'
import { long } from '../amount.ts'
import { reservedPorts } from '../reserved-ports.ts'
import { allways, connected, inFolder, linesOf, logSystem, RunningSystem, startLog, until } from './processes.ts'

interface Slots {
  readonly slots: {
    readonly [index: string]: { readonly promised: number; readonly accepted?: unknown; readonly chosen?: string }
  }
}

async function slotsOf(running: RunningSystem, machine: string): Promise<Slots['slots']> {
  const client = await connected(running.machine(machine).control)
  const state = await client.state()
  client.close()
  if (!state.ok) throw new Error(JSON.stringify(state.diagnostics))
  return (state.value.data as unknown as Slots).slots
}

/** One proposal after the other until one is chosen there: the network loses some. */
async function chosenAfter(running: RunningSystem, machine: string, first: number): Promise<number> {
  const client = await connected(running.machine(machine).control)
  let index = first
  await until(async () => {
    await client.request('propose', { index: `${++index}`, value: 'later' })
    return Object.entries(await slotsOf(running, machine)).some(([at, { chosen }]) => Number(at) > first && chosen)
  })
  client.close()
  return index
}

function kindsIn(stdout: string): readonly string[] {
  return linesOf(stdout).map(({ kind }) => kind)
}

test('a machine that is killed is named, comes back with what it promised, and is watched again', long, async () => {
  const running = await RunningSystem.start({
    file: resolve('corpus/paxos/model.check.ts'),
    name: 'paxos',
    machines: ['N1', 'N2', 'N3'],
    flags: ['--loss', '0.1', '--state-dir', inFolder('state'), '--no-requests', '--param', 'indices=2000'],
  })
  const [system, attach] = [resolve('corpus/paxos/model.check.ts'), running.controls]
  const checker = allways('online', system, '-t', 'paxos', '--attach', attach, '--round', '100ms', '--json')
  await until(() => kindsIn(checker.text.stdout).includes('round'))
  const before = await chosenAfter(running, 'N2', 0)
  const promised = await slotsOf(running, 'N2')
  await running.kill('N2')
  // Two of three are enough to go on.
  const meanwhile = await chosenAfter(running, 'N1', before)
  await until(() => checker.text.stdout.includes('came from N2'))
  await running.begin('N2')
  // What was on its way to it when it was asked may have come before it was killed.
  const back = await slotsOf(running, 'N2')
  for (const [index, before] of Object.entries(promised)) {
    const { promised: least, accepted, chosen } = before
    expect(back[index]?.promised).toBeGreaterThanOrEqual(least)
    if (accepted !== undefined) expect(back[index]).toMatchObject({ accepted })
    if (chosen !== undefined) expect(back[index]).toMatchObject({ chosen })
  }
  await until(() => kindsIn(checker.text.stdout).lastIndexOf('attached') > 0)
  const rounds = kindsIn(checker.text.stdout).length
  await until(() => kindsIn(checker.text.stdout).slice(rounds).includes('round'))
  await chosenAfter(running, 'N2', meanwhile)
  checker.child.kill('SIGINT')
  expect(await checker.ended()).toBe(0)
  const lines = linesOf(checker.text.stdout)
  const told = lines.flatMap(({ kind, diagnostics }) => (kind === 'trouble' ? (diagnostics as readonly Told[]) : []))
  // Its control channel is gone as well; no other machine is blamed, but for the snapshot in the middle of which it was killed.
  const blamed = told.filter(({ code }) => code === 'E605').map(({ message }) => message)
  const [, ...later] = blamed
  expect(blamed).toContain('no part of the snapshot came from N2 within 10000 ms')
  expect(new Set(later).size).toBeLessThanOrEqual(1)
  expect(later.every((message) => message.includes('from N2 '))).toBe(true)
  const its = addressText(running.machine('N2').control)
  const refused = told.filter(({ code }) => code !== 'E605')
  expect(refused.filter(({ code, message }) => code !== 'E607' || !message.startsWith(its))).toEqual([])
  expect(lines.findLast(({ kind }) => kind === 'attached')).toMatchObject({ again: true })
  expect(lines.at(-1)).toMatchObject({ kind: 'summary', interrupted: true })
})

interface Told {
  readonly code: string
  readonly message: string
}

test('Ctrl-C ends a long round with its summary', long, async () => {
  const { left } = await startLog(['--param', 'appends=12', '--pause', '10s'])
  const checker = allways('online', logSystem, '--attach', addressText(left.control), '--round', '10m', '--json')
  await until(() => kindsIn(checker.text.stdout).includes('attached'))
  checker.child.kill('SIGINT')
  expect(await checker.ended()).toBe(0)
  const lines = linesOf(checker.text.stdout)
  expect(lines.map(({ kind }) => kind)).toEqual(['attached', 'round', 'summary'])
  expect(lines[1]).toMatchObject({ ended: 'interrupt' })
  expect(lines[2]).toMatchObject({ interrupted: true, rounds: 1 })
})

test('Ctrl-C ends a checker that nobody answers', async () => {
  const [port = 0] = await reservedPorts(1, 'tcp')
  const checker = allways('online', logSystem, '--attach', `127.0.0.1:${port}`, '--json')
  await until(() => kindsIn(checker.text.stdout).length >= 2)
  checker.child.kill('SIGINT')
  expect(await checker.ended()).toBe(2)
  expect(kindsIn(checker.text.stdout).at(-1)).toBe('summary')
})

test('a checker with the wrong key gets nothing, and the system goes on', long, async () => {
  writeFileSync(inFolder('key'), 'a secret of sixteen bytes or more')
  writeFileSync(inFolder('other'), 'another secret of sixteen bytes')
  const { left, middle } = await startLog(['--param', 'appends=1', '--pause', '1s', '--key-file', 'key'])
  const attach = ['--attach', addressText(left.control), '--round', '100ms']
  const stranger = allways('online', logSystem, ...attach, '--key-file', 'other', '--json')
  await until(() => kindsIn(stranger.text.stdout).includes('trouble'))
  stranger.child.kill('SIGINT')
  expect(await stranger.ended()).toBe(2)
  expect(kindsIn(stranger.text.stdout)).not.toContain('round')
  expect(stranger.text.stderr).toContain('E607')
  const friend = allways('online', logSystem, ...attach, '--key-file', 'key', '--rounds', '2', '--json')
  expect(await friend.ended()).toBe(0)
  expect(kindsIn(friend.text.stdout)).toEqual(['attached', 'round', 'round', 'summary'])
  expect(middle.child.exitCode).toBe(null)
})
