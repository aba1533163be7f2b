/**
 * Vectors of 32-bit integers that wait, each with a number. They are taken in the order in which they were added, or the last one first; those that stand
 * before the one that is asked for are gone then. All lie in one array.
 */
export class VectorQueue {
  readonly #isStack: boolean
  /** Each vector: how many cells it takes in all, its number, its places, and how many cells it takes again, to be found from both ends. */
  #cells = new Int32Array(1 << 10)
  /** Between these are vectors. */
  #from = 0
  #to = 0

  constructor(isStack: boolean) {
    this.#isStack = isStack
  }

  get bytes(): number {
    return this.#cells.byteLength
  }

  /** Places behind the last one that holds something are left out. */
  add(number: number, places: Int32Array): void {
    let width = places.length
    while (width > 0 && places[width - 1] === 0) width--
    const length = width + 3
    if (this.#to + length > this.#cells.length) this.#makeRoom(length)
    const [cells, at] = [this.#cells, this.#to]
    cells[at] = length
    cells[at + 1] = number
    for (let place = 0; place < width; place++) cells[at + 2 + place] = places[place]!
    cells[at + length - 1] = length
    this.#to += length
  }

  /** The places of a vector, which stays until another one is asked for. Undefined: there is none of that number. */
  get(number: number): Int32Array | undefined {
    while (this.#from < this.#to) {
      const at = this.#isStack ? this.#to - this.#cells[this.#to - 1]! : this.#from
      const length = this.#cells[at]!
      if (this.#cells[at + 1] === number) return this.#cells.subarray(at + 2, at + length - 1)
      if (this.#isStack) this.#to = at
      else this.#from += length
    }
    return undefined
  }

  #makeRoom(length: number): void {
    const before = this.#cells
    const used = this.#to - this.#from
    // If half of it is free again, moving costs no more than was added since the last time.
    if ((used + length) * 2 > before.length) this.#cells = new Int32Array(before.length * 2)
    this.#cells.set(before.subarray(this.#from, this.#to))
    this.#from = 0
    this.#to = used
    if (used + length > this.#cells.length) this.#makeRoom(length)
  }
}
