/**
 * Results of operations, as far as there is room: nothing is wrong if one is not there. Two places for each hash, the newer result in the first:
 * a result that is asked for again survives one collision.
 */

import type { Effort } from './effort.ts'

/** What lies in a place that was never filled: no operation and no diagram is below 0. */
const empty = -1
export const bytesPerEntry = 16

export class ResultCache {
  /** Eight cells for each hash: three of the question and one of the answer, twice. The number of hashes is a power of two. */
  #cells: Int32Array
  #mask: number
  readonly #effort: Effort
  /** How often was asked, and how often there was an answer. */
  lookups = 0
  hits = 0

  constructor(entries: number, effort: Effort) {
    this.#effort = effort
    this.#cells = new Int32Array(entries * 4).fill(empty)
    this.#mask = entries / 2 - 1
  }

  get entries(): number {
    return this.#cells.length / 4
  }

  get bytes(): number {
    return this.#cells.byteLength
  }

  /** Below 0: not there, and to be computed with some effort. */
  get(first: number, second: number, third: number): number {
    const cells = this.#cells
    const at = (hashOf(first, second, third) & this.#mask) << 3
    this.lookups++
    if (cells[at] === first && cells[at + 1] === second && cells[at + 2] === third) {
      this.hits++
      return cells[at + 3]!
    }
    if (cells[at + 4] === first && cells[at + 5] === second && cells[at + 6] === third) {
      this.hits++
      return cells[at + 7]!
    }
    this.#effort.spend()
    return empty
  }

  set(first: number, second: number, third: number, result: number): void {
    const cells = this.#cells
    const at = (hashOf(first, second, third) & this.#mask) << 3
    cells[at + 4] = cells[at]!
    cells[at + 5] = cells[at + 1]!
    cells[at + 6] = cells[at + 2]!
    cells[at + 7] = cells[at + 3]!
    cells[at] = first
    cells[at + 1] = second
    cells[at + 2] = third
    cells[at + 3] = result
  }

  /** As many entries as this at least; what is there is kept. */
  grow(entries: number): void {
    if (entries <= this.entries) return
    const old = this.#cells
    this.#cells = new Int32Array(entries * 4).fill(empty)
    this.#mask = entries / 2 - 1
    // The older of two results first, so that the newer one is in front again.
    for (let at = 0; at < old.length; at += 8) {
      if (old[at + 4] !== empty) this.set(old[at + 4]!, old[at + 5]!, old[at + 6]!, old[at + 7]!)
      if (old[at] !== empty) this.set(old[at]!, old[at + 1]!, old[at + 2]!, old[at + 3]!)
    }
  }

  /** Forgets all entries of which one number is not to be kept. What comes first may be an operation instead of a diagram; then it is not looked at. */
  clean(isKept: (diagram: number) => boolean, isFirstDiagram: boolean): void {
    const cells = this.#cells
    for (let at = 0; at < cells.length; at += 4) {
      if (cells[at] === empty) continue
      const isWhole =
        (!isFirstDiagram || isKept(cells[at]!)) &&
        isKept(cells[at + 1]!) &&
        isKept(cells[at + 2]!) &&
        isKept(cells[at + 3]!)
      if (!isWhole) cells[at] = empty
    }
  }

  clear(): void {
    this.#cells.fill(empty)
  }
}

function hashOf(first: number, second: number, third: number): number {
  let hash = Math.imul(first, 0xc2b2ae35) ^ Math.imul(second, 0x9e3779b1) ^ Math.imul(third, 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return hash ^ (hash >>> 13)
}
