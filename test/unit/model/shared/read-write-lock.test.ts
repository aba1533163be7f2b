import { expect, test } from 'vitest'
import { assert, program, type ReadWriteLock, readWriteLock, register, spawn } from '../../../../src/index.ts'
import { counts, violations } from './explored.ts'

function* read(lock: ReadWriteLock) {
  yield* lock.withRead(function* () {})
}

function* write(lock: ReadWriteLock) {
  yield* lock.withWrite(function* () {})
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

const inside = (limit: number, role: 'withRead' | 'withWrite') =>
  program('inside', function* () {
    const lock = yield* readWriteLock('lock')
    const count = yield* register('count', 0)
    for (const name of ['one', 'two']) {
      yield* spawn(name, function* () {
        yield* lock[role](function* () {
          yield* assert((yield* count.update((before) => before + 1)) <= limit, `more than ${limit} inside`)
          yield* count.update((before) => before - 1)
        })
      })
    }
  })

test('readers can be inside together, writers cannot', () => {
  expect(violations(inside(1, 'withRead'))).toEqual(['assertion: more than 1 inside'])
  expect(violations(inside(2, 'withRead'))).toEqual([])
  expect(violations(inside(1, 'withWrite'))).toEqual([])
})

test('a reader never sees half of what a writer writes', () => {
  const halves = program('halves', function* () {
    const lock = yield* readWriteLock('lock')
    const [left, right] = [yield* register('left', 0), yield* register('right', 0)]
    yield* spawn('writer', function* () {
      yield* lock.withWrite(function* () {
        yield* left.write(1)
        yield* right.write(1)
      })
    })
    const seen = yield* lock.withRead(function* () {
      return [yield* left.read(), yield* right.read()]
    })
    yield* assert(seen[0] === seen[1])
  })
  expect(violations(halves)).toEqual([])
  expect(counts(halves)).toBe('2/0')
})

test('a reader that wants to write as well waits for itself', () => {
  const upgrade = program('upgrade', function* () {
    const lock = yield* readWriteLock('lock')
    yield* lock.lockRead()
    yield* lock.lockWrite()
  })
  expect(violations(upgrade)).toEqual(['deadlock: main waits for read-write lock "lock" to write'])
})

test('a process that reads twice at the same time can deadlock with a writer that comes in between', () => {
  const twice = program('twice', function* () {
    const lock = yield* readWriteLock('lock')
    yield* spawn('writer', write, lock)
    yield* lock.withRead(() => lock.withRead(function* () {}))
  })
  expect(violations(twice)).toEqual([
    'deadlock: main waits for read-write lock "lock" to read; writer waits for read-write lock "lock" to write',
  ])
  // The writer is first, last, or in between.
  expect(counts(twice)).toBe('2/1')
})

test('giving back what one does not hold is a violation', () => {
  const stray = (role: 'unlockRead' | 'unlockWrite') =>
    program('stray', function* () {
      const lock = yield* readWriteLock('lock')
      yield* lock[role]()
    })
  expect(violations(stray('unlockWrite'))).toEqual([
    'assertion: main unlocks read-write lock "lock", which no writer holds',
  ])
  expect(violations(stray('unlockRead'))).toEqual([
    'assertion: main ends reading under read-write lock "lock" without having begun',
  ])
})

test('ending a read twice is found when the next writer comes', () => {
  const twice = program('twice', function* () {
    const lock = yield* readWriteLock('lock')
    yield* lock.lockRead()
    yield* lock.unlockRead()
    yield* lock.unlockRead()
    yield* lock.withWrite(function* () {})
  })
  expect(violations(twice)).toEqual(['assertion: main ends reading under read-write lock "lock" without having begun'])
})
