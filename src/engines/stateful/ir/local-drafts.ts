/**
 * Local states without a number: what a machine becomes, as long as nobody knows whether the state of the program is a new one. Most are not, and to
 * give equal local states equal numbers means to look into a table that is larger than any cache. Their parts are added to fingerprints like places.
 */
import type { NodeHeap } from '../../../collections/node-heap.ts'
import { nodeKinds } from '../../../semantics/ir/compiled/packed-values.ts'
import { type Contents, mixedHigh, mixedLow } from './fingerprinted-vectors.ts'

/** Parts of a local state are mixed as places behind those of the vector. */
const firstPlace = 1 << 20
/** Before the parts of a draft: how many there are, and both sums. */
const [lengthAt, lowAt, highAt, partsAt] = [0, 1, 2, 3]

export class LocalDrafts implements Contents {
  readonly #heap: NodeHeap
  #cells = new Int32Array(1 << 10)
  #to = 0
  /** The local state that was asked for last, and its sums. */
  #known = 0
  #knownLow = 0
  #knownHigh = 0

  constructor(heap: NodeHeap) {
    this.#heap = heap
  }

  /** A local state, below 0. */
  add(head: number, fields: ArrayLike<number>, count: number): number {
    const draft = this.#to
    this.#to += partsAt + 1 + count
    if (this.#to > this.#cells.length) this.#grow()
    const cells = this.#cells
    let low = mixedLow(firstPlace, head)
    let high = mixedHigh(firstPlace, head)
    cells[draft + lengthAt] = count + 1
    cells[draft + partsAt] = head
    for (let at = 0; at < count; at++) {
      const field = fields[at] as number
      cells[draft + partsAt + 1 + at] = field
      low += mixedLow(firstPlace + 1 + at, field)
      high += mixedHigh(firstPlace + 1 + at, field)
    }
    cells[draft + lowAt] = low
    cells[draft + highAt] = high
    return ~draft
  }

  /** All of it but the fields. */
  headOf(draft: number): number {
    return this.#cells[~draft + partsAt] as number
  }

  low(local: number): number {
    if (local < 0) return this.#cells[~local + lowAt] as number
    if (local !== this.#known) this.#know(local)
    return this.#knownLow
  }

  high(local: number): number {
    if (local < 0) return this.#cells[~local + highAt] as number
    if (local !== this.#known) this.#know(local)
    return this.#knownHigh
  }

  settled(local: number): number {
    if (local >= 0) return local
    const from = ~local + partsAt
    const length = this.#cells[~local + lengthAt] as number
    const first = this.#heap.open(length)
    for (let at = 0; at < length; at++) this.#heap.cells[first + at] = this.#cells[from + at] as number
    return this.#heap.close(nodeKinds.local, length)
  }

  /** Nobody asks for them any more. */
  clear(): void {
    this.#to = 0
  }

  #know(local: number): void {
    const length = this.#heap.lengthOf(local)
    let [low, high] = [0, 0]
    for (let at = 0; at < length; at++) {
      const part = this.#heap.part(local, at)
      low = (low + mixedLow(firstPlace + at, part)) | 0
      high = (high + mixedHigh(firstPlace + at, part)) | 0
    }
    this.#known = local
    this.#knownLow = low
    this.#knownHigh = high
  }

  #grow(): void {
    const cells = new Int32Array(this.#cells.length * 2)
    cells.set(this.#cells)
    this.#cells = cells
  }
}
