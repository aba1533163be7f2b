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
  /**
   * What was loaded last, and what is being made of it. The tree lies in one array: the root is 1, what is below `i` is `2 i` and `2 i + 1`, and
   * places are the second half.
   */
  #loaded = new Int32Array(4)
  #made = new Int32Array(4)
  /** Where `#made` may differ from what was loaded: the first so many. */
  readonly #changed: number[] = []
  #changes = 0
  /** What `changed` was told. */
  #places: Int32Array = new Int32Array(0)
  #values: Int32Array = new Int32Array(0)

  /** How many vectors there are; the empty one is always among them. */
  get size(): number {
    return this.#root().size
  }

  get bytes(): number {
    return this.#levels.reduce((sum, level) => sum + level.bytes, 0)
  }

  /** Places that can be set so far. */
  get width(): number {
    return this.#made.length >> 1
  }

  /** Makes a vector the current one. */
  load(number: number): void {
    const loaded = this.#loaded
    loaded[1] = number
    let above = this.#levels.length
    for (let at = 1; at < this.width; at++) {
      // The first of a level is a power of two.
      if ((at & (at - 1)) === 0) above--
      const level = this.#levels[above]!
      const one = loaded[at]!
      loaded[at * 2] = level.left(one)
      loaded[at * 2 + 1] = level.right(one)
    }
    this.#made.set(loaded)
    this.#changes = 0
  }

  /** What the current vector holds. */
  get(place: number): number {
    const width = this.#made.length >> 1
    return place < width ? this.#made[width + place]! : 0
  }

  set(place: number, value: number): void {
    if (this.get(place) === value) return
    while (place >= this.width) this.#widen()
    const at = this.width + place
    this.#made[at] = value
    this.#changed[this.#changes++] = at
  }

  /** It is likely that a vector is stored soon that is like the loaded one but for this place: a hint, for vectors that are a single pair. */
  expect(place: number, value: number): void {
    if (this.#levels.length > 1) return
    const made = this.#made
    this.#levels[0]!.expect(place === 0 ? value : made[2]!, place === 0 ? made[3]! : value)
  }

  /** The number of the current vector; what was loaded is the current one again. */
  store(): number {
    const top = this.#levels.length - 1
    let from = 0
    for (let below = 0; below < top; below++) {
      const end = this.#changes
      this.#lift(below, from, end)
      from = end
    }
    const made = this.#made
    const number = this.#levels[top]!.intern(made[2]!, made[3]!)
    this.abandon()
    return number
  }

  /**
   * The number of the vector that is like another but at so many places, which ascend. Only what lies above them is looked at: of 64 places a few are changed
   * in a fifth of the time that it takes to load them all.
   */
  changed(number: number, count: number, places: Int32Array, values: Int32Array): number {
    if (count === 0) return number
    while (places[count - 1]! >= this.width) this.#widen()
    this.#places = places
    this.#values = values
    return this.#changedBelow(this.#levels.length - 1, number, 0, count)
  }

  /** Of a pair on this level: the places from one index to another are all below it. */
  #changedBelow(level: number, number: number, from: number, to: number): number {
    const table = this.#levels[level]!
    const places = this.#places
    // Where the right half begins.
    const half = ((places[from]! >> level) | 1) << level
    let middle = from
    while (middle < to && places[middle]! < half) middle++
    let left = table.left(number)
    let right = table.right(number)
    if (level === 0) {
      if (from < middle) left = this.#values[from]!
      if (middle < to) right = this.#values[middle]!
    } else {
      if (from < middle) left = this.#changedBelow(level - 1, left, from, middle)
      if (middle < to) right = this.#changedBelow(level - 1, right, middle, to)
    }
    return table.intern(left, right)
  }

  /** The number of the current vector, which is the loaded one from now on. */
  follow(): number {
    const number = this.store()
    this.load(number)
    return number
  }

  /** Makes what was loaded the current vector again. */
  abandon(): void {
    const [loaded, made, changed] = [this.#loaded, this.#made, this.#changed]
    for (let index = 0; index < this.#changes; index++) made[changed[index]!] = loaded[changed[index]!]!
    this.#changes = 0
  }

  #root(): PairTable {
    return this.#levels.at(-1) as PairTable
  }

  /** Pairs above these changes get their numbers, each that differs from what was loaded once. */
  #lift(below: number, from: number, end: number): void {
    const level = this.#levels[below]!
    const [loaded, made, changed] = [this.#loaded, this.#made, this.#changed]
    for (let index = from; index < end; index++) {
      const above = changed[index]! >> 1
      const left = made[above * 2]!
      const right = made[above * 2 + 1]!
      const isLoaded = left === loaded[above * 2] && right === loaded[above * 2 + 1]
      // A pair that differs has another number: if the number differs already, it is that of this pair.
      if (isLoaded || made[above] !== loaded[above]) continue
      made[above] = level.intern(left, right)
      changed[this.#changes++] = above
    }
  }

  #widen(): void {
    const root = this.#root()
    const level = emptyLevel()
    for (let number = 1; number < root.size; number++) level.intern(number, 0)
    const width = this.width
    // Of what was loaded the root is known; of what is being made it follows when it is stored.
    const loaded = root.intern(this.#loaded[2]!, this.#loaded[3]!)
    this.#levels.push(level)
    this.#loaded = belowNewRoot(this.#loaded, loaded)
    this.#made = belowNewRoot(this.#made, loaded)
    // Until a vector is stored only places have changed.
    for (let index = 0; index < this.#changes; index++) this.#changed[index] = this.#changed[index]! + width
  }
}

/** The tree as the left half of one that is a level higher. */
function belowNewRoot(tree: Int32Array, root: number): Int32Array<ArrayBuffer> {
  const higher = new Int32Array(tree.length * 2)
  for (let first = 2; first < tree.length; first *= 2)
    for (let at = first; at < first * 2; at++) higher[at + first] = tree[at]!
  higher[2] = root
  return higher
}

function emptyLevel(): PairTable {
  const level = new PairTable()
  level.intern(0, 0)
  return level
}
