/**
 * A state of all processes at once, symbolically (Brisk §4, "symbolic states"): where every process stands, what it knows,
 * and which messages are under way.
 *
 * A set of symmetric processes is one party, whose position, variables and messages are those of each of its members. At most
 * one member of each set is told apart at a time. Where the paper keeps residual processes (§4.3) that still have to
 * send what was sent on the side, messages stay under way here: from each member of a set, from some member, or so many
 * times, with what they have in common as the snapshot. It is the same over-approximation, and there is one kind of pending
 * message instead of two.
 */
import type { Count, IcetProcess, Literal } from '../../program/icet.ts'
import type { Knowledge, Truth } from './knowledge.ts'
import { keyOfPosition, liveVariables, type Position } from './position.ts'
import { Refusal } from './refusal.ts'
import { type DomainOf, forget, keyOf, leavesOf, mapLeaves, type Value } from './value.ts'

/** Never changed: a step replaces the party in the map. */
export interface Party {
  readonly id: string
  readonly process: IcetProcess
  readonly form: 'one' | 'member' | 'set'
  readonly position: Position
  readonly store: ReadonlyMap<string, Value>
  /**
   * Of a member: which one it is has not mattered so far, so it can still be the one that a certain receive takes from (the
   * prophecy of the proof of Theorem 4.1).
   */
  readonly isFree: boolean
  /** Of a member: symbols from here on are its own. */
  readonly bornAt: number
  /** Of a set: it is known to have no members, so that it does not matter where they stand. */
  readonly isEmpty: boolean
}

/** Messages under way from one party to another, of which there are as many as `count` says, or one. */
export interface Entry {
  /** Undefined: any. */
  readonly kinds: readonly string[] | undefined
  readonly value: Value
  readonly count: Count | undefined
  /** The send it comes from. */
  readonly site: number
  /** Of many messages that iterations left: whether others came between them. */
  readonly isInterleaved: boolean
}

/** The one member of a set that is told apart. No process is called so: "#" and "/" do not occur in names. */
export function memberOf(set: string): string {
  return `${set}#`
}

export function lostIn({ process }: Party, variable: string | undefined): Lost {
  return { process: process.name, ...(variable === undefined ? {} : { variable }) }
}

/** The declaration of a party, a member that is told apart, or some members. */
export function declarationOf(id: string): string {
  return id.endsWith('#') || id.endsWith('/') ? id.slice(0, -1) : id
}

/** Some members of a set, it is not known which, as senders. */
export function someOf(set: string): string {
  return `${set}/`
}

/** Where a value was when it was no longer followed. */
export interface Lost {
  readonly process?: string
  readonly variable?: string
  /** What earlier rounds of a loop left there. */
  readonly isCarried?: boolean
}

/** Copied before each step that may fail. The maps are copied, their contents are shared and never changed in place. */
export class Configuration implements Knowledge {
  readonly parties: Map<string, Party>
  /** By sender and receiver, in the order they were sent. */
  readonly queues: Map<string, readonly Entry[]>
  /** By text of the condition: what was decided on the way here. */
  truths: ReadonlyMap<string, Truth>
  /** By symbol: the only values it can have. */
  domains: ReadonlyMap<number, readonly Literal[]>
  /** Symbols that count rounds: whole numbers from 0 to below this. */
  indices: ReadonlyMap<number, Count>
  /** Symbols for values that are not followed, with the variable that has them: no execution need have what they may be. */
  lost: ReadonlyMap<number, Lost>
  /** Symbols grow in the order of their making, so that `bornAt` of a member tells its own from older ones. */
  #nextSymbol: number

  constructor(from?: Configuration) {
    this.parties = new Map(from?.parties)
    this.queues = new Map(from?.queues)
    this.truths = from?.truths ?? new Map()
    this.domains = from?.domains ?? new Map()
    this.indices = from?.indices ?? new Map()
    this.lost = from?.lost ?? new Map()
    this.#nextSymbol = from?.nextSymbol ?? 0
  }

  get nextSymbol(): number {
    return this.#nextSymbol
  }

  /** Symbols of another configuration that grew out of this one are not used again. */
  skipSymbols(next: number): void {
    this.#nextSymbol = Math.max(this.#nextSymbol, next)
  }

  freshSymbol(domain?: readonly Literal[]): Value {
    const id = this.#nextSymbol++
    if (domain !== undefined) this.domains = new Map([...this.domains, [id, domain]])
    return { kind: 'symbol', id }
  }

  /** Of the symbols as they are known now. */
  get domainOf(): DomainOf {
    const { domains } = this
    return (symbol) => domains.get(symbol)
  }

