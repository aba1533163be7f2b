/** What all operations share: the nodes, the order of the variables and the results that are remembered. */
import type { Diagram } from './diagram.ts'
import { Effort } from './effort.ts'
import { leafLevel, NodeTable } from './node-table.ts'
import { bytesPerEntry, ResultCache } from './result-cache.ts'
import { VariableOrder } from './variable-order.ts'

/**
 * A place for every four nodes in the cache of pairs, and for every eight in the cache of choices. Four times as many gain nothing that can be measured
 * and take up to a third more memory (counters, lastzero, German's protocol).
 */
const pairsPerNode = 0.25
const choicesPerNode = 0.125
/** Caches stop growing here, at 128 MB each. */
const mostEntries = 1 << 23

export interface DiagramsOptions {
  /** Where new variables go: above all old ones, nearer the root, or below. */
  readonly order?: 'above' | 'below'
  /** More live nodes than this are answered by `DiagramsFull`. */
  readonly mostNodes?: number | undefined
  /** Bytes that may still be taken: what needs more is answered by `DiagramsFull`. */
  readonly room?: (() => number) | undefined
}

export class DiagramStore {
  readonly effort = new Effort()
  readonly #room: () => number
  readonly table: NodeTable
  readonly order: VariableOrder
  /** Results of operations on two diagrams, by number of the operation. */
  readonly pairs = new ResultCache(1 << 10, this.effort)
  /** Results of `ite`. */
  readonly choices = new ResultCache(1 << 9, this.effort)

  constructor({ order = 'above', mostNodes, room = () => Number.POSITIVE_INFINITY }: DiagramsOptions) {
    const { effort } = this
    this.#room = room
    this.table = new NodeTable({ effort, mostNodes, room, onGrowth: (capacity) => this.#growCaches(capacity) })
    this.order = new VariableOrder(order)
  }

  get bytes(): number {
    return this.table.bytes + this.pairs.bytes + this.choices.bytes
  }

  isLeaf(diagram: Diagram): boolean {
    return this.table.nodes[diagram << 2] === leafLevel
  }

  levelOf(diagram: Diagram): number {
    return this.table.levelOf(diagram)
  }

  low(diagram: Diagram): Diagram {
    return this.table.low(diagram)
  }

  high(diagram: Diagram): Diagram {
    return this.table.high(diagram)
  }

  /** Of a leaf. */
  valueOf(diagram: Diagram): number {
    return this.table.nodes[(diagram << 2) + 1]!
  }

  /** So many results are kept, and half as many of choices: as far as there is room. */
  remember(results: number): void {
    const entries = 2 ** Math.ceil(Math.log2(results))
    this.#grow(entries, entries / 2)
  }

  #growCaches(capacity: number): void {
    this.#grow(capacity * pairsPerNode, capacity * choicesPerNode)
  }

  #grow(pairs: number, choices: number): void {
    try {
      this.#growCache(this.pairs, Math.min(pairs, mostEntries))
      this.#growCache(this.choices, Math.min(choices, mostEntries))
    } catch (error) {
      // No memory for larger caches: the old ones are still right.
      if (!(error instanceof RangeError)) throw error
    }
  }

  /** A small cache is right as well. */
  #growCache(cache: ResultCache, entries: number): void {
    if (entries > cache.entries && entries * bytesPerEntry <= this.#room()) cache.grow(entries)
  }
}
