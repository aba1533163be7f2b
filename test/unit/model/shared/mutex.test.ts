import { expect, test } from 'vitest'
import {
  type Address,
  type Atomic,
  assert,
  atomic,
  join,
  type Mutex,
  mutex,
  program,
  receive,
  self,
  send,
  spawn,
} from '../../../../src/index.ts'
import { counts, violations } from './explored.ts'

const lockers = (n: number) =>
  program('lockers', function* () {
    const lock = yield* mutex('lock')
    for (let i = 1; i <= n; i++) yield* spawn(`locker ${i}`, lockTimes, lock, 1)
  })

test('n processes that acquire and release once have n! executions: the orders in which they get the mutex', () => {
  expect([1, 2, 3, 4].map((n) => counts(lockers(n)))).toEqual(['1/0', '2/0', '6/0', '24/0'])
})

function* lockTimes(lock: Mutex, times: number) {
  for (let i = 0; i < times; i++) {
    yield* lock.acquire()
    yield* lock.release()
  }
}

test('a process that locks twice, against one that locks once, has 3 executions: the other one is first, second or last', () => {
  const twice = program('twice', function* () {
    const lock = yield* mutex('lock')
    yield* spawn('other', lockTimes, lock, 1)
    yield* lockTimes(lock, 2)
  })
  expect(counts(twice)).toBe('3/0')
})

function* increment(counter: Atomic<number>, lock: Mutex) {
  yield* lock.run(function* () {
    yield* counter.store((yield* counter.load()) + 1)
  })
}

test('n increments under a mutex have n! executions and none is lost', () => {
  const counter = (n: number) =>
    program('counter', function* () {
      const lock = yield* mutex('lock')
      const count = yield* atomic('count', 0)
      const processes = []
      for (let i = 1; i <= n; i++) processes.push(yield* spawn(`process ${i}`, increment, count, lock))
      for (const process of processes) yield* join(process)
      yield* assert((yield* count.load()) === n, 'an increment was lost')
    })
  expect([1, 2, 3, 4].map((n) => counts(counter(n)))).toEqual(['1/0', '2/0', '6/0', '24/0'])
  expect(violations(counter(3))).toEqual([])
})

const nested = (orders: readonly ('xy' | 'yx')[]) =>
  program('nested', function* () {
    const x = yield* mutex('x')
    const y = yield* mutex('y')
    for (const [at, order] of orders.entries()) {
      const [first, second] = order === 'xy' ? [x, y] : [y, x]
      yield* spawn(`process ${at + 1}`, function* () {
        yield* first.run(() => second.run(function* () {}))
      })
    }
  })

test('two mutexes taken in opposite orders deadlock, and the report names who waits for which', () => {
  expect(violations(nested(['xy', 'yx']))).toEqual([
    'deadlock: process 1 waits for mutex "y"; process 2 waits for mutex "x"',
  ])
  // Both are first at their own mutex and deadlock, or one process gets both before the other gets any.
  expect(counts(nested(['xy', 'yx']))).toBe('2/1')
})

test('two mutexes taken in the same order do not: 2 executions, who is first at the first decides about the second', () => {
  expect(violations(nested(['xy', 'xy']))).toEqual([])
  expect(counts(nested(['xy', 'xy']))).toBe('2/0')
})

test('a process that locks what it holds waits for itself', () => {
  const again = program('again', function* () {
    const lock = yield* mutex('lock')
    yield* lock.acquire()
    yield* lock.acquire()
  })
  expect(violations(again)).toEqual(['deadlock: main waits for mutex "lock"'])
})

test('releasing what nobody or somebody else holds is a violation of the process that does it', () => {
  const nobody = program('nobody', function* () {
    const lock = yield* mutex('lock')
    yield* lock.release()
  })
  expect(violations(nobody)).toEqual(['assertion: main releases mutex "lock", which nobody holds'])
  const somebody = program('somebody', function* () {
    const lock = yield* mutex('lock')
    yield* lock.acquire()
    yield* spawn('thief', function* () {
      yield* lock.release()
    })
  })
  expect(violations(somebody)).toEqual(['assertion: thief releases mutex "lock", which main holds'])
})

test('run() gives the result of its body, and lets go when the body throws', () => {
  const results = program('results', function* () {
    const lock = yield* mutex('lock')
    const result = yield* lock.run(function* () {
      return 7
    })
    yield* assert(result === 7)
    try {
      yield* lock.run(function* () {
        throw new Error('in the section')
      })
    } catch {
      yield* lock.acquire()
    }
  })
  expect(violations(results)).toEqual([])
  expect(counts(results)).toBe('1/0')
})

test('a handle travels in messages, and the receiver can use it and compare it', () => {
  const travelling = program('travelling', function* () {
    const lock = yield* mutex('lock')
    const other = yield* spawn('other', function* () {
      const { mine } = yield* receive<{ mine: Mutex }>()
      yield* assert(mine === lock)
      yield* mine.acquire()
    })
    yield* send(other, { mine: lock })
  })
  expect(violations(travelling)).toEqual([])
})

test('a receive of the user is never given a reply, and a reply is never taken for one of the user’s messages', () => {
  const forger = program('forger', function* () {
    const lock = yield* mutex('lock')
    const victim = yield* spawn('victim', function* () {
      yield* lock.acquire()
      return yield* receive<{ kind: string }>()
    })
    yield* lock.acquire()
    // Looks like the reply the victim waits for, but must not let it into the section.
    yield* send(victim, { kind: 'mutex.acquired' })
    yield* join(victim)
  })
  expect(violations(forger)).toEqual([
    'deadlock: main waits for mutex "lock"; victim waits for a message',
    'deadlock: main waits for the end of victim; victim waits for mutex "lock"',
  ])
})

test('messages of others that come while a process waits for a mutex stay for its own receives', () => {
  const busy = program('busy', function* () {
    const me = yield* self<string>()
    const lock = yield* mutex('lock')
    yield* spawn(
      'sender',
      function* (to: Address<string>) {
        yield* send(to, 'hello')
      },
      me,
    )
    yield* lock.acquire()
    yield* lock.release()
    yield* assert((yield* receive<string>()) === 'hello')
  })
  expect(violations(busy)).toEqual([])
  expect(counts(busy)).toBe('1/0')
})

test('who tries has the mutex if nobody holds it, and never waits', () => {
  const tries = program('tries', function* () {
    const lock = yield* mutex('lock')
    yield* assert(yield* lock.tryAcquire())
    yield* assert(!(yield* lock.tryAcquire()))
    yield* lock.release()
    yield* assert(yield* lock.tryAcquire())
  })
  expect(violations(tries)).toEqual([])
  expect(counts(tries)).toBe('1/0')
})

test('one that tries, against one that holds for a while, is before, in between, or after: 3 executions', () => {
  const both = program('both', function* () {
    const lock = yield* mutex('lock')
    yield* spawn('tries', function* () {
      if (yield* lock.tryAcquire()) yield* lock.release()
    })
    yield* lock.acquire()
    yield* lock.release()
  })
  expect(counts(both)).toBe('3/0')
  expect(violations(both)).toEqual([])
})
