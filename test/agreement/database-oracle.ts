/**
 * What transactions may come to at each isolation level, by trying every order of their statements. Written from the definitions, and
 * naively: versions are a list of commits, locks are looked up in what transactions have done, a serializable transaction is one for
 * which some order of all that were committed, tried one after the other, explains every read and every version.
 */
import type { Ending, Fields, Scene, SceneEnd, Script } from './database-scripts.ts'

type Level = 'read committed' | 'repeatable read' | 'snapshot' | 'serializable'
type Rows = ReadonlyMap<string, Fields>

interface Party {
  readonly script: readonly Script[]
  readonly seen: unknown[]
  /** Statements done. */
  at: number
  end: Ending['end'] | undefined
  /** How many commits it sees, once it sees any. */
  began: number | undefined
  readonly writes: Map<string, Fields | undefined>
  readonly held: Map<string, 'S' | 'X'>
  /** Keys and conditions that it read in its snapshot, with the versions that it found. */
  readonly reads: { readonly of: string | number; readonly found: string }[]
  /** What its statement waits for, and how far that has got. */
  waits: { readonly name: string; readonly mode: 'S' | 'X' } | undefined
  steps: Iterator<'waits', unknown> | undefined
  /** Its client is gone, and the database may not know. */
  isGone: boolean
}

/** What happens next: a client does something, the database learns that a client is gone, or a client crashes. */
interface Move {
  readonly does: 'step' | 'notice' | 'crash' | 'restart'
  readonly party: number
}

/** All endings, as texts. */
export function endingsOf(scene: Scene, level: Level): ReadonlySet<string> {
  const endings = new Set<string>()
  const explore = (schedule: readonly Move[]): void => {
    const play = new Play(scene, level)
    for (const move of schedule) play.take(move)
    const next = play.moves()
    if (next.length === 0) endings.add(JSON.stringify(play.end()))
    for (const move of [...next, ...play.crashes()]) explore([...schedule, move])
  }
  explore([])
  return endings
}

class Play {
  readonly #level: Level
  readonly #parties: Party[]
  /** Each commit with what it wrote; the first is what there was. */
  readonly #commits: { readonly by: number; readonly writes: ReadonlyMap<string, Fields | undefined> }[]
  /** In the order in which they began to wait. */
  #queue: number[] = []
  /** Who plays the part of each transaction of the scene: another one, if its client has begun again. */
  readonly #playing: number[]
  #crashes: number
  #restarts: number

  constructor(scene: Scene, level: Level) {
    this.#level = level
    this.#commits = [{ by: -1, writes: new Map(Object.entries(scene.rows)) }]
    this.#parties = scene.transactions.map(newParty)
    this.#playing = [...this.#parties.keys()]
    this.#crashes = scene.crashes ?? 0
    this.#restarts = scene.restarts ?? 0
  }

