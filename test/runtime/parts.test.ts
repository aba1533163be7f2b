/** The parts of the runtime that need no network. */
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { Channel, type OutgoingMessage } from '../../src/runtime/channel.ts'
import { LineReader } from '../../src/runtime/control-line.ts'
import { newCounters } from '../../src/runtime/counters.ts'
import { FaultyLink } from '../../src/runtime/faults.ts'
import { MachineTimers } from '../../src/runtime/machine-timers.ts'
import { readSnapshot } from '../../src/runtime/snapshot.ts'
import { IncomingParcel, largestPart, OutgoingParcel } from '../../src/runtime/snapshot-parcel.ts'
import { SnapshotRecorder } from '../../src/runtime/snapshot-recorder.ts'
import { FrameReader } from '../../src/runtime/tcp.ts'
import { UnreadBytes } from '../../src/runtime/unread-bytes.ts'
import { ReceiveWindow, windowSize } from '../../src/runtime/window.ts'
import { Codec, type Frame } from '../../src/runtime/wire.ts'

const key = Buffer.from('0123456789abcdef')
const codec = new Codec({ system: 's', machines: ['a', 'b'], key, limit: 1000 })

const frames = fc.record({
  kind: fc.constantFrom('hello', 'message', 'marker', 'marked', 'report', 'reported') satisfies fc.Arbitrary<
    Frame['kind']
  >,
  from: fc.nat(1),
  to: fc.nat(1),
  fromIncarnation: fc.integer({ min: 1, max: 2 ** 48 - 1 }),
  toIncarnation: fc.integer({ min: 0, max: 2 ** 48 - 1 }),
  sequence: fc.integer({ min: 1, max: 2 ** 48 - 1 }),
  number: fc.integer({ min: 0, max: 2 ** 48 - 1 }),
  snapshot: fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
  body: fc.uint8Array({ maxLength: 1000 }).map((bytes) => Buffer.from(bytes)),
})
const wellFormed = frames.map((frame) => ({ ...frame, sequence: frame.kind === 'message' ? frame.sequence : 0 }))

test('every frame comes back as it was sent', () => {
  fc.assert(
    fc.property(wellFormed, (frame) => {
      expect(codec.decode(codec.encode(frame))).toEqual({ ok: true, frame })
    }),
  )
})

test('a frame of machines with other parameters is foreign, in whatever order they are given', () => {
  const options = { system: 's', machines: ['a', 'b'], key, limit: 1000 }
  const [frame] = fc.sample(wellFormed, { numRuns: 1, seed: 1 })
  if (frame === undefined) throw new Error('a frame was drawn')
  const bytes = new Codec({ ...options, params: { size: 3, mode: 'x' } }).encode(frame)
  expect(new Codec({ ...options, params: { mode: 'x', size: 3 } }).decode(bytes)).toEqual({ ok: true, frame })
  for (const params of [{}, { size: 4, mode: 'x' }, { size: 3 }])
    expect(new Codec({ ...options, params }).decode(bytes)).toEqual({ ok: false, problem: 'foreign' })
})

test('a frame with any bit changed, cut anywhere or made longer is refused', () => {
  fc.assert(
    fc.property(wellFormed, fc.nat(), fc.nat(7), (frame, where, bit) => {
      const bytes = codec.encode(frame)
      const at = where % bytes.length
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] as number) ^ (1 << bit)
      expect(codec.decode(changed).ok).toBe(false)
      expect(codec.decode(bytes.subarray(0, at)).ok).toBe(false)
      expect(codec.decode(Buffer.concat([bytes, Buffer.from([0])])).ok).toBe(false)
    }),
  )
})

test('a window takes each number once, in any order, and knows how many are missing', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 60 })), fc.nat(60), (numbers, last) => {
      const window = new ReceiveWindow(false)
      const seen = new Set<number>()
      for (const number of numbers) {
        expect(window.take(number)).toBe(seen.has(number) ? 'repeated' : 'fresh')
        seen.add(number)
      }
      const missing = Array.from({ length: last }, (_, at) => at + 1).filter((number) => !seen.has(number))
      expect(window.missingUpTo(last)).toBe(missing.length)
    }),
  )
})

test('a window that keeps order refuses whatever was overtaken', () => {
  const window = new ReceiveWindow(true)
  expect([1, 3, 2, 3, 4].map((number) => window.take(number))).toEqual(['fresh', 'fresh', 'late', 'repeated', 'fresh'])
  expect([window.awaitedUpTo(4), window.missingUpTo(4)]).toEqual([0, 1])
  expect([window.awaitedUpTo(6), window.missingUpTo(6)]).toEqual([2, 3])
  window.giveUp(4)
  expect([window.awaitedUpTo(6), window.missingUpTo(6)]).toEqual([2, 2])
})

test('what falls out of a window counts as seen', () => {
  const window = new ReceiveWindow(false)
  window.take(2)
  window.take(windowSize + 2)
  expect(window.take(1)).toBe('repeated')
  expect(window.take(3)).toBe('fresh')
  window.giveUp(windowSize)
  expect(window.missingUpTo(windowSize + 1)).toBe(1)
  expect(window.take(4)).toBe('fresh')
})

