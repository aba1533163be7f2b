/** The control channel: what it answers, and to whom. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { machine, system } from '../../src/index.ts'
import type { Program } from '../../src/program/program.ts'
import { anyLoopbackPort, type HostAddress } from '../../src/runtime/address.ts'
import { ControlClient } from '../../src/runtime/control-client.ts'
import { signedLine } from '../../src/runtime/control-line.ts'
import { ControlServer } from '../../src/runtime/control-server.ts'
import { cluster, until } from './cluster.ts'
import { pingPong } from './systems.ts'

const key = Buffer.from('a secret of sixteen bytes or more')
const closing: (() => unknown)[] = []

afterEach(async () => {
  vi.useRealTimers()
  for (const close of closing.splice(0).reverse()) await close()
})

async function controlled(options: { readonly silenceMilliseconds?: number } = {}, program: Program = pingPong) {
  const { host } = await cluster(program, { key, graceMilliseconds: 60_000 })
  let stops = 0
  const server = await ControlServer.open({
    listen: anyLoopbackPort,
    key,
    silenceMilliseconds: options.silenceMilliseconds,
    system: program.name,
    host: host('left'),
    onStop: () => stops++,
  })
  if (!server.ok) throw new Error(JSON.stringify(server.diagnostics))
  closing.push(() => server.value.close())
  return { host, address: server.value.address, stops: () => stops }
}

async function client(address: HostAddress): Promise<ControlClient> {
  const connected = await ControlClient.connect(address, key)
  if (!connected.ok) throw new Error(JSON.stringify(connected.diagnostics))
  closing.push(() => connected.value.close())
  return connected.value
}

test('a client that has the key gets states, counters and snapshots, and makes requests', async () => {
  const { address, stops } = await controlled()
  const asked = await client(address)
  expect([asked.system, asked.machine]).toEqual(['ping-pong', 'left'])
  expect(await asked.state()).toMatchObject({ ok: true, value: { data: { hits: 0, goal: 0 } } })
  expect(await asked.request('play', 2)).toMatchObject({ ok: true, value: { data: { goal: 2 } } })
  const snapshot = await asked.snapshot()
  expect(snapshot).toMatchObject({ ok: true, value: { machines: ['left', 'right'], missing: 0 } })
  expect(await asked.counters()).toMatchObject({ ok: true, value: { snapshots: 1, malformed: 0 } })
  await asked.stop()
  await until(() => stops() === 1)
})

test('a client with another key is refused, and so is whoever has none', async () => {
  const { address, stops, host } = await controlled()
  const other = Buffer.from('another secret of sixteen bytes')
  const why = expect.stringContaining('the answer does not prove that it has the key')
  expect(await ControlClient.connect(address, other)).toMatchObject({
    ok: false,
    diagnostics: [{ code: 'E607', message: why }],
  })
  const socket = connect(address.port, address.host)
  const heard = everythingFrom(socket)
  socket.write(`${JSON.stringify({ payload: JSON.stringify({ id: 1, command: 'stop', nonce: '' }) })}\n`)
  const lines = (await heard).split('\n')
  expect(lines).toHaveLength(3)
  expect(Object.keys(JSON.parse(lines[0] as string))).toEqual(['format', 'challenge'])
  expect(lines[1]).toContain('not a request, or the key is wrong')
  expect(host('left').counters).toMatchObject({ unproved: 2, silent: 0, excessive: 0 })
  expect(stops()).toBe(0)
})

test('lines that are no requests end their connection and nothing else', async () => {
  const { address } = await controlled()
  for (const line of ['nonsense\n', '{}\n', '{"payload":"{}"}\n', 'x'.repeat(2 << 20)]) {
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
  expect(await ControlClient.connect(address, key)).toMatchObject({ ok: false, diagnostics: [{ code: 'E607' }] })
  expect(host('left').isRunning).toBe(true)
})

test('connections that ask for nothing are closed, and those that asked stay', async () => {
  const { address } = await controlled({ silenceMilliseconds: 100 })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const first = await client(address)
  expect(await first.state()).toMatchObject({ ok: true })
  const silent = Array.from({ length: 60 }, () => connect(address.port, address.host))
  for (const socket of silent) {
    socket.on('error', () => {})
    socket.resume()
  }
  while (silent.some(({ closed }) => !closed)) {
    vi.advanceTimersByTime(100)
    await new Promise((resolve) => setImmediate(resolve))
  }
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
async function rogue(greeting: string, answer: (line: string) => string): Promise<HostAddress> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.write(greeting)
    socket.setEncoding('utf8').on('data', (line: string) => socket.write(answer(line)))
  })
  closing.push(() => server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { host: '127.0.0.1', port: (server.address() as AddressInfo).port }
}

const greeting = `${JSON.stringify({ format: 'allways-control/3', challenge: 'x' })}\n`
const identity = { id: 1, result: { system: 'ping-pong', machine: 'left' } }

test.each([
  ['no proof', () => `${JSON.stringify({ payload: JSON.stringify(identity) })}\n`],
  ['a wrong proof', () => `${JSON.stringify({ payload: JSON.stringify(identity), mac: '00' })}\n`],
  ['what the client said', (line: string) => line],
])('a server that answers with %s is not believed', async (_, answer) => {
  const message = expect.stringContaining('the answer does not prove that it has the key')
  expect(await ControlClient.connect(await rogue(greeting, answer), key)).toMatchObject({
    ok: false,
    diagnostics: [{ code: 'E607', message }],
  })
})

test.each([
  ['an answer', greeting, () => 'x'.repeat(1 << 16)],
  ['a greeting', 'x'.repeat(1 << 16), () => ''],
])('%s without end is cut before anything is proved', async (_, first, answer) => {
  const message = expect.stringContaining('the answer is too long')
  expect(await ControlClient.connect(await rogue(first, answer), key)).toMatchObject({ diagnostics: [{ message }] })
})

test('a server of an earlier format is told from one of this', async () => {
  const address = await rogue(greeting.replace('control/3', 'control/2'), () => '')
  const message = expect.stringContaining('does not speak allways-control/3')
  expect(await ControlClient.connect(address, key)).toMatchObject({ diagnostics: [{ message }] })
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

async function everythingFrom(socket: Socket): Promise<string> {
  let heard = ''
  socket.on('error', () => {})
  socket.on('data', (bytes) => {
    heard += bytes.toString()
  })
  await new Promise((resolve) => socket.on('close', resolve))
  return heard
}

/** A connection to write lines to that prove to have the key. */
async function friend(address: HostAddress) {
  const socket = connect(address.port, address.host)
  const [first] = (await once(socket, 'data')) as [Buffer]
  const { challenge } = JSON.parse(first.toString()) as { readonly challenge: string }
  let id = 0
  const lines = (count: number, command: string): string =>
    Array.from({ length: count }, () => {
      const payload = JSON.stringify({ id: ++id, command, nonce: '' })
      return `${signedLine('control requests', { key, challenges: [challenge] }, payload)}\n`
    }).join('')
  return { socket, lines }
}

