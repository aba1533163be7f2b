/**
 * The port to what carries a search to workers on other machines and keeps what they found: a run. It is made of units, each of which is a
 * list of work units that stand next to each other in the order of one thread, and is explored for a while by somebody. What he
 * counted and what he left, as further units, is the record of the unit. There is one record of each unit, however often it was explored,
 * and everything is computed from records: so workers, and whoever submitted the search, may die and others go on.
 */
import type { Diagnostic } from '../core/diagnostic.ts'
import type { Rest, WorkUnit } from '../core/verdict.ts'
import type { Known } from '../core/witness.ts'
import type { Driven } from './driver.ts'

/** What is left of a unit, in order: shares of the whole search, each explored on its own. */
export interface Piece {
  readonly weight: number
  readonly units: readonly WorkUnit[]
}

export interface UnitRecord {
  readonly id: string
  /** Without what is left. */
  readonly driven: Driven
  /** What is left, in order. */
  readonly children: readonly { readonly id: string; readonly weight: number }[]
  /** What happened in its executions. */
  readonly seen: Known
}

export interface News {
  /** Of those that were not told before; records of units come after that of the unit that left them. */
  readonly records: readonly UnitRecord[]
  /** These are all records there are: others that were told have got lost, and their units are explored again. */
  readonly anew?: boolean | undefined
  /** A unit that ended all workers that explored it. */
  readonly deadly?: string | undefined
  /** What ends the run, because nobody can go on with it. */
  readonly wrong?: Diagnostic | undefined
}

export interface Carrier {
  /** Milliseconds of a search that are over before it is worth to begin a run. */
  readonly after: number
  /** Whether there is a run that somebody else began. */
  readonly isBegun: boolean
  /** What carries it may be away: once the search is to end, that is not waited for any more. */
  heed(isSpent: () => boolean): void
  /** Begins a run: what was explored here is the record of its first unit. */
  begin(driven: Driven, left: readonly Piece[]): Promise<void>
  news(): Promise<News>
  /** Says how a unit that ended its workers is explored alone, without them: so many work units, with which what is left begins. */
  deadly(id: string, units: number, rest: Rest): Diagnostic
  /** Nobody needs these units any more. */
  drop(ids: readonly string[]): Promise<void>
  /** Everybody writes down what is left. */
  leave(): Promise<void>
  /** How many explore a unit now. */
  busy(): Promise<number>
  /** What units without a record stand for. */
  unitsOf(ids: readonly string[]): Promise<ReadonlyMap<string, readonly WorkUnit[]>>
  /** After a search that ended: what workers have to say of the program, which they have called on their own; `aborted` if nobody waits for it. */
  finish(): Promise<Diagnostic | 'aborted' | undefined>
  /** Says that what is left could not be had, and how another submitter goes on; nothing of the run is removed. */
  unfinished(): Diagnostic
  /** Of the records that count. */
  tell(seen: ReadonlyMap<string, Known>): void
  /** Until there may be news. */
  wait(): Promise<void>
  /** Nothing of the run is kept, unless another submitter has to go on with it. */
  end(): Promise<void>
}

/** So many pieces of about the same weight at most, of units that stand next to each other. */
export function piecesOf(
  units: readonly WorkUnit[],
  weigh: (unit: WorkUnit) => number,
  many: number,
): readonly Piece[] {
  const weights = units.map(weigh)
  const each = weights.reduce((sum, weight) => sum + weight, 0) / many
  const pieces: { weight: number; units: WorkUnit[] }[] = []
  for (const [at, unit] of units.entries()) {
    const weight = weights[at] as number
    const last = pieces.at(-1)
    if (last === undefined || (last.weight >= each && pieces.length < many)) pieces.push({ weight, units: [unit] })
    else {
      last.units.push(unit)
      last.weight += weight
    }
  }
  return pieces
}
