/** A map from pairs of 32-bit integers to 32-bit integers: no key objects, and no numbers beyond what fits a machine word. */
export class PairMap {
  /**
   * Three cells per slot: left, right, value. A slot is empty where `#used` says so. Invariants: at most half full, so a
   * search for a slot ends; the number of slots is a power of two, so `& mask` is the remainder. Pairs are
   * never removed one by one, so a search may stop at the first empty slot.
   */
  #cells = new Int32Array(64 * 3)
  #used = new Uint8Array(64)
  #size = 0

  get size(): number {
    return this.#size
  }

  get(left: number, right: number): number | undefined {
    const slot = this.#slotOf(left, right)
    return this.#used[slot] === 0 ? undefined : this.#cells[slot * 3 + 2]!
  }

  set(left: number, right: number, value: number): void {
    const slot = this.#slotOf(left, right)
    const fresh = this.#used[slot] === 0
    this.#put(slot, left, right, value)
    if (fresh && ++this.#size * 2 > this.#used.length) this.#grow()
  }

  clear(): void {
    if (this.#size === 0) return
    this.#used.fill(0)
    this.#size = 0
  }

  /** Where the pair is, or would be put. */
  #slotOf(left: number, right: number): number {
    const mask = this.#used.length - 1
    // Two odd constants with well-mixed bits; the upper half is folded in, because the mask keeps only lower bits.
    let hash = Math.imul(left, 0x9e3779b1) ^ Math.imul(right, 0x85ebca6b)
    hash ^= hash >>> 15
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      if (this.#used[slot] === 0) return slot
      if (this.#cells[slot * 3] === left && this.#cells[slot * 3 + 1] === right) return slot
    }
  }

  #put(slot: number, left: number, right: number, value: number): void {
    this.#used[slot] = 1
    this.#cells[slot * 3] = left
    this.#cells[slot * 3 + 1] = right
    this.#cells[slot * 3 + 2] = value
  }

  #grow(): void {
    const [cells, used] = [this.#cells, this.#used]
    this.#cells = new Int32Array(cells.length * 2)
    this.#used = new Uint8Array(used.length * 2)
    for (let slot = 0; slot < used.length; slot++) {
      if (used[slot] === 0) continue
      const [left, right] = [cells[slot * 3]!, cells[slot * 3 + 1]!]
      this.#put(this.#slotOf(left, right), left, right, cells[slot * 3 + 2]!)
    }
  }
}
