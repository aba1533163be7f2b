/**
 * What a transaction sees that has a snapshot: rows as they were committed when it began, and its own changes. It notes what was read,
 * which a server that looks for an order has to know.
 */
import { type Condition, type Row, satisfies } from './conditions.ts'
import type { Read } from './order.ts'
import type { Snapshot } from './store.ts'

export class View {
  readonly #tables: ReadonlyMap<string, Map<string, Row>>
  /** By table, keys of rows that are its own. */
  readonly #own = new Map<string, Set<string>>()
  #reads: Read[] = []

  constructor(snapshot: Snapshot) {
    this.#tables = new Map(snapshot.map(([table, rows]) => [table, new Map(rows)]))
  }

  get tables(): readonly string[] {
    return [...this.#tables.keys()]
  }

  row(table: string, key: string): Row | undefined {
    if (this.#own.get(table)?.has(key) !== true) this.#note({ table, key })
    return this.#tables.get(table)?.get(key)
  }

  /** All rows, if no condition is given that says which. */
  rows(table: string, where?: Condition): readonly (readonly [key: string, row: Row])[] {
    this.#note(where === undefined ? { table } : { table, where })
    const rows = [...(this.#tables.get(table) ?? [])].sort(([left], [right]) => (left < right ? -1 : 1))
    return where === undefined ? rows : rows.filter(([, row]) => satisfies(row, where))
  }

  write(table: string, key: string, row: Row | undefined): void {
    const keys = this.#own.get(table) ?? new Set()
    this.#own.set(table, keys.add(key))
    if (row === undefined) this.#tables.get(table)?.delete(key)
    else this.#tables.get(table)?.set(key, row)
  }

  get hasReads(): boolean {
    return this.#reads.length > 0
  }

  /** What was read since this was asked last. */
  takeReads(): readonly Read[] {
    const reads = this.#reads
    this.#reads = []
    return reads
  }

  #note(read: Read): void {
    this.#reads.push(read)
  }
}
