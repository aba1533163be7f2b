/** What code of an async process yields to whoever drives it, beside operations; each is its own iterator and iterator result. */
import { placeCapture } from '../../core/operation.ts'
import type { ControlledPromise } from '../../jobs/promise-core.ts'

/** Something that is driven, and yields operations and what stands below. */
export interface Steps {
  next(answer?: unknown): unknown
  throw?(error: unknown): unknown
}

/** Goes on when the promise has settled. */
export class Wait {
  readonly done = false
  readonly value = undefined
  readonly promise: ControlledPromise
  /** Whether a reaction that goes on is there already. */
  readonly isSubscribed: boolean
  /** The JavaScript stack at the place that waits, when captured. */
  readonly stack: string | undefined
  #isAsked = false

  constructor(promise: ControlledPromise, stack: string | undefined, isSubscribed = false) {
    this.promise = promise
    this.stack = stack
    this.isSubscribed = isSubscribed
  }

  [Symbol.iterator](): this {
    return this
  }

  next(answer: unknown): unknown {
    if (this.#isAsked) return new Settled(answer)
    this.#isAsked = true
    return this
  }

  throw(error: unknown): never {
    throw error
  }
}

/** Goes on a job later, as after `await` of a value, where no promise has been made so far. */
export class Tick {
  readonly done = false
  readonly value = undefined
  readonly result: unknown
  #isAsked = false

  constructor(result: unknown) {
    this.result = result
  }

  [Symbol.iterator](): this {
    return this
  }

  next(): unknown {
    if (this.#isAsked) return new Settled(this.result)
    this.#isAsked = true
    return this
  }

  throw(error: unknown): never {
    throw error
  }
}

/** `yield*` on this completes at once. */
export class Settled {
  readonly done = true
  readonly value: unknown

  constructor(value: unknown) {
    this.value = value
  }

  [Symbol.iterator](): this {
    return this
  }

  next(): this {
    return this
  }
}

/** `yield*` on this throws at once. */
export class Failed {
  readonly #error: unknown

  constructor(error: unknown) {
    this.#error = error
  }

  [Symbol.iterator](): this {
    return this
  }

  next(): never {
    throw this.#error
  }
}

/** The place that waits, when places are captured. */
export function stackHere(): string | undefined {
  return placeCapture.enabled ? new Error().stack : undefined
}
