/** Rows in all versions that were ever committed. */
import { encodeValue } from '../../../core/value.ts'
import type { Row } from './conditions.ts'

/** Where a row is, or would be. */
export interface Slot {
  readonly table: string
  readonly key: string
}

interface Version {
  /** When it was committed: a number that only grows. 0 is what was there in the beginning. */
  readonly at: number
  /** Nothing if the row was deleted. */
  readonly row: Row | undefined
}

export type Writes = Map<string, { readonly slot: Slot; readonly row: Row | undefined }>

export function nameOf({ table, key }: Slot): string {
  return encodeValue([table, key])
}

export class Store {
  /** By table and key, the newest last. */
  readonly #tables = new Map<string, Map<string, Version[]>>()
  /** The number of commits that wrote something. */
  now = 0

  constructor(tables: ReadonlyMap<string, readonly (readonly [key: string, row: Row])[]>) {
    for (const [table, rows] of tables) {
      this.#tables.set(table, new Map(rows.map(([key, row]) => [key, [{ at: 0, row }]])))
    }
  }

  commit(writes: Writes): number {
    if (writes.size === 0) return this.now
    this.now++
    for (const { slot, row } of writes.values()) {
      const rows = this.#tables.get(slot.table) as Map<string, Version[]>
      const versions = rows.get(slot.key) ?? []
      rows.set(slot.key, versions)
      versions.push({ at: this.now, row })
    }
    return this.now
  }

  row({ table, key }: Slot, at = this.now): Row | undefined {
    return this.#tables
      .get(table)
      ?.get(key)
      ?.findLast((version) => version.at <= at)?.row
  }

  /** When a row was last changed, or deleted. */
  changed({ table, key }: Slot): number {
    return this.#tables.get(table)?.get(key)?.at(-1)?.at ?? 0
  }

  /** All keys of a table that any version has, in order. */
  keys(table: string): readonly string[] {
    return [...(this.#tables.get(table)?.keys() ?? [])].sort()
  }

  /** All rows as they were then, as plain data. */
  snapshot(at: number): Snapshot {
    const rowsOf = (table: string) =>
      this.keys(table).flatMap((key): readonly (readonly [string, Row])[] => {
        const row = this.row({ table, key }, at)
        return row === undefined ? [] : [[key, row]]
      })
    return [...this.#tables.keys()].map((table) => [table, rowsOf(table)] as const)
  }
}

export type Snapshot = readonly (readonly [table: string, rows: readonly (readonly [key: string, row: Row])[]])[]
