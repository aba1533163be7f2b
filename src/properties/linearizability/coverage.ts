/** How many intervals cover each of n places, under adding and removing intervals: a segment tree. */
export class Coverage {
  readonly #size: number
  /** A power of two: the tree is an array in which element i has the children 2i and 2i + 1, and the root is 1. */
  readonly #leaves: number
  /** By tree element: what was added to all its places at once; least and greatest cover below, that included. */
  readonly #added: Int32Array
  readonly #least: Int32Array
  readonly #greatest: Int32Array

  constructor(size: number) {
    this.#size = size
    this.#leaves = 1 << Math.ceil(Math.log2(Math.max(2, size)))
    this.#added = new Int32Array(2 * this.#leaves)
    this.#least = new Int32Array(2 * this.#leaves)
    this.#greatest = new Int32Array(2 * this.#leaves)
  }

  /** Covers the places `from` to `to - 1` once more, or once less. */
  add(from: number, to: number, by: 1 | -1): void {
    if (from < to) this.#addBelow(1, 0, this.#leaves, { from, to, by })
  }

  /** The first place from `from` on, before `to`, that is covered; `to` if there is none. */
  firstCovered(from: number, to: number): number {
    const found = this.#first(1, {
      from,
      to: Math.min(to, this.#size),
      covered: true,
      low: 0,
      high: this.#leaves,
      above: 0,
    })
    return found < 0 ? to : found
  }

  /** The first place from `from` on, before `to`, that is not covered; `to` if there is none. */
  firstUncovered(from: number, to: number): number {
    const found = this.#first(1, {
      from,
      to: Math.min(to, this.#size),
      covered: false,
      low: 0,
      high: this.#leaves,
      above: 0,
    })
    return found < 0 ? to : found
  }

  #addBelow(at: number, low: number, high: number, change: { from: number; to: number; by: number }): void {
    if (change.to <= low || high <= change.from) return
    if (change.from <= low && high <= change.to) {
      this.#added[at] = (this.#added[at] as number) + change.by
      this.#least[at] = (this.#least[at] as number) + change.by
      this.#greatest[at] = (this.#greatest[at] as number) + change.by
      return
    }
    const middle = (low + high) >>> 1
    this.#addBelow(2 * at, low, middle, change)
    this.#addBelow(2 * at + 1, middle, high, change)
    const added = this.#added[at] as number
    this.#least[at] = added + Math.min(this.#least[2 * at] as number, this.#least[2 * at + 1] as number)
    this.#greatest[at] = added + Math.max(this.#greatest[2 * at] as number, this.#greatest[2 * at + 1] as number)
  }

  #first(at: number, query: Query): number {
    const { from, to, covered, low, high, above } = query
    if (high <= from || to <= low) return -1
    if (covered ? above + (this.#greatest[at] as number) === 0 : above + (this.#least[at] as number) > 0) return -1
    if (high - low === 1) return low
    const middle = (low + high) >>> 1
    const inside = above + (this.#added[at] as number)
    const left = this.#first(2 * at, { from, to, covered, low, high: middle, above: inside })
    return left >= 0 ? left : this.#first(2 * at + 1, { from, to, covered, low: middle, high, above: inside })
  }
}

interface Query {
  readonly from: number
  readonly to: number
  readonly covered: boolean
  /** The places of the tree element, and what was added above it. */
  readonly low: number
  readonly high: number
  readonly above: number
}