test('a connection that asks for more than can be answered is closed', async () => {
  const { address, host } = await controlled()
  const { socket, lines } = await friend(address)
  // The first is small, as that of a stranger has to be; the others come at once.
  socket.write(lines(1, 'counters'))
  await once(socket, 'data')
  const heard = everythingFrom(socket)
  socket.write(lines(1000, 'snapshot'))
  expect(await heard).toContain('more than 64 requests at a time')
  await until(() => host('left').counters.snapshots === 64)
  expect(host('left').counters.excessive).toBe(1)
})

const heavy = machine<{ load: string }>('heavy', { state: () => ({ load: 'x'.repeat(1 << 20) }) })
const freight = system('freight', () => ({ machines: { left: heavy.as(), right: heavy.as() } }))

test('a connection that does not read what it asked for is closed', async () => {
  const { address } = await controlled({}, freight)
  const { socket, lines } = await friend(address)
  socket.pause()
  const closed = new Promise((resolve) => socket.on('error', resolve))
  let asked = 0
  const asking = setInterval(() => {
    asked++
    socket.write(lines(1, 'state'))
  }, 1)
  closing.push(() => clearInterval(asking))
  await closed
  // Some of it is with the operating system.
  expect(asked).toBeGreaterThanOrEqual(16)
})
