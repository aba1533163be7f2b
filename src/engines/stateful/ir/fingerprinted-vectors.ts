/**
 * Vectors of which only a fingerprint is kept once they have been left. A fingerprint is the sum of what each place with its value is mixed to, so a vector
 * that differs from another one in some places has its fingerprint with as many additions. Two sums of 32 bits, of unlike functions, make 64.
 *
 * What it can miss: a state whose fingerprint another one has. If mixing were random, that would be the case for some of n states with a probability
 * of at most n² / 2⁶⁵ (Wolper and Leroy, "Reliable Hashing without Collision Detection", 1993); functions are fixed, so that counts can be repeated.
 */
import { FingerprintTable } from '../../../collections/fingerprint-table.ts'
import { VectorQueue } from '../../../collections/vector-queue.ts'
import { invariant } from '../../../core/invariant.ts'
import type { StateVectors } from './state-vectors.ts'

export interface FingerprintOptions {
  /** Vectors are left in the order of their numbers, or the last one first. */
  readonly isStack: boolean
  /** Of each half; for tests that are to notice fingerprints which are too short. */
  readonly bits: number
}

export class FingerprintedVectors implements StateVectors {
  readonly #table = new FingerprintTable()
  readonly #waiting: VectorQueue
  readonly #mask: number
  #first: Int32Array | undefined
  #number = 0
  #loaded = new Int32Array(2)
  #made = new Int32Array(2)
  /** Places where `#made` may differ from what was loaded: the first so many. */
  readonly #changed: number[] = []
  #changes = 0
  /** Of what was loaded, and of what is being made. */
  #loadedLow = 0
  #loadedHigh = 0
  #low = 0
  #high = 0

  constructor({ isStack, bits }: FingerprintOptions) {
    this.#waiting = new VectorQueue(isStack)
    this.#mask = bits >= 32 ? -1 : (1 << bits) - 1
    // The vector without anything is number 0.
    this.#table.intern(0, 0)
  }

  get size(): number {
    return this.#table.size
  }

  get bytes(): number {
    return this.#table.bytes + this.#waiting.bytes
  }

  /** One that waits, or the first of all. */
  load(number: number): void {
    this.abandon()
    if (number === this.#number) return
    const places = number === 1 ? this.#first : this.#waiting.get(number)
    invariant(places !== undefined, 'a vector is loaded before others that were added later are, or by following steps')
    this.#number = number
    if (places.length > this.#loaded.length) this.#widen(places.length)
    const [loaded, made] = [this.#loaded, this.#made]
    this.#low = 0
    this.#high = 0
    for (let place = 0; place < loaded.length; place++) {
      const value = place < places.length ? (places[place] as number) : 0
      loaded[place] = value
      made[place] = value
      this.#low += mixedLow(place, value)
      this.#high += mixedHigh(place, value)
    }
    this.#loadedLow = this.#low |= 0
    this.#loadedHigh = this.#high |= 0
  }

  get(place: number): number {
    return place < this.#made.length ? (this.#made[place] as number) : 0
  }

  set(place: number, value: number): void {
    const before = this.get(place)
    if (before === value) return
    if (place >= this.#made.length) this.#widen(place + 1)
    this.#made[place] = value
    this.#changed[this.#changes++] = place
    this.#low = (this.#low + mixedLow(place, value) - mixedLow(place, before)) | 0
    this.#high = (this.#high + mixedHigh(place, value) - mixedHigh(place, before)) | 0
  }

  /** To find out where its fingerprint would be takes as long as it saves. */
  expect(): void {}

  store(): number {
    const known = this.#table.size
    const number = this.#table.intern(this.#low & this.#mask, this.#high & this.#mask)
    if (this.#table.size > known) this.#keep(number)
    this.abandon()
    return number
  }

  follow(): number {
    const [made, low, high] = [this.#made.slice(), this.#low, this.#high]
    const number = this.store()
    this.#number = number
    this.#loaded = made
    this.#made = made.slice()
    this.#loadedLow = this.#low = low
    this.#loadedHigh = this.#high = high
    return number
  }

  abandon(): void {
    const [loaded, made, changed] = [this.#loaded, this.#made, this.#changed]
    for (let index = 0; index < this.#changes; index++) {
      const place = changed[index] as number
      made[place] = loaded[place] as number
    }
    this.#changes = 0
    this.#low = this.#loadedLow
    this.#high = this.#loadedHigh
  }

  #keep(number: number): void {
    if (number === 1) this.#first = this.#made.slice()
    this.#waiting.add(number, this.#made)
  }

  #widen(least: number): void {
    let width = this.#made.length
    while (width < least) width *= 2
    const [loaded, made] = [this.#loaded, this.#made]
    this.#loaded = new Int32Array(width)
    this.#made = new Int32Array(width)
    this.#loaded.set(loaded)
    this.#made.set(made)
  }
}

/**
 * The finalizer of MurmurHash3 (Appleby), after which each bit depends on all of them. Where nothing is, nothing is added: vectors have no length.
 */
function mixedLow(place: number, value: number): number {
  if (value === 0) return 0
  let mixed = value ^ Math.imul(place + 1, 0x9e3779b1)
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}

/** The same with other constants (Wellons's), and put together in another way: what is alike for one is not for the other. */
function mixedHigh(place: number, value: number): number {
  if (value === 0) return 0
  let mixed = (value + Math.imul(place + 1, 0x27d4eb2f)) | 0
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b)
  return mixed ^ (mixed >>> 16)
}
