/** Shared objects in async functions, as the front end rewrites them: `await x` is `yield* awaited(x)`. */
import { expect, test } from 'vitest'
import { CompositeOperation, NotInProcessError } from '../../../../src/core/operation.ts'
import { assert, type Mutex, mutex, program, register, spawn } from '../../../../src/index.ts'
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
      yield* wait(lock.lock())
      const twice = asyncFunction(function* () {
        yield* wait(lock.unlock())
        // An operation that is returned is awaited as well.
        return lock.lock()
      })
      yield* wait(twice())
      yield* wait(lock.unlock())
    }),
  )
  expect(violations(counting)).toEqual([])
  expect(counts(counting)).toBe('1/0')
})

test('the body of with() may be an async function, and its result is the result', () => {
  const sections = program('sections', function* () {
    const lock = yield* mutex('lock')
    const count = yield* register('count', 1)
    const body = asyncFunction(function* () {
      return yield* wait(count.update((value) => value + 1))
    })
    yield* spawn('other', function* () {
      yield* lock.with(body)
    })
    yield* assert([2, 3].includes((yield* lock.with(body)) as number))
  })
  expect(violations(sections)).toEqual([])
  expect(counts(sections)).toBe('2/0')
})

test('a call that is not awaited is a mistake when a shared object is used next', () => {
  const careless = program(
    'careless',
    asyncFunction(function* () {
      const lock = (yield* wait(mutex('lock'))) as Mutex
      asyncFunction(function* () {
        yield* wait(lock.unlock())
      })()
      yield* wait(lock.lock())
    }),
  )
  expect(violations(careless)).toEqual([
    'E211: mutex.lock() is performed while an async call made before it has not been awaited, in process "main"',
  ])
})

test('the body of with() must not be a native async function', () => {
  const native = program('native', function* () {
    const lock = yield* mutex('lock')
    yield* lock.with(async () => undefined)
  })
  expect(violations(native)).toEqual(['E208: awaited a promise that is not an operation, in process "main"'])
})

test('awaited outside a check, an operation of a shared object says what is wrong', async () => {
  const operation = new CompositeOperation('mutex.lock', function* () {})
  await expect(Promise.resolve(operation as unknown)).rejects.toThrow(NotInProcessError)
})
