/**
 * The nodes of all diagrams, each once: two nodes with the same level and children have the same number, so that equal functions are equal numbers.
 * Without complement edges, because leaves are numbers and a number has no complement.
 */
import { type Diagram, DiagramsFull } from './diagram.ts'
import type { Effort } from './effort.ts'

/** The level of leaves: below all variables. */
export const leafLevel = 0x7fffffff
/** The level of a number that no node has at the moment. */
export const freeLevel = -0x80000000

/** A number times four is an index that still is a small integer for the run time. */
const mostNumbers = 1 << 28
/** Of a node: its four cells, and its bucket. */
const bytesPerNode = 20

export interface NodeTableOptions {
  readonly effort: Effort
  readonly mostNodes?: number | undefined
  /** Bytes that may still be taken. */
  readonly room?: (() => number) | undefined
  /** Is told the new capacity, so that what should be as large as the table can grow with it. */
  readonly onGrowth?: (capacity: number) => void
}

export class NodeTable {
  /**
   * Four cells for each node: level, low child, high child, and the next node of the same bucket (or the next free number). A leaf has its value in
   * place of both children. One array, because a node is always read whole (a quarter less time than separate arrays, on 8 queens).
   * Replaced when it grows: whoever holds it must ask again after making a node.
   */
  nodes: Int32Array
  /** How many nodes there are, garbage that was not collected included; the most there ever were; and how many were ever made. */
  size = 2
  peak = 2
  created = 2
  readonly #effort: Effort
  readonly #mostNodes: number
  readonly #room: () => number
  readonly #onGrowth: (capacity: number) => void
  /** First node of each bucket, 0 where there is none: leaf 0 and leaf 1 are found without the table. Invariant: as many buckets as numbers. */
  #buckets: Int32Array
  /** The first of the free numbers below `#used`, 0 if there is none. */
  #free = 0
  /** Numbers from here on were never given. */
  #used = 2

  constructor({ effort, mostNodes = mostNumbers, room = () => Number.POSITIVE_INFINITY, onGrowth }: NodeTableOptions) {
    this.#effort = effort
    this.#mostNodes = Math.min(mostNodes, mostNumbers)
    this.#room = room
    this.#onGrowth = onGrowth ?? (() => {})
    this.nodes = new Int32Array(4 << 10)
    this.#buckets = new Int32Array(1 << 10)
    this.nodes.set([leafLevel, 0, 0, 0, leafLevel, 1, 1, 0])
  }

  get capacity(): number {
    return this.#buckets.length
  }

  /** All given numbers are below. */
  get used(): number {
    return this.#used
  }

  get bytes(): number {
    return this.nodes.byteLength + this.#buckets.byteLength
  }

  levelOf(diagram: Diagram): number {
    return this.nodes[diagram << 2]!
  }

  low(diagram: Diagram): Diagram {
    return this.nodes[(diagram << 2) + 1]!
  }

  high(diagram: Diagram): Diagram {
    return this.nodes[(diagram << 2) + 2]!
  }

  leaf(value: number): Diagram {
    return value === 0 || value === 1 ? value : this.#interned(leafLevel, value, value)
  }

  /** A node that tests nothing is its child. Not checked: both children are on lower levels. */
  node(level: number, low: Diagram, high: Diagram): Diagram {
    return low === high ? low : this.#interned(level, low, high)
  }

  /** Frees all nodes but leaf 0, leaf 1 and those with the stamp. */
  sweep(stamps: Int32Array, stamp: number): void {
    const { nodes } = this
    this.#free = 0
    this.size = 2
    // Downwards, so that low numbers are given first and live nodes stay together.
    for (let number = this.#used - 1; number > 1; number--) {
      if (stamps[number] === stamp) {
        this.size++
      } else {
        nodes[number << 2] = freeLevel
        nodes[(number << 2) + 3] = this.#free
        this.#free = number
      }
    }
    this.#buckets.fill(0)
    this.#fillBuckets()
  }

