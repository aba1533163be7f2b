/** Functions that settle a promise (ECMA-262 §27.2.1.3). */
import { Given } from './stamp.ts'

type Callback = (value: unknown) => unknown

export class ResolvingFunctions {
  readonly resolve: Callback
  readonly reject: Callback

  constructor(promise: object, resolve: Callback, reject: Callback) {
    this.resolve = resolve
    this.reject = reject
    new Settling(resolve, promise)
    new Settling(reject, promise)
  }
}

/** A function that settles a promise and does nothing else knows the promise, for whoever asks what is still waited for. */
export class Settling extends Given {
  readonly #promise: object

  constructor(settle: Callback, promise: object) {
    super(settle)
    this.#promise = promise
  }

  /** The promise that a function settles, if it is known to do nothing else. */
  static promiseOf(settle: unknown): object | undefined {
    return typeof settle === 'function' && #promise in settle ? settle.#promise : undefined
  }
}
