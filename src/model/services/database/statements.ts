/**
 * What the statements of a transaction do, at each isolation level. A statement is a generator: it yields what it needs and cannot have
 * while others hold it, and looks again at everything when it goes on.
 *
 * | level | a read | a write | the end |
 * | --- | --- | --- | --- |
 * | read committed | the latest committed rows, statement by statement | locks the row, then takes the latest | |
 * | repeatable read | locks the rows it finds, shared, to the end; but no rows that are not there yet | waits for readers, too | |
 * | snapshot | what was committed when the first statement began | locks the row, and fails if a newer version was committed | |
 * | serializable | as snapshot | as snapshot | fails if dependencies would form a cycle |
 *
 * Berenson et al., "A Critique of ANSI SQL Isolation Levels" (1995), tables 2 and 4: repeatable read by locks is theirs. What some
 * products call so is snapshot isolation. First committer wins is decided by locks as they are taken, as PostgreSQL does it.
 */
import { encodeValue, sameValue } from '../../../core/value.ts'
import type { ClientRequest } from '../clients.ts'
import { type Condition, type Row, satisfies } from './conditions.ts'
import { DatabaseError, type FailureReason } from './failures.ts'
import type { Locks, Need } from './locks.ts'
import type { Read } from './order.ts'
import { nameOf, type Slot, type Store, type Writes } from './store.ts'

export const isolationLevels = ['read committed', 'repeatable read', 'snapshot', 'serializable'] as const
export type Isolation = (typeof isolationLevels)[number]

/** A transaction as the server knows it. */
export interface Open {
  readonly id: number
  /** Its first statement. */
  readonly began: ClientRequest
  /** The commit that it sees, where it sees one. */
  readonly snapshot: number
  readonly writes: Writes
  /** Where it matters in the end. */
  readonly reads: Read[]
}

/** What a statement with a function of the client's asks before it goes on: what this row becomes. */
export class Change {
  readonly row: Row

  constructor(row: Row) {
    this.row = row
  }
}

/** Goes on when nobody holds what it needs any more, or with what a row becomes. */
export type Running<Result> = Generator<Need | Change, Result, Row | undefined>

export type Found = readonly [key: string, row: Row]

interface Asked {
  readonly table: string
  readonly where: Condition
  readonly mode: Need['mode']
}

/** By table: lists of fields whose values no two rows share. */
export type Constraints = ReadonlyMap<string, readonly (readonly string[])[]>

export class Statements {
  readonly #store: Store
  readonly #locks: Locks
  readonly #constraints: Constraints
  readonly #isolation: Isolation
  /** All that are not over, by number. */
  readonly #open: ReadonlyMap<number, Open>

  constructor(
    isolation: Isolation,
    parts: {
      readonly store: Store
      readonly locks: Locks
      readonly constraints: Constraints
      readonly open: ReadonlyMap<number, Open>
    },
  ) {
    this.#isolation = isolation
    this.#store = parts.store
    this.#locks = parts.locks
    this.#constraints = parts.constraints
    this.#open = parts.open
  }

  /** Of a client that has no snapshot of its own. */
  *get(transaction: Open, slot: Slot): Running<Row | undefined> {
    return this.#isByLocks ? yield* this.lock(transaction, slot, 'shared') : this.#visible(transaction, slot)
  }

