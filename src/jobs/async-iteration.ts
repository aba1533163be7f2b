/** `for await` and `yield*` in async generators: ECMA-262 §14.7.5, §15.5.5, and sync iterators as async ones, §27.1.4. */
import { isObject } from '../core/is-object.ts'
import { type Received, Returned, Yielded } from './async-generator.ts'
import { shown } from './capability.ts'
import { dialect } from './dialect.ts'
import { called, methodOf } from './iteration.ts'
import { type ControlledPromise, core, pendingPromise, promiseOf, type Reaction } from './promise-core.ts'

/** An iterator record (§7.4.1). */
export interface IteratorRecord {
  readonly iterator: object
  readonly next: unknown
}

/** GetIterator(value, async) (§7.4.4). `text` is how V8 would write the value in a message; of `yield*` it writes nothing. */
function asyncIteratorOf(value: unknown, text: string): IteratorRecord {
  if (value === undefined || value === null) {
    throw new TypeError(`Cannot read properties of ${value} (reading 'Symbol(Symbol.asyncIterator)')`)
  }
  const method = methodOf(value, Symbol.asyncIterator)
  if (method !== undefined) return recordOf(Reflect.apply(method, value, []), 'asyncIterator')
  const plain = methodOf(value, Symbol.iterator)
  if (plain === undefined)
    throw new TypeError(text === '' ? 'undefined is not a function' : `${text} is not async iterable`)
  const iterator = new AsyncFromSync(recordOf(Reflect.apply(plain, value, []), 'iterator'))
  return { iterator, next: iterator.next }
}

function recordOf(iterator: unknown, symbol: string): IteratorRecord {
  if (!isObject(iterator)) throw new TypeError(`Result of the Symbol.${symbol} method is not an object`)
  return { iterator, next: (iterator as { readonly next?: unknown }).next }
}

/** %AsyncFromSyncIteratorPrototype% (§27.1.4.2). Programs never see one. */
class AsyncFromSync {
  readonly #sync: IteratorRecord

  constructor(sync: IteratorRecord) {
    this.#sync = sync
  }

  next(value: unknown): ControlledPromise {
    return this.#answered(() => called(this.#sync.next, this.#sync.iterator, [value]), true)
  }

  return(value: unknown): ControlledPromise {
    return this.#through('return', value, false, () => ({ value, done: true }))
  }

  throw(error: unknown): ControlledPromise {
    return this.#through('throw', error, true, () => {
      if (!dialect.closesSyncIterators) throw error
      const close = methodOf(this.#sync.iterator, 'return')
      const closed = close === undefined ? {} : Reflect.apply(close, this.#sync.iterator, [])
      if (!isObject(closed)) throw notAnObject(closed)
      throw new TypeError("The iterator does not provide a 'throw' method.")
    })
  }

  #through(name: 'return' | 'throw', value: unknown, closes: boolean, otherwise: () => object): ControlledPromise {
    const promise = pendingPromise()
    try {
      const method = methodOf(this.#sync.iterator, name)
      if (method !== undefined) {
        return this.#answered(() => Reflect.apply(method, this.#sync.iterator, [value]), closes)
      }
      core.resolve(promise, otherwise())
    } catch (error) {
      core.reject(promise, error)
    }
    return promise
  }