test('what has fallen out of a window is missing until it is given up, and not waited for', () => {
  const window = new ReceiveWindow(false)
  for (let number = 2; number <= windowSize + 10; number++) if (number !== 5) window.take(number)
  expect([window.awaitedUpTo(windowSize + 10), window.missingUpTo(windowSize + 10)]).toEqual([0, 2])
  window.take(3 * windowSize)
  expect(window.missingUpTo(3 * windowSize)).toBe(2 + 2 * windowSize - 11)
  expect(window.awaitedUpTo(3 * windowSize)).toBe(windowSize - 1)
  window.giveUp(3 * windowSize)
  expect([window.awaitedUpTo(3 * windowSize + 1), window.missingUpTo(3 * windowSize + 1)]).toEqual([1, 1])
})

test('a channel numbers what waited when its receiver is met, marks included, and afresh for its next life', () => {
  const sent: string[] = []
  const message = (number: number): OutgoingMessage => ({ number, snapshot: 0, body: Buffer.alloc(0) })
  const channel = new Channel(
    ({ number }, sequence) => sent.push(`${number} as ${sequence}`),
    () => {},
  )
  channel.send(message(1))
  channel.send(message(2))
  const early = channel.mark()
  channel.send(message(3))
  expect([sent, early.cut]).toEqual([[], undefined])
  channel.begin(100)
  expect([sent, early.cut]).toEqual([['1 as 1', '2 as 2', '3 as 3'], 2])
  channel.begin(99)
  channel.send(message(4))
  expect(channel.mark()).toEqual({ cut: 4, incarnation: 100 })
  channel.begin(101)
  channel.send(message(5))
  expect(sent.slice(3)).toEqual(['4 as 4', '5 as 1'])
})

test('a channel to a receiver that is never heard of keeps so many messages, so many bytes, and one mark after another', () => {
  let lost = 0
  const channel = () =>
    new Channel(
      () => {},
      () => lost++,
    )
  const many = channel()
  for (let number = 1; number <= 10_003; number++) many.send({ number, snapshot: 0, body: Buffer.alloc(0) })
  expect(lost).toBe(3)
  const large = channel()
  const body = Buffer.alloc(1 << 20)
  for (let number = 1; number <= 18; number++) large.send({ number, snapshot: 0, body })
  expect(lost).toBe(3 + 2)
  const silent = channel()
  const first = silent.mark()
  expect(silent.mark()).toBe(first)
  silent.send({ number: 1, snapshot: 0, body })
  expect(silent.mark()).not.toBe(first)
})

test('lines are cut out of a stream however it comes in pieces', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 20 })), fc.integer({ min: 1, max: 9 }), (texts, size) => {
      const written = texts.map((text) => text.replaceAll('\n', ' '))
      const stream = Buffer.from(written.map((text) => `${text}\n`).join(''))
      const reader = new LineReader(100)
      const read: string[] = []
      for (let at = 0; at < stream.length; at += size) read.push(...reader.lines(stream.subarray(at, at + size)))
      expect([read, reader.isBroken]).toEqual([written, false])
    }),
  )
})

test('a line that is too long breaks the stream, also one byte at a time, and nothing of it is kept', () => {
  const reader = new LineReader(10)
  expect([...reader.lines(Buffer.from('0123456789\n'))]).toEqual(['0123456789'])
  for (const byte of Buffer.from('0123456789')) expect([...reader.lines(Buffer.from([byte]))]).toEqual([])
  expect(reader.isBroken).toBe(false)
  expect([...reader.lines(Buffer.from('x\nnext\n'))]).toEqual([])
  expect(reader.isBroken).toBe(true)
  expect([...reader.lines(Buffer.from('next\n'))]).toEqual([])
})

test('bytes that come one by one take no more than twice their number, and none once they are used', () => {
  const unread = new UnreadBytes()
  const before = process.memoryUsage().arrayBuffers
  for (let at = 0; at < 1 << 20; at++) unread.add(Buffer.from([at % 251]))
  expect(unread.size).toBe(1 << 20)
  expect(unread.take(1 << 20).equals(Buffer.from(Array.from({ length: 1 << 20 }, (_, at) => at % 251)))).toBe(true)
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 << 20)
})

test('frames are cut out of a stream however it comes in pieces', () => {
  const bodies = fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 10 })
  fc.assert(
    fc.property(bodies, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (written, sizes) => {
      const stream = Buffer.concat(written.flatMap((body) => [Buffer.from([0, 0, 0, body.length]), Buffer.from(body)]))
      const reader = new FrameReader(20)
      const read: Buffer[] = []
      for (let at = 0, turn = 0; at < stream.length; turn++) {
        const size = sizes[turn % sizes.length] as number
        read.push(...reader.frames(stream.subarray(at, at + size)))
        at += size
      }
      expect(read.map((frame) => [...frame])).toEqual(written.map((body) => [...body]))
    }),
  )
})