  /** The same for all rows of a table that satisfy a condition. */
  *scan(transaction: Open, table: string, where: Condition): Running<readonly Found[]> {
    if (this.#isByLocks) return yield* this.#lockAll(transaction, { table, where, mode: 'shared' })
    return this.#found(transaction, table, where)
  }

  /** Locks the rows that it finds, one after the other. */
  *scanLocking(transaction: Open, table: string, where: Condition): Running<readonly Found[]> {
    return yield* this.#lockAll(transaction, { table, where, mode: 'exclusive' })
  }

  /** The row as it is when it is locked; what is not there cannot be. */
  *lock(transaction: Open, slot: Slot, mode: Need['mode']): Running<Row | undefined> {
    const need = { lock: nameOf(slot), mode }
    for (;;) {
      const isFree = this.#locks.blockers(transaction.id, need).length === 0
      const row = this.#visible(transaction, slot)
      // Rows that others are about to insert are in the way of readers that go by locks, and of nobody else.
      if (row === undefined && (isFree || !this.#isByLocks)) return undefined
      if (isFree) {
        this.#locks.take(transaction.id, need)
        this.#refuseNewer(transaction, slot)
        return row
      }
      yield need
    }
  }

  *put(transaction: Open, slot: Slot, row: Row): Running<void> {
    yield* this.#lockKey(transaction, slot)
    this.#refuseNewer(transaction, slot)
    yield* this.#write(transaction, slot, row)
  }

  *insert(transaction: Open, slot: Slot, row: Row): Running<void> {
    yield* this.#lockKey(transaction, slot)
    if (this.#current(transaction, slot) !== undefined) fail('unique', `${words(slot)} is there already`)
    this.#refuseNewer(transaction, slot)
    yield* this.#write(transaction, slot, row)
  }

  /** What the row became; nothing if there is none. Without a row to become, the client is asked. */
  *update(transaction: Open, slot: Slot, becomes: (row: Row) => Row | undefined): Running<Row | undefined> {
    const before = yield* this.lock(transaction, slot, 'exclusive')
    if (before === undefined) return undefined
    const row = becomes(before) ?? (yield new Change(before))
    // Where the client's function threw.
    if (row === undefined) return undefined
    yield* this.#write(transaction, slot, row)
    return row
  }

  /** Whether there was a row. */
  *delete(transaction: Open, slot: Slot): Running<boolean> {
    if ((yield* this.lock(transaction, slot, 'exclusive')) === undefined) return false
    yield* this.#write(transaction, slot, undefined)
    return true
  }

  get #isByLocks(): boolean {
    return this.#isolation === 'repeatable read'
  }

  get #hasSnapshot(): boolean {
    return this.#isolation === 'snapshot' || this.#isolation === 'serializable'
  }

  /** As the transaction has written it, or as it was committed last, or in its snapshot. */
  #visible(transaction: Open, slot: Slot): Row | undefined {
    const own = transaction.writes.get(nameOf(slot))
    return own !== undefined ? own.row : this.#store.row(slot, this.#hasSnapshot ? transaction.snapshot : undefined)
  }

  /** As the transaction has written it, or as it was committed last, seen or not. */
  #current(transaction: Open, slot: Slot): Row | undefined {
    const own = transaction.writes.get(nameOf(slot))
    return own !== undefined ? own.row : this.#store.row(slot)
  }

  #refuseNewer(transaction: Open, slot: Slot): void {
    if (!this.#hasSnapshot || this.#store.changed(slot) <= transaction.snapshot) return
    fail(
      'serialization',
      `serialization failure: ${words(slot)} was changed by another transaction, committed since this one began`,
    )
  }

