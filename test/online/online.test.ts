/** Running systems, watched: what is predicted from their live state, and what watching does to them. */
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { addressText, parseAddress } from '../../src/runtime/address.ts'
import { long } from '../amount.ts'
import { allways as inThisProcess } from '../cli/harness.ts'
import { reservedPorts } from '../reserved-ports.ts'
import { allways, connected, inFolder, type Line, linesOf, logSystem, Relay, startLog, until } from './processes.ts'

const counterSystem = resolve('test/runtime/fixtures/counter.check.ts')
const lossy = ['--loss', '0.3', '--seed', '1']

afterEach(() => void vi.useRealTimers())

/** Timers of this process wait for this to be called, and then so long has passed. */
function laterBy(milliseconds: number): () => void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  return () => void vi.advanceTimersByTime(milliseconds)
}

function withKey(): readonly string[] {
  writeFileSync(inFolder('key'), 'a secret of sixteen bytes or more', { mode: 0o600 })
  return ['--key-file', inFolder('key')]
}

function roundsIn(stdout: string): readonly Line[] {
  return linesOf(stdout).filter(({ kind }) => kind === 'round')
}

test(
  'a violation that the live state makes reachable is predicted under 30 % loss, and its snapshot repeats it',
  long,
  async () => {
    const { left, middle } = await startLog([...lossy, '--param', 'appends=60', '--param', 'kept=2', '--pause', '60ms'])
    const attach = [left, middle].map(({ control }) => addressText(control)).join()
    const checker = allways('online', logSystem, '--attach', attach, '--round', '2s', '--every', '1ms', '--json')
    // It ends with the prediction; that there is none is for the time limit of the test to say.
    expect(await checker.ended()).toBe(1)
    const lines = linesOf(checker.text.stdout)
    expect(lines[0]).toMatchObject({
      kind: 'attached',
      system: 'log',
      machines: ['left', 'middle', 'right'],
      again: false,
    })
    const finding = lines.find(({ kind }) => kind === 'finding')
    expect(finding).toMatchObject({
      violation: { kind: 'invariant', property: 'one value for each index' },
      known: false,
    })
    expect(finding?.events).toBeGreaterThan(0)
    expect(lines.at(-1)).toMatchObject({ kind: 'summary', predicted: 1, interrupted: false })
    expect(lines.find(({ predicted }) => predicted === true)).toMatchObject({ overhead: { messagesPerSecond: {} } })

    const again = allways('online', logSystem, '--from', String(finding?.snapshot), '--round', '10m', '--json')
    expect(await again.ended()).toBe(1)
    expect(linesOf(again.text.stdout).map(({ kind }) => kind)).toEqual(['round', 'finding', 'summary'])
    expect(again.text.stderr).toContain('“one value for')
  },
)

test('a system that forgets nothing is watched for the rounds asked for, with exit status 0', long, async () => {
  const { right } = await startLog(['--param', 'appends=3', '--param', 'kept=100', '--loss', '0.3'])
  const control = addressText(right.control)
  const checker = allways(
    'online',
    logSystem,
    '--attach',
    control,
    '--round',
    '300ms',
    '--every',
    '1ms',
    '--rounds',
    '3',
    '--json',
  )
  expect(await checker.ended()).toBe(0)
  expect(roundsIn(checker.text.stdout).map(({ round, predicted }) => [round, predicted])).toEqual([
    [1, false],
    [2, false],
    [3, false],
  ])
})

test('a control channel that is cut is reported, and the rounds go on when it is back', long, async () => {
  const { middle } = await startLog(['--param', 'appends=0'])
  const { control } = middle
  const [port = 0] = await reservedPorts(1, 'tcp')
  const relay = await Relay.open(control, port)
  const flags = ['--attach', `127.0.0.1:${relay.port}`, '--round', '100ms', '--every', '50ms']
  const checker = allways('online', logSystem, ...flags, '--json')
  await until(() => roundsIn(checker.text.stdout).length >= 2)
  relay.cut()
  await until(() => checker.text.stdout.includes('"kind":"trouble"'))
  const before = roundsIn(checker.text.stdout).length
  await Relay.open(control, port)
  await until(() => roundsIn(checker.text.stdout).length >= before + 2)
  checker.child.kill('SIGINT')
  expect(await checker.ended()).toBe(0)
  const lines = linesOf(checker.text.stdout)
  const kinds = lines.map(({ kind }) => kind)
  expect(lines[kinds.lastIndexOf('attached')]).toMatchObject({ again: true })
  expect(kinds.indexOf('trouble')).toBeLessThan(kinds.lastIndexOf('attached'))
  expect(lines.at(-1)).toMatchObject({ kind: 'summary', interrupted: true })
  expect(checker.text.stderr).toContain('E607')
})

