/**
 * A set of rows of a fixed number of 32-bit words, in one flat array with open addressing. A row is exact, not a hash: what
 * is found was really added. A configuration of a history with up to 32 overlapping calls takes 26 to 104 bytes, where a `Set`
 * of texts takes over a hundred.
 */
export class ConfigurationSet {
  /** Words per row. */
  readonly #width: number
  /** Most bytes to use. Beyond, new rows take the place of old ones: a row may be forgotten, never invented. */
  #limit: number
  /** Row after row; a place counts only where `#used` is 1. Invariant: the number of places is a power of two, `#mask` + 1. */
  #rows: Int32Array
  #used: Uint8Array
  #mask: number
  #size = 0

  constructor(width: number, limit: number) {
    this.#width = width
    this.#limit = limit
    this.#mask = smallest - 1
    this.#rows = new Int32Array(smallest * width)
    this.#used = new Uint8Array(smallest)
  }

  get size(): number {
    return this.#size
  }

  get bytes(): number {
    return this.#used.length * this.#bytesPerRow
  }

  /** More memory from now on, or less for what is still to come. */
  set limit(bytes: number) {
    this.#limit = bytes
  }

  /** True if the row was not there. */
  add(row: Int32Array): boolean {
    const isFull = this.#size * 2 > this.#mask && !this.#grow()
    let at = this.#hash(row, 0) & this.#mask
    for (let probe = 0; this.#used[at] === 1; at = (at + 1) & this.#mask, probe++) {
      if (this.#holds(at, row)) return false
      if (isFull && probe === probesWhenFull) break
    }
    if (this.#used[at] === 0) this.#size++
    this.#used[at] = 1
    this.#rows.set(row, at * this.#width)
    return true
  }

  clear(): void {
    this.#used.fill(0)
    this.#size = 0
  }

  get #bytesPerRow(): number {
    return this.#width * 4 + 1
  }

  #holds(at: number, row: Int32Array): boolean {
    const start = at * this.#width
    for (let word = 0; word < this.#width; word++) if (this.#rows[start + word] !== row[word]) return false
    return true
  }

  /** False if there is no memory for it. */
  #grow(): boolean {
    const capacity = (this.#mask + 1) * 4
    if (capacity * this.#bytesPerRow > this.#limit) return false
    const [rows, used] = [this.#rows, this.#used]
    this.#rows = new Int32Array(capacity * this.#width)
    this.#used = new Uint8Array(capacity)
    this.#mask = capacity - 1
    for (let old = 0; old < used.length; old++) {
      if (used[old] === 0) continue
      const start = old * this.#width
      let at = this.#hash(rows, start) & this.#mask
      while (this.#used[at] === 1) at = (at + 1) & this.#mask
      this.#used[at] = 1
      this.#rows.set(rows.subarray(start, start + this.#width), at * this.#width)
    }
    return true
  }

  #hash(words: Int32Array, start: number): number {
    let hash = 0x9747b28c
    for (let word = 0; word < this.#width; word++) {
      hash = Math.imul(hash ^ (words[start + word] as number), 0x85ebca6b)
      hash ^= hash >>> 13
      hash = Math.imul(hash, 0xc2b2ae35)
      hash ^= hash >>> 16
    }
    return hash
  }
}

/** Rows to begin with. */
const smallest = 64
const probesWhenFull = 8
