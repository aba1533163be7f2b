/** What the types of shared objects promise: values keep their type, in both styles, and handles are values. */
import { expectTypeOf, test } from 'vitest'
import {
  type Address,
  type Atomic,
  atomic,
  barrier,
  type Channel,
  type CompositeOperation,
  channel,
  type Mutex,
  mutex,
  oneshot,
  type Process,
  readWriteLock,
  receive,
  semaphore,
  send,
  spawn,
  timer,
} from '../../../src/index.ts'

declare const counter: Atomic<number>
declare const lock: Mutex

test('creation gives a handle, with yield* and with await', () => {
  function* steps() {
    expectTypeOf(yield* atomic('r', 0 as number)).toEqualTypeOf<Atomic<number>>()
    expectTypeOf(yield* mutex('m')).toEqualTypeOf<Mutex>()
    expectTypeOf(yield* channel<string>('c', { capacity: 2 })).toEqualTypeOf<Channel<string>>()
  }
  async function asyncSteps() {
    expectTypeOf(await atomic('r', 'a' as string)).toEqualTypeOf<Atomic<string>>()
    expectTypeOf(await mutex('m')).toEqualTypeOf<Mutex>()
  }
  expectTypeOf(steps).toBeFunction()
  expectTypeOf(asyncSteps).toBeFunction()
})

test('results have the type of what is shared', () => {
  function* steps() {
    expectTypeOf(yield* counter.load()).toEqualTypeOf<number>()
    expectTypeOf(yield* counter.update((value) => value + 1)).toEqualTypeOf<number>()
    expectTypeOf(yield* counter.compareAndSet(1, 2)).toEqualTypeOf<boolean>()
    expectTypeOf(yield* (yield* channel<string>('c')).receive()).toEqualTypeOf<string | undefined>()
    expectTypeOf(yield* (yield* oneshot<Date>('o')).receive()).toEqualTypeOf<Date>()
    expectTypeOf(yield* (yield* timer('t')).fired()).toEqualTypeOf<boolean>()
    expectTypeOf(yield* (yield* barrier('b', 2)).wait()).toEqualTypeOf<void>()
    expectTypeOf(yield* (yield* semaphore('s', 1)).acquire()).toEqualTypeOf<void>()
  }
  async function asyncSteps() {
    expectTypeOf(await counter.load()).toEqualTypeOf<number>()
    expectTypeOf(await lock.acquire()).toEqualTypeOf<void>()
  }
  expectTypeOf(steps).toBeFunction()
  expectTypeOf(asyncSteps).toBeFunction()
})

test('what is not of the type is refused', () => {
  // @ts-expect-error the atomic holds numbers
  counter.store('one')
  // @ts-expect-error a change must give a number again
  counter.update(String)
  // @ts-expect-error the name comes first
  semaphore(3)
  // @ts-expect-error an atomic of numbers is not an atomic of anything
  expectTypeOf<Atomic<unknown>>(counter)
})

test('run() gives the result of its body, in both styles', () => {
  function* steps() {
    const result = yield* lock.run(function* () {
      return yield* counter.load()
    })
    expectTypeOf(result).toEqualTypeOf<number>()
    expectTypeOf(yield* lock.run(() => counter.load())).toEqualTypeOf<number>()
    const both = yield* readWriteLock('rw')
    expectTypeOf(yield* both.read.run(() => both.write.run(() => counter.load()))).toEqualTypeOf<number>()
  }
  async function asyncSteps() {
    expectTypeOf(await lock.run(async () => await counter.load())).toEqualTypeOf<number>()
  }
  expectTypeOf(steps).toBeFunction()
  expectTypeOf(asyncSteps).toBeFunction()
})

test('an address accepts what its process receives, not the replies of shared objects', () => {
  function* steps() {
    const worker = yield* spawn('worker', function* () {
      yield* lock.acquire()
      yield* receive<'go'>()
      yield* lock.run(function* () {
        yield* receive<'stop'>()
      })
    })
    expectTypeOf(worker).toEqualTypeOf<Address<'go' | 'stop'>>()
  }
  expectTypeOf(steps).toBeFunction()
})

test('a handle can be an argument and a part of a message, and nothing can be sent to it', () => {
  function* worker(shared: Atomic<number>): Process<{ readonly lock: Mutex }> {
    const { lock: received } = yield* receive<{ readonly lock: Mutex }>()
    yield* received.run(() => shared.store(1))
  }
  function* steps() {
    const address = yield* spawn('worker', worker, counter)
    yield* send(address, { lock })
    // @ts-expect-error its process takes requests only
    yield* send(lock, 'hello')
  }
  expectTypeOf(steps).toBeFunction()
  expectTypeOf(lock.release()).toEqualTypeOf<CompositeOperation<void>>()
})
