/** The control channel: what it answers, and to whom. */
import { type AddressInfo, connect, createServer } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { machine, system } from '../../src/index.ts'
import type { Program } from '../../src/program/program.ts'
import { anyLoopbackPort } from '../../src/runtime/address.ts'
import { ControlClient } from '../../src/runtime/control-client.ts'
import { ControlServer } from '../../src/runtime/control-server.ts'
import { cluster, until } from './cluster.ts'
import { pingPong } from './systems.ts'

/** Sockets and processes on a busy machine. */
vi.setConfig({ testTimeout: 60_000 })

const key = Buffer.from('a secret of sixteen bytes or more')
const closing: (() => unknown)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function controlled(
  options: { readonly key?: Buffer; readonly silenceMilliseconds?: number } = {},
  program: Program = pingPong,
) {
  const { host } = await cluster(program, { key: options.key })
  let stops = 0
  const server = await ControlServer.open({
    listen: anyLoopbackPort,
    key: options.key,
    silenceMilliseconds: options.silenceMilliseconds,
    system: program.name,
    host: host('left'),
    onStop: () => stops++,
  })
  if (!server.ok) throw new Error(JSON.stringify(server.diagnostics))
  closing.push(() => server.value.close())
  return { host, address: server.value.address, stops: () => stops }
}

async function client(...args: Parameters<typeof ControlClient.connect>): Promise<ControlClient> {
  const connected = await ControlClient.connect(...args)
  if (!connected.ok) throw new Error(JSON.stringify(connected.diagnostics))
  closing.push(() => connected.value.close())
  return connected.value
}

test('a client that has the key gets states, counters and snapshots, and makes requests', async () => {
  const { address, stops } = await controlled({ key })
  const asked = await client(address, key)
  expect([asked.system, asked.machine]).toEqual(['ping-pong', 'left'])
  expect(await asked.state()).toMatchObject({ ok: true, value: { data: { hits: 0, goal: 0 } } })
  expect(await asked.request('play', 2)).toMatchObject({ ok: true, value: { data: { goal: 2 } } })
  const snapshot = await asked.snapshot()
  expect(snapshot).toMatchObject({ ok: true, value: { machines: ['left', 'right'], missing: 0 } })
  expect(await asked.counters()).toMatchObject({ ok: true, value: { snapshots: 1, malformed: 0 } })
  await asked.stop()
  await until(() => stops() === 1)
})

test.each([
  ['without a key', undefined],
  ['with another key', Buffer.from('another secret of sixteen bytes')],
])('a client %s is refused', async (_, other) => {
  const { address, stops } = await controlled({ key })
  const asked = await client(address, other)
  expect(await asked.stop()).toMatchObject({ ok: false, diagnostics: [{ code: 'E607' }] })
  expect(await asked.state()).toMatchObject({ ok: false })
  expect(stops()).toBe(0)
})

test('lines that are no requests end their connection and nothing else', async () => {
  const { address } = await controlled()
  for (const line of ['nonsense\n', '{}\n', '{"payload":"{}"}\n', `${'x'.repeat(2 << 20)}`]) {
    const socket = connect(address.port, address.host)
    const closed = new Promise((resolve) => socket.on('close', resolve))
    socket.on('error', () => {})
    socket.resume()
    socket.write(line)
    await closed
  }
  const asked = await client(address)
  expect(await asked.state()).toMatchObject({ ok: true })
})

test('where nobody listens, or somebody else, the client says so', async () => {
  const { address, host } = await controlled()
  await closing.pop()?.()
  expect(await ControlClient.connect(address)).toMatchObject({ ok: false, diagnostics: [{ code: 'E607' }] })
  expect(host('left').isRunning).toBe(true)
})

test('connections that ask for nothing are closed, and those that asked stay', async () => {
  const { address } = await controlled({ silenceMilliseconds: 100 })
  const first = await client(address)
  expect(await first.state()).toMatchObject({ ok: true })
  const silent = Array.from({ length: 60 }, () => connect(address.port, address.host))
  await Promise.all(
    silent.map(async (socket) => {
      socket.on('error', () => {})
      socket.resume()
      await new Promise((resolve) => socket.on('close', resolve))
    }),
  )
  const second = await client(address)
  expect(await second.state()).toMatchObject({ ok: true })
  expect(await first.state()).toMatchObject({ ok: true })
})

