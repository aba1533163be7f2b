/** Transactions as data: what the database of `allways/services` and an interpreter that knows nothing of it can both run. */
import { join, type Operation, type Program, program, spawn } from '../../src/index.ts'
import {
  type Database,
  DatabaseError,
  database,
  type Isolation,
  type Transaction,
} from '../../src/model/services/services.ts'

export interface Fields {
  readonly n: number
  /** No two rows share it; rows without it share nothing. */
  readonly u?: number
}

export type Script =
  | { readonly does: 'get' | 'lock' | 'delete'; readonly key: string }
  | { readonly does: 'put' | 'insert' | 'set'; readonly key: string; readonly row: Fields }
  | { readonly does: 'add'; readonly key: string; readonly by: number }
  /** Rows whose n is at least so much. */
  | { readonly does: 'scan' | 'scan to lock'; readonly from: number }
  | { readonly does: 'roll back' }

export interface Scene {
  readonly rows: { readonly [key: string]: Fields }
  readonly transactions: readonly (readonly Script[])[]
  /** Processes that may crash, and how many of them begin again; none unless told. */
  readonly crashes?: number
  readonly restarts?: number
}

/** What a transaction has seen, statement by statement, and how it ended. */
export interface Ending {
  readonly seen: readonly unknown[]
  readonly end: 'committed' | 'rolled back' | 'serialization' | 'deadlock' | 'unique' | 'crashed'
}

/** Nobody has heard of it again. */
export const crashed: Ending = { seen: [], end: 'crashed' }

export interface SceneEnd {
  readonly transactions: readonly Ending[]
  readonly rows: readonly (readonly [string, Fields])[]
}

interface Tables {
  readonly t: Fields
}

type Steps<Result> = Generator<Operation, Result, unknown>

/** The scene on a database at this level: each process returns its ending, and `main` what is there in the end. */
export function programOf(scene: Scene, isolation: Isolation): Program {
  return program('scene', function* () {
    const db = yield* database<Tables>({ isolation, tables: { t: { unique: ['u'], rows: scene.rows } } })
    const processes = []
    for (const [at, statements] of scene.transactions.entries()) {
      processes.push(yield* spawn(`t${at}`, run, db, statements))
    }
    for (const one of processes) yield* join(one)
    return yield* db.transaction(function* (tx) {
      return [...(yield* tx.scan('t'))]
    })
  })
}

function* run(db: Database<Tables>, statements: readonly Script[]): Steps<Ending> {
  const seen: unknown[] = []
  const tx = db.begin()
  try {
    for (const statement of statements) {
      if (statement.does === 'roll back') {
        yield* tx.rollback()
        return { seen, end: 'rolled back' }
      }
      seen.push(yield* perform(tx, statement))
    }
    yield* tx.commit()
    return { seen, end: 'committed' }
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.reason === 'aborted') throw error
    return { seen, end: error.reason }
  }
}

function* perform(tx: Transaction<Tables>, statement: Script): Steps<unknown> {
  switch (statement.does) {
    case 'get':
      return (yield* tx.get('t', statement.key)) ?? 'none'
    case 'lock':
      return (yield* tx.get('t', statement.key, { lock: true })) ?? 'none'
    case 'delete':
      return yield* tx.delete('t', statement.key)
    case 'put':
      yield* tx.put('t', statement.key, statement.row)
      return 'put'
    case 'insert':
      yield* tx.insert('t', statement.key, statement.row)
      return 'inserted'
    case 'set':
      return (yield* tx.update('t', statement.key, statement.row)) ?? 'none'
    case 'add':
      return (yield* tx.update('t', statement.key, (row) => ({ ...row, n: row.n + statement.by }))) ?? 'none'
    case 'scan':
      return [...(yield* tx.scan('t', { n: { gte: statement.from } }))]
    case 'scan to lock':
      return [...(yield* tx.scan('t', { n: { gte: statement.from } }, { lock: true }))]
    default:
      throw new Error('performed by who runs it')
  }
}
