/** A growing array of 32-bit integers: four bytes each, where an ordinary array of mixed values takes eight and more. */
export class IntVector {
  /** Invariant: the first `#length` items count; what lies behind them is left over and is overwritten by `push`. */
  #items: Int32Array
  #length = 0

  constructor(capacity = 16) {
    this.#items = new Int32Array(capacity)
  }

  get length(): number {
    return this.#length
  }

  /** The number of the item. */
  push(item: number): number {
    if (this.#length === this.#items.length) this.#grow()
    this.#items[this.#length] = item
    return this.#length++
  }

  /** Not checked, for speed: `index` must be below `length`. The same holds for `set`, and `pop` needs an item. */
  at(index: number): number {
    return this.#items[index]!
  }

  set(index: number, item: number): void {
    this.#items[index] = item
  }

  pop(): number {
    return this.#items[--this.#length]!
  }

  #grow(): void {
    const grown = new Int32Array(this.#items.length * 2)
    grown.set(this.#items)
    this.#items = grown
  }
}