  freshIndex(count: Count): Value {
    const id = this.#nextSymbol++
    this.indices = new Map([...this.indices, [id, count]])
    return { kind: 'symbol', id }
  }

  party(id: string): Party {
    const party = this.parties.get(id)
    if (party === undefined) throw new Refusal('no such step', `there is no process ${id} here`)
    return party
  }

  /** A process at the head of a `while` keeps only what it may still read: otherwise no two rounds would be alike. */
  update(id: string, change: Partial<Pick<Party, 'position' | 'store' | 'isFree' | 'isEmpty'>>): void {
    const party = { ...this.party(id), ...change }
    const top = party.position.at(-1)
    if (top?.block[top.at]?.kind !== 'while') this.parties.set(id, party)
    else {
      const live = liveVariables(party.position)
      this.parties.set(id, { ...party, store: new Map([...party.store].filter(([name]) => live.has(name))) })
    }
  }

  assign(id: string, variable: string | undefined, value: Value): void {
    if (variable === undefined) return
    const party = this.party(id)
    this.parties.set(id, { ...party, store: new Map([...party.store, [variable, value]]) })
  }

  queue(from: string, to: string): readonly Entry[] {
    return this.queues.get(channel(from, to)) ?? []
  }

  setQueue(from: string, to: string, entries: readonly Entry[]): void {
    if (entries.length === 0) this.queues.delete(channel(from, to))
    else this.queues.set(channel(from, to), entries)
  }

  /** Everywhere: stores, messages, conditions. */
  substitute(change: (leaf: Value) => Value): void {
    for (const party of this.parties.values()) {
      this.parties.set(party.id, { ...party, store: mapStore(party.store, (value) => mapLeaves(value, change)) })
    }
    for (const [key, entries] of this.queues) {
      this.queues.set(
        key,
        entries.map((entry) => ({ ...entry, value: mapLeaves(entry.value, change) })),
      )
    }
  }

  /** In place of each value that is unknown, because members or iterations have different ones: a symbol of its own. */
  freshen(value: Value, lost: Lost = {}): Value {
    return mapLeaves(value, (leaf) => {
      if (leaf.kind !== 'unknown') return leaf
      if (leaf.among === undefined) this.lost = new Map([...this.lost, [this.#nextSymbol, lost]])
      return this.freshSymbol(leaf.among)
    })
  }

  /** Where every party stands and what is under way, without what parties know. */
  shape(): string {
    const parties = [...this.parties.values()].map(({ id, position }) => `${id}=${keyOfPosition(position)}`)
    const queues = [...this.queues].map(([key, entries]) => `${key}:${entries.length}`)
    return [...parties.sort(), ...queues.sort()].join(' ')
  }
}

/** A line break cannot occur in names. */
function channel(from: string, to: string): string {
  return `${from}\n${to}`
}

export function endsOf(key: string): readonly [from: string, to: string] {
  const middle = key.indexOf('\n')
  return [key.slice(0, middle), key.slice(middle + 1)]
}

export function mapStore(store: ReadonlyMap<string, Value>, change: (value: Value) => Value): Map<string, Value> {
  return new Map([...store].map(([name, value]) => [name, change(value)]))
}

/** As all members of the set have it in common, after one of them, told apart as `member`, has had it. */
export function commonOf(value: Value, set: string, bornAt: number, domainOf: DomainOf): Value {
  const member = memberOf(set)
  const named = mapLeaves(value, (leaf) =>
    leaf.kind === 'process' && leaf.id === member ? { kind: 'self', set } : leaf,
  )
  return forget(named, (leaf) => leaf.kind === 'symbol' && leaf.id >= bornAt, domainOf)
}

export function mentions(value: Value, process: string): boolean {
  return [...leavesOf(value)].some((leaf) => leaf.kind === 'process' && leaf.id === process)
}

export function isSameCount(left: Count | undefined, right: Count | undefined): boolean {
  if (left === undefined || right === undefined) return left === right
  if (left.kind === 'number') return right.kind === 'number' && left.value === right.value
  return right.kind === 'parameter' && left.name === right.name && (left.plus ?? 0) === (right.plus ?? 0)
}

/** Whether the one is at least the other, whatever the sizes are. */
export function isAtLeast(count: Count, other: Count): boolean {
  if (count.kind === 'number') return other.kind === 'number' && count.value >= other.value
  return other.kind === 'parameter' && count.name === other.name && (count.plus ?? 0) >= (other.plus ?? 0)
}

/** Whether two iterations leave the same; where it was sent from does not matter. */
export function sameEntry(left: Entry, right: Entry): boolean {
  return (
    left.kinds?.join() === right.kinds?.join() &&
    isSameCount(left.count, right.count) &&
    keyOf(left.value) === keyOf(right.value)
  )
}
