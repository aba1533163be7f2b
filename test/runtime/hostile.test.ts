/** What strangers send: counted, dropped, and the machines go on. */
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { Random } from '../../src/core/random.ts'
import type { HostAddress } from '../../src/runtime/address.ts'
import type { Counters } from '../../src/runtime/counters.ts'
import { Codec, type Frame } from '../../src/runtime/wire.ts'
import { long } from '../amount.ts'
import { cluster, dataOf, machinesIn, opened, openedAgain, until } from './cluster.ts'
import { pingPong } from './systems.ts'

const key = Buffer.from('a secret of sixteen bytes or more')
const sockets: Socket[] = []

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close()
})

async function stranger(): Promise<Socket> {
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  sockets.push(socket)
  return socket
}

/** So many at a time that the socket's buffer holds them all: none may be lost, for they are counted. */
async function sendAll(frames: readonly Buffer[], to: HostAddress, counters: Counters): Promise<void> {
  const socket = await stranger()
  for (let at = 0; at < frames.length; at += 50) {
    const batch = frames.slice(at, at + 50)
    const before = refused(counters)
    for (const frame of batch) socket.send(frame, to.port, to.host)
    while (refused(counters) < before + batch.length) await new Promise((resolve) => setImmediate(resolve))
  }
}

function refused({ malformed, oversized, unauthenticated, foreign, replayed }: Counters): number {
  return malformed + oversized + unauthenticated + foreign + replayed
}

const message: Frame = {
  kind: 'message',
  from: 0,
  to: 1,
  fromIncarnation: 1,
  toIncarnation: 1,
  sequence: 1,
  number: 1,
  snapshot: 0,
  body: Buffer.from('{"kind":"ping","hit":0}'),
}

function codec(options: { readonly key?: Buffer; readonly system?: string } = {}): Codec {
  return new Codec({ system: 'ping-pong', machines: ['left', 'right'], limit: 60_000, ...options })
}

test('100,000 malformed datagrams are counted one by one while the game goes on', long, async () => {
  const { host } = await cluster(pingPong, { key })
  const random = new Random(1)
  const good = codec({ key }).encode(message)
  const frames = Array.from({ length: 100_000 }, (_, at) => {
    const size = random.below(200)
    if (at % 3 === 0) return Buffer.from(Array.from({ length: size }, () => random.below(256)))
    if (at % 3 === 1) return good.subarray(0, random.below(good.length))
    const changed = Buffer.from(good)
    const where = random.below(changed.length)
    changed[where] = (changed[where] as number) ^ (1 << random.below(8))
    return changed
  })
  host('left').request('play', 300)
  await sendAll(frames, host('right').address, host('right').counters)
  await until(() => dataOf<{ hits: number }>(host('left')).hits === 300)
  expect(refused(host('right').counters)).toBe(100_000)
  expect(dataOf(host('left'))).toEqual({ hits: 300, goal: 300 })
})

test('frames with another key, without a key and of another system are told apart', async () => {
  const { host } = await cluster(pingPong, { key })
  const right = host('right')
  const other = codec({ key: Buffer.from('another secret of sixteen bytes') }).encode(message)
  await sendAll(
    [other, codec().encode(message), codec({ key, system: 'another' }).encode(message)],
    right.address,
    right.counters,
  )
  expect(right.counters).toMatchObject({ unauthenticated: 2, foreign: 1, delivered: 0, malformed: 0 })
})

test('a message from a body that is no value is malformed and takes no number', async () => {
  const { host } = await cluster(pingPong)
  const [left, right] = [host('left'), host('right')]
  left.request('play', 1)
  await until(() => dataOf<{ hits: number }>(left).hits === 1)
  const nested = Buffer.from(`${'['.repeat(20_000)}${']'.repeat(20_000)}`)
  const texts = [
    '{',
    '{"#bigint":"x"}',
    '{"#address":"left"}',
    '{"\\u0023address" :"left"}',
    '{"#set":[{"#address":1}]}',
  ]
  const bodies = [...texts.map((text) => Buffer.from(text)), nested]
  // Of the next life of the sender, which the receiver has to believe without a key.
  const incarnation = Date.now() + 3_600_000
  const frames = bodies.map((body) =>
    codec().encode({ ...message, body, fromIncarnation: incarnation, toIncarnation: right.incarnation }),
  )
  await sendAll(frames, right.address, right.counters)
  // On a slow machine the ball was sent more than once before it came back.
  const { seen } = dataOf<{ seen: number }>(right)
  expect(seen).toBeGreaterThan(0)
  expect(right.counters).toMatchObject({ malformed: 6, delivered: seen })
})

