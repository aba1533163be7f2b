/** Whether any row has what is declared to be unique: a name that no row has forbids nothing, as when it is misspelt. */
import { shown } from '../../../core/option-shape.ts'
import { running } from '../../../core/running.ts'
import type { Row } from './conditions.ts'
import type { DatabaseParts } from './server.ts'
import { valuesOf } from './statements.ts'
import type { Writes } from './store.ts'

export class UniqueFields {
  readonly #database: string
  /** What no row had so far. */
  #left: readonly { readonly table: string; readonly fields: readonly string[] }[]

  constructor(database: string, tables: DatabaseParts['tables']) {
    this.#database = database
    this.#left = tables.flatMap(({ name, unique }) => unique.map((fields) => ({ table: name, fields })))
    for (const { table, fields } of this.#left) this.#look(table, fields, false)
    for (const { name, rows } of tables) for (const [, row] of rows) this.#met(name, row)
  }

  /** Rows were committed. */
  committed(writes: Writes): void {
    if (this.#left.length > 0) for (const { slot, row } of writes.values()) this.#met(slot.table, row)
  }

  #met(table: string, row: Row | undefined): void {
    this.#left = this.#left.filter((one) => {
      const isThere = one.table === table && valuesOf(row, one.fields) !== undefined
      if (isThere) this.#look(table, one.fields, true)
      return !isThere
    })
  }

  #look(table: string, fields: readonly string[], isThere: boolean): void {
    const names = fields.map((field) => shown(field)).join(' with ')
    const subject = `unique ${names} of table ${shown(table)} of database "${this.#database}"`
    running.looked.push({ code: 'unique-never-there', subject, isThere })
  }
}
