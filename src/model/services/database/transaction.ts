/** A transaction as its client has it: statements one after the other, until it is committed or given up. */
import { yesOrNo } from '../../../core/answer.ts'
import { suggestion } from '../../../core/did-you-mean.ts'
import { noAnswer } from '../../../core/filter.ts'
import { CompositeOperation, finishing, reliable } from '../../../core/operation.ts'
import { checkShape, isFunction, isPlainObject, type Shapes, shapes } from '../../../core/option-shape.ts'
import { mistake, running } from '../../../core/running.ts'
import { takingOnly } from '../../../core/taking-only.ts'
import { type Address, freezeValue } from '../../../core/value.ts'
import { describe } from '../../describe.ts'
import { notAValue } from '../../process.ts'
import type { Steps } from '../../shared/protocol.ts'
import { holds, requesting, telling } from '../requests.ts'
import { Turns } from '../turns.ts'
import { type Condition, conditionOf, type Row, type Where } from './conditions.ts'
import { DatabaseError } from './failures.ts'
import { type Answer, kindOf, type StatementRequest } from './server.ts'
import type { Isolation } from './statements.ts'
import { View } from './view.ts'

/** By table the rows that it has. */
export type TableRows<Tables> = { readonly [Table in keyof Tables]: object }

export interface AnyTables {
  readonly [table: string]: object
}

interface LockOptions {
  /** To the end of the transaction nobody else changes the rows that were found, or locks them. */
  readonly lock?: boolean
}

const lockShapes: Shapes<LockOptions> = { lock: shapes.flag }

const noOptions: LockOptions = {}

type Name<Tables> = keyof Tables & string

export class Transaction<Tables extends TableRows<Tables> = AnyTables> {
  readonly #database: Address<never>
  readonly #turns = new Turns()
  /** The number that the server gave it with the answer to its first statement. */
  #number: number | undefined
  #isolation: Isolation | undefined
  /** What it sees, where it sees a snapshot. */
  #view: View | undefined
  /** Whether its end matters to others: it has written, or locked. */
  #hasChanged = false
  #failure: DatabaseError | undefined
  #ended: 'committed' | 'rolled back' | undefined

  /** How it is called where nobody else commits it. */
  readonly #byHand: string | undefined

  constructor(database: Address<never>, isByHand = false) {
    this.#database = database
    this.#byHand = isByHand
      ? `a transaction that process "${running.process}" begins at database "${database.id}"`
      : undefined
  }

  /** The row with this key; `undefined` if there is none. */
  get<Table extends Name<Tables>>(
    table: Table,
    key: string,
    options: LockOptions = noOptions,
  ): CompositeOperation<Tables[Table] | undefined> {
    const isLocking = locks(options, 'get')
    checkSlot('get', table, key)
    return this.#statement('get', () => this.#get(table, key, isLocking)) as CompositeOperation<
      Tables[Table] | undefined
    >
  }

  /** All rows that satisfy a condition, or that a function chooses, by key. */
  scan<Table extends Name<Tables>>(
    table: Table,
    where: Where<Tables[Table]> | ((row: Tables[Table], key: string) => boolean) = {},
    options: LockOptions = noOptions,
  ): CompositeOperation<ReadonlyMap<string, Tables[Table]>> {
    const isLocking = locks(options, 'scan')
    checkTable('scan', table)
    if (isFunction(where) && isLocking) refuseFunction()
    const chosen = isFunction(where) ? (where as Choice) : conditionOf(where, `scan of ${table}`)
    return this.#statement('scan', () => this.#scan(table, chosen, isLocking)) as CompositeOperation<
      ReadonlyMap<string, Tables[Table]>
    >
  }

  /** Writes the row, whether there is one with this key or not. */
  put<Table extends Name<Tables>>(table: Table, key: string, row: Tables[Table]): CompositeOperation<void> {
    checkRow('put', table, key, row)
    return this.#statement('put', () => this.#write({ does: 'put', table, key, row: row as Row }))
  }