  /** AsyncFromSyncIteratorContinuation (§27.1.4.4): the value of the result is awaited. */
  #answered(call: () => unknown, closes: boolean): ControlledPromise {
    const promise = pendingPromise()
    let isClosed = closes && dialect.closesFailedIterators
    try {
      const result = call()
      if (!isObject(result)) throw notAnObject(result)
      const isDone = Boolean((result as { readonly done?: unknown }).done)
      const { value } = result as { readonly value?: unknown }
      isClosed = closes && !isDone && dialect.closesSyncIterators
      core.subscribe(new Unwrapping(promiseOf(value), promise, isDone, isClosed ? this : undefined))
    } catch (error) {
      if (isClosed) this.close()
      core.reject(promise, error)
    }
    return promise
  }

  /** IteratorClose with an error, which is what counts. */
  close(): void {
    try {
      const method = methodOf(this.#sync.iterator, 'return')
      if (method !== undefined) Reflect.apply(method, this.#sync.iterator, [])
    } catch {
      // The error that closes it is told instead.
    }
  }
}

/** Makes a result of the value that was awaited. */
class Unwrapping implements Reaction {
  context: unknown = undefined
  readonly source: ControlledPromise
  readonly leadsTo: ControlledPromise
  readonly #isDone: boolean
  readonly #closed: AsyncFromSync | undefined

  constructor(
    source: ControlledPromise,
    promise: ControlledPromise,
    isDone: boolean,
    closed: AsyncFromSync | undefined,
  ) {
    this.source = source
    this.leadsTo = promise
    this.#isDone = isDone
    this.#closed = closed
  }

  run(): void {
    const value = core.valueOf(this.source)
    if (core.stateOf(this.source) === 'fulfilled') {
      core.resolve(this.leadsTo, { value, done: this.#isDone })
      return
    }
    this.#closed?.close()
    core.reject(this.leadsTo, value)
  }
}

/**
 * One `for await` under way. Emitted code asks it what to await and tells it what that gave. Closing is due while the body runs: an error
 * of `next` does not close, after an error of the body what closing throws is dropped, and after `break` it counts.
 */
export class AwaitLoop {
  readonly #record: IteratorRecord
  #isDue = false
  #hasFailed = false
  /** The element of this round. */
  value: unknown = undefined
  /** What `return()` of the iterator gave. */
  closing: unknown = undefined

  constructor(record: IteratorRecord) {
    this.#record = record
  }

  /** To be awaited, and then given to `take`. */
  next(): unknown {
    this.#isDue = false
    return called(this.#record.next, this.#record.iterator, [])
  }

  take(result: unknown): boolean {
    if (!isObject(result)) throw notAnObject(result)
    if ((result as { readonly done?: unknown }).done) return false
    this.value = (result as { readonly value?: unknown }).value
    this.#isDue = true
    return true
  }

  failed(error: unknown): unknown {
    this.#hasFailed = true
    return error
  }

  /** Whether `closing` is to be awaited. */
  closes(): boolean {
    if (!this.#isDue) return false
    this.#isDue = false
    try {
      const method = methodOf(this.#record.iterator, 'return')
      if (method === undefined) return false
      this.closing = Reflect.apply(method, this.#record.iterator, [])
      return true
    } catch (error) {
      if (this.#hasFailed) return false
      throw error
    }
  }

  closed(result: unknown): void {
    if (!this.#hasFailed && !isObject(result)) throw notAnObject(result)
  }

  closeFailed(error: unknown): void {
    if (!this.#hasFailed) throw error
  }
}

export function awaitLoop(iterable: unknown, text: string): AwaitLoop {
  return new AwaitLoop(asyncIteratorOf(iterable, text))
}

/** `yield* iterable` in an async generator: hands on how it is resumed (§15.5.5). */
export function* delegate(iterable: unknown): Generator<unknown, unknown, unknown> {
  const { iterator, next } = asyncIteratorOf(iterable, '')
  let received: Received = { kind: 'next', value: undefined }
  for (;;) {
    const { kind, value } = received
    const method: unknown = kind === 'next' ? next : methodOf(iterator, kind)
    if (method === undefined && kind !== 'next') {
      if (kind === 'throw') yield* closedWithoutThrow(iterator)
      yield new Returned(yield value)
    }
    const result = yield called(method, iterator, [value])
    if (!isObject(result)) throw notAnObject(result)
    const { done } = result as { readonly done?: unknown }
    if (done) {
      const given = (result as { readonly value?: unknown }).value
      if (kind !== 'return') return given
      yield new Returned(given)
    }
    received = (yield new Yielded((result as { readonly value?: unknown }).value, true)) as Received
  }
}

/** AsyncIteratorClose (§7.4.13), and the error that there was no `throw`. */
function* closedWithoutThrow(iterator: object): Generator<unknown, never, unknown> {
  const close = methodOf(iterator, 'return')
  if (close !== undefined) {
    const closed = yield Reflect.apply(close, iterator, [])
    if (!isObject(closed)) throw notAnObject(closed)
  }
  throw new TypeError("The iterator does not provide a 'throw' method.")
}

function notAnObject(value: unknown): TypeError {
  return new TypeError(`Iterator result ${shown(value)} is not an object`)
}