  /** Makes room for so many nodes, so that making them cannot fail. */
  reserve(nodes: number): void {
    if (this.size + nodes > this.#mostNodes) throw new DiagramsFull(this.size)
    while (this.capacity - this.size < nodes) this.#grow()
  }

  /** Takes a node out of its bucket, to change it or to free it. The caller owns it until it is put back. */
  takeOut(number: Diagram): void {
    const { nodes } = this
    const at = number << 2
    const bucket = this.#bucketOf(nodes[at]!, nodes[at + 1]!, nodes[at + 2]!)
    let before = this.#buckets[bucket]!
    if (before === number) {
      this.#buckets[bucket] = nodes[at + 3]!
      return
    }
    while (nodes[(before << 2) + 3] !== number) before = nodes[(before << 2) + 3]!
    nodes[(before << 2) + 3] = nodes[at + 3]!
  }

  /** Of a node that was taken out. The same holds for `setChildren`. */
  setLevel(number: Diagram, level: number): void {
    this.nodes[number << 2] = level
  }

  setChildren(number: Diagram, low: Diagram, high: Diagram): void {
    this.nodes[(number << 2) + 1] = low
    this.nodes[(number << 2) + 2] = high
  }

  /** The other half of `takeOut`. Not checked: no node like this is there. */
  putBack(number: Diagram): void {
    const { nodes } = this
    const at = number << 2
    const bucket = this.#bucketOf(nodes[at]!, nodes[at + 1]!, nodes[at + 2]!)
    nodes[at + 3] = this.#buckets[bucket]!
    this.#buckets[bucket] = number
  }

  /** Frees a node that was taken out. */
  release(number: Diagram): void {
    this.nodes[number << 2] = freeLevel
    this.nodes[(number << 2) + 3] = this.#free
    this.#free = number
    this.size--
  }

  #interned(level: number, low: number, high: number): Diagram {
    const { nodes } = this
    const bucket = this.#bucketOf(level, low, high)
    let found = this.#buckets[bucket]!
    while (found !== 0) {
      const at = found << 2
      if (nodes[at] === level && nodes[at + 1] === low && nodes[at + 2] === high) return found
      found = nodes[at + 3]!
    }
    return this.#made(level, low, high)
  }

  #made(level: number, low: number, high: number): Diagram {
    if (this.size >= this.#mostNodes) throw new DiagramsFull(this.size)
    this.#effort.spend()
    if (this.#free === 0 && this.#used === this.capacity) this.#grow()
    const { nodes } = this
    let number = this.#free
    if (number === 0) number = this.#used++
    else this.#free = nodes[(number << 2) + 3]!
    const at = number << 2
    nodes[at] = level
    nodes[at + 1] = low
    nodes[at + 2] = high
    this.putBack(number)
    this.created++
    this.size++
    if (this.size > this.peak) this.peak = this.size
    return number
  }

  #grow(): void {
    const capacity = this.capacity * 2
    if (capacity > mostNumbers || capacity * bytesPerNode > this.#room()) throw new DiagramsFull(this.size)
    try {
      const nodes = new Int32Array(capacity * 4)
      const buckets = new Int32Array(capacity)
      nodes.set(this.nodes)
      this.nodes = nodes
      this.#buckets = buckets
    } catch (error) {
      // The host has no memory for a typed array of this size.
      if (error instanceof RangeError) throw new DiagramsFull(this.size)
      throw error
    }
    this.#fillBuckets()
    this.#onGrowth(capacity)
  }

  #fillBuckets(): void {
    for (let number = 2; number < this.#used; number++) {
      if (this.nodes[number << 2] !== freeLevel) this.putBack(number)
    }
  }

  #bucketOf(level: number, low: number, high: number): number {
    let hash = Math.imul(low, 0x9e3779b1) ^ Math.imul(high, 0x85ebca6b) ^ Math.imul(level, 0xc2b2ae35)
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
    return (hash ^ (hash >>> 13)) & (this.#buckets.length - 1)
  }
}