  /** Writes a row that is not there yet; rejected if it is. */
  insert<Table extends Name<Tables>>(table: Table, key: string, row: Tables[Table]): CompositeOperation<void> {
    checkRow('insert', table, key, row)
    return this.#statement('insert', () => this.#write({ does: 'insert', table, key, row: row as Row }))
  }

  /**
   * Writes fields over those of a row, or what a function makes of it, with nothing in between, as `SET n = n + 1` does. Gives what the
   * row became; `undefined` if there is none.
   */
  update<Table extends Name<Tables>>(
    table: Table,
    key: string,
    change: Partial<Tables[Table]> | ((row: Tables[Table]) => Tables[Table]),
  ): CompositeOperation<Tables[Table] | undefined> {
    if (isFunction(change)) checkSlot('update', table, key)
    else checkRow('update', table, key, change)
    return this.#statement('update', () => this.#update(table, key, change as Row | Becoming)) as CompositeOperation<
      Tables[Table] | undefined
    >
  }

  /** Whether there was a row with this key. */
  delete(table: Name<Tables>, key: string): CompositeOperation<boolean> {
    checkSlot('delete', table, key)
    return this.#statement('delete', () => this.#delete(table, key))
  }

  /** Makes all of it seen by others; rejected if that cannot be. */
  commit(): CompositeOperation<void> {
    return this.#statement('commit', () => this.#commit())
  }

  /** Makes it as if nothing had been done. */
  rollback(): CompositeOperation<void> {
    return new CompositeOperation('transaction.rollback', () => this.#turns.inTurn(() => this.#rollback()))
  }

  #statement<Result>(name: string, steps: () => Steps<Result>): CompositeOperation<Result> {
    // Its text is made only if somebody looks at it.
    const asked = this.#ended === undefined ? new Error() : undefined
    const all = (): Steps<Result> => {
      if (asked !== undefined && this.#ended !== undefined) refuseLate(name, this.#ended, asked)
      this.#refuseAfterEnd(name)
      return steps()
    }
    return new CompositeOperation(`transaction.${name}`, () => this.#turns.inTurn(all))
  }

  #refuseAfterEnd(name: string): void {
    if (this.#ended !== undefined)
      throw new DatabaseError('aborted', `${name} in a transaction that was ${this.#ended} before`)
    if (this.#failure !== undefined && name !== 'commit')
      throw new DatabaseError('aborted', `${name} in a transaction that has failed: ${this.#failure.message}`)
  }

  *#get(table: string, key: string, isLocking: boolean): Steps<Row | undefined> {
    const asked: StatementRequest = { does: 'get', table, key, ...locking(isLocking) }
    const view = this.#viewOf(table)
    const row = view?.row(table, key)
    if (view !== undefined && (!isLocking || row === undefined)) return row
    const { value } = yield* this.#ask(asked)
    // The first statement has got the snapshot, and reads in it as others do.
    if (view === undefined) this.#view?.row(table, key)
    return value as Row | undefined
  }

  *#scan(table: string, chosen: Condition | Choice, isLocking: boolean): Steps<ReadonlyMap<string, Row>> {
    const where = typeof chosen === 'function' ? undefined : chosen
    const view = this.#viewOf(table)
    let rows = view?.rows(table, where)
    if (view === undefined || isLocking) {
      const asked: StatementRequest = { does: 'scan', table, where: where ?? [], ...locking(isLocking) }
      rows = (yield* this.#ask(asked)).value as readonly (readonly [string, Row])[]
      if (view === undefined) this.#view?.rows(table, where)
    }
    const found = rows ?? []
    return new Map(typeof chosen === 'function' ? found.filter(([key, row]) => isChosen(chosen, row, key)) : found)
  }

  *#write(asked: StatementRequest & { readonly table: string; readonly key: string; readonly row: Row }): Steps<void> {
    this.#viewOf(asked.table)
    yield* this.#ask(asked)
    this.#view?.write(asked.table, asked.key, asked.row)
  }

  *#update(table: string, key: string, change: Row | Becoming): Steps<Row | undefined> {
    const view = this.#viewOf(table)
    const seen = view?.row(table, key)
    if (view !== undefined && seen === undefined) return undefined
    const row = yield* seen === undefined
      ? this.#updateUnseen(table, key, change)
      : this.#updateSeen(table, key, { seen, change })
    if (view === undefined) this.#view?.row(table, key)
    if (row !== undefined) this.#view?.write(table, key, row)
    return row
  }

