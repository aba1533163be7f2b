/**
 * Gives fingerprints of 64 bits, as two numbers of 32, equal numbers, counted from 0 in the order they are first met. What was fingerprinted is not kept, so
 * two things with one fingerprint are one (Wolper and Leroy, "Reliable Hashing without Collision Detection", 1993).
 */
export class FingerprintTable {
  /**
   * Three cells per slot, so that one look at memory is enough: both halves, and number + 1, 0 where nothing is. Invariant: at most three quarters full, and the
   * number of slots is a power of two.
   */
  #cells = new Int32Array(64 * 3)
  #slots = 64
  #size = 0

  get size(): number {
    return this.#size
  }

  /** Bytes that are held, empty room included. */
  get bytes(): number {
    return this.#cells.byteLength
  }

  /** The number of the fingerprint; `size` grows if it was not there. */
  intern(low: number, high: number): number {
    const cells = this.#cells
    const mask = this.#slots - 1
    // The halves are as good as random.
    for (let slot = low & mask; ; slot = (slot + 1) & mask) {
      const at = slot * 3
      const found = cells[at + 2]! - 1
      if (found < 0) return this.#add(at, low, high)
      if (cells[at] === low && cells[at + 1] === high) return found
    }
  }

  #add(at: number, low: number, high: number): number {
    const number = this.#size++
    this.#cells[at] = low
    this.#cells[at + 1] = high
    this.#cells[at + 2] = number + 1
    if (this.#size * 4 > this.#slots * 3) this.#grow()
    return number
  }

  #grow(): void {
    const before = this.#cells
    this.#slots *= 2
    const cells = new Int32Array(this.#slots * 3)
    const mask = this.#slots - 1
    for (let from = 0; from < before.length; from += 3) {
      if (before[from + 2] === 0) continue
      let slot = before[from]! & mask
      while (cells[slot * 3 + 2] !== 0) slot = (slot + 1) & mask
      for (let at = 0; at < 3; at++) cells[slot * 3 + at] = before[from + at]!
    }
    this.#cells = cells
  }
}
