/** What is done one after the other in a process, though its activities may ask for it at once. */
import { type ControlledPromise, core } from '../../jobs/promise-core.ts'
import { awaited } from '../coroutine.ts'
import type { Steps } from '../shared/protocol.ts'
import { pendingHere } from './pending.ts'

export class Turns {
  #isTaken = false
  /** Those that asked in the meantime, the first first. */
  readonly #waiting: ControlledPromise[]

  constructor() {
    this.#waiting = []
  }

  *inTurn<Result>(steps: () => Steps<Result>): Steps<Result> {
    if (this.#isTaken) {
      const turn = pendingHere()
      this.#waiting.push(turn)
      yield* awaited(turn) as Steps<unknown>
    }
    this.#isTaken = true
    try {
      return yield* steps()
    } finally {
      const next = this.#waiting.shift()
      // It stays taken, by whoever is next.
      if (next === undefined) this.#isTaken = false
      else core.resolve(next, undefined)
    }
  }
}
