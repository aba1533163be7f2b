/** A database of tables whose transactions see of each other what their isolation level allows. */

import type { Performable } from '../../../core/lock.ts'
import { CompositeOperation, type Operation } from '../../../core/operation.ts'
import {
  checkNoMore,
  checkShape,
  isPlainObject,
  needed,
  oneOf,
  type Shapes,
  shapes,
  shown,
} from '../../../core/option-shape.ts'
import { mistake } from '../../../core/running.ts'
import { takingOnly } from '../../../core/taking-only.ts'
import { freezeValue, sameValue } from '../../../core/value.ts'
import { describe } from '../../describe.ts'
import { notAValue } from '../../process.ts'
import { performed, type SectionBody } from '../../shared/critical-section.ts'
import { created, Handle } from '../../shared/protocol.ts'
import type { Row } from './conditions.ts'
import { type DatabaseParts, serveDatabase } from './server.ts'
import { type Isolation, isolationLevels, valuesOf } from './statements.ts'
import { type AnyTables, type TableRows, Transaction } from './transaction.ts'

interface TableOptions<Own> {
  /** What is in it from the beginning, by key. */
  readonly rows?: { readonly [key: string]: Own }
  /** Fields whose values no two rows share: a field, or several together. */
  readonly unique?: readonly (Field<Own> | readonly Field<Own>[])[]
}

type Field<Own> = keyof Own & string

export interface DatabaseOptions<Tables extends TableRows<Tables>> {
  readonly isolation: Isolation
  readonly tables: { readonly [Table in keyof Tables]: TableOptions<Tables[Table]> }
  /** As reports call it. */
  readonly name?: string
}

const databaseShapes: Shapes<DatabaseOptions<AnyTables>> = {
  isolation: needed(oneOf(...isolationLevels)),
  tables: needed(shapes.record),
  name: shapes.text,
}
const tableShapes: Shapes<TableOptions<Row>> = { rows: shapes.record, unique: shapes.list }

/** A handle: it may be an argument of a process, and a part of a message. */
export class Database<in out Tables extends TableRows<Tables> = AnyTables> extends Handle {
  /** Does what `body` does as one transaction: commits it in the end, or takes it all back if `body` throws. */
  transaction<Yielded, Result>(
    body: (transaction: Transaction<Tables>) => Performable<Yielded, Result>,
  ): CompositeOperation<Result, Yielded | Operation<never>>
  transaction<Result>(body: (transaction: Transaction<Tables>) => Promise<Result>): CompositeOperation<Result>
  transaction(
    body: (transaction: Transaction<Tables>) => ReturnType<SectionBody>,
  ): CompositeOperation<unknown, unknown> {
    if (typeof body !== 'function')
      refuse(`transaction(…) needs a function and got ${describe(body)}`, 'database.transaction(async (tx) => { … })')
    const transaction = new Transaction<Tables>(this)
    return new CompositeOperation('database.transaction', function* () {
      let result: unknown
      try {
        result = yield* performed(body(transaction))
      } catch (error) {
        yield* transaction.rollback()
        throw error
      }
      yield* transaction.commit()
      return result
    })
  }

  /** Begins a transaction that is committed or rolled back by hand. */
  begin(): Transaction<Tables> {
    return new Transaction(this, true)
  }
}

takingOnly(Database, 'database', { transaction: 'body', begin: '' })

/** Starts a database. */
export function database<Tables extends TableRows<Tables>>(
  options: DatabaseOptions<Tables>,
): CompositeOperation<Database<Tables>>
export function database(
  options: DatabaseOptions<AnyTables>,
  ...extra: readonly unknown[]
): CompositeOperation<Database> {
  checkNoMore(extra, 'database(options)')
  checkShape(options, databaseShapes, { of: 'database(…)' })
  const { isolation, name = 'database', tables } = options
  const parts: DatabaseParts = { isolation, tables: Object.entries(tables).map(([table, one]) => tableOf(table, one)) }
  return created(Database, name, serveDatabase, parts)
}

function tableOf(name: string, options: unknown): DatabaseParts['tables'][number] {
  const of = `table ${shown(name)}`
  checkShape(options, tableShapes, { of })
  const { rows = {}, unique = [] } = options as TableOptions<Row>
  for (const [key, row] of Object.entries(rows)) {
    if (!isPlainObject(row))
      refuse(`row ${shown(key)} of ${of} is ${shown(row)}`, 'rows are objects with fields: { seats: 3 }')
    const problem = freezeValue(row)
    if (problem !== undefined) notAValue(`row ${shown(key)} of ${of}`, problem)
  }
  const constraints = unique.map((one): readonly string[] => (typeof one === 'string' ? [one] : one))
  for (const fields of constraints) {
    const areNames = Array.isArray(fields) && fields.length > 0 && fields.every((field) => typeof field === 'string')
    if (!areNames)
      refuse(`"unique" of ${of} has ${shown(fields)}`, "fields, or lists of them: ['seat', ['room', 'hour']]")
  }
  for (const fields of constraints) refuseAlike(of, Object.entries(rows), fields)
  return { name, rows: Object.entries(rows), unique: constraints }
}

/** No transaction writes what the table begins with, so nobody else would compare it. */
function refuseAlike(of: string, rows: readonly (readonly [string, Row])[], fields: readonly string[]): void {
  for (const [at, [key, row]] of rows.entries()) {
    const values = valuesOf(row, fields)
    const other = rows
      .slice(0, at)
      .find(([, earlier]) => values !== undefined && sameValue(valuesOf(earlier, fields), values))
    if (other === undefined) continue
    const alike = `rows ${shown(other[0])} and ${shown(key)} of ${of} have the same ${fields.join(', ')}, which must be unique`
    refuse(alike, 'give each row values of its own, or leave the constraint out')
  }
}

function refuse(message: string, hint: string): never {
  return mistake({ code: 'E220', message, hint })
}
