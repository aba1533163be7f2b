/**
 * What the front end's output calls (`allways/coroutine`): async functions as coroutines, and the loop counter.
 *
 * In a process, calling an async function runs it up to its first operation, as calling a native one does, and gives an
 * `AsyncCall`, which `yield* awaited(…)` carries on with. Outside a process the same function runs on real promises, so
 * that the rest of a check file works as written.
 *
 * A process is sequential. Two async calls under way at once would be concurrency that no engine explores, so going on to
 * another operation while a call waits to be awaited is a mistake (E211), not a silently chosen order.
 */

import { grouped } from '../core/grouped.ts'
import { nativePromise } from '../core/native-promise.ts'
import { CompositeOperation, Operation, placeCapture, SettledOperation } from '../core/operation.ts'
import { asyncHost, loopLimit, mistake, running } from '../core/running.ts'
import { type GeneratorBody, LoweredFunctions } from '../jobs/async-functions.ts'
import { Loop, setCurrentLoop } from '../jobs/loop.ts'
import { type ControlledPromise, standIns } from '../jobs/promise-core.ts'
import { refuseStranger } from './async/activity.ts'
import { AsyncCall, isAwaitable } from './async/async-call.ts'
import { AsyncProcess } from './async/async-process.ts'
import { generate, promised } from './async/generators.ts'
import { refuseForeign } from './async/refusals.ts'
import { Settled } from './async/tokens.ts'

export { keep, kept, value, yielded } from '../jobs/async-functions.ts'
export { refuse } from '../jobs/refusals.ts'
export { awaitLoop, delegate, disposals, generate, promised } from './async/generators.ts'

running.hosts.make = () => new AsyncProcess()
/** Where no process uses jobs, promises of those that do are strangers. */
setCurrentLoop(
  new Loop({
    unhandledRejection: () => undefined,
    rejectionHandled: () => undefined,
    uncaughtException: () => undefined,
    foreignPromise: () => (running.process === undefined ? undefined : refuseStranger()),
    endlessJobs: () => undefined,
  }),
)
standIns.begin = () => void asyncHost()?.jobs
standIns.promiseFor = (value) => {
  if (value instanceof AsyncCall) return value.promise
  const isOperation = value instanceof Operation || value instanceof CompositeOperation
  return isOperation ? (running.async?.promiseOf(value) as ControlledPromise | undefined) : undefined
}

/** `await x` is emitted as `yield* awaited(x)`. */
export function awaited(value: unknown): unknown {
  if (running.process === undefined) return new NativeAwait(value)
  if (running.async !== undefined) return running.async.awaited(value)
  if (value instanceof AsyncCall) refuseStranger()
  if (value instanceof Operation) {
    if (running.unawaited > 0 && isVisible(value)) goesOnWithoutAwaiting(value.kind)
    return value
  }
  if (value instanceof CompositeOperation) {
    if (running.unawaited > 0) goesOnWithoutAwaiting(value.name)
    return value[Symbol.iterator]()
  }
  if (value instanceof SequentialCall) return value
  if ((typeof value === 'object' && value !== null) || typeof value === 'function') refuseForeignAwait(value)
  return new Settled(value)
}

/** Calls an async function, given as its generator. */
export function call(body: GeneratorBody, self: unknown, args: ArrayLike<unknown>): unknown {
  if (running.process === undefined) return runNatively(body, self, args)
  const host = asyncHost()
  return host === undefined ? new SequentialCall(body, self, args) : host.call(body, self, args)
}

export const {
  arrow,
  declared,
  declaredGenerator,
  generatorMethods,
  methods,
  read,
  readGenerator,
  recursive,
  recursiveGenerator,
  wrapped,
  wrappedGenerator,
} = new LoweredFunctions({ call, generate })

/** All that a generator yields is awaited. */
export function* awaitedEach(values: Generator<unknown, unknown, unknown>): Generator<unknown, unknown, unknown> {
  for (let step = () => values.next(undefined); ; ) {
    const result = step()
    if (result.done) return result.value
    try {
      const given = yield* awaited(result.value) as Generator<unknown, unknown, unknown>
      step = () => values.next(given)
    } catch (error) {
      step = () => values.throw(error)
    }
  }
}

