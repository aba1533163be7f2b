import { expect, test } from 'vitest'
import { assert, atomic, program, type ReadWriteLock, readWriteLock, spawn } from '../../../../src/index.ts'
import { counts, violations } from './explored.ts'

function* read(lock: ReadWriteLock) {
  yield* lock.read.run(function* () {})
}

function* write(lock: ReadWriteLock) {
  yield* lock.write.run(function* () {})
}

const mixed = (readers: number, writers: number) =>
  program('mixed', function* () {
    const lock = yield* readWriteLock('lock')
    for (let i = 1; i <= readers; i++) yield* spawn(`reader ${i}`, read, lock)
    for (let i = 1; i <= writers; i++) yield* spawn(`writer ${i}`, write, lock)
  })

test('executions are the orders in which processes come, whether they read or write and whenever readers leave: n!', () => {
  expect([counts(mixed(2, 0)), counts(mixed(0, 2)), counts(mixed(1, 1))]).toEqual(['2/0', '2/0', '2/0'])
  expect([counts(mixed(3, 0)), counts(mixed(2, 1)), counts(mixed(1, 2))]).toEqual(['6/0', '6/0', '6/0'])
})

const inside = (limit: number, side: 'read' | 'write') =>
  program('inside', function* () {
    const lock = yield* readWriteLock('lock')
    const count = yield* atomic('count', 0)
    for (const name of ['one', 'two']) {
      yield* spawn(name, function* () {
        yield* lock[side].run(function* () {
          yield* assert((yield* count.update((before) => before + 1)) <= limit, `more than ${limit} inside`)
          yield* count.update((before) => before - 1)
        })
      })
    }
  })

test('readers can be inside together, writers cannot', () => {
  expect(violations(inside(1, 'read'))).toEqual(['assertion: more than 1 inside'])
  expect(violations(inside(2, 'read'))).toEqual([])
  expect(violations(inside(1, 'write'))).toEqual([])
})

test('a reader never sees half of what a writer writes', () => {
  const halves = program('halves', function* () {
    const lock = yield* readWriteLock('lock')
    const [left, right] = [yield* atomic('left', 0), yield* atomic('right', 0)]
    yield* spawn('writer', function* () {
      yield* lock.write.run(function* () {
        yield* left.store(1)
        yield* right.store(1)
      })
    })
    const seen = yield* lock.read.run(function* () {
      return [yield* left.load(), yield* right.load()]
    })
    yield* assert(seen[0] === seen[1])
  })
  expect(violations(halves)).toEqual([])
  expect(counts(halves)).toBe('2/0')
})

test('a reader that wants to write as well waits for itself', () => {
  const upgrade = program('upgrade', function* () {
    const lock = yield* readWriteLock('lock')
    yield* lock.read.acquire()
    yield* lock.write.acquire()
  })
  expect(violations(upgrade)).toEqual(['deadlock: main waits for read-write lock "lock" to write'])
})

test('a process that reads twice at the same time can deadlock with a writer that comes in between', () => {
  const twice = program('twice', function* () {
    const lock = yield* readWriteLock('lock')
    yield* spawn('writer', write, lock)
    yield* lock.read.run(() => lock.read.run(function* () {}))
  })
  expect(violations(twice)).toEqual([
    'deadlock: main waits for read-write lock "lock" to read; writer waits for read-write lock "lock" to write',
  ])
  // The writer is first, last, or in between.
  expect(counts(twice)).toBe('2/1')
})

test('giving back what one does not hold is a violation', () => {
  const stray = (side: 'read' | 'write') =>
    program('stray', function* () {
      const lock = yield* readWriteLock('lock')
      yield* lock[side].release()
    })
  expect(violations(stray('write'))).toEqual(['assertion: main releases read-write lock "lock", which no writer holds'])
  expect(violations(stray('read'))).toEqual([
    'assertion: main ends reading under read-write lock "lock" without having begun',
  ])
})

test('ending a read twice is found when the next writer comes', () => {
  const twice = program('twice', function* () {
    const lock = yield* readWriteLock('lock')
    yield* lock.read.acquire()
    yield* lock.read.release()
    yield* lock.read.release()
    yield* lock.write.run(function* () {})
  })
  expect(violations(twice)).toEqual(['assertion: main ends reading under read-write lock "lock" without having begun'])
})

test('the sides of a lock are handles too: they can be compared and passed on', () => {
  const sides = program('sides', function* () {
    const lock = yield* readWriteLock('lock')
    const [reader, writer] = [lock.read, lock.write]
    yield* assert(lock.read === reader && (lock.read as unknown) !== writer)
    yield* spawn('writer', function* () {
      yield* writer.run(function* () {})
    })
  })
  expect(violations(sides)).toEqual([])
})

test('a writer that tries has the lock only if every reader has left', () => {
  const tries = program('tries', function* () {
    const lock = yield* readWriteLock('lock')
    yield* lock.read.acquire()
    yield* lock.read.acquire()
    yield* lock.read.release()
    yield* assert(!(yield* lock.write.tryAcquire()), 'one still reads')
    yield* assert(yield* lock.read.tryAcquire(), 'others may read')
    yield* lock.read.release()
    yield* lock.read.release()
    yield* assert(yield* lock.write.tryAcquire(), 'nobody reads any more')
    yield* assert(!(yield* lock.write.tryAcquire()) && !(yield* lock.read.tryAcquire()), 'one writes')
    yield* lock.write.release()
    yield* assert(yield* lock.read.tryAcquire(), 'nobody writes any more')
  })
  expect(violations(tries)).toEqual([])
  expect(counts(tries)).toBe('1/0')
})

test('who tries gets nothing while a writer waits for readers, and does not wait itself', () => {
  const waits = program('waits', function* () {
    const lock = yield* readWriteLock('lock')
    yield* lock.read.acquire()
    yield* spawn('writer', write, lock)
    const got = yield* lock.read.tryAcquire()
    yield* lock.read.release()
    if (got) yield* lock.read.release()
  })
  expect(violations(waits)).toEqual([])
  // The writer comes before or after the try.
  expect(counts(waits)).toBe('2/0')
})
