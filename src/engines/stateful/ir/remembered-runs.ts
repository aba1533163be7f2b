/** What runs of handlers came to, for as long as it pays: handlers can be run again, so much is remembered only where it is asked for again. */
import { PairMap } from '../../../collections/pair-map.ts'

/** Runs that are remembered at first. */
const fewRuns = 1 << 8
/** Runs of which it is known that they were asked for, so that it shows whether it pays to remember more. */
const manyRuns = 1 << 12

/**
 * Few outcomes are remembered at first: if many of them lived long, V8 would allocate all others as such, and a tenth of the time would go into collecting
 * them.
 */
export class RememberedRuns<T> {
  /** By local state and input: which of all outcomes so far. */
  #found = new PairMap()
  /** Those that are remembered, and how many there were before them. */
  #outcomes: T[] = []
  #before = 0
  /** Since it last forgot what it knew: how often a run was not needed, or would not have been if more were remembered. */
  #spared = 0
  #most = fewRuns

  /** How many runs it knows the outcome of. */
  get size(): number {
    return this.#outcomes.length
  }

  get(local: number, input: number): T | undefined {
    const found = this.#found.get(local, input)
    return found === undefined ? undefined : this.#at(found)
  }

  /** The outcome, if the run is not needed; asked once before it is used, however often that is. */
  spared(local: number, input: number): T | undefined {
    const found = this.#found.get(local, input)
    if (found === undefined) return undefined
    this.#spared++
    return this.#at(found)
  }

  #at(found: number): T | undefined {
    return found < this.#before ? undefined : this.#outcomes[found - this.#before]
  }

  set(local: number, input: number, outcome: T): void {
    this.#found.set(local, input, this.#before + this.#outcomes.push(outcome) - 1)
  }

  /** Forgets everything if it knows a lot: what is asked for until the next call stays known. */
  makeRoom(): void {
    if (this.#outcomes.length < this.#most) return
    this.#most = this.#spared * 8 > this.#outcomes.length ? this.#most * 2 : fewRuns
    this.#spared = 0
    this.#before += this.#outcomes.length
    this.#outcomes = []
    if (this.#found.size > Math.max(manyRuns, this.#most)) this.#found = new PairMap()
  }
}
