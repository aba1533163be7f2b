/**
 * A database as a process that serves statements, one after the other: in which order they come is what is explored. So a statement is
 * one step, but for the locks that it waits for. At the levels that see a snapshot the first answer hands it over, and the client
 * answers further reads itself: there is nothing to explore about them.
 *
 * Statements that wait are tried again when a transaction has come to its end, the oldest first. The order in which others would get
 * a lock is that in which they asked for it, and they ask in every order.
 *
 * Transactions of a client that has crashed are taken back when the server learns of it, at any moment from then on. When exactly is
 * noticed by nobody until one of them is in somebody's way, or waits itself: until then the server does not look.
 */
import type { ConnectionLost } from '../../../core/connection-lost.ts'
import { running } from '../../../core/running.ts'
import type { Address } from '../../../core/value.ts'
import { self } from '../../process.ts'
import { nextRequest, type Request, reply, type Steps } from '../../shared/protocol.ts'
import { type ClientRequest, Clients, concerns, isLoss } from '../clients.ts'
import type { Condition, Row } from './conditions.ts'
import { DatabaseError, type FailureReason } from './failures.ts'
import { Locks, type Need } from './locks.ts'
import { type Read, SerialOrder } from './order.ts'
import { Change, type Constraints, type Isolation, type Open, type Running, Statements } from './statements.ts'
import { type Snapshot, Store } from './store.ts'
import { UniqueFields } from './unique-fields.ts'

export interface DatabaseParts {
  readonly isolation: Isolation
  readonly tables: readonly {
    readonly name: string
    readonly rows: readonly (readonly [key: string, row: Row])[]
    readonly unique: readonly (readonly string[])[]
  }[]
}

/** What a client asks for. */
export interface StatementRequest {
  readonly does: 'get' | 'scan' | 'put' | 'insert' | 'update' | 'delete' | 'commit' | 'rollback' | 'become'
  /** Its number, as the answer to the first statement told. */
  readonly transaction?: number
  readonly table?: string
  readonly key?: string
  readonly where?: Condition
  readonly row?: Row
  /** Of an update: what is written over the row, or that the client has a function for it. */
  readonly fields?: Row | 'by a function'
  readonly lock?: true
  /** What was read in the snapshot since the last statement. */
  readonly reads?: readonly Read[]
}

type Statement = StatementRequest & Request

export interface Answer {
  readonly value?: unknown
  readonly failed?: { readonly reason: FailureReason; readonly message: string }
  /** What the client's function is asked about. */
  readonly becomes?: Row
  readonly transaction: number
  /** With the first answer: what it may rely on. */
  readonly isolation?: Isolation
  readonly snapshot?: Snapshot
  readonly unknownTable?: readonly string[]
}

/** A statement that is under way. */
interface Waiting {
  readonly transaction: Open
  /** What is answered when it is over: of a function of the client's, the request with what it gave. */
  request: Statement
  readonly running: Running<unknown>
  readonly isFirst: boolean
  need: Need
}

export function* serveDatabase(parts: DatabaseParts): Steps<void> {
  const { id } = yield* self()
  running.assumed.push(`database "${id}" is at ${parts.isolation}: ${assumptions[parts.isolation]}`)
  const server = new Server(parts, new UniqueFields(id, parts.tables))
  const mayCrash = running.connections !== undefined
  for (;;) {
    const next = yield* nextRequest<Statement | ConnectionLost>(mayCrash ? server.minds() : undefined)
    if (isLoss(next)) yield* server.lose(next)
    else yield* server.take(next)
  }
}

const assumptions: { readonly [level in Isolation]: string } = {
  'read committed': 'each statement sees what was committed before it, and writers of a row wait for each other',
  'repeatable read': 'rows that were read stay locked to the end, and rows that are not there yet do not',
  snapshot: 'a transaction sees what was committed when it began, and fails where it writes over something newer',
  serializable: 'as snapshot, and a transaction fails that fits into no order; none fails without need',
}

