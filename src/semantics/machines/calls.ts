/**
 * Calls of user code with what came of them. Searches that remember states call a handler once for each state and event, and take what
 * it did then for what it always does. Whether that is so is asked afterwards: some of the calls are made again, in other orders, in the
 * same system and in one that is made anew. What a variable outside has to do with them is another then.
 */
import type { Diagnostic } from '../../core/diagnostic.ts'
import { Random } from '../../core/random.ts'

/** All of the first calls are kept, since what is shared shows early, and so many of the others, each with the same probability. */
const keptFirst = 512
const keptLater = 512

/** Makes a call again, in a system; says what is wrong if something else came of it. */
export type Again<System> = (system: System) => Diagnostic | undefined

interface Kept<System> {
  readonly number: number
  readonly again: Again<System>
}

export class Calls<System> {
  readonly #random = new Random(0)
  readonly #kept: Kept<System>[] = []
  #count = 0

  /** Where the next call is kept; nothing if it is not. */
  place(): number | undefined {
    const number = this.#count++
    if (number < keptFirst + keptLater) return number
    const at = this.#random.below(number + 1 - keptFirst)
    return at < keptLater ? keptFirst + at : undefined
  }

  keep(place: number, again: Again<System>): void {
    this.#kept[place] = { number: this.#count, again }
  }

  /** Backwards, so that what came last is first; and at random, since some orders are backwards the same. Yields between calls. */
  *repeated(system: System): Generator<undefined, Diagnostic | undefined> {
    const made = [...this.#kept].sort((one, other) => one.number - other.number)
    for (const order of [made.toReversed(), new Random(1).shuffle(made)]) {
      for (const { again } of order) {
        const found = again(system)
        if (found !== undefined) return found
        yield undefined
      }
    }
    return undefined
  }
}
