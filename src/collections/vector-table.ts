/**
 * Gives equal vectors of 32-bit integers equal numbers, counted from 0 in the order they are first met, and knows them by number. Vectors are kept as
 * trees of pairs that share what they have in common, so one that differs from another in one place costs little more than its root (Blom, Lisser,
 * van de Pol and Weber, "A Database Approach to Distributed State-Space Generation", 2009, §3). Exact: no two vectors have one number.
 *
 * Vectors have no length: places that were never set hold 0. Room for more places is made by a new level above the root, in which the root of
 * each vector becomes the left half, so numbers stay as they are.
 */
import { PairTable } from './pair-table.ts'

export class VectorTable {
  /** From pairs of places to the root. Invariant: number 0 of each is (0, 0), the vector without anything. */
  readonly #levels: PairTable[] = [emptyLevel()]
  /** What was loaded last: by level, from places up. */
  readonly #loaded: number[][] = [[0, 0]]
  /** What is being made of it. */
  readonly #made: number[][] = [[0, 0]]
  /** Places of `#made` that may differ from what was loaded, by level. */
  readonly #touched: number[][] = [[]]

  /** How many vectors there are; the empty one is always among them. */
  get size(): number {
    return this.#root().size
  }

  get bytes(): number {
    return this.#levels.reduce((sum, level) => sum + level.bytes, 0)
  }

  /** Places that can be set so far. */
  get width(): number {
    return 2 ** this.#levels.length
  }

  /** Makes a vector the current one. */
  load(number: number): void {
    const top = this.#levels.length - 1
    let above: readonly number[] = [number]
    for (let at = top; at >= 0; at--) {
      const level = this.#levels[at] as PairTable
      const [loaded, made] = [this.#loaded[at] as number[], this.#made[at] as number[]]
      for (const [index, one] of above.entries()) {
        loaded[index * 2] = made[index * 2] = level.left(one)
        loaded[index * 2 + 1] = made[index * 2 + 1] = level.right(one)
      }
      above = loaded
      ;(this.#touched[at] as number[]).length = 0
    }
  }

  /** What the current vector holds. */
  get(place: number): number {
    return place < this.width ? (this.#made[0] as number[])[place]! : 0
  }

  set(place: number, value: number): void {
    while (place >= this.width) this.#widen()
    ;(this.#made[0] as number[])[place] = value
    ;(this.#touched[0] as number[]).push(place)
  }

  /** The number of the current vector; what was loaded is the current one again. */
  store(): number {
    const top = this.#levels.length - 1
    for (let at = 0; at < top; at++) this.#lift(at)
    const [left, right] = this.#made[top] as [number, number]
    const number = this.#root().intern(left, right)
    this.abandon()
    return number
  }

  /** Makes what was loaded the current vector again. */
  abandon(): void {
    for (const at of this.#levels.keys()) this.#restore(at)
  }

  #root(): PairTable {
    return this.#levels.at(-1) as PairTable
  }

  #lift(at: number): void {
    const [level, made, above] = [this.#levels[at]!, this.#made[at]!, this.#made[at + 1]!]
    const touchedAbove = this.#touched[at + 1]!
    for (const place of this.#touched[at]!) {
      const parent = place >> 1
      above[parent] = level.intern(made[parent * 2]!, made[parent * 2 + 1]!)
      if (touchedAbove.at(-1) !== parent) touchedAbove.push(parent)
    }
  }

  #restore(at: number): void {
    const [loaded, made, touched] = [this.#loaded[at]!, this.#made[at]!, this.#touched[at]!]
    for (const place of touched) made[place] = loaded[place]!
    touched.length = 0
  }

  #widen(): void {
    const root = this.#root()
    const level = emptyLevel()
    for (let number = 1; number < root.size; number++) level.intern(number, 0)
    const top = this.#levels.length
    for (const made of [this.#loaded, this.#made]) {
      for (let at = 0; at < top; at++) {
        const width = 2 ** (top - at + 1)
        while (made[at]!.length < width) made[at]!.push(0)
      }
    }
    // Of what was loaded the root is known; of what is being made it follows when it is stored.
    const [left, right] = this.#loaded[top - 1] as [number, number]
    this.#levels.push(level)
    this.#loaded.push([root.intern(left, right), 0])
    this.#made.push([...(this.#loaded[top] as number[])])
    this.#touched.push([])
  }
}

function emptyLevel(): PairTable {
  const level = new PairTable()
  level.intern(0, 0)
  return level
}