  /** What must happen; a crash must not. */
  moves(): readonly Move[] {
    return this.#parties.flatMap(({ end, waits, isGone }, party): readonly Move[] => {
      if (end !== undefined) return []
      if (isGone) return [{ does: 'notice', party }]
      return waits === undefined ? [{ does: 'step', party }] : []
    })
  }

  /** Also of one that has ended: then nobody has heard of the end. Who has done nothing does not begin again. */
  crashes(): readonly Move[] {
    if (this.#crashes === 0) return []
    return this.#playing.flatMap((party): readonly Move[] => {
      const { isGone, began, end } = this.#parties[party] as Party
      if (isGone) return []
      const restarts = this.#restarts > 0 && (began !== undefined || end !== undefined)
      return [{ does: 'crash', party }, ...(restarts ? [{ does: 'restart', party } as const] : [])]
    })
  }

  end(): SceneEnd {
    const transactions = this.#playing.map((one): Ending => {
      const { seen, end, isGone } = this.#parties[one] as Party
      return isGone ? { seen: [], end: 'crashed' } : { seen, end: end as Ending['end'] }
    })
    return { transactions, rows: sorted(this.#committed()) }
  }

  take({ does, party: number }: Move): void {
    const party = this.#parties[number] as Party
    if (does === 'step') return this.#step(number)
    if (does === 'notice') {
      this.#queue = this.#queue.filter((one) => one !== number)
      this.#ends(party, 'rolled back')
      return this.#wake()
    }
    party.isGone = true
    this.#crashes--
    if (does === 'crash') return
    this.#restarts--
    this.#playing[this.#playing.indexOf(number)] = this.#parties.length
    this.#parties.push(newParty(party.script))
  }

  #step(number: number): void {
    const party = this.#parties[number] as Party
    const statement = party.script[party.at]
    if (statement === undefined) this.#commit(number, party)
    else if (statement.does === 'roll back') this.#ends(party, 'rolled back')
    else {
      party.began ??= this.#commits.length
      party.steps = this.#perform(party, statement)
      this.#goOn(number)
    }
    this.#wake()
  }

  #wake(): void {
    for (let next = this.#unblocked(); next !== undefined; next = this.#unblocked()) {
      const woken = next
      this.#queue = this.#queue.filter((one) => one !== woken)
      this.#goOn(woken)
    }
  }

  #unblocked(): number | undefined {
    return this.#queue.find((one) => this.#inTheWay(this.#parties[one] as Party).length === 0)
  }

  #goOn(number: number): void {
    const party = this.#parties[number] as Party
    party.waits = undefined
    try {
      const result = (party.steps as Iterator<'waits', unknown>).next()
      if (result.done !== true) {
        if (this.#waitsForItself(party)) this.#ends(party, 'deadlock')
        else this.#queue.push(number)
        return
      }
      party.seen.push(result.value)
      party.at++
    } catch (error) {
      if (!(error instanceof Failed)) throw error
      this.#ends(party, error.end)
    }
  }

  #waitsForItself(party: Party): boolean {
    let reached: readonly Party[] = this.#inTheWay(party)
    for (let round = 0; round < this.#parties.length; round++) {
      if (reached.includes(party)) return true
      reached = reached.flatMap((one) => this.#inTheWay(one))
    }
    return false
  }

  #inTheWay({ waits, ...party }: Party): readonly Party[] {
    if (waits === undefined) return []
    return this.#parties.filter(({ held, end }) => {
      const mode = end === undefined ? held.get(waits.name) : undefined
      return held !== party.held && mode !== undefined && (mode === 'X' || waits.mode === 'X')
    })
  }

  #ends(party: Party, end: Ending['end']): void {
    party.end = end
    party.waits = undefined
    party.held.clear()
  }

  get #sees(): boolean {
    return this.#level === 'snapshot' || this.#level === 'serializable'
  }

  #committed(until = this.#commits.length): Rows {
    return applied(this.#commits.slice(0, until).map(({ writes }) => writes))
  }

  #visible(party: Party): Rows {
    return applied([this.#committed(this.#sees ? party.began : undefined), party.writes])
  }

  *#take(party: Party, name: string, mode: 'S' | 'X'): Generator<'waits', void> {
    for (;;) {
      party.waits = { name, mode }
      if (this.#inTheWay(party).length === 0) break
      yield 'waits'
    }
    party.waits = undefined
    if (party.held.get(name) !== 'X') party.held.set(name, mode)
  }

  *#perform(party: Party, statement: Exclude<Script, { does: 'roll back' }>): Generator<'waits', unknown> {
    switch (statement.does) {
      case 'get':
        this.#reads(party, statement.key)
        return (yield* this.#row(party, statement.key, this.#level === 'repeatable read' ? 'S' : undefined)) ?? 'none'
      case 'lock':
        this.#reads(party, statement.key)
        return (yield* this.#row(party, statement.key, 'X')) ?? 'none'
      case 'scan':
        this.#reads(party, statement.from)
        if (this.#level === 'repeatable read') return yield* this.#scanned(party, statement.from, 'S')
        return sorted(this.#visible(party)).filter(([, { n }]) => n >= statement.from)
      case 'scan to lock':
        this.#reads(party, statement.from)
        return yield* this.#scanned(party, statement.from, 'X')
      case 'put':
      case 'insert': {
        yield* this.#take(party, statement.key, 'X')
        const isThere = applied([this.#committed(), party.writes]).has(statement.key)
        if (statement.does === 'insert' && isThere) throw new Failed('unique')
        this.#firstCommitterWins(party, statement.key)
        yield* this.#write(party, statement.key, statement.row)
        return statement.does === 'put' ? 'put' : 'inserted'
      }
      default: {
        this.#reads(party, statement.key)
        const row = yield* this.#row(party, statement.key, 'X')
        if (row === undefined) return statement.does === 'delete' ? false : 'none'
        if (statement.does === 'delete') yield* this.#write(party, statement.key, undefined)
        else yield* this.#write(party, statement.key, changed(row, statement))
        return statement.does === 'delete' ? true : party.writes.get(statement.key)
      }
    }
  }

  /** One row, locked if it is there; waiting for it, it may go or change. */
  *#row(party: Party, key: string, mode: 'S' | 'X' | undefined): Generator<'waits', Fields | undefined> {
    if (mode === undefined) return this.#visible(party).get(key)
    for (;;) {
      party.waits = { name: key, mode }
      const isHeld = this.#inTheWay(party).length > 0
      const row = this.#visible(party).get(key)
      if (row === undefined && (this.#level !== 'repeatable read' || !isHeld)) {
        party.waits = undefined
        return undefined
      }
      if (!isHeld) {
        yield* this.#take(party, key, mode)
        this.#firstCommitterWins(party, key)
        return row
      }
      yield 'waits'
    }
  }

  *#scanned(party: Party, from: number, mode: 'S' | 'X'): Generator<'waits', unknown> {
    const found: (readonly [string, Fields])[] = []
    const names = ['a', 'b', 'c', 'd', 'e']
    const before = this.#visible(party)
    for (const key of names) {
      if (this.#level === 'repeatable read') {
        const isMet = (): boolean =>
          [this.#committed().get(key), ...this.#live().map(({ writes }) => writes.get(key))].some(
            (row) => row !== undefined && row.n >= from,
          )
        party.waits = { name: key, mode }
        while (isMet() && this.#inTheWay(party).length > 0) {
          yield 'waits'
          party.waits = { name: key, mode }
        }
        party.waits = undefined
        const row = this.#visible(party).get(key)
        if (row === undefined || row.n < from) continue
        yield* this.#take(party, key, mode)
        found.push([key, row])
      } else if ((before.get(key)?.n ?? Number.NEGATIVE_INFINITY) >= from) {
        const row = yield* this.#row(party, key, mode)
        if (row !== undefined && row.n >= from) found.push([key, row])
      }
    }
    return found
  }

  #live(): readonly Party[] {
    return this.#parties.filter(({ end }) => end === undefined)
  }

  #firstCommitterWins(party: Party, key: string): void {
    if (!this.#sees) return
    if (this.#commits.slice(party.began).some(({ writes }) => writes.has(key))) throw new Failed('serialization')
  }

  *#write(party: Party, key: string, row: Fields | undefined): Generator<'waits', void> {
    const [was, is] = [applied([this.#committed(), party.writes]).get(key)?.u, row?.u]
    if (was !== is) {
      for (const u of [was, is]) if (u !== undefined) yield* this.#take(party, `u=${u}`, 'X')
      const others = [...applied([this.#committed(), party.writes])].filter(([other]) => other !== key)
      if (is !== undefined && others.some(([, { u }]) => u === is)) throw new Failed('unique')
    }
    party.writes.set(key, row)
  }

  #commit(number: number, party: Party): void {
    if (this.#level === 'serializable' && party.began !== undefined && !this.#isInOrder(number)) {
      this.#ends(party, 'serialization')
      return
    }
    this.#commits.push({ by: number, writes: party.writes })
    this.#ends(party, 'committed')
  }

  /** What a read finds in its snapshot, as versions: who wrote them. */
  #reads(party: Party, of: string | number): void {
    if (typeof of === 'string' && party.writes.has(of)) return
    const commits = this.#commits.slice(0, party.began)
    party.reads.push({ of, found: versions(commits, of) })
  }

  /** Whether some order of those that were committed, this one among them, explains what each has read and written over. */
  #isInOrder(number: number): boolean {
    const done = this.#commits.slice(1).map(({ by }) => by)
    const writers = [...done, number]
    return permutations(writers).some((order) => {
      const commits = [
        this.#commits[0] as { by: number; writes: Rows },
        ...order.map((by) => ({ by, writes: (this.#parties[by] as Party).writes })),
      ]
      const isRead = order.every((by, at) =>
        (this.#parties[by] as Party).reads.every(({ of, found }) => versions(commits.slice(0, at + 1), of) === found),
      )
      const keys = new Set(writers.flatMap((by) => [...(this.#parties[by] as Party).writes.keys()]))
      const written = (key: string, among: readonly number[]): string =>
        among.filter((by) => (this.#parties[by] as Party).writes.has(key)).join()
      return isRead && [...keys].every((key) => written(key, order) === written(key, writers))
    })
  }
}

function newParty(script: readonly Script[]): Party {
  return {
    script,
    seen: [],
    at: 0,
    end: undefined,
    began: undefined,
    writes: new Map(),
    held: new Map(),
    reads: [],
    waits: undefined,
    steps: undefined,
    isGone: false,
  }
}

class Failed extends Error {
  readonly end: Ending['end']

  constructor(end: Ending['end']) {
    super(end)
    this.end = end
  }
}

function changed(row: Fields, statement: Script): Fields {
  if (statement.does === 'add') return { ...row, n: row.n + statement.by }
  return statement.does === 'set' ? { ...row, ...statement.row } : row
}

function applied(all: readonly ReadonlyMap<string, Fields | undefined>[]): Rows {
  const rows = new Map<string, Fields>()
  for (const writes of all) {
    for (const [key, row] of writes) {
      if (row === undefined) rows.delete(key)
      else rows.set(key, row)
    }
  }
  return rows
}

function sorted(rows: Rows): readonly (readonly [string, Fields])[] {
  return [...rows].sort(([left], [right]) => (left < right ? -1 : 1))
}

/** Who wrote the version of a key; of a condition, of all rows that satisfy it. */
function versions(
  commits: readonly { readonly by: number; readonly writes: ReadonlyMap<string, Fields | undefined> }[],
  of: string | number,
): string {
  const writer = (key: string) => commits.findLast(({ writes }) => writes.has(key))?.by
  if (typeof of === 'string') return `${writer(of)}`
  const rows = applied(commits.map(({ writes }) => writes))
  return sorted(rows)
    .filter(([, { n }]) => n >= of)
    .map(([key]) => `${key} of ${writer(key)}`)
    .join()
}

function permutations(of: readonly number[]): readonly (readonly number[])[] {
  if (of.length === 0) return [[]]
  return of.flatMap((first) => permutations(of.filter((one) => one !== first)).map((rest) => [first, ...rest]))
}
