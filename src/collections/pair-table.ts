/** Gives equal pairs of 32-bit integers equal numbers, counted from 0 in the order they are first met, and knows them by number. */
export class PairTable {
  /** Left and right of each pair, by number. */
  #pairs = new Int32Array(64)
  #size = 0
  /** Open addressing: number + 1 of a pair, 0 where nothing is. Invariant: at most two thirds full, and a power of two long. */
  #slots = new Int32Array(64)
  /** What `expect` has read: as that is kept, reading it is not left out. */
  read = 0

  get size(): number {
    return this.#size
  }

  /** Bytes that are held, empty room included. */
  get bytes(): number {
    return this.#pairs.byteLength + this.#slots.byteLength
  }

  left(number: number): number {
    return this.#pairs[number * 2]!
  }

  right(number: number): number {
    return this.#pairs[number * 2 + 1]!
  }

  /** Reads what `intern` will read first: of several pairs in a row, the processor then waits for memory once, and not once for each. */
  expect(left: number, right: number): void {
    const slots = this.#slots
    const found = slots[hashOf(left, right) & (slots.length - 1)]!
    if (found !== 0) this.read ^= this.#pairs[found * 2 - 2]!
  }

  /** The number of the pair; `size` grows if it was not there. */
  intern(left: number, right: number): number {
    const pairs = this.#pairs
    const slots = this.#slots
    const mask = slots.length - 1
    for (let slot = hashOf(left, right) & mask; ; slot = (slot + 1) & mask) {
      const found = slots[slot]! - 1
      if (found < 0) return this.#add(left, right, slot)
      if (pairs[found * 2] === left && pairs[found * 2 + 1] === right) return found
    }
  }

  #add(left: number, right: number, slot: number): number {
    const number = this.#size++
    if (number * 2 === this.#pairs.length) this.#pairs = grown(this.#pairs)
    this.#pairs[number * 2] = left
    this.#pairs[number * 2 + 1] = right
    this.#slots[slot] = number + 1
    if (this.#size * 3 > this.#slots.length * 2) this.#rehash()
    return number
  }

  #rehash(): void {
    const slots = new Int32Array(this.#slots.length * 2)
    const mask = slots.length - 1
    for (let number = 0; number < this.#size; number++) {
      let slot = hashOf(this.#pairs[number * 2]!, this.#pairs[number * 2 + 1]!) & mask
      while (slots[slot] !== 0) slot = (slot + 1) & mask
      slots[slot] = number + 1
    }
    this.#slots = slots
  }
}

/** Numbers are small and dense, so both halves are spread over all bits before they meet. */
function hashOf(left: number, right: number): number {
  let hash = Math.imul(left, 0x9e3779b1) ^ Math.imul(right, 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return hash ^ (hash >>> 13)
}

/** Large tables grow by a quarter: with twice as much room half of it is empty, and copying is the least that a table has to do. */
function grown(items: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(items.length < large ? items.length * 2 : (items.length >> 3) * 10)
  larger.set(items)
  return larger
}

const large = 1 << 20
