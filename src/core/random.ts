/** A seeded generator: the only source of randomness in the portable half, so that equal seeds give equal bytes. */

/** Splitmix32: 32 bits of state, one multiplication chain per number, good enough for scheduling and sampling. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed | 0
  }

  /** A number in [0, 2^32). */
  next(): number {
    this.#state = (this.#state + 0x9e3779b9) | 0
    let mixed = this.#state ^ (this.#state >>> 16)
    mixed = Math.imul(mixed, 0x21f0aaad)
    mixed ^= mixed >>> 15
    mixed = Math.imul(mixed, 0x735a2d97)
    return (mixed ^ (mixed >>> 15)) >>> 0
  }

  /** An integer in [0, bound). */
  below(bound: number): number {
    return Math.floor((this.next() / 0x1_0000_0000) * bound)
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T
  }

  /** A permutation of the items, as a new array. */
  shuffle<T>(items: readonly T[]): T[] {
    const result = [...items]
    for (let last = result.length - 1; last > 0; last--) {
      const other = this.below(last + 1)
      const moved = result[last] as T
      result[last] = result[other] as T
      result[other] = moved
    }
    return result
  }

  /** An independent generator, so that one consumer's draws do not shift another's. */
  split(): Random {
    return new Random(this.next())
  }
}
