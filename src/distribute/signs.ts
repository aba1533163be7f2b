/** What an engine told of its progress, beside what it has counted and explored. */
import type { Counts } from '../core/verdict.ts'
import type { EngineEvent, Options } from '../engines/engine.ts'

type Progress = Extract<EngineEvent, { readonly kind: 'progress' }>

export class Signs {
  /** Times that the engine reported progress by itself. */
  count = 0
  /** See `EngineEvent`; as the engine said last. */
  pace = 0
  #now: (() => Counts) | undefined
  #picked: Options | undefined

  add({ isBreath, pace, now, picked }: Progress): void {
    if (isBreath !== true) this.count++
    this.pace = pace ?? this.pace
    this.#now = now
    this.#picked = picked ?? this.#picked
  }

  /** Before the engine is resumed. */
  get now(): Counts | undefined {
    return this.#now?.()
  }

  get picked(): { readonly picked?: Options } {
    return this.#picked === undefined ? {} : { picked: this.#picked }
  }
}