test('the fate of messages depends on the seed alone', () => {
  const fates = (seed: string): string => {
    const link = new FaultyLink({ loss: 0.3, duplication: 0.2 }, seed, { counters: newCounters(), keepsOrder: false })
    return Array.from({ length: 200 }, () => link.copies()).join('')
  }
  expect(fates('a')).toBe(fates('a'))
  expect(fates('a')).not.toBe(fates('b'))
  const lost = [...fates('a')].filter((copies) => copies === '0').length
  expect(lost).toBeGreaterThan(30)
  expect(lost).toBeLessThan(90)
})

test('a parcel arrives whole through a link that loses and repeats pieces', () => {
  const content = Buffer.from(Array.from({ length: 100_000 }, (_, at) => at % 251))
  const incoming = new IncomingParcel()
  const answers: Buffer[] = []
  let turn = 0
  const parcel: OutgoingParcel = new OutgoingParcel(content, 1000, (piece) => {
    if (turn++ % 3 === 0) return
    const answer = incoming.take(piece)
    if (answer !== undefined && turn % 5 !== 0) answers.push(answer, answer)
  })
  for (let round = 0; !parcel.isReceived && round < 1000; round++) {
    parcel.send()
    for (const answer of answers.splice(0)) parcel.received(answer)
  }
  expect(parcel.isReceived).toBe(true)
  expect(incoming.content?.equals(content)).toBe(true)
})

test('a snapshot is given up where more comes under way than could be sent', () => {
  const network = {
    limit: 1000,
    mark: () => ({ cut: 0, incarnation: 1 }),
    cutOf: () => 0,
    incarnationOf: () => 1,
    awaited: () => 1,
    missing: () => 1,
    giveUp: () => {},
    sendControl: () => {},
  }
  const recorder = new SnapshotRecorder({
    self: 0,
    machines: 2,
    network,
    earlier: 0,
    graceMilliseconds: 60_000,
    patienceMilliseconds: 60_000,
    state: () => ({ data: 0, timers: [], requests: 0, crashes: 0 }),
    local: () => [],
    recorded: () => true,
    done: () => {},
  })
  const arrived = { from: 1, incarnation: 1, number: 1, snapshot: 0, message: 'x' }
  recorder.record(2048)
  recorder.arriving({ ...arrived, sequence: 1, size: largestPart })
  expect(recorder.isBusy).toBe(true)
  recorder.arriving({ ...arrived, sequence: 2, size: 1 })
  expect(recorder.isBusy).toBe(false)
})

test('a timer fires when it is due, starts anew when it is set again, and not after it was cancelled', () => {
  vi.useFakeTimers()
  const fired: string[] = []
  const timers = new MachineTimers((name) => fired.push(name))
  timers.follow(
    ['a', 'b', 'c'],
    new Map([
      ['a', 10],
      ['b', 10],
      ['c', 30],
    ]),
  )
  vi.advanceTimersByTime(9)
  timers.follow(['b', 'c'], new Map([['b', 10]]))
  vi.advanceTimersByTime(9)
  expect(fired).toEqual([])
  vi.advanceTimersByTime(1)
  expect(fired).toEqual(['b'])
  timers.follow(['c'], new Map())
  vi.advanceTimersByTime(11)
  expect(fired).toEqual(['b', 'c'])
  timers.follow(['a'], undefined)
  timers.stop()
  vi.advanceTimersByTime(1000)
  expect(fired).toEqual(['b', 'c'])
  vi.useRealTimers()
})

const good = {
  format: 'allways-snapshot/1',
  system: 's',
  params: {},
  takenAt: '2026-01-01T00:00:00.000Z',
  missing: 0,
  machines: ['a', 'b'],
  states: [
    { data: 1, timers: [], requests: 0, crashes: 0 },
    { data: { '#set': [1] }, timers: ['t'], requests: 0, crashes: 0 },
  ],
  underWay: [{ from: 'a', to: 'b', message: { kind: 'm' } }],
}

test.each([
  ['{', 'it is not a JSON object'],
  ['[]', 'it is not a JSON object'],
  [{ ...good, format: 'allways-snapshot/2' }, 'its format is "allways-snapshot/2"'],
  [{ ...good, machines: ['a', 'a'] }, '"machines" is not a list of different names'],
  [{ ...good, states: good.states.slice(1) }, '"states" does not hold one state for each machine'],
  [{ ...good, states: [{}, {}] }, '"states" does not hold one state for each machine'],
  [{ ...good, underWay: [{ from: 'a', to: 'x', message: 1 }] }, '"underWay" is not a list of messages'],
  [{ ...good, missing: -1 }, '"missing" is not as it should be'],
  [{ ...good, params: [] }, '"params" is not an object'],
  [{ ...good, params: { '#undefined': true } }, '"params" is not an object'],
  [{ ...good, params: { '#map': [] } }, '"params" is not an object'],
])('%j is no snapshot', (content, why) => {
  expect(readSnapshot(JSON.stringify(good), 'a.json')).toMatchObject({ ok: true, value: { machines: ['a', 'b'] } })
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  const read = readSnapshot(text, 'a.json')
  expect(read).toMatchObject({ ok: false, diagnostics: [{ code: 'E604', message: expect.stringContaining(why) }] })
})
