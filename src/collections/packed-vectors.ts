/**
 * Gives equal vectors of small numbers equal numbers, counted from 0 in the order they are first met, and knows them by number. All have the same length. Numbers
 * in them are kept in bytes as long as they fit, then in two or four of them; what follows them, one number of any size, in four. Exact: a vector is compared with
 * those that have the same hash.
 *
 * Where a vector differs from a known one in a few places, `VectorTable` takes a third of the memory; this one a third of the time. Hashes are sums over places, so
 * that of a vector which differs in a few follows from the difference.
 */
import { IntVector } from './int-vector.ts'

const blockBits = 12
const blockSize = 1 << blockBits
/** So many vectors have room in the first block when it is new: most searches are small. */
const firstSize = 1 << 8

type Block = Uint8Array | Uint16Array | Int32Array

const widths = [
  { limit: 0xff, make: (length: number): Block => new Uint8Array(length) },
  { limit: 0xffff, make: (length: number): Block => new Uint16Array(length) },
  { limit: 0x7fffffff, make: (length: number): Block => new Int32Array(length) },
] as const

export class PackedVectors {
  readonly #length: number
  /** By place: what numbers there are multiplied by in hashes. Odd, so that each number has a product of its own. */
  readonly #factors: Int32Array
  #width = 0
  /** Each holds so many vectors, one after the other; the first one grows until it does. */
  readonly #blocks: Block[] = []
  readonly #further = new IntVector(1024)
  /**
   * Two cells for each slot: the number of a vector plus 1, where 0 is nothing, and its mixed hash beside it, so that one look at memory tells most vectors apart.
   * Invariant: at most two thirds of the slots are taken.
   */
  #slots = new Int32Array(1 << 13)
  #size = 0

  constructor(length: number) {
    this.#length = length
    this.#factors = Int32Array.from({ length }, (_, place) => mix(place + 1, place) | 1)
  }

  get size(): number {
    return this.#size
  }

  get bytes(): number {
    const blocks = this.#blocks.reduce((sum, block) => sum + block.byteLength, 0)
    return blocks + this.#slots.byteLength + 4 * this.#size
  }

  hash(values: Int32Array): number {
    let sum = 0
    for (let place = 0; place < this.#length; place++)
      sum = (sum + Math.imul(values[place] as number, this.#factors[place] as number)) | 0
    return sum
  }

  /** What is added to a hash where the number in a place becomes so much greater. */
  hashOf(place: number, more: number): number {
    return Math.imul(more, this.#factors[place] as number)
  }

  furtherAt(number: number): number {
    return this.#further.at(number)
  }

  load(number: number, values: Int32Array): void {
    const length = this.#length
    const block = this.#blocks[number >>> blockBits] as Block
    const from = (number & (blockSize - 1)) * length
    for (let place = 0; place < length; place++) values[place] = block[from + place] as number
  }

  /** The number of a vector whose hash is known; -1 if it has none. */
  find(values: Int32Array, hash: number, further: number): number {
    return (this.#slots[this.#slotOf(values, mix(hash, further), further)] as number) - 1
  }

  /** The same, and from now on it has one. */
  intern(values: Int32Array, hash: number, further: number): number {
    const mixed = mix(hash, further)
    const slot = this.#slotOf(values, mixed, further)
    const found = (this.#slots[slot] as number) - 1
    if (found >= 0) return found
    this.#slots[slot] = this.#size + 1
    this.#slots[slot + 1] = mixed
    return this.#add(values, further)
  }

  /** Where a vector is, or would be put. */
  #slotOf(values: Int32Array, mixed: number, further: number): number {
    const slots = this.#slots
    const mask = slots.length - 2
    for (let slot = (mixed << 1) & mask; ; slot = (slot + 2) & mask) {
      const found = (slots[slot] as number) - 1
      if (found < 0 || (slots[slot + 1] === mixed && this.#isAt(found, values, further))) return slot
    }
  }

  #isAt(number: number, values: Int32Array, further: number): boolean {
    const length = this.#length
    const block = this.#blocks[number >>> blockBits] as Block
    const from = (number & (blockSize - 1)) * length
    for (let place = 0; place < length; place++) if (block[from + place] !== values[place]) return false
    return this.#further.at(number) === further
  }

  #add(values: Int32Array, further: number): number {
    const number = this.#size++
    const length = this.#length
    for (let place = 0; place < length; place++)
      while ((values[place] as number) > widths[this.#width as 0].limit) this.#widen()
    const from = (number & (blockSize - 1)) * length
    const block = this.#blockFor(number >>> blockBits, from + length)
    for (let place = 0; place < length; place++) block[from + place] = values[place] as number
    this.#further.push(further)
    if (this.#size * 3 > this.#slots.length) this.#grow()
    return number
  }

  /** A block with room for so much. */
  #blockFor(at: number, room: number): Block {
    const known = this.#blocks[at]
    if (known !== undefined && known.length >= room) return known
    const size = known === undefined ? (at === 0 ? firstSize : blockSize) * this.#length : known.length * 2
    const block = widths[this.#width as 0].make(size)
    if (known !== undefined) block.set(known)
    this.#blocks[at] = block
    return block
  }

  #widen(): void {
    this.#width++
    for (const [at, block] of this.#blocks.entries()) {
      const wider = widths[this.#width as 0].make(block.length)
      wider.set(block)
      this.#blocks[at] = wider
    }
  }

  #grow(): void {
    const [before, slots] = [this.#slots, new Int32Array(this.#slots.length * 2)]
    const mask = slots.length - 2
    for (let from = 0; from < before.length; from += 2) {
      if (before[from] === 0) continue
      const mixed = before[from + 1] as number
      let slot = (mixed << 1) & mask
      while (slots[slot] !== 0) slot = (slot + 2) & mask
      slots[slot] = before[from] as number
      slots[slot + 1] = mixed
    }
    this.#slots = slots
  }
}

function mix(hash: number, further: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 16) ^ Math.imul(further, 0x27d4eb2f), 0x165667b1)
  return mixed ^ (mixed >>> 13)
}
