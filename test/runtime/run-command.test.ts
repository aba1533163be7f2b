/** `allways run`: what is said, refused and returned. The processes are in `processes.test.ts`. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { platform } from 'node:process'
import { afterAll, expect, test } from 'vitest'
import { keyIn } from '../../src/cli/key-file.ts'
import { allways } from '../cli/harness.ts'

const counter = 'test/runtime/fixtures/counter.check.ts'
const mistaken = 'test/runtime/fixtures/mistaken.check.ts'
const folder = mkdtempSync(join(tmpdir(), 'allways-run-'))

afterAll(() => rmSync(folder, { recursive: true }))

/** Stopped as soon as the log says this. */
async function runUntil(logged: RegExp, log: string, argv: readonly string[]) {
  rmSync(log, { force: true })
  return await allways(['run', ...argv, '--log', log], {
    async interrupt(listener) {
      while (!existsSync(log) || !logged.test(readFileSync(log, 'utf8')))
        await new Promise((next) => setTimeout(next, 2))
      listener()
    },
  })
}

/** That both were made. */
const twoRequests = /"kind":"request".*\n.*"kind":"request".*\n/

test('--all runs every machine, makes the declared requests and sums up in one object', async () => {
  const log = join(folder, 'all.jsonl')
  const key = join(folder, 'good-key')
  writeFileSync(key, 'a secret of sixteen bytes or more', { mode: 0o600 })
  const flags = ['--all', '--json', '--key-file', key, '--param', 'goal=4']
  const ran = await runUntil(/"kind":"added","number":4/, log, [counter, ...flags])
  expect(ran.code).toBe(0)
  expect(ran.stderr).toMatch(
    /^ client listens on 127\.0\.0\.1:\d+ over udp\n server listens on 127\.0\.0\.1:\d+ over udp\n$/,
  )
  const { format, system, machines } = JSON.parse(ran.stdout)
  expect({ format, system }).toEqual({ format: 'allways-run/1', system: 'counter' })
  expect(machines.map(({ machine }: { machine: string }) => machine)).toEqual(['client', 'server'])
  expect(machines[1].counters.delivered).toBeGreaterThanOrEqual(4)
  const lines = readFileSync(log, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const requests = lines.filter(({ event }) => event?.kind === 'request')
  expect(requests).toMatchObject([{ machine: 'client', event: { name: 'count', argument: 4 } }])
  expect(lines.filter(({ format: first }) => first === 'allways-log/1')).toHaveLength(2)
  expect(lines.filter(({ event }) => event?.kind === 'stop')).toHaveLength(2)
})

test('a signal stops it, and what it counted is printed', async () => {
  let interrupt = (): void => {}
  const running = allways(['run', counter, '--all', '--no-requests', '--transport', 'tcp'], {
    interrupt: (listener) => {
      interrupt = listener
      setImmediate(() => interrupt())
    },
  })
  const ran = await running
  expect(ran.code).toBe(0)
  expect(ran.stdout).toMatch(/^ client: sent 0, delivered 0.*\n server: sent 0, delivered 0.*\n$/)
})

test.each([
  ['without a machine', [], 'E107  run needs to know which machine to run'],
  ['with --all and --as', ['--all', '--as', 'client'], 'cannot be combined with --as'],
  ['an unknown machine', ['--as', 'clinet'], 'did you mean "client"?'],
  ['a peer that is missing', ['--as', 'client'], 'E606  --peers does not say where "server" can be reached'],
  ['a peer that is unknown', ['--as', 'client', '--peers', 'serve=127.0.0.1:1,server=127.0.0.1:2'], 'names "serve"'],
  ['a peer without address', ['--as', 'client', '--peers', 'server'], 'not a machine with its address'],
  ['a peer at port 0', ['--as', 'client', '--peers', 'server=127.0.0.1:0'], 'has port 0'],
  [
    'two peers at one address',
    ['--as', 'client', '--peers', 'server=127.0.0.1:1,client=127.0.0.1:1'],
    'has "server" and "client" at one address',
  ],
  [
    'an address of a peer to listen on',
    ['--as', 'client', '--listen', '127.0.0.1:7001', '--peers', 'server=127.0.0.1:7001'],
    '--listen 127.0.0.1:7001 is where "server" can be reached',
  ],
  [
    'an address of a peer, among all to listen on',
    ['--as', 'client', '--listen', '0.0.0.0:7001', '--peers', 'server=127.0.0.1:7001'],
    '--listen 0.0.0.0:7001 is where "server" can be reached',
  ],
  ['a peer twice', ['--as', 'client', '--peers', 'server=127.0.0.1:1,server=127.0.0.1:2'], 'names "server" twice'],
  ['no address', ['--all', '--control', '127.0.0.1'], 'E601  --control is not an address: "127.0.0.1"'],
  ['no address to listen on', ['--all', '--control', 'here'], 'or localhost:7001; port 0 is any'],
  ['no address to reach', ['--as', 'client', '--peers', 'server=here'], 'or localhost:7001\n'],
  ['no port', ['--all', '--control', '127.0.0.1:70000'], 'ports end at 65535'],
  ['no probability', ['--all', '--loss', '30%'], 'hint: write 0.3'],
  ['no transport', ['--all', '--transport', 'tpc'], 'did you mean "tcp"?'],
  ['overtaking over tcp', ['--all', '--transport', 'tcp', '--reordering', '0.1'], 'messages over tcp keep their order'],
  ['a missing key', ['--all', '--key-file', 'no-such-file'], '--key-file no-such-file cannot be read'],
  ['an unknown parameter', ['--all', '--param', 'gaol=1'], 'E110'],
  ['two values', ['--all', '--param', 'goal=1,2'], 'a system is run with one'],
  ['a log in no folder of the whole computer', ['--all', '--log', '/nonexistent/log'], 'E107  /nonexistent/log cannot'],
  ['a file as state folder', ['--all', '--state-dir', 'package.json'], 'cannot be kept in package.json: EEXIST'],
  ['a log in no folder', ['--all', '--log', 'no/such/folder/log'], 'cannot be written'],
])('%s is a mistake', async (_, argv, message) => {
  const ran = await allways(['run', counter, ...argv])
  expect(ran.stderr).toContain(message)
  expect(ran.code).toBe(2)
  expect(ran.stdout).toBe('')
})

test.each([
  ['promise', 'E225  requests.promise of machine "wrong" returned a promise', 'hint: handlers are plain functions'],
  ['clock', 'E209  Date.now() was called, in machine "w"', 'hint: a handler has no clock'],
  ['drift', 'E201  machine "w" is not deterministic: requests.drift', 'hint: a handler may depend on its state'],
  ['number', 'E224  the state of machine "w" was an object, and requests.number', 'hint: a handler returns the whole'],
])('a mistake in a handler (%s) is told once, with its place, and exit status 2', async (name, message, hint) => {
  const ran = await runUntil(twoRequests, join(folder, 'told.jsonl'), [mistaken, '--all', '-t', name, '--json'])
  expect(ran.stderr.split(message)).toHaveLength(2)
  expect(ran.stderr).toContain(hint)
  expect(ran.stderr).toMatch(/mistaken\.check\.ts:\d+:\d+/)
  expect(JSON.parse(ran.stdout)).toMatchObject({ machines: [{ counters: { violations: 2 } }] })
  expect(ran.code).toBe(2)
})

test('an assertion that fails is told each time, with its place and exit status 1', async () => {
  const argv = [mistaken, '--all', '-t', 'assertion', '--quiet']
  const ran = await runUntil(twoRequests, join(folder, 'asserted.jsonl'), argv)
  const place = String.raw`test/runtime/fixtures/mistaken\.check\.ts:\d+:\d+`
  expect(ran.stderr).toMatch(new RegExp(`^( w: as it should be told \\(${place}\\)\n){2}$`))
  expect(ran.code).toBe(1)
})

test('what a failure says is cut, on the screen and in the log, with the number of letters left out', async () => {
  const log = join(folder, 'wordy.jsonl')
  const ran = await runUntil(twoRequests, log, [mistaken, '--all', '-t', 'wordy'])
  const cut = /x{500}… \(\d+ more characters\)/
  for (const told of [ran.stderr, readFileSync(log, 'utf8')])
    expect([cut.test(told), told.includes('x'.repeat(501))]).toEqual([true, false])
})

test.runIf(platform === 'linux')('a state folder that cannot be made is a mistake, at once', async () => {
  const ran = await allways(['run', counter, '--all', '--state-dir', '/proc/nothing'])
  expect(ran.stderr.split('\n   ')).toEqual([
    ' ✗ E603  the state of machine "client" cannot be kept in /proc/nothing: ENOENT: no such file or',
    '      directory',
    'hint: name a folder that can be written, or one that can be made\n',
  ])
  expect(ran.code).toBe(2)
})

test('folders of the state folder are made', async () => {
  const state = join(folder, 'made', 'for', 'it')
  const ran = await allways(['run', counter, '--all', '--no-requests', '--state-dir', state, '--time', '1ms'])
  expect(ran.code).toBe(0)
  expect(readdirSync(state)).toEqual(['client.state.json', 'server.state.json'])
})

test('a machine that comes back says so, and how many of its requests it does not make again', async () => {
  const argv = ['run', counter, '--all', '--state-dir', join(folder, 'kept'), '--time', '1ms']
  const first = await allways([...argv, '--no-requests'])
  expect(first.stderr).not.toContain('comes back')
  const path = join(folder, 'kept', 'client.state.json')
  expect((await allways([...argv, '--no-requests'])).stderr).toContain(
    ' note: client comes back with what it has kept\n',
  )
  const log = join(folder, 'kept.jsonl')
  await runUntil(/"kind":"request".*\n/, log, [counter, '--all', '--state-dir', join(folder, 'kept')])
  expect(readFileSync(path, 'utf8')).toContain(String.raw`\"requests\":1`)
  const told = ' note: client comes back with what it has kept, and does not make 1 request again\n'
  expect((await allways(argv)).stderr).toContain(told)
})

test('a key that is too short is refused', async () => {
  writeFileSync(join(folder, 'key'), 'short\n')
  const ran = await allways(['run', counter, '--all', '--key-file', join(folder, 'key')])
  expect(ran.stderr).toContain('holds 5 bytes, and 16 are needed')
  expect(ran.code).toBe(2)
})

test('a key is any bytes, and the newline behind them is none', () => {
  const bytes = Buffer.from([...Array.from({ length: 16 }, (_, at) => 0x80 + at), 0x20])
  writeFileSync(join(folder, 'binary'), bytes)
  writeFileSync(join(folder, 'lined'), Buffer.concat([bytes, Buffer.from('\r\n')]))
  for (const file of ['binary', 'lined']) expect(keyIn(file, folder)).toMatchObject({ ok: true, value: { bytes } })
})

test('a port in use is a diagnostic for datagrams, streams and control alike', async () => {
  const datagrams = createSocket('udp4').bind(0, '127.0.0.1')
  const stream = createServer().listen(0, '127.0.0.1')
  await Promise.all([once(datagrams, 'listening'), once(stream, 'listening')])
  const udp = `127.0.0.1:${datagrams.address().port}`
  const tcp = `127.0.0.1:${(stream.address() as { port: number }).port}`
  const one = ['run', counter, '--as', 'client', '--peers', 'server=127.0.0.1:1']
  for (const argv of [
    [...one, '--listen', udp],
    [...one, '--listen', tcp, '--transport', 'tcp'],
    [...one, '--control', tcp],
  ]) {
    const ran = await allways(argv)
    expect(ran.stderr).toContain('is in use')
    expect(ran.code).toBe(2)
  }
  datagrams.close()
  stream.close()
})

test('-t names one of several systems; the whole name is enough where it is a part of another', async () => {
  const paxos = ['run', 'corpus/paxos/model.check.ts', '--all', '--no-requests', '--time', '1ms', '--json']
  const whole = await allways([...paxos, '-t', 'accept uses last response'])
  expect(whole.code).toBe(0)
  expect(JSON.parse(whole.stdout)).toMatchObject({ system: 'accept uses last response' })
  const part = await allways([...paxos, '-t', 'last response, gen'])
  expect(JSON.parse(part.stdout)).toMatchObject({ system: 'accept uses last response, general invariant' })
  const several = await allways([...paxos, '-t', 'last response'])
  expect(several.code).toBe(2)
  expect(several.stderr).toContain('exports 2 systems')
  expect(several.stderr).toContain('"accept uses last response", "accept uses last response, general')
  const none = await allways([...paxos, '-t', 'raft'])
  expect(none.code).toBe(2)
  expect(none.stderr).toContain('"raft"')
})

test('a program without machines cannot be run', async () => {
  const ran = await allways(['run', 'test/cli/fixtures/race.check.ts', '--all'])
  expect(ran.stderr).toContain('E606')
  expect(ran.code).toBe(2)
})
