import { expect, test } from 'vitest'
import {
  assert,
  atomic,
  type Channel,
  channel,
  final,
  join,
  program,
  receive,
  send,
  spawn,
} from '../../../../src/index.ts'
import { counts, violations } from './explored.ts'

function* sendAll(to: Channel<number>, items: readonly number[]) {
  for (const item of items) yield* to.send(item)
}

function* receiveSome(from: Channel<number>, count: number) {
  const received: (number | undefined)[] = []
  for (let i = 0; i < count; i++) received.push(yield* from.receive())
  return received
}

const producers = (n: number, received: number) =>
  program('producers', function* () {
    const items = yield* channel<number>('items')
    for (let i = 1; i <= n; i++) yield* spawn(`producer ${i}`, sendAll, items, [i])
    yield* receiveSome(items, received)
  })

test('five producers and one consumer have 5! executions', () => {
  expect(counts(producers(5, 5))).toBe('120/0')
})

test('items that nobody receives add no executions: of five, one is received, 5', () => {
  expect(counts(producers(5, 1))).toBe('5/0')
})

test('two consumers of two items have 4 executions: who asks first, and which item comes first', () => {
  const consumers = program('consumers', function* () {
    const items = yield* channel<number>('items')
    for (let i = 1; i <= 2; i++) yield* spawn(`producer ${i}`, sendAll, items, [i])
    for (let i = 1; i <= 2; i++) yield* spawn(`consumer ${i}`, receiveSome, items, 1)
  })
  expect(counts(consumers)).toBe('4/0')
})

test('items of one sender stay in order: 1 execution', () => {
  const ordered = program('ordered', function* () {
    const items = yield* channel<number>('items')
    yield* spawn('producer', sendAll, items, [1, 2, 3])
    yield* assert((yield* receiveSome(items, 3)).join() === '1,2,3')
  })
  expect(counts(ordered)).toBe('1/0')
  expect(violations(ordered)).toEqual([])
})

test('what was sent before another send is received before it, whoever sent it and whatever the network', () => {
  const relay = program('relay', function* () {
    const items = yield* channel<number>('items')
    const second = yield* spawn('second', function* () {
      yield* receive<'go'>()
      yield* items.send(2)
    })
    yield* items.send(1)
    yield* send(second, 'go')
    yield* assert((yield* receiveSome(items, 2)).join() === '1,2')
  })
  expect(counts(relay)).toBe('1/0')
  expect(violations(relay)).toEqual([])
})

test('two channels filled in opposite orders cannot both look as if the other sender had been late', () => {
  const crossed = program('crossed', function* () {
    const [left, right] = [yield* channel<string>('left'), yield* channel<string>('right')]
    yield* spawn('a', function* () {
      yield* left.send('a')
      yield* right.send('a')
    })
    yield* spawn('b', function* () {
      yield* right.send('b')
      yield* left.send('b')
    })
    const first = [yield* left.receive(), yield* right.receive()]
    yield* assert(first[0] === 'a' || first[1] === 'b', 'each is late at its own first channel')
  })
  // Who is first on the left and who on the right: 2 · 2, less the impossible one.
  expect(counts(crossed)).toBe('3/0')
  expect(violations(crossed)).toEqual([])
})

const bounded = (capacity: number, sent: number, received: number) =>
  program('bounded', function* () {
    const items = yield* channel<number>('items', { capacity })
    const reader = yield* spawn('reader', receiveSome, items, received)
    yield* sendAll(
      items,
      Array.from({ length: sent }, (_, at) => at),
    )
    yield* join(reader)
  })

test('one sender and one receiver of a bounded channel have 1 execution, whatever the capacity', () => {
  expect(counts(bounded(1, 3, 2))).toBe('1/0')
  expect(counts(bounded(2, 4, 4))).toBe('1/0')
  expect(counts(bounded(5, 4, 4))).toBe('1/0')
})

test('a sender waits when a bounded channel is full', () => {
  expect(violations(bounded(1, 3, 2))).toEqual([])
  expect(violations(bounded(1, 3, 1))).toEqual(['deadlock: main waits for room in channel "items"'])
  expect(violations(bounded(2, 3, 1))).toEqual([])
})

test('a sender can be as many items ahead as the channel holds, and no more', () => {
  const ahead = (limit: number) =>
    program('ahead', function* () {
      const items = yield* channel<number>('items', { capacity: 2 })
      const sent = yield* atomic('sent', 0)
      yield* spawn('sender', function* () {
        for (let i = 1; i <= 4; i++) {
          yield* items.send(i)
          yield* sent.store(i)
        }
      })
      for (let received = 0; received < 3; received++) {
        yield* assert((yield* sent.load()) <= received + limit, `more than ${limit} ahead`)
        yield* items.receive()
      }
    })
  expect(violations(ahead(2))).toEqual([])
  expect(violations(ahead(1))).toEqual(['assertion: more than 1 ahead'])
})

test('a receiver waits when the channel is empty', () => {
  expect(violations(bounded(2, 1, 2))).toEqual([
    'deadlock: main waits for the end of reader; reader waits for an item from channel "items"',
  ])
})

test('n senders to a bounded channel have n! executions, as to an unbounded one', () => {
  const senders = (n: number, capacity: number) =>
    program('senders', function* () {
      const items = yield* channel<number>('items', { capacity })
      for (let i = 1; i <= n; i++) yield* spawn(`sender ${i}`, sendAll, items, [i])
      yield* receiveSome(items, n)
    })
  expect([counts(senders(2, 1)), counts(senders(3, 1)), counts(senders(3, 2))]).toEqual(['2/0', '6/0', '6/0'])
})

test.each([undefined, 1, 2])(
  'after close, what was sent before is received and then undefined (capacity %s)',
  (capacity) => {
    const closing = program(
      'closing',
      {
        properties: [
          final('the reader gets all', ({ returned }) => JSON.stringify(returned.get('reader')) === '[1,2,null,null]'),
        ],
      },
      function* () {
        const items = yield* channel<number>('items', capacity === undefined ? {} : { capacity })
        yield* spawn('reader', receiveSome, items, 4)
        yield* sendAll(items, [1, 2])
        yield* items.close()
        yield* items.close()
      },
    )
    expect(violations(closing)).toEqual([])
    expect(counts(closing)).toBe('1/0')
  },
)

test('what is sent after close is never received', () => {
  const late = program('late', function* () {
    const items = yield* channel<number>('items')
    yield* items.close()
    yield* items.send(1)
    yield* assert((yield* items.receive()) === undefined)
    yield* assert((yield* items.receive()) === undefined)
  })
  expect(violations(late)).toEqual([])
})

test('a bounded channel travels in messages, and its receiver still waits for room', () => {
  const travelling = program('travelling', function* () {
    const items = yield* channel<number>('items', { capacity: 1 })
    const filler = yield* spawn('filler', function* () {
      const { to } = yield* receive<{ to: Channel<number> }>()
      yield* to.send(1)
      yield* to.send(2)
    })
    yield* send(filler, { to: items })
  })
  expect(violations(travelling)).toEqual(['deadlock: filler waits for room in channel "items"'])
})

test('a capacity of nothing is refused at once', () => {
  expect(() => channel('items', { capacity: 0 })).toThrow(
    'the capacity of a channel must be a whole number, at least 1, and is 0',
  )
})