/** The same in an async generator. */
export function* promisedEach(values: Generator<unknown, unknown, unknown>): Generator<unknown, unknown, unknown> {
  for (let step = () => values.next(undefined); ; ) {
    const result = step()
    if (result.done) return result.value
    try {
      const given = yield promised(result.value)
      step = () => values.next(given)
    } catch (error) {
      step = () => values.throw(error)
    }
  }
}

/** Stands at the head of every loop body, so that a process that loops for ever is found. About a nanosecond. */
export function tick(): void {
  if (--running.fuel < 0) fuelIsSpent()
}

/** Stands around a call whose value nobody uses. */
export function dropped(value: unknown, ...place: Written): void {
  if (running.process === undefined || typeof value !== 'object' || value === null) return
  if (isGenerator(value)) notRun('write yield* in front of the call, so that its operations are performed', place)
  if (Array.isArray(value) && value.some(isGenerator)) notRun(loopHint, place)
}

/**
 * Stands around the callback of a method such as `forEach`, which drops what the callback gives. Methods of the user's own with such a
 * name may run it: those of arrays, maps and sets tell the callback whose they are.
 */
export function callback(value: unknown, ...place: Written): unknown {
  if (running.process === undefined || typeof value !== 'function') return value
  return function (this: unknown, ...args: unknown[]): unknown {
    const given: unknown = Reflect.apply(value, this, args)
    if (isCollection(args[2]) && isGenerator(given)) notRun(loopHint, place)
    return given
  }
}

/** A place, as the front end writes it. */
type Written = readonly [file: string, line: number, column: number]

const loopHint = 'write for (const item of items) and yield* in the loop, so that operations are performed'

function notRun(hint: string, [file, line, column]: Written): never {
  return mistake({
    code: 'E207',
    message: `process "${running.process}" called a generator function, and what it gave is not run`,
    hint,
    place: { file, line, column },
  })
}

function isGenerator(value: unknown): boolean {
  return Object.prototype.toString.call(value) === '[object Generator]'
}

function isCollection(value: unknown): boolean {
  return Array.isArray(value) || value instanceof Map || value instanceof Set || ArrayBuffer.isView(value)
}

/** A call of an async function in a generator: runs to its first operation at once, and goes on when it is awaited. */
class SequentialCall {
  /** What it is to whoever reads of it. */
  static readonly name = 'Promise'

  /** The function's generator, then what it returned if that is to be awaited in turn; nothing after an early error. */
  #iterator: Iterator<unknown, unknown, unknown> | undefined
  readonly #name: string
  /** What the next `next()` hands out: the first operation, and in the end the result for whoever awaits again. */
  #held: unknown
  #failed = false
  #failure: unknown
  #ended = false
  #isAwaited = false

  constructor(body: GeneratorBody, self: unknown, args: ArrayLike<unknown>) {
    this.#name = body.name
    try {
      this.#iterator = Reflect.apply(body, self, args)
      this.#held = this.#advance(undefined)
    } catch (error) {
      this.#fail(error)
    }
    // A call that completed without an operation has nothing left that awaiting would do; one that failed has its error.
    if (!this.#ended || this.#failed) {
      running.unawaited++
      if (placeCapture.enabled) running.unawaitedAt = new Error().stack
    } else this.#isAwaited = true
  }

  [Symbol.iterator](): this {
    return this
  }