test('a datagram that claims more than it may is oversized', async () => {
  const { host } = await cluster(pingPong, { messageLimit: 100 })
  const right = host('right')
  const large = codec().encode({ ...message, body: Buffer.alloc(101, 'a') })
  const lying = codec().encode(message)
  lying.writeUInt32BE(0xffffffff, 48)
  await sendAll([large, lying], right.address, right.counters)
  expect(right.counters).toMatchObject({ oversized: 2, delivered: 0 })
})

test('a message that is too large to send is counted where it was sent', async () => {
  const { host } = await cluster(pingPong, { messageLimit: 10 })
  host('left').request('play', 1)
  expect(host('left').counters).toMatchObject({ sent: 1, unsendable: 1 })
})

/** Stands between two machines, and remembers what passed. */
async function eavesdropper(to: HostAddress): Promise<{ readonly address: HostAddress; readonly heard: Buffer[] }> {
  const socket = await stranger()
  const heard: Buffer[] = []
  socket.on('message', (bytes) => {
    heard.push(Buffer.from(bytes))
    socket.send(bytes, to.port, to.host)
  })
  return { address: { host: '127.0.0.1', port: socket.address().port }, heard }
}

test('recorded frames are refused when they come again, also after their receiver was started anew', async () => {
  const machines = machinesIn(pingPong)
  const options = { system: pingPong.name, machines, key }
  const left = await opened({ ...options, machine: 'left' })
  const right = await opened({ ...options, machine: 'right' })
  const { address, heard } = await eavesdropper(right.address)
  left.start(new Map([['right', address]]))
  right.start(new Map([['left', left.address]]))
  left.request('play', 20)
  await until(() => dataOf<{ hits: number }>(left).hits === 20)
  // On a slow machine a ball that was sent again may still be on its way.
  await until(() => right.counters.delivered === left.counters.sent)
  const seen = dataOf<{ seen: number }>(right).seen
  const messages = heard.filter((frame) => (frame[3] as number) % 0x80 === 1)
  expect(messages.length).toBeGreaterThanOrEqual(20)
  const before = right.counters.replayed
  await sendAll(messages, right.address, right.counters)
  expect(right.counters.replayed).toBe(before + messages.length)
  expect(dataOf(right)).toEqual({ seen })

  const where = right.address
  await right.stop()
  const again = await openedAgain({ ...options, machine: 'right', listen: where })
  again.start(new Map([['left', left.address]]))
  await sendAll(messages, again.address, again.counters)
  expect(again.counters).toMatchObject({ replayed: messages.length, delivered: 0 })
})

test('whoever repeats frames for an earlier life does not make a machine send as many', async () => {
  const right = await opened({ system: pingPong.name, machines: machinesIn(pingPong), key, machine: 'right' })
  const listener = await stranger()
  let answers = 0
  listener.on('message', () => answers++)
  right.start(new Map([['left', { host: '127.0.0.1', port: listener.address().port }]]))
  const life = Date.now()
  const hello = { ...message, kind: 'hello', fromIncarnation: life, sequence: 0, body: Buffer.alloc(0) } as const
  // From here on the machine greets nobody of its own accord.
  listener.send(codec({ key }).encode(hello), right.address.port, right.address.host)
  await until(() => right.counters.received === 1)
  const [before, began] = [answers, performance.now()]
  const old = codec({ key }).encode({ ...message, fromIncarnation: life, toIncarnation: right.incarnation - 1 })
  await sendAll(
    Array.from({ length: 2_000 }, () => old),
    right.address,
    right.counters,
  )
  await until(() => answers > before)
  expect(right.counters.replayed).toBe(2_000)
  // One of them may have been on its way.
  expect(answers - before).toBeLessThanOrEqual((performance.now() - began) / 5 + 2)
})

