/**
 * Serializability as a graph (Adya, "Weak Consistency", 1999, section 3; Fekete et al., "Making Snapshot Isolation Serializable",
 * 2005): committed transactions are in an order in which they could have run one after the other exactly if no cycle of dependencies
 * goes through them. A transaction that would close one is given up when it commits, those that only read as well.
 *
 * Real systems keep less than the graph, and give up some transactions for nothing; this one gives up those alone that must be.
 */
import { type Condition, type Row, satisfies } from './conditions.ts'
import { nameOf, type Slot } from './store.ts'

/** What a transaction has looked for: one key, what a condition holds of, or all of a table. */
export interface Read {
  readonly table: string
  readonly key?: string
  readonly where?: Condition
}

interface Write {
  readonly slot: Slot
  readonly before: Row | undefined
  readonly after: Row | undefined
}

export interface Past {
  /** What it read is what was committed until then. */
  readonly snapshot: number
  /** When it was committed itself; of one that wrote nothing this is the last commit before. */
  readonly at: number
  readonly reads: readonly Read[]
  readonly writes: ReadonlyMap<string, Write>
}

export class SerialOrder {
  readonly #committed: Past[] = []

  /** Adds it, unless it would close a cycle. */
  admits(candidate: Past): boolean {
    const all = [...this.#committed, candidate]
    const reached = new Set<Past>()
    const ahead = [candidate]
    for (let one = ahead.pop(); one !== undefined; one = ahead.pop()) {
      for (const next of all) {
        if (next === one || reached.has(next) || !isBefore(one, next)) continue
        if (next === candidate) return false
        reached.add(next)
        ahead.push(next)
      }
    }
    this.#committed.push(candidate)
    return true
  }
}

/** Whether one must come before the other in every order. */
function isBefore(one: Past, other: Past): boolean {
  for (const [name, write] of one.writes) {
    // What it wrote was written over, or read.
    if (other.writes.has(name) && one.at < other.at) return true
    if (one.at <= other.snapshot && other.reads.some((read) => isSeen(read, write))) return true
  }
  for (const write of other.writes.values()) {
    // What it read was written over later.
    if (other.at > one.snapshot && one.reads.some((read) => isSeen(read, write))) return true
  }
  return false
}

/** Whether a read would find something else without the write. */
function isSeen({ table, key, where }: Read, { slot, before, after }: Write): boolean {
  if (table !== slot.table) return false
  if (key !== undefined) return nameOf({ table, key }) === nameOf(slot)
  return where === undefined || satisfies(before, where) || satisfies(after, where)
}
