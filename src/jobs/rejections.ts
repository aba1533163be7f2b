/**
 * Which rejected promises nobody has handled, told at the end of a drain: `lib/internal/process/promises.js` of Node. A promise that
 * is handled before that is never told; one that is handled afterwards is told a second time, as handled.
 */
import type { Core } from './core.ts'
import type { LoopOwner } from './loop.ts'
import type { ControlledPromise } from './promise-core.ts'

/** A promise, as far as it matters here. */
export interface Rejectable {
  /** The owner sees this object. */
  readonly promise: object
  readonly reason: unknown
  readonly isHandled: boolean
}

export class RejectedPromise implements Rejectable {
  readonly promise: ControlledPromise
  readonly #core: Core

  constructor(promise: ControlledPromise, core: Core) {
    this.promise = promise
    this.#core = core
  }

  get reason(): unknown {
    return this.#core.valueOf(this.promise)
  }

  get isHandled(): boolean {
    return this.#core.isHandled(this.promise)
  }
}

export class Rejections {
  #rejected: Rejectable[] = []
  #handledLate: object[] = []
  /** Promises that the owner was told of as unhandled. */
  #told = new Set<object>()

  rejected(one: Rejectable): void {
    this.#rejected.push(one)
  }

  handled(promise: object): void {
    if (this.#told.delete(promise)) this.#handledLate.push(promise)
  }

  /** True if there was anything to tell, after which there may be jobs again. */
  tell(owner: LoopOwner): boolean {
    if (this.#rejected.length === 0 && this.#handledLate.length === 0) return false
    let hasTold = this.#handledLate.length > 0
    for (let promise = this.#handledLate.shift(); promise !== undefined; promise = this.#handledLate.shift()) {
      owner.rejectionHandled(promise)
    }
    // Those that are rejected meanwhile come the next time.
    for (const one of this.#rejected.splice(0)) {
      if (one.isHandled) continue
      this.#told.add(one.promise)
      owner.unhandledRejection(one.reason, one.promise)
      hasTold = true
    }
    return hasTold || this.#rejected.length > 0
  }

  saved(): () => void {
    const [rejected, handledLate, told] = [[...this.#rejected], [...this.#handledLate], new Set(this.#told)]
    return () => {
      this.#rejected = [...rejected]
      this.#handledLate = [...handledLate]
      this.#told = new Set(told)
    }
  }
}