  /** Of a row in the snapshot: a newer one would be refused, so it is known what the change is applied to. */
  *#updateSeen(
    table: string,
    key: string,
    { seen, change }: { seen: Row; change: Row | Becoming },
  ): Steps<Row | undefined> {
    const row = typeof change === 'function' ? becoming(change, seen) : { ...seen, ...change }
    const { value } = yield* this.#ask({ does: 'update', table, key, row })
    return value as Row | undefined
  }

  /** The server has the row; the function of the client's is asked while nothing else happens there. */
  *#updateUnseen(table: string, key: string, change: Row | Becoming): Steps<Row | undefined> {
    const fields = typeof change === 'function' ? 'by a function' : change
    const { value, becomes } = yield* this.#ask({ does: 'update', table, key, fields })
    if (becomes === undefined || typeof change !== 'function') return value as Row | undefined
    let row: Row | undefined
    try {
      row = becoming(change, becomes)
    } finally {
      const told: StatementRequest = { does: 'become', table, key, ...(row === undefined ? {} : { row }) }
      yield* this.#ask(told)
    }
    return row
  }

  *#delete(table: string, key: string): Steps<boolean> {
    const view = this.#viewOf(table)
    if (view !== undefined && view.row(table, key) === undefined) return false
    const { value } = yield* this.#ask({ does: 'delete', table, key })
    if (view === undefined) this.#view?.row(table, key)
    if (value === true) this.#view?.write(table, key, undefined)
    return value === true
  }

  #look(isThere: boolean): void {
    if (this.#byHand !== undefined)
      running.looked.push({ code: 'transaction-never-committed', subject: this.#byHand, isThere })
  }

  *#commit(): Steps<void> {
    this.#look(true)
    this.#ended = this.#failure === undefined ? 'committed' : 'rolled back'
    // A function that has caught the failure of a statement learns here that all is lost.
    if (this.#failure !== undefined) throw this.#failure
    const matters = this.#hasChanged || this.#isolation === 'repeatable read' || this.#isolation === 'serializable'
    if (this.#number === undefined) return
    if (matters) yield* this.#ask({ does: 'commit' })
    else holds(this.#database, -1)
  }

  *#rollback(): Steps<void> {
    if (this.#ended !== undefined) return
    this.#ended = 'rolled back'
    if (this.#number === undefined || this.#failure !== undefined) return
    yield* telling(this.#database, { kind: 'rollback', does: 'rollback', transaction: this.#number })
    holds(this.#database, -1)
  }

  /** What it sees, once it sees a snapshot, which has all tables. */
  #viewOf(table: string): View | undefined {
    if (this.#view !== undefined && !this.#view.tables.includes(table)) refuseTable(table, this.#view.tables)
    return this.#view
  }

  *#ask(statement: StatementRequest): Steps<Answer> {
    const reads = this.#isolation === 'serializable' ? (this.#view?.takeReads() ?? []) : []
    const { does, table, ...what } = statement
    const question = {
      kind: kindOf(statement),
      ...what,
      ...(this.#number === undefined ? {} : { transaction: this.#number }),
      ...(reads.length === 0 ? {} : { reads }),
      does,
      ...(table === undefined ? {} : { table }),
    }
    const answer = yield* requesting<Answer>(this.#database, question, {
      waitsFor: `database "${this.#database.id}"`,
      mark: does === 'become' ? finishing : reliable,
      begins: this.#number === undefined,
    })
    const { transaction, isolation, snapshot, failed, unknownTable } = answer
    if (unknownTable !== undefined) refuseTable(table ?? '', unknownTable)
    this.#number = transaction
    this.#isolation ??= isolation
    if (snapshot !== undefined) this.#view = new View(snapshot)
    if (failed !== undefined || does === 'commit') holds(this.#database, -1)
    if (failed !== undefined) {
      this.#failure = new DatabaseError(failed.reason, failed.message)
      throw this.#failure
    }
    if (statement.lock === true || !(does === 'get' || does === 'scan')) this.#hasChanged = true
    if (does !== 'get' && does !== 'scan') this.#look(false)
    return answer
  }
}

takingOnly(Transaction, 'transaction', {
  get: 'table, key, options',
  scan: 'table, where, options',
  put: 'table, key, row',
  insert: 'table, key, row',
  update: 'table, key, change',
  delete: 'table, key',
  commit: '',
  rollback: '',
})

/** It was asked for in time, and nothing waited for it. */
function refuseLate(name: string, ended: string, { stack }: Error): never {
  return mistake({
    code: 'E211',
    message: `${name}() of a transaction has its turn when the transaction was ${ended}, which did not wait for it`,
    hint: `write await tx.${name}(…)`,
    ...(stack === undefined ? {} : { stack }),
  })
}

type Choice = (row: Row, key: string) => unknown
type Becoming = (row: Row) => unknown

function isChosen(choice: Choice, row: Row, key: string): boolean {
  const answer = choice(row, key)
  return yesOrNo(answer) ?? mistake(noAnswer('the function of scan()', answer))
}

/** A mistake of the function is one of the client's. */
function becoming(change: Becoming, row: Row): Row {
  const given = change(row)
  if (!isPlainObject(given))
    return mistake({
      code: 'E220',
      message: `the function of update() made ${describe(given)} of a row`,
      hint: 'give the row as it becomes: (row) => ({ ...row, seats: row.seats - 1 })',
    })
  const problem = freezeValue(given)
  if (problem !== undefined) notAValue('what the row becomes', problem)
  return given as Row
}

function locking(isLocking: boolean): { readonly lock?: true } {
  return isLocking ? { lock: true } : {}
}

function locks(options: LockOptions, statement: string): boolean {
  if (options !== noOptions) checkShape(options, lockShapes, { of: `${statement}(…)` })
  return options.lock === true
}

function checkTable(statement: string, table: unknown): void {
  if (typeof table === 'string') return
  mistake({
    code: 'E220',
    message: `${statement}() needs the name of a table and got ${describe(table)}`,
    hint: `write ${statement}('seats', …)`,
  })
}

function checkSlot(statement: string, table: unknown, key: unknown): void {
  checkTable(statement, table)
  if (typeof key === 'string') return
  mistake({
    code: 'E220',
    message: `${statement}() needs a key and got ${describe(key)}`,
    hint: typeof key === 'number' ? 'keys are texts: String(id)' : `write ${statement}('seats', '12A')`,
  })
}

function checkRow(statement: string, table: unknown, ...[key, row]: readonly [unknown, unknown]): void {
  checkSlot(statement, table, key)
  if (!isPlainObject(row)) {
    mistake({
      code: 'E220',
      message: `${statement}() needs a row and got ${describe(row)}`,
      hint: "rows are objects with fields: { holder: 'ann' }",
    })
  }
  const problem = freezeValue(row)
  if (problem !== undefined) notAValue('the row', problem)
}

function refuseTable(table: string, tables: readonly string[]): never {
  return mistake({
    code: 'E220',
    message: `there is no table "${table}"`,
    hint: suggestion(table, tables, 'tables'),
  })
}

function refuseFunction(): never {
  return mistake({
    code: 'E220',
    message: 'a scan that locks was given a function, which the database cannot ask',
    hint: 'write the condition as data: { onCall: true }, { seats: { gt: 0 } }',
  })
}
