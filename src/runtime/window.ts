/**
 * Which messages of one session have come. Tells repetitions from messages that were overtaken, and knows what is still missing
 * below a number, which is how a snapshot tells that a channel is empty.
 */

/** How far behind the latest one a message may come. One that is later still is taken for a repetition, that is, lost. */
export const windowSize = 4096

export type Arrival = 'fresh' | 'repeated' | 'late'

export class ReceiveWindow {
  /** The greatest number that has come. Below it, what is not in `#missing` has come or has been forgotten. */
  #highest = 0
  /** Invariant: increasing, since a Set keeps the order of insertion; all above `#highest - windowSize`. */
  readonly #missing = new Set<number>()
  readonly #keepsOrder: boolean
  /** Up to here, what is missing is not waited for any more. */
  #givenUp = 0
  /** How many beyond that have fallen out of the window without having come. */
  #forgotten = 0

  /** With `keepsOrder`, what was overtaken is refused: a second connection may overtake the rest of the first. */
  constructor(keepsOrder: boolean) {
    this.#keepsOrder = keepsOrder
  }

  take(sequence: number): Arrival {
    if (sequence > this.#highest) {
      const first = Math.max(this.#highest + 1, sequence - windowSize)
      this.#forgotten += Math.max(0, first - 1 - Math.max(this.#highest, this.#givenUp))
      for (let gap = first; gap < sequence; gap++) this.#missing.add(gap)
      this.#highest = sequence
      this.#forget()
      return 'fresh'
    }
    if (!this.#missing.has(sequence)) return 'repeated'
    if (this.#keepsOrder) return 'late'
    this.#missing.delete(sequence)
    return 'fresh'
  }

  /** How many of the messages 1 … `last` may still come, and have not been given up. */
  awaitedUpTo(last: number): number {
    return this.#keepsOrder ? this.#beyond(last) : this.missingUpTo(last) - this.#forgotten
  }

  /** How many of the messages 1 … `last` have not come, whether they may or not, and have not been given up. */
  missingUpTo(last: number): number {
    let count = this.#beyond(last) + this.#forgotten
    for (const sequence of this.#missing) {
      if (sequence > last) break
      if (sequence > this.#givenUp) count++
    }
    return count
  }

  /** They are still taken if they come. */
  giveUp(last: number): void {
    this.#givenUp = Math.max(this.#givenUp, last)
    this.#forgotten = 0
  }

  #beyond(last: number): number {
    return Math.max(0, last - Math.max(this.#highest, this.#givenUp))
  }

  #forget(): void {
    for (const sequence of this.#missing) {
      if (sequence > this.#highest - windowSize) break
      this.#missing.delete(sequence)
      if (sequence > this.#givenUp) this.#forgotten++
    }
  }
}