  next(answer: unknown): unknown {
    if (!this.#isAwaited) {
      this.#isAwaited = true
      running.unawaited--
      if (this.#failed) throw this.#failure
      return this.#held
    }
    if (this.#ended) {
      if (this.#failed) throw this.#failure
      return this.#held
    }
    try {
      return this.#advance(answer)
    } catch (error) {
      this.#fail(error)
      throw error
    }
  }

  #advance(answer: unknown): unknown {
    let result = (this.#iterator as Iterator<unknown, unknown, unknown>).next(answer)
    while (result.done === true) {
      const returned = result.value
      if (!isAwaitable(returned)) {
        this.#ended = true
        // Not the result itself: that of an operation is the operation, which drivers would take for being asked again.
        this.#held = new Settled(returned)
        return this.#held
      }
      // `return f()` gives what f() gives, but outside any `try` of the function: its generator is over.
      this.#iterator = awaited(returned) as Iterator<unknown, unknown, unknown>
      result = this.#iterator.next(undefined)
    }
    return result
  }

  #fail(error: unknown): void {
    this.#ended = true
    this.#failed = true
    this.#failure = error
  }

  // biome-ignore lint/suspicious/noThenProperty: what a promise would have must be refused, not be missing
  then(): void {
    this.#refusePromise('then')
  }

  catch(): void {
    this.#refusePromise('catch')
  }

  finally(): void {
    this.#refusePromise('finally')
  }

  /** `Promise.all` asks a microtask later, outside the process, when its mistake is already known: it waits for ever. */
  #refusePromise(method: string): void {
    if (running.process === undefined) return
    mistake({
      code: 'E208',
      message: `${shownName(this.#name)}.${method}(…) was used in a process, where async calls are not promises`,
      hint: method === 'then' ? 'await the call' : `await the call in try { … } ${method} { … }`,
    })
  }
}

/** Outside a process: hands the awaited value to `runNatively`, which answers when the promise has settled. */
class NativeAwait {
  readonly awaited: unknown
  #asked = false

  constructor(value: unknown) {
    if (value instanceof AsyncCall || value instanceof SequentialCall)
      throw new Error('an async call that began in a process was awaited outside it')
    this.awaited = value
  }

  [Symbol.iterator](): this {
    return this
  }

  next(answer: unknown): IteratorResult<NativeAwait, unknown> {
    if (this.#asked) return { done: true, value: answer }
    this.#asked = true
    return { done: false, value: this }
  }

  throw(error: unknown): never {
    throw error
  }
}

function runNatively(body: GeneratorBody, self: unknown, args: ArrayLike<unknown>): Promise<unknown> {
  return new nativePromise((resolve, reject) => {
    // Inside the promise, because errors in default parameters reject, they are not thrown.
    const generator = Reflect.apply(body, self, args) as Generator<NativeAwait, unknown, unknown>
    const take = (result: IteratorResult<NativeAwait, unknown>): void => {
      if (result.done) resolve(result.value)
      else nativePromise.resolve(result.value.awaited).then(goOn, fail)
    }
    const attempt = (step: () => IteratorResult<NativeAwait, unknown>): void => {
      try {
        take(step())
      } catch (error) {
        reject(error)
      }
    }
    const goOn = (answer: unknown) => attempt(() => generator.next(answer))
    const fail = (error: unknown) => attempt(() => generator.throw(error))
    take(generator.next())
  })
}

function isVisible(operation: Operation): boolean {
  return operation.kind !== 'self' && !(operation instanceof SettledOperation)
}

function goesOnWithoutAwaiting(operation: string): never {
  mistake({
    code: 'E211',
    message: `${operation}() is performed while an async call made before it has not been awaited`,
    hint: 'await each call before the next operation, or spawn a process for what should go on at the same time',
  })
}

function refuseForeignAwait(awaitable: object): void {
  refuseForeign(awaitable)
  if (isAwaitable(awaitable)) {
    mistake({
      code: 'E208',
      message: 'awaited a promise that is not an operation',
      hint: 'in a generator await nothing but operations and async functions: make the process an async function',
    })
  }
}

function fuelIsSpent(): void {
  running.fuel = loopLimit
  if (running.process === undefined) return
  running.fuel = -1
  const iterations = `${grouped(loopLimit)} loop iterations`
  if (running.inert === 'question')
    mistake({
      code: 'E202',
      message: `${running.process} went through ${iterations} and did not answer`,
      hint: 'bound the loop: it is asked about what there is, and nothing changes while it runs',
    })
  mistake({
    code: 'E202',
    message: `process "${running.process}" went through ${iterations} without an operation`,
    hint: 'wait with receive() instead of asking again and again, or bound the loop',
  })
}

function shownName(name: string): string {
  const plain = name.replace(/^\$allways\d*_/, '')
  return plain === '' ? 'an async call' : `${plain}(…)`
}
