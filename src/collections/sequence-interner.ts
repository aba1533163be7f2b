/** Gives equal sequences of 32-bit integers equal numbers, counted from 0 in the order they are first met. */
export class SequenceInterner {
  /** By number, and the hash of each beside it: growing then reads no sequence, and most comparisons end at the hash. */
  readonly #sequences: (readonly number[])[] = []
  readonly #hashes: number[] = []
  /** Open addressing: number + 1 of a sequence, 0 where nothing is. Invariant: at most half full. */
  #slots = new Int32Array(64)

  get size(): number {
    return this.#sequences.length
  }

  /** The sequence is copied when it is new: the caller may use the array again. */
  intern(sequence: readonly number[]): number {
    const hash = hashOf(sequence)
    const mask = this.#slots.length - 1
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const found = this.#slots[slot]! - 1
      if (found < 0) return this.#add(sequence, hash, slot)
      if (this.#hashes[found] === hash && equal(this.#sequences[found]!, sequence)) return found
    }
  }

  /** The sequence itself, not a copy. */
  at(number: number): readonly number[] {
    return this.#sequences[number]!
  }

  #add(sequence: readonly number[], hash: number, slot: number): number {
    const number = this.#sequences.push(sequence.slice()) - 1
    this.#hashes.push(hash)
    this.#slots[slot] = number + 1
    if (this.#sequences.length * 2 > this.#slots.length) this.#grow()
    return number
  }

  #grow(): void {
    const slots = new Int32Array(this.#slots.length * 2)
    const mask = slots.length - 1
    for (const [number, hash] of this.#hashes.entries()) {
      let slot = hash & mask
      while (slots[slot] !== 0) slot = (slot + 1) & mask
      slots[slot] = number + 1
    }
    this.#slots = slots
  }
}

function hashOf(sequence: readonly number[]): number {
  let hash = sequence.length
  for (let index = 0; index < sequence.length; index++) {
    hash = Math.imul(hash ^ sequence[index]!, 0x9e3779b1)
    hash ^= hash >>> 15
  }
  return hash
}

function equal(left: readonly number[], right: readonly number[]): boolean {
  if (left.length !== right.length) return false
  for (let index = 0; index < left.length; index++) if (left[index] !== right[index]) return false
  return true
}
