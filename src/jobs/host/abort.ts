/** `AbortController` and `AbortSignal` (DOM §3), with `abort`, `timeout` and `any`. */
import { Event, EventTarget } from './event-target.ts'
import { startTimeout } from './timers.ts'

/** Only this file makes signals. */
const internally = Symbol('internally')

export class AbortSignal extends EventTarget {
  #isAborted = false
  #reason: unknown = undefined
  /** Signals that `any` made of this one and others; they abort with it, before anybody is told. */
  #dependents: readonly AbortSignal[] = []
  onabort: ((event: Event) => unknown) | null = null

  constructor(key?: unknown) {
    if (key !== internally)
      throw Object.assign(new TypeError('Illegal constructor'), { code: 'ERR_ILLEGAL_CONSTRUCTOR' })
    super()
    this.addEventListener('abort', (event) => this.onabort?.(event))
  }

  get aborted(): boolean {
    return this.#isAborted
  }

  get reason(): unknown {
    return this.#reason
  }

  throwIfAborted(): void {
    if (this.#isAborted) throw this.#reason
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
    for (const one of all) one.#dependents = [...one.#dependents, signal]
    return signal
  }

  /** For `AbortController`. */
  static abortOne(signal: AbortSignal, reason: unknown): void {
    if (signal.#isAborted) return
    const told = [signal, ...signal.#abortWith(reason)]
    for (const one of told) one.dispatchEvent(new Event('abort'))
  }

  static made(): AbortSignal {
    return new AbortSignal(internally)
  }

  #abortWith(reason: unknown): AbortSignal[] {
    this.#isAborted = true
    this.#reason = reason
    const dependents = this.#dependents.filter((one) => !one.#isAborted)
    return dependents.flatMap((one) => [one, ...one.#abortWith(reason)])
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