test('connections that ask for nothing make room for those that do', async () => {
  const { address } = await controlled()
  const first = await client(address)
  expect(await first.state()).toMatchObject({ ok: true })
  const silent = Array.from({ length: 60 }, () => connect(address.port, address.host))
  for (const socket of silent) {
    closing.push(() => socket.destroy())
    socket.on('error', () => {})
  }
  await Promise.all(silent.map((socket) => new Promise((resolve) => socket.on('connect', resolve))))
  const second = await client(address)
  expect(await second.state()).toMatchObject({ ok: true })
  expect(await first.state()).toMatchObject({ ok: true })
})

/** Speaks the protocol, and answers every line with what it is told, as somebody who does not have the key. */
async function rogue(greeting: object, answer: (line: string) => string) {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.write(`${JSON.stringify({ system: 'ping-pong', machine: 'left', challenge: 'x', ...greeting })}\n`)
    socket.setEncoding('utf8').on('data', (line: string) => socket.write(answer(line)))
  })
  closing.push(() => server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { host: '127.0.0.1', port: (server.address() as AddressInfo).port }
}

const format = 'allways-control/2'

test('a server that has no key is not asked by a client that has one', async () => {
  const address = await rogue({ format, authenticated: false }, () => '')
  expect(await ControlClient.connect(address, key)).toMatchObject({ ok: false, diagnostics: [{ code: 'E607' }] })
})

test.each([
  ['no proof', () => `${JSON.stringify({ payload: JSON.stringify({ id: 1, result: {} }) })}\n`],
  ['a wrong proof', () => `${JSON.stringify({ payload: JSON.stringify({ id: 1, result: {} }), mac: '00' })}\n`],
  ['what the client said', (line: string) => line],
])('an answer with %s is not believed', async (_, answer) => {
  const asked = await client(await rogue({ format, authenticated: true }, answer), key)
  const message = expect.stringContaining('the answer does not prove that it has the key')
  expect(await asked.counters()).toMatchObject({ ok: false, diagnostics: [{ code: 'E607', message }] })
  expect(await asked.counters()).toMatchObject({ ok: false })
})

test('an answer without end is cut', async () => {
  const flood = 'x'.repeat(70_000_000)
  const asked = await client(await rogue({ format, authenticated: false }, () => flood))
  expect(await asked.counters()).toMatchObject({ ok: false, diagnostics: [{ code: 'E607' }] })
})

test('half a connection is no connection', async () => {
  const { address } = await controlled()
  const halves = Array.from({ length: 32 }, () => connect({ ...address, allowHalfOpen: true }))
  await Promise.all(
    halves.map(async (socket) => {
      closing.push(() => socket.destroy())
      socket.on('error', () => {})
      socket.write('nonsense\n')
      socket.resume()
      await new Promise((resolve) => socket.on('end', resolve))
    }),
  )
  const asked = await client(address)
  expect(await asked.state()).toMatchObject({ ok: true })
})

function lines(first: number, count: number, command: string): string {
  const ids = Array.from({ length: count }, (_, at) => first + at)
  return ids.map((id) => `${JSON.stringify({ payload: JSON.stringify({ id, command, nonce: '' }) })}\n`).join('')
}

test('a connection that asks for more than can be answered is closed', async () => {
  const { address, host } = await controlled()
  const socket = connect(address.port, address.host)
  let heard = ''
  socket.on('data', (bytes) => {
    heard += bytes.toString()
  })
  socket.write(lines(1, 1000, 'snapshot'))
  await new Promise((resolve) => socket.on('close', resolve))
  expect(heard).toContain('more than 64 requests at a time')
  await until(() => host('left').counters.snapshots === 64)
})

const heavy = machine<{ load: string }>('heavy', { state: () => ({ load: 'x'.repeat(1 << 20) }) })
const freight = system('freight', () => ({ machines: { left: heavy.as(), right: heavy.as() } }))

test('a connection that does not read what it asked for is closed', async () => {
  const { address } = await controlled({}, freight)
  const socket = connect(address.port, address.host)
  const closed = new Promise((resolve) => socket.on('error', resolve))
  let asked = 0
  const asking = setInterval(() => socket.write(lines(++asked, 1, 'state')), 1)
  closing.push(() => clearInterval(asking))
  await closed
  // Some of it is with the operating system.
  expect(asked).toBeGreaterThanOrEqual(16)
})
