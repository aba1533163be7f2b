/** `once` and `on` of `node:events`: events as a promise, and as an async iterator. */
import { isObject } from '../../core/is-object.ts'
import { asyncIterator } from '../async-generator.ts'
import { JobQueue } from '../job-queue.ts'
import { type ControlledPromise, core, pendingPromise } from '../promise-core.ts'
import { type AbortSignal, abortError } from './abort.ts'
import type { EventName } from './event-emitter.ts'

interface Options {
  readonly signal?: AbortSignal
}

/** Emitters and targets, the host's as well as those of here: both call their listeners at once. */
interface Emitter {
  on(name: EventName, listener: Told): unknown
  removeListener(name: EventName, listener: Told): unknown
}

interface Target {
  addEventListener(name: string, listener: Told): void
  removeEventListener(name: string, listener: Told): void
}

type Source = Emitter | Target
type Told = (...args: unknown[]) => void

type Listening = () => void

/** The arguments of the next event of this name; an `error` before it rejects. */
export function once(source: Source, name: EventName, { signal }: Options = {}): ControlledPromise {
  const promise = pendingPromise()
  if (signal?.aborted === true) {
    core.reject(promise, abortError(signal))
    return promise
  }
  const stops: Listening[] = []
  const stop = (): void => {
    for (const one of stops) one()
  }
  const reject = (reason: unknown): void => {
    stop()
    core.reject(promise, reason)
  }
  stops.push(
    listen(source, name, (...args) => {
      stop()
      core.resolve(promise, args)
    }),
  )
  if (name !== 'error' && isEmitter(source)) stops.push(listen(source, 'error', reject))
  if (signal !== undefined) stops.push(listen(signal, 'abort', () => reject(abortError(signal))))
  return promise
}

/** All events of this name, in their order, as they come or have come; `error` ends it. */
export function on(source: Source, name: EventName, options: Options = {}): object {
  if (options.signal?.aborted === true) throw abortError(options.signal)
  return new EventIterator(source, name, options)
}

class EventIterator {
  readonly #events = new JobQueue<unknown>()
  readonly #waiting = new JobQueue<ControlledPromise>()
  readonly #stops: Listening[] = []
  #failure: { readonly error: unknown } | undefined
  #isFinished = false

  constructor(source: Source, name: EventName, { signal }: Options) {
    this.#stops.push(listen(source, name, (...args) => this.#told(args)))
    if (name !== 'error' && isEmitter(source)) {
      this.#stops.push(listen(source, 'error', (error) => this.#fail(error)))
    }
    if (signal !== undefined) this.#stops.push(listen(signal, 'abort', () => this.#fail(abortError(signal))))
  }

  next(): ControlledPromise {
    const promise = pendingPromise()
    if (this.#events.length > 0) core.resolve(promise, { value: this.#events.take(), done: false })
    else if (this.#failure !== undefined) {
      core.reject(promise, this.#failure.error)
      this.#failure = undefined
    } else if (this.#isFinished) core.resolve(promise, { value: undefined, done: true })
    else this.#waiting.push(promise)
    return promise
  }

  return(): ControlledPromise {
    this.#finish()
    return this.next()
  }

  throw(error: unknown): void {
    if (!(error instanceof Error)) throw new TypeError('The "EventEmitter.AsyncIterator" property must be an Error')
    this.#fail(error)
  }

  #told(args: unknown[]): void {
    const promise = this.#waiting.take()
    if (promise === undefined) this.#events.push(args)
    else core.resolve(promise, { value: args, done: false })
  }

  #fail(error: unknown): void {
    const promise = this.#waiting.take()
    if (promise === undefined) this.#failure = { error }
    else core.reject(promise, error)
    this.#finish()
  }

  #finish(): void {
    this.#isFinished = true
    for (const stop of this.#stops.splice(0)) stop()
    for (let promise = this.#waiting.take(); promise !== undefined; promise = this.#waiting.take()) {
      core.resolve(promise, { value: undefined, done: true })
    }
  }
}

Object.setPrototypeOf(EventIterator.prototype, asyncIterator)

function listen(source: Source, name: EventName, told: Told): Listening {
  if (isEmitter(source)) {
    source.on(name, told)
    return () => void source.removeListener(name, told)
  }
  if (!isObject(source) || typeof source.addEventListener !== 'function')
    throw new TypeError('The "emitter" must emit events')
  source.addEventListener(String(name), told)
  return () => source.removeEventListener(String(name), told)
}

function isEmitter(source: Source): source is Emitter {
  return isObject(source) && typeof (source as Partial<Emitter>).on === 'function'
}
