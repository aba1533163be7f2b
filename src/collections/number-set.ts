/** Numbers from 0 on, each once, in the order in which they were added: a bit and four bytes each, where a `Set` of the host takes some thirty bytes. */
import { IntVector } from './int-vector.ts'

export class NumberSet {
  readonly #members = new IntVector()
  /** By number, as bits. */
  #words = new Int32Array(16)

  get size(): number {
    return this.#members.length
  }

  has(number: number): boolean {
    const word = number >> 5
    return word < this.#words.length && ((this.#words[word]! >>> (number & 31)) & 1) === 1
  }

  /** Whether it was not there. */
  add(number: number): boolean {
    if (this.has(number)) return false
    const word = number >> 5
    if (word >= this.#words.length) this.#grow(word)
    this.#words[word]! |= 1 << (number & 31)
    this.#members.push(number)
    return true
  }

  /** In the order in which they were added, from one place on. */
  from(place: number): Int32Array {
    return Int32Array.from({ length: this.size - place }, (_, at) => this.#members.at(place + at))
  }

  /** Those from one place on in another order, by where they are after that place. */
  reorder(place: number, order: ArrayLike<number>): void {
    const moved = this.from(place)
    for (let at = 0; at < moved.length; at++) this.#members.set(place + at, moved[order[at]!]!)
  }

  #grow(word: number): void {
    const words = new Int32Array(Math.max(this.#words.length * 2, word + 1))
    words.set(this.#words)
    this.#words = words
  }
}
