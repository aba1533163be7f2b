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

import { nativePromise } from '../core/native-promise.ts'
import { CompositeOperation, Operation, placeCapture, SettledOperation } from '../core/operation.ts'
import { asyncHost, loopLimit, mistake, running } from '../core/running.ts'
import { refuseStranger } from './async/activity.ts'
import { AsyncCall, isAwaitable } from './async/async-call.ts'
import { AsyncProcess } from './async/async-process.ts'
import { refuseForeign } from './async/refusals.ts'
import { Settled } from './async/tokens.ts'

running.hosts.make = () => new AsyncProcess()

type GeneratorBody = (...args: never[]) => Iterator<unknown, unknown, unknown>
type AsyncFunction = (...args: unknown[]) => unknown

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

/** An async function expression or a method of an object literal. */
export function wrapped(body: GeneratorBody, name?: PropertyKey): AsyncFunction {
  return disguised(
    function (this: unknown) {
      // biome-ignore lint/complexity/noArguments: a rest parameter would copy what is only passed on
      return call(body, this, arguments)
    },
    body,
    name,
  )
}

/** A named async function expression that mentions its own name, which must be the function and not its generator. */
export function recursive(makeBody: (self: AsyncFunction) => GeneratorBody, name: string): AsyncFunction {
  const self: AsyncFunction = function (this: unknown) {
    // biome-ignore lint/complexity/noArguments: a rest parameter would copy what is only passed on
    return call(body, this, arguments)
  }
  const body = makeBody(self)
  return disguised(self, body, name)
}

/** An async arrow function; `selfOf` gives the `this` around it, if it uses that. */
export function arrow(body: GeneratorBody, selfOf: (() => unknown) | undefined, name?: PropertyKey): AsyncFunction {
  return disguised((...args) => call(body, selfOf?.(), args), body, name)
}

/** Wraps async methods that were emitted as generator methods; runs once per class, before anything can call them. */
export function methods(owner: object, keys: readonly PropertyKey[]): void {
  for (const key of keys) {
    const body = (owner as { readonly [key: PropertyKey]: unknown })[key] as GeneratorBody
    Object.defineProperty(owner, key, { value: wrapped(body, body.name), writable: true, configurable: true })
  }
}

/** The value of an await that begins a statement: a parenthesis there would continue the line before. */
export function value<T>(result: T): T {
  return result
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

/**
 * Stands at the head of an async function that had to stay native: it works everywhere except in a process. True means: leave
 * at once. Throwing would reject a promise that perhaps nobody looks at, which ends the host.
 */
export function refuse(construct: string, file: string, line: number, column: number): boolean {
  if (running.process === undefined) return false
  running.mistake ??= {
    code: 'E215',
    message: `${construct} cannot be used in a process`,
    hint: refusalHints[construct] ?? 'write this part with plain async functions, or as a generator with yield*',
    place: { file, line, column },
  }
  return true
}

const refusalHints: { readonly [construct: string]: string } = {
  'an async generator': 'use an async function that returns an array, or a process that sends what it would yield',
  'for await': 'write for (const item of items) and await inside the loop',
  'await using': 'write try { … } finally { await … }',
  'arguments in an async arrow function': 'take what you need into a const outside the arrow function, or use ...rest',
  'super in an async arrow function': 'call super.method() outside the arrow function, or in an async method',
  'new.target in an async arrow function': 'take it into a const outside the arrow function',
  'super in an async method of an object literal': 'make the object an instance of a class',
  'a decorator on an async method': 'call the decorator on a method that is not async, or write the wrapping by hand',
  'a computed name of an async method': 'put the name in a const first: const name = …; class { async [name]() {} }',
}

/** A call of an async function in a generator: runs to its first operation at once, and goes on when it is awaited. */
class SequentialCall {
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

/** Name and number of parameters as the user wrote them: `spawn(body.name, body)` is a fair thing to write. */
function disguised(outer: AsyncFunction, body: GeneratorBody, name: PropertyKey | undefined): AsyncFunction {
  const shown = typeof name === 'symbol' ? `[${name.description ?? ''}]` : (name ?? body.name)
  Object.defineProperty(outer, 'name', { value: shown, configurable: true })
  if (body.length > 0) Object.defineProperty(outer, 'length', { value: body.length, configurable: true })
  return outer
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
  mistake({
    code: 'E202',
    message: `process "${running.process}" went through ${loopLimit.toLocaleString('en')} loop iterations without an operation`,
    hint: 'wait with receive() instead of asking again and again, or bound the loop',
  })
}

function shownName(name: string): string {
  const plain = name.replace(/^\$allways\d*_/, '')
  return plain === '' ? 'an async call' : `${plain}(…)`
}
