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

type Block = Uint8Array | Uint16Array | Int32Array

const widths = [
  { limit: 0xff, make: (length: number): Block => new Uint8Array(length) },
  { limit: 0xffff, make: (length: number): Block => new Uint16Array(length) },
  { limit: 0x7fffffff, make: (length: number): Block => new Int32Array(length) },
] as const

export class PackedVectors {
  readonly #length: number
  #width = 0
  /** Each holds so many vectors, one after the other. */
  readonly #blocks: Block[] = []
  readonly #further = new IntVector(1024)
  readonly #hashes = new IntVector(1024)
  /** Numbers by hash, plus 1; 0 is nothing. Invariant: at most half of it is taken. */
  #slots = new Int32Array(1 << 12)
  #size = 0

  constructor(length: number) {
    this.#length = length
  }

  get size(): number {
    return this.#size
  }

  get bytes(): number {
    const blocks = this.#blocks.reduce((sum, block) => sum + block.byteLength, 0)
    return blocks + this.#slots.byteLength + 8 * this.#size
  }

  /** What a number in a place adds to the hash of a vector. */
  share(place: number, value: number): number {
    const mixed = Math.imul(value + 1, 0x9e3779b1) ^ Math.imul(place + 1, 0x85ebca6b)
    return Math.imul(mixed ^ (mixed >>> 15), 0xc2b2ae35)
  }

  hash(values: Int32Array): number {
    let sum = 0
    for (let place = 0; place < this.#length; place++) sum = (sum + this.share(place, values[place] as number)) | 0
    return sum
  }

  hashAt(number: number): number {
    return this.#hashes.at(number)
  }

  furtherAt(number: number): number {
    return this.#further.at(number)
  }

  load(number: number, values: Int32Array): void {
    const block = this.#blocks[number >>> blockBits] as Block
    const from = (number & (blockSize - 1)) * this.#length
    for (let place = 0; place < this.#length; place++) values[place] = block[from + place] as number
  }

  /** The number of a vector whose hash is known. */
  intern(values: Int32Array, hash: number, further: number): number {
    const mask = this.#slots.length - 1
    for (let slot = slotOf(hash, further) & mask; ; slot = (slot + 1) & mask) {
      const found = (this.#slots[slot] as number) - 1
      if (found < 0) {
        this.#slots[slot] = this.#size + 1
        return this.#add(values, hash, further)
      }
      if (this.#hashes.at(found) === hash && this.#further.at(found) === further && this.#isAt(found, values))
        return found
    }
  }

  #isAt(number: number, values: Int32Array): boolean {
    const block = this.#blocks[number >>> blockBits] as Block
    const from = (number & (blockSize - 1)) * this.#length
    for (let place = 0; place < this.#length; place++) if (block[from + place] !== values[place]) return false
    return true
  }

  #add(values: Int32Array, hash: number, further: number): number {
    const number = this.#size++
    for (let place = 0; place < this.#length; place++)
      while ((values[place] as number) > widths[this.#width as 0].limit) this.#widen()
    if (number >>> blockBits === this.#blocks.length)
      this.#blocks.push(widths[this.#width as 0].make(blockSize * this.#length))
    ;(this.#blocks[number >>> blockBits] as Block).set(
      values.subarray(0, this.#length),
      (number & (blockSize - 1)) * this.#length,
    )
    this.#hashes.push(hash)
    this.#further.push(further)
    if (this.#size * 2 > this.#slots.length) this.#rehash()
    return number
  }

  #widen(): void {
    this.#width++
    for (const [at, block] of this.#blocks.entries()) {
      const wider = widths[this.#width as 0].make(block.length)
      wider.set(block)
      this.#blocks[at] = wider
    }
  }

  #rehash(): void {
    const slots = new Int32Array(this.#slots.length * 2)
    const mask = slots.length - 1
    for (let number = 0; number < this.#size; number++) {
      let slot = slotOf(this.#hashes.at(number), this.#further.at(number)) & mask
      while (slots[slot] !== 0) slot = (slot + 1) & mask
      slots[slot] = number + 1
    }
    this.#slots = slots
  }
}

function slotOf(hash: number, further: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 16) ^ Math.imul(further, 0x27d4eb2f), 0x165667b1)
  return mixed ^ (mixed >>> 13)
}
