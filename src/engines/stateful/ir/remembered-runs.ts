/** What runs of handlers came to, for as long as it pays: handlers can be run again, so much is remembered only where it is asked for again. */
import { PairMap } from '../../../collections/pair-map.ts'

/** Runs that are remembered at first, and where nobody asks for them again. */
const [manyRuns, fewRuns] = [1 << 14, 1 << 8]

export class RememberedRuns<T> {
  /** By local state and input: which of `#outcomes`. */
  #found = new PairMap()
  #outcomes: T[] = []
  /** Since it last forgot what it knew: how often a run was not needed. */
  #spared = 0
  #most = manyRuns

  /** How many runs it knows the outcome of. */
  get size(): number {
    return this.#outcomes.length
  }

  get(local: number, input: number): T | undefined {
    const found = this.#found.get(local, input)
    return found === undefined ? undefined : this.#outcomes[found]
  }

  /** The outcome, if the run is not needed; asked once before it is used, however often that is. */
  spared(local: number, input: number): T | undefined {
    const known = this.get(local, input)
    if (known !== undefined) this.#spared++
    return known
  }

  set(local: number, input: number, outcome: T): void {
    this.#found.set(local, input, this.#outcomes.push(outcome) - 1)
  }

  /** Forgets everything if it knows a lot: what is asked for until the next call stays known. */
  makeRoom(): void {
    if (this.#outcomes.length < this.#most) return
    const isLarge = this.#most > fewRuns
    this.#most = this.#spared * 8 > this.#outcomes.length ? this.#most * 2 : fewRuns
    this.#spared = 0
    this.#outcomes = []
    if (isLarge) this.#found = new PairMap()
    else this.#found.clear()
  }
}
