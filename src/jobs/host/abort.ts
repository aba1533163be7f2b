/** `AbortController` and `AbortSignal` (DOM §3), with `abort`, `timeout` and `any`. */
import { dialect } from '../dialect.ts'
import { Event, EventTarget } from './event-target.ts'
import { startTimeout } from './timers.ts'

/** Only this file makes signals. */
const internally = Symbol('internally')

export class AbortSignal extends EventTarget {
  #isAborted = false
  #reason: unknown = undefined
  /** Of a signal that `any` made: those that it aborts with, which are not made by `any` themselves. */
  #sources: readonly AbortSignal[] = []
  /** Signals that `any` made of this one and others. */
  readonly #dependents = new Set<AbortSignal>()
  #onabort: ((event: Event) => unknown) | null = null
  #hasHandler = false

  constructor(key?: unknown) {
    if (key !== internally)
      throw Object.assign(new TypeError('Illegal constructor'), { code: 'ERR_ILLEGAL_CONSTRUCTOR' })
    super()
  }

  get aborted(): boolean {
    this.#refresh()
    return this.#isAborted
  }

  get reason(): unknown {
    this.#refresh()
    return this.#reason
  }

  get onabort(): ((event: Event) => unknown) | null {
    return this.#onabort
  }

  /** Called where it stood when there was one first. */
  set onabort(handler: ((event: Event) => unknown) | null) {
    this.#onabort = handler
    if (this.#hasHandler) return
    this.#hasHandler = true
    this.addEventListener('abort', (event) => this.#onabort?.(event))
  }

  get [Symbol.toStringTag](): string {
    return 'AbortSignal'
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.#reason
  }

  override addEventListener(...given: Parameters<EventTarget['addEventListener']>): void {
    if (given[0] === 'abort') this.#depend()
    super.addEventListener(...given)
  }

  static abort(reason: unknown = aborted()): AbortSignal {
    const signal = new AbortSignal(internally)
    signal.#isAborted = true
    signal.#reason = reason
    return signal
  }

  static timeout(delay: number): AbortSignal {
    const signal = new AbortSignal(internally)
    const reason = (): DOMException => new DOMException('The operation was aborted due to timeout', 'TimeoutError')
    startTimeout(() => AbortSignal.abortOne(signal, reason()), delay).unref()
    return signal
  }

  static any(signals: Iterable<AbortSignal>): AbortSignal {
    const all = [...signals]
    const already = all.find((one) => one.aborted)
    if (already !== undefined) return AbortSignal.abort(already.reason)
    const signal = new AbortSignal(internally)
    signal.#sources = [...new Set(all.flatMap((one) => (one.#sources.length === 0 ? [one] : one.#sources)))]
    if (!dialect.signalsAbortTogether) signal.#depend()
    return signal
  }

  /** For `AbortController`. */
  static abortOne(signal: AbortSignal, reason: unknown): void {
    if (signal.#isAborted) return
    signal.#abort(reason)
    if (dialect.signalsAbortTogether) {
      const dependents = [...signal.#dependents].filter((one) => !one.#isAborted)
      for (const one of dependents) one.#abort(reason)
      for (const one of [signal, ...dependents]) one.dispatchEvent(new Event('abort'))
    } else {
      signal.dispatchEvent(new Event('abort'))
      for (const one of signal.#dependents) AbortSignal.abortOne(one, reason)
    }
  }

  static made(): AbortSignal {
    return new AbortSignal(internally)
  }

  #abort(reason: unknown): void {
    this.#isAborted = true
    this.#reason = reason
  }

  #depend(): void {
    for (const source of this.#sources) source.#dependents.add(this)
  }

  /** One that nobody listens to finds out when it is asked. */
  #refresh(): void {
    if (this.#isAborted || !dialect.signalsAbortTogether) return
    const source = this.#sources.find((one) => one.#isAborted)
    if (source !== undefined) this.#abort(source.#reason)
  }
}

export class AbortController {
  readonly #signal = AbortSignal.made()

  get signal(): AbortSignal {
    return this.#signal
  }

  abort(reason: unknown = aborted()): void {
    AbortSignal.abortOne(this.#signal, reason)
  }
}

function aborted(): DOMException {
  return new DOMException('This operation was aborted', 'AbortError')
}

/** What promises of Node reject with when a signal aborts them. */
export function abortError(signal: AbortSignal): Error {
  const error = new Error('The operation was aborted', { cause: signal.reason })
  return Object.assign(error, { name: 'AbortError', code: 'ABORT_ERR' })
}
