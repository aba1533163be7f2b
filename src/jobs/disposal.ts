/** `await using`: what a block holds is disposed of at its end, last first (Explicit Resource Management, DisposeResources). */
import { isObject } from '../core/is-object.ts'
import { called, methodOf } from './iteration.ts'
import { core, pendingPromise } from './promise-core.ts'

/** Symbols that the running Node may lack. */
const symbols = Symbol as unknown as { readonly dispose?: symbol; readonly asyncDispose?: symbol }

type Method = (...args: unknown[]) => unknown

interface Resource {
  readonly value: unknown
  /** Nothing for a resource that is nothing, which is awaited all the same. */
  readonly method: Method | undefined
  readonly isAwaited: boolean
}

/** Calls what disposes at once, and gives a promise for it. */
type InPromise = (dispose: () => unknown) => PromiseLike<void>

/** Emitted for a block: `try { … } catch (e) { disposals.failed(e) } finally { yield* disposals.dispose() }`. */
export class Disposals {
  readonly #resources: Resource[] = []
  readonly #inPromise: InPromise
  #failure: { readonly error: unknown } | undefined

  constructor(inPromise: InPromise) {
    this.#inPromise = inPromise
  }

  /** `await using name = value`. */
  add<Value>(value: Value): Value {
    const isNothing = value === null || value === undefined
    this.#resources.push({
      value,
      method: isNothing ? undefined : asyncMethodOf(value, this.#inPromise),
      isAwaited: true,
    })
    return value
  }

  /** `using name = value`, in a block with the other. */
  addSync<Value>(value: Value): Value {
    if (value === null || value === undefined) return value
    const method = isObject(value) ? methodOf(value, symbols.dispose as symbol) : undefined
    if (method === undefined) throw new TypeError('Symbol(Symbol.dispose) is not a function')
    this.#resources.push({ value, method, isAwaited: false })
    return value
  }

  failed(error: unknown): void {
    this.#failure = { error: this.#failure === undefined ? error : suppressed(error, this.#failure.error) }
  }

  /** Yields what is to be awaited, and throws what failed. */
  *dispose(): Generator<unknown, void, unknown> {
    let [needsAwait, hasAwaited] = [false, false]
    for (const { value, method, isAwaited } of this.#resources.splice(0).reverse()) {
      if (!isAwaited && needsAwait && !hasAwaited) {
        yield undefined
        needsAwait = false
      }
      if (method === undefined) {
        needsAwait = true
        continue
      }
      try {
        const result = called(method, value as object, [])
        if (!isAwaited) continue
        hasAwaited = true
        yield result
      } catch (error) {
        this.failed(error)
      }
    }
    if (needsAwait && !hasAwaited) yield undefined
    if (this.#failure !== undefined) throw this.#failure.error
  }
}

export function disposals(): Disposals {
  return new Disposals((dispose) => {
    const promise = pendingPromise()
    try {
      dispose()
      core.resolve(promise, undefined)
    } catch (error) {
      core.reject(promise, error)
    }
    return promise as unknown as PromiseLike<void>
  })
}

/** GetDisposeMethod: what only disposes at once does so in a promise. */
function asyncMethodOf(value: unknown, inPromise: InPromise): Method {
  const method = isObject(value) ? methodOf(value, symbols.asyncDispose as symbol) : undefined
  if (method !== undefined) return method
  const plain = isObject(value) ? methodOf(value, symbols.dispose as symbol) : undefined
  if (plain === undefined) throw new TypeError('Symbol(Symbol.asyncDispose) is not a function')
  return function (this: unknown) {
    return inPromise(() => Reflect.apply(plain, this, []))
  }
}

type SuppressedErrorLike = new (error: unknown, suppressed: unknown, message: string) => Error

/** An error while another one was on its way; a Node that has no such error gets one as compilers make it. */
function suppressed(error: unknown, before: unknown): Error {
  const text = 'An error was suppressed during disposal'
  const { SuppressedError } = globalThis as unknown as { readonly SuppressedError?: SuppressedErrorLike }
  if (SuppressedError !== undefined) return new SuppressedError(error, before, text)
  return Object.assign(new Error(text), { name: 'SuppressedError', error, suppressed: before })
}