class Server {
  readonly #isolation: Isolation
  readonly #tables: readonly string[]
  readonly #store: Store
  readonly #locks = new Locks()
  readonly #order = new SerialOrder()
  readonly #open = new Map<number, Open>()
  readonly #statements: Statements
  readonly #clients = new Clients()
  readonly #unique: UniqueFields
  #begun = 0
  /** The oldest first. */
  #waiting: Waiting[] = []

  constructor({ isolation, tables }: DatabaseParts, unique: UniqueFields) {
    this.#unique = unique
    this.#isolation = isolation
    this.#tables = tables.map(({ name }) => name)
    this.#store = new Store(new Map(tables.map(({ name, rows }) => [name, rows])))
    const constraints: Constraints = new Map(tables.map(({ name, unique }) => [name, unique]))
    this.#statements = new Statements(isolation, {
      store: this.#store,
      locks: this.#locks,
      constraints,
      open: this.#open,
    })
  }

  /** What is taken next: all requests, and of crashes those that somebody could notice now. Lasts, whatever the server does next. */
  minds(): (message: Statement | ConnectionLost) => boolean {
    const waiting = new Set(this.#waiting.map(({ transaction }) => transaction.id))
    const inTheWay = this.#waiting.flatMap(({ transaction, need }) => this.#locks.blockers(transaction.id, need))
    const minded = [...this.#open.values()].filter(({ id }) => waiting.has(id) || inTheWay.includes(id))
    const mindful = minded.map(({ began }) => ({ began, asked: this.#clients.askedBy(began.client) }))
    // A statement that was on its way is served before.
    return (message) =>
      !isLoss(message) || mindful.some(({ began, asked }) => concerns(message, began) && message.asked <= asked)
  }

  /** A client is gone. */
  *lose(loss: ConnectionLost): Steps<void> {
    this.#close(loss)
    yield* this.#wake()
  }

  #close(loss: ConnectionLost): void {
    this.#clients.lost(loss)
    const closed = [...this.#open.values()].filter(({ began }) => concerns(loss, began))
    this.#waiting = this.#waiting.filter(({ transaction }) => !closed.includes(transaction))
    for (const transaction of closed) this.#end(transaction)
  }

  *take(request: Statement): Steps<void> {
    const { table, does } = request
    const asked = this.#clients.noted(request.from as Address<never>)
    // A function of a client's that has crashed since.
    if (this.#clients.isGone(asked) || does === 'become') return
    if (table !== undefined && !this.#tables.includes(table)) {
      yield* answer(request, { transaction: 0, unknownTable: this.#tables })
      return
    }
    const isFirst = request.transaction === undefined
    const transaction = isFirst ? this.#begin(asked) : (this.#open.get(request.transaction ?? 0) as Open)
    if (request.reads !== undefined) transaction.reads.push(...request.reads)
    if (does === 'rollback') this.#end(transaction)
    else if (does === 'commit') yield* this.#commit(transaction, request)
    else {
      const running = this.#statement(transaction, request)
      yield* this.#proceed({ transaction, request, running, isFirst, need: nothing })
    }
    yield* this.#wake()
  }

  #begin(began: ClientRequest): Open {
    const open = { id: ++this.#begun, began, snapshot: this.#store.now, writes: new Map(), reads: [] }
    this.#open.set(open.id, open)
    return open
  }

  #statement(transaction: Open, request: Statement): Running<unknown> {
    const { does, table = '', key = '', where = [], row, fields = {}, lock } = request
    const slot = { table, key }
    switch (does) {
      case 'get':
        if (lock === true) return this.#statements.lock(transaction, slot, 'exclusive')
        return this.#statements.get(transaction, slot)
      case 'scan':
        if (lock === true) return this.#statements.scanLocking(transaction, table, where)
        return this.#statements.scan(transaction, table, where)
      case 'put':
        return this.#statements.put(transaction, slot, row ?? {})
      case 'insert':
        return this.#statements.insert(transaction, slot, row ?? {})
      case 'update':
        return this.#statements.update(
          transaction,
          slot,
          (before) => row ?? (fields === 'by a function' ? undefined : { ...before, ...fields }),
        )
      default:
        return this.#statements.delete(transaction, slot)
    }
  }

  /** Runs a statement until it is over, has failed, or has to wait. */
  *#proceed(one: Waiting): Steps<void> {
    const { running } = one
    try {
      let result = running.next(undefined)
      while (!result.done && result.value instanceof Change) {
        yield* answer(one.request, { becomes: result.value.row, ...this.#first(one) })
        // Nothing else is taken in the meantime, so the lock and the function are one step.
        const became = yield* this.#became(one.transaction)
        if (isLoss(became)) return this.#close(became)
        one.request = became
        this.#clients.noted(became.from as Address<never>)
        result = running.next(became.row)
      }
      if (result.done) yield* this.#finish(one, result.value)
      else yield* this.#wait(one, result.value as Need)
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error
      yield* this.#fail(one, error)
    }
  }

  /** What the client's function gave, unless the client has crashed before it could be asked. */
  *#became({ id, began }: Open): Steps<Statement | ConnectionLost> {
    return yield* nextRequest<Statement | ConnectionLost>((message) =>
      isLoss(message) ? concerns(message, began) : message.does === 'become' && message.transaction === id,
    )
  }

  *#wait(one: Waiting, need: Need): Steps<void> {
    const { id } = one.transaction
    one.need = need
    this.#locks.waits(id, need)
    if (this.#locks.isInCycle(id)) {
      const message = 'deadlock: the transaction would have waited for one that waits for it'
      yield* this.#fail(one, new DatabaseError('deadlock', message))
    } else this.#waiting.push(one)
  }

  *#finish(one: Waiting, value: unknown): Steps<void> {
    yield* answer(one.request, { ...(value === undefined ? undefined : { value }), ...this.#first(one) })
  }

  /** What the first answer tells beside. */
  #first({ transaction, isFirst }: Waiting): Answer {
    const isolation = this.#isolation
    if (!isFirst) return { transaction: transaction.id }
    const hasSnapshot = isolation === 'snapshot' || isolation === 'serializable'
    const snapshot = hasSnapshot ? { snapshot: this.#store.snapshot(transaction.snapshot) } : undefined
    return { transaction: transaction.id, isolation, ...snapshot }
  }

  *#fail({ transaction, request }: Waiting, { reason, message }: DatabaseError): Steps<void> {
    this.#end(transaction)
    yield* answer(request, { failed: { reason, message }, transaction: transaction.id })
  }

  *#commit(transaction: Open, request: Statement): Steps<void> {
    const { snapshot, reads, writes, id } = transaction
    const at = this.#store.now + (writes.size === 0 ? 0 : 1)
    const changes = new Map(
      [...writes].map(([name, { slot, row }]) => [name, { slot, before: this.#store.row(slot), after: row }]),
    )
    this.#end(transaction)
    if (this.#isolation === 'serializable' && !this.#order.admits({ snapshot, at, reads, writes: changes })) {
      const message = 'serialization failure: it fits into no order with others that were committed'
      yield* answer(request, { failed: { reason: 'serialization', message }, transaction: id })
      return
    }
    this.#store.commit(writes)
    this.#unique.committed(writes)
    yield* answer(request, { transaction: id })
  }

  #end({ id }: Open): void {
    this.#open.delete(id)
    this.#locks.release(id)
  }

  /** Goes on with whatever need not wait any more. */
  *#wake(): Steps<void> {
    const isFree = ({ transaction, need }: Waiting) => this.#locks.blockers(transaction.id, need).length === 0
    for (let next = this.#waiting.find(isFree); next !== undefined; next = this.#waiting.find(isFree)) {
      const woken = next
      this.#waiting = this.#waiting.filter((one) => one !== woken)
      this.#locks.goesOn(woken.transaction.id)
      yield* this.#proceed(woken)
    }
  }
}

/** What messages of a statement are called in reports. */
export function kindOf({ does, table }: StatementRequest): string {
  return table === undefined ? does : `${does}.${table}`
}

function* answer(request: Statement, told: Answer): Steps<void> {
  const outcome = told.failed === undefined ? 'done' : `failed.${told.failed.reason}`
  yield* reply(request, `${kindOf(request)}.${outcome}`, told)
}

const nothing: Need = { lock: '', mode: 'shared' }