test('a stream that is no sequence of frames is cut, and others go on', async () => {
  const { host } = await cluster(pingPong, { transport: 'tcp' })
  const { address, counters } = host('right')
  const socket = connect(address.port, address.host)
  await once(socket, 'connect')
  const closed = new Promise((resolve) => socket.on('close', resolve))
  socket.on('error', () => {})
  socket.write(Buffer.from([0xff, 0xff, 0xff, 0xff, 1, 2, 3]))
  await closed
  expect(counters.oversized).toBe(1)
  const second = connect(address.port, address.host)
  second.write(Buffer.concat([Buffer.from([0, 0, 0, 3]), Buffer.from('abc')]))
  await until(() => counters.malformed === 1)
  second.destroy()
  host('left').request('play', 3)
  await until(() => dataOf<{ hits: number }>(host('left')).hits === 3)
})

test('strangers who connect and say nothing, or nothing that has the key, do not keep machines out', async () => {
  const machines = machinesIn(pingPong)
  const options = { system: pingPong.name, machines, key, transport: 'tcp' } as const
  const right = await opened({ ...options, machine: 'right' })
  const left = await opened({ ...options, machine: 'left' })
  const { address, counters } = right
  const noise = codec().encode(message)
  const strangers = Array.from({ length: 100 }, () => connect(address.port, address.host))
  for (const socket of strangers) socket.on('error', () => {})
  strangers[0]?.write(Buffer.concat([Buffer.from([0, 0, 0, noise.length]), noise]))
  await until(() => counters.foreign === 100 - (4 * 2 + 16))
  left.start(new Map([['right', address]]))
  right.start(new Map([['left', left.address]]))
  left.request('play', 3)
  await until(() => dataOf<{ hits: number }>(left).hits === 3)
  for (const socket of strangers) socket.destroy()
})

test('strangers who repeat what they overheard do not keep machines out either', async () => {
  const machines = machinesIn(pingPong)
  const options = { system: pingPong.name, machines, key, transport: 'tcp' } as const
  const right = await opened({ ...options, machine: 'right' })
  const left = await opened({ ...options, machine: 'left' })
  const { address } = right
  left.start(new Map([['right', address]]))
  right.start(new Map([['left', left.address]]))
  left.request('play', 3)
  await until(() => dataOf<{ hits: number }>(left).hits === 3)
  const sessions = { fromIncarnation: left.incarnation, toIncarnation: right.incarnation }
  const heard = [
    { ...message, ...sessions },
    { ...message, ...sessions, kind: 'hello', sequence: 0, number: 0, body: Buffer.alloc(0) } as const,
  ].map((frame) => codec({ key }).encode(frame))
  await left.stop()
  const { received } = right.counters
  const strangers = Array.from({ length: 4 * 2 + 16 }, () => connect(address.port, address.host))
  for (const [at, socket] of strangers.entries()) {
    socket.on('error', () => {})
    const frame = heard[at % 2] as Buffer
    socket.write(Buffer.concat([Buffer.from([0, 0, 0, frame.length]), frame]))
  }
  await until(() => right.counters.received === received + strangers.length)
  const again = await openedAgain({ ...options, machine: 'left', listen: left.address })
  again.start(new Map([['right', address]]))
  again.request('play', 3)
  await until(() => dataOf<{ hits: number }>(again).hits === 3)
  for (const socket of strangers) socket.destroy()
})

test('a snapshot from the end of time is none, so that there can be others', async () => {
  const { host } = await cluster(pingPong)
  const [left, right] = [host('left'), host('right')]
  await left.snapshot()
  const sessions = { fromIncarnation: left.incarnation, toIncarnation: right.incarnation }
  const snapshot = Number.MAX_SAFE_INTEGER
  const marker = {
    ...message,
    ...sessions,
    snapshot,
    kind: 'marker',
    sequence: 0,
    body: Buffer.from('{"cut":0}'),
  } as const
  await sendAll([codec().encode(marker)], right.address, right.counters)
  expect(right.counters.malformed).toBe(1)
  expect(await right.snapshot()).toMatchObject({ ok: true })
})
