/** What all operations share: the nodes, the order of the variables and the results that are remembered. */
import type { Diagram } from './diagram.ts'
import { leafLevel, NodeTable } from './node-table.ts'
import { ResultCache } from './result-cache.ts'
import { VariableOrder } from './variable-order.ts'

/**
 * A place for every four nodes in the cache of pairs, and for every eight in the cache of choices. Four times as many gain nothing that can be measured
 * and take a third more memory (counters, lastzero, German's protocol); sixteen times as many double the time.
 */
const pairsPerNode = 0.25
const choicesPerNode = 0.125
/** Caches stop growing here, at 128 MB each. */
const mostEntries = 1 << 23

export class DiagramStore {
  readonly table: NodeTable
  readonly order: VariableOrder
  /** Results of operations on two diagrams, by number of the operation. */
  readonly pairs = new ResultCache(1 << 10)
  /** Results of `ite`. */
  readonly choices = new ResultCache(1 << 9)

  constructor(order: 'above' | 'below', mostNodes?: number) {
    this.table = new NodeTable(mostNodes, (capacity) => this.#growCaches(capacity))
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

  #growCaches(capacity: number): void {
    try {
      this.pairs.grow(Math.min(capacity * pairsPerNode, mostEntries))
      this.choices.grow(Math.min(capacity * choicesPerNode, mostEntries))
    } catch (error) {
      // No memory for larger caches: the old ones are still right.
      if (!(error instanceof RangeError)) throw error
    }
  }
}