test('a checker that is there before the system waits for it', long, async () => {
  const { middle } = await startLog(['--param', 'appends=0'])
  const [port = 0] = await reservedPorts(1, 'tcp')
  const flags = ['--round', '100ms', '--every', '1ms', '--rounds', '2', '--json']
  const checker = allways('online', logSystem, '--attach', `127.0.0.1:${port}`, ...flags)
  await until(() => checker.text.stdout.includes('"kind":"trouble"'))
  await Relay.open(middle.control, port)
  expect(await checker.ended()).toBe(0)
  expect(roundsIn(checker.text.stdout).length).toBe(2)
})

test('a checker that never saw the system says so with exit status 2', async () => {
  const [port = 0] = await reservedPorts(1, 'tcp')
  const argv = ['online', logSystem, '--attach', `127.0.0.1:${port}`, '--time', '1s', '--json', ...withKey()]
  const ran = await inThisProcess(argv, { once: { told: /E607/, call: laterBy(1000) } })
  expect(ran.code).toBe(2)
  const kinds = linesOf(ran.stdout).map(({ kind }) => kind)
  expect([kinds[0], kinds.at(-1)]).toEqual(['trouble', 'summary'])
  expect(ran.stderr).toContain(`E607  127.0.0.1:${port}: no process listens there (ECONNREFUSED)`)
})

test('a checker that cannot have a snapshot in its time says who was asked, with exit status 2', long, async () => {
  const [server] = await reservedPorts(1, 'udp')
  const [port = 0] = await reservedPorts(1, 'tcp')
  const key = withKey()
  const alone = ['--as', 'client', '--peers', `server=127.0.0.1:${server}`, '--control', '127.0.0.1:0', ...key]
  const machine = allways('run', counterSystem, ...alone)
  await until(() => machine.text.stderr.includes('control is at '))
  const address = parseAddress(/control is at (\S+)\n/.exec(machine.text.stderr)?.[1] ?? '', 'control')
  if (!address.ok) throw new Error(machine.text.stderr)
  const pass = laterBy(1000)
  await Relay.open(address.value, port, (said) => said.includes('snapshot') && pass())
  const attach = ['--attach', `127.0.0.1:${port}`, '--time', '1s', '--json', ...key]
  const ran = await inThisProcess(['online', counterSystem, ...attach])
  expect(ran.code).toBe(2)
  const lines = linesOf(ran.stdout)
  expect(lines.map(({ kind }) => kind)).toEqual(['trouble', 'summary'])
  expect(lines[0]).toMatchObject({ diagnostics: [{ code: 'E605' }] })
  expect(ran.stderr).toContain(`E605  127.0.0.1:${port} had not completed a snapshot when the time was over`)
})

test('a checker that is killed leaves the system serving', long, async () => {
  const { left } = await startLog(['--param', 'appends=0'])
  const { control } = left
  const checker = allways('online', logSystem, '--attach', addressText(control), '--round', '5s', '--json')
  await until(() => roundsIn(checker.text.stdout).length >= 1)
  checker.child.kill('SIGKILL')
  expect(await checker.ended()).toBe(null)
  const client = await connected(control)
  expect(await client.request('append', 'x')).toMatchObject({ ok: true })
  await until(async () => {
    const state = await client.state()
    return state.ok && (state.value.data as { chosen: { [index: string]: string } }).chosen[0] === 'x'
  })
  expect(await client.snapshot()).toMatchObject({ ok: true })
  client.close()
})

test('the address of another system is a mistake, also in JSON', long, async () => {
  const { left } = await startLog(['--param', 'appends=0'])
  const { control } = left
  const other = inFolder('other.check.ts')
  writeFileSync(other, readFileSync(logSystem, 'utf8').replace("system('log'", "system('ledger'"))
  const checker = allways('online', other, '--attach', addressText(control), '--json')
  expect(await checker.ended()).toBe(2)
  expect(linesOf(checker.text.stdout)).toMatchObject([{ kind: 'mistake', diagnostics: [{ code: 'E608' }] }])
  expect(checker.text.stderr).toContain('belongs to system "log", and "ledger" is checked')
})
