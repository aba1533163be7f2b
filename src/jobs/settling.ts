/** Functions that settle a promise (ECMA-262 §27.2.1.3). */
import { Given } from '../core/stamp.ts'

type Callback = (value: unknown) => unknown

/** One element of a combination. */
interface SettlingPart {
  held(): readonly unknown[]
}

export class ResolvingFunctions {
  readonly resolve: Callback
  readonly reject: Callback

  constructor(promise: object, resolve: Callback, reject: Callback) {
    this.resolve = resolve
    this.reject = reject
    new Settling(resolve, promise, 'resolve')
    new Settling(reject, promise, 'reject')
  }
}

/** A function that settles a promise and does nothing else knows the promise, for whoever asks what is still waited for. */
export class Settling extends Given {
  readonly #promise: object
  readonly #part: 'resolve' | 'reject' | SettlingPart

  constructor(settle: Callback, promise: object, part: 'resolve' | 'reject' | SettlingPart) {
    super(settle)
    this.#promise = promise
    this.#part = part
  }

  /** The promise that a function settles, if it is known to do nothing else. */
  static promiseOf(settle: unknown): object | undefined {
    return typeof settle === 'function' && #promise in settle ? settle.#promise : undefined
  }

  /** What two such functions must have in common to do the same; nothing for other functions. */
  static heldBy(settle: unknown): readonly unknown[] | undefined {
    if (typeof settle !== 'function' || !(#promise in settle)) return undefined
    const part = settle.#part
    return typeof part === 'string' ? [settle.#promise, part] : [settle.#promise, ...part.held()]
  }
}
