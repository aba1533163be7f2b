/** Shared objects in async functions, as the front end rewrites them: `await x` is `yield* awaited(x)`. */
import { expect, test } from 'vitest'
import { CompositeOperation, NotInProcessError } from '../../../../src/core/operation.ts'
import { assert, atomic, type Mutex, mutex, program, spawn } from '../../../../src/index.ts'
import { awaited, wrapped } from '../../../../src/model/coroutine.ts'
import { counts, violations } from './explored.ts'

type Rewritten = Generator<unknown, unknown, unknown>
type AsyncBody = () => Promise<unknown>
const wait = (value: unknown) => awaited(value) as Iterable<unknown> & Iterator<unknown, unknown>
const asyncFunction = (body: (...args: never[]) => Rewritten) => wrapped(body) as AsyncBody

test('a shared object is created and used with await', () => {
  const counting = program(
    'counting',
    asyncFunction(function* () {
      const lock = (yield* wait(mutex('lock'))) as Mutex
      yield* wait(lock.acquire())
      const twice = asyncFunction(function* () {
        yield* wait(lock.release())
        // An operation that is returned is awaited as well.
        return lock.acquire()
      })
      yield* wait(twice())
      yield* wait(lock.release())
    }),
  )
  expect(violations(counting)).toEqual([])
  expect(counts(counting)).toBe('1/0')
})

test('the body of run() may be an async function, and its result is the result', () => {
  const sections = program('sections', function* () {
    const lock = yield* mutex('lock')
    const count = yield* atomic('count', 1)
    const body = asyncFunction(function* () {
      return yield* wait(count.update((value) => value + 1))
    })
    yield* spawn('other', function* () {
      yield* lock.run(body)
    })
    yield* assert([2, 3].includes((yield* lock.run(body)) as number))
  })
  expect(violations(sections)).toEqual([])
  expect(counts(sections)).toBe('2/0')
})

test('a call that is not awaited goes on by itself, and acts in the order of the calls', () => {
  const careless = program(
    'careless',
    asyncFunction(function* () {
      const lock = (yield* wait(mutex('lock'))) as Mutex
      asyncFunction(function* () {
        yield* wait(lock.release())
      })()
      yield* wait(lock.acquire())
    }),
  )
  expect(violations(careless)).toEqual(['assertion: main releases mutex "lock", which nobody holds'])
})

test('the body of run() must not be a native async function', () => {
  const native = program('native', function* () {
    const lock = yield* mutex('lock')
    yield* lock.run(async () => undefined)
  })
  expect(violations(native)).toEqual(['E208: awaited a promise that the check does not control, in process "main"'])
})

test('awaited outside a check, an operation of a shared object says what is wrong', async () => {
  const operation = new CompositeOperation('mutex.lock', function* () {})
  await expect(Promise.resolve(operation as unknown)).rejects.toThrow(NotInProcessError)
})
