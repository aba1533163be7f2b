import { expect, test } from 'vitest'
import { assert, atomic, program, semaphore, spawn } from '../../../../src/index.ts'
import { counts, violations } from './explored.ts'

const users = (n: number, permits: number) =>
  program('users', function* () {
    const permit = yield* semaphore('permit', permits)
    for (let i = 1; i <= n; i++) {
      yield* spawn(`user ${i}`, function* () {
        yield* permit.run(function* () {})
      })
    }
  })

test('as long as there are permits for all, executions are the orders of the acquires: n!', () => {
  expect(counts(users(2, 2))).toBe('2/0')
  expect(counts(users(3, 3))).toBe('6/0')
  expect(counts(users(3, 7))).toBe('6/0')
})

test('with one permit it is a mutex: n!', () => {
  expect(counts(users(2, 1))).toBe('2/0')
  expect(counts(users(3, 1))).toBe('6/0')
})

test('three users of two permits have 12 executions: 3! orders, and the last gets the permit of either of the first two', () => {
  expect(counts(users(3, 2))).toBe('12/0')
})

test('no more processes than there are permits are inside, and as many can be', () => {
  const crowd = (limit: number) =>
    program('crowd', function* () {
      const permit = yield* semaphore('permit', 2)
      const inside = yield* atomic('inside', 0)
      for (let i = 1; i <= 3; i++) {
        yield* spawn(`user ${i}`, function* () {
          yield* permit.run(function* () {
            yield* assert((yield* inside.update((count) => count + 1)) <= limit, `more than ${limit} inside`)
            yield* inside.update((count) => count - 1)
          })
        })
      }
    })
  expect(violations(crowd(2))).toEqual([])
  expect(violations(crowd(1))).toEqual(['assertion: more than 1 inside'])
})

test('whoever waits for a permit that never comes is named', () => {
  expect(violations(users(1, 0))).toEqual(['deadlock: user 1 waits for a permit of semaphore "permit"'])
})

test('a release without an acquire adds a permit', () => {
  const signal = program('signal', function* () {
    const signalled = yield* semaphore('signalled', 0)
    yield* spawn('signaller', function* () {
      yield* signalled.release()
    })
    yield* signalled.acquire()
  })
  expect(counts(signal)).toBe('1/0')
  expect(violations(signal)).toEqual([])
})

test('a number of permits that is none is refused at once', () => {
  expect(() => semaphore('permit', -1)).toThrow('the number of permits must be a whole number, at least 0, and is -1')
  expect(() => semaphore('permit', 1.5)).toThrow('and is 1.5')
})

test('who tries has a permit if one is left or came back before, and never waits', () => {
  const tries = program('tries', function* () {
    const permit = yield* semaphore('permit', 1)
    yield* assert(yield* permit.tryAcquire())
    yield* assert(!(yield* permit.tryAcquire()))
    yield* permit.release()
    yield* permit.release()
    yield* assert(yield* permit.tryAcquire())
    yield* assert(yield* permit.tryAcquire())
    yield* assert(!(yield* permit.tryAcquire()))
  })
  expect(violations(tries)).toEqual([])
  expect(counts(tries)).toBe('1/0')
})

test('one that tries is not kept waiting by one that waits', () => {
  const waits = program('waits', function* () {
    const permit = yield* semaphore('permit', 0)
    yield* spawn('waits', function* () {
      yield* permit.acquire()
    })
    if (yield* permit.tryAcquire()) yield* assert(false, 'there is no permit')
    yield* permit.release()
  })
  expect(violations(waits)).toEqual([])
})