  *#lockKey(transaction: Open, slot: Slot): Running<void> {
    yield* this.#take(transaction, { lock: nameOf(slot), mode: 'exclusive' })
  }

  *#take(transaction: Open, need: Need): Running<void> {
    while (this.#locks.blockers(transaction.id, need).length > 0) yield need
    this.#locks.take(transaction.id, need)
  }

  #found(transaction: Open, table: string, where: Condition): readonly Found[] {
    return this.#keys(transaction, table).flatMap((key): readonly Found[] => {
      const row = this.#visible(transaction, { table, key })
      return row !== undefined && satisfies(row, where) ? [[key, row]] : []
    })
  }

  #keys({ writes }: Open, table: string): readonly string[] {
    const written = [...writes.values()].filter(({ slot }) => slot.table === table).map(({ slot }) => slot.key)
    return [...new Set([...this.#store.keys(table), ...written])].sort()
  }

  /** Row by row in the order of their keys, as a table is scanned: what was locked stays locked while the next is waited for. */
  *#lockAll(transaction: Open, asked: Asked): Running<readonly Found[]> {
    const { table, where } = asked
    if (this.#isByLocks) return yield* this.#lockAsFound(transaction, asked)
    const found: Found[] = []
    // What the statement sees is decided when it begins; each row is looked at again when it is had.
    for (const [key] of this.#found(transaction, table, where)) {
      const row = yield* this.lock(transaction, { table, key }, 'exclusive')
      if (row !== undefined && satisfies(row, where)) found.push([key, row])
    }
    return found
  }

  /** Also what comes up behind the place where the scan has got to. */
  *#lockAsFound(transaction: Open, { table, where, mode }: Asked): Running<readonly Found[]> {
    const found: Found[] = []
    for (let last: string | undefined; ; ) {
      const key = this.#pendingKeys(table).find(
        (one) => (last === undefined || one > last) && this.#isTouched({ table, key: one }, where),
      )
      if (key === undefined) return found
      const slot = { table, key }
      const need = { lock: nameOf(slot), mode }
      while (this.#isTouched(slot, where) && this.#locks.blockers(transaction.id, need).length > 0) yield need
      const row = this.#visible(transaction, slot)
      if (row !== undefined && satisfies(row, where)) {
        this.#locks.take(transaction.id, need)
        found.push([key, row])
      }
      last = key
    }
  }

  /** Also those that somebody is about to insert. */
  #pendingKeys(table: string): readonly string[] {
    const written = [...this.#open.values()].flatMap((one) => this.#keys(one, table))
    return [...new Set([...this.#store.keys(table), ...written])].sort()
  }

  /** Whether a row satisfies a condition, or somebody is about to make it so: a reader that goes by locks meets it. */
  #isTouched(slot: Slot, where: Condition): boolean {
    const written = [...this.#open.values()].map(({ writes }) => writes.get(nameOf(slot))?.row)
    return [this.#store.row(slot), ...written].some((row) => satisfies(row, where))
  }

  /** The row is locked; what must be unique is locked as well, as it was and as it becomes. */
  *#write(transaction: Open, slot: Slot, row: Row | undefined): Running<void> {
    const before = this.#current(transaction, slot)
    for (const fields of this.#constraints.get(slot.table) ?? []) {
      const [was, is] = [valuesOf(before, fields), valuesOf(row, fields)]
      if (sameValue(was, is)) continue
      const lockOf = (values: readonly unknown[]) => encodeValue([slot.table, [...fields], [...values]] as never)
      for (const values of [was, is]) {
        if (values !== undefined) yield* this.#take(transaction, { lock: lockOf(values), mode: 'exclusive' })
      }
      if (is !== undefined) this.#refuseSecond(transaction, slot, { fields, is })
    }
    transaction.writes.set(nameOf(slot), { slot, row })
  }

  #refuseSecond(
    transaction: Open,
    { table, key }: Slot,
    unique: { fields: readonly string[]; is: readonly unknown[] },
  ) {
    const isSame = (row: Row | undefined) => sameValue(valuesOf(row, unique.fields), unique.is)
    const other = this.#keys(transaction, table).find(
      (one) => one !== key && isSame(this.#current(transaction, { table, key: one })),
    )
    if (other === undefined) return
    fail('unique', `${words({ table, key: other })} has the same ${unique.fields.join(', ')}, which must be unique`)
  }
}

/** As in SQL, rows without a value are like no other. */
export function valuesOf(row: Row | undefined, fields: readonly string[]): readonly unknown[] | undefined {
  const values = fields.map((field) => (row !== undefined && Object.hasOwn(row, field) ? row[field] : undefined))
  return values.some((value) => value === undefined || value === null) ? undefined : values
}

export function words({ table, key }: Slot): string {
  return `row "${key}" of ${table}`
}

function fail(reason: FailureReason, message: string): never {
  throw new DatabaseError(reason, message)
}
