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
    this.#expand(number, this.#levels.length - 1, 0)
    for (const touched of this.#touched) touched.length = 0
  }

  #expand(number: number, at: number, index: number): void {
    const level = this.#levels[at]!
    const [loaded, made] = [this.#loaded[at]!, this.#made[at]!]
    const [left, right] = [level.left(number), level.right(number)]
    loaded[index * 2] = made[index * 2] = left
    loaded[index * 2 + 1] = made[index * 2 + 1] = right
    if (at === 0) return
    this.#expand(left, at - 1, index * 2)
    this.#expand(right, at - 1, index * 2 + 1)
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
    const made = this.#made[top]!
    const number = this.#levels[top]!.intern(made[0]!, made[1]!)
    this.abandon()
    return number
  }

  /** Makes what was loaded the current vector again. */
  abandon(): void {
    for (let at = 0; at < this.#levels.length; at++) this.#restore(at)
  }

  #root(): PairTable {
    return this.#levels.at(-1) as PairTable
  }

  /** Each pair that differs from what was loaded gets its number, once. */
  #lift(at: number): void {
    const [level, loaded, made, above] = [this.#levels[at]!, this.#loaded[at]!, this.#made[at]!, this.#made[at + 1]!]
    const [touched, touchedAbove] = [this.#touched[at]!, this.#touched[at + 1]!]
    for (let index = 0; index < touched.length; index++) {
      const parent = touched[index]! >> 1
      const [left, right] = [made[parent * 2]!, made[parent * 2 + 1]!]
      const isLoaded = left === loaded[parent * 2] && right === loaded[parent * 2 + 1]
      if (isLoaded || touchedAbove.includes(parent)) continue
      above[parent] = level.intern(left, right)
      touchedAbove.push(parent)
    }
  }

  #restore(at: number): void {
    const [loaded, made, touched] = [this.#loaded[at]!, this.#made[at]!, this.#touched[at]!]
    for (let index = 0; index < touched.length; index++) made[touched[index]!] = loaded[touched[index]!]!
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
