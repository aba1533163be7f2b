/** The contract of drivers: who runs which work unit, when a search must stop, and what is left of it then. */
import type { Diagnostic } from '../core/diagnostic.ts'
import type { Evidence } from '../core/evidence.ts'
import type { Violation } from '../core/property.ts'
import type { ShardAccount } from '../core/shard.ts'
import type { Decision } from '../core/trace.ts'
import type { BudgetName, Counts, WorkUnit } from '../core/verdict.ts'
import type { Engine, Options } from '../engines/engine.ts'
import type { ViewName, Views } from '../program/program.ts'

/** What is explored: everything, or the units that a checkpoint left of it. */
export interface Search {
  readonly engine: Engine
  readonly subject: Views[ViewName]
  readonly options: Options
  readonly units?: readonly WorkUnit[] | undefined
}

/** What ends a search before it is exhausted. Each speaks of this run alone, not of the runs it resumes. */
export interface Budget {
  readonly milliseconds?: number | undefined
  /** Explored executions, complete and blocked together. */
  readonly executions?: number | undefined
  /** Resident memory of this process. */
  readonly bytes?: number | undefined
}

/** How the driver learns of time and memory and lets others run; injected, so that tests own both. */
export interface Host {
  /** Milliseconds from any fixed start. */
  now(): number
  /** Milliseconds of work of the processors for this process, however busy the machine is; by default as `now`. */
  readonly worked?: (() => number) | undefined
  /** Bytes resident. */
  memory(): number
  /** The most bytes that the process ever took. */
  readonly peak?: (() => number) | undefined
  /** Lets timers and signals happen. */
  pause(): Promise<void>
}

export interface Progress {
  readonly counts: Counts
  readonly violations: number
  readonly milliseconds: number
  /** The share of the whole search explored in this run, in [0, 1], as the engine estimates it. */
  readonly explored: number
  /** See `EngineEvent`. */
  readonly now?: Counts | undefined
  /** What was found and is being repeated, once that takes longer than anybody waits without a word. */
  readonly confirming?: Confirming | undefined
}

export interface Confirming {
  readonly violations: number
  /** Of the first. */
  readonly steps: number | undefined
}

/** Says what is wrong with an execution, if anything; takes a breath now and then, as executions may be long. */
type Audit = (decisions: readonly Decision[], isKnown: (violation: Violation) => boolean) => Auditing
export type Auditing = Iterator<undefined, Diagnostic | undefined, undefined>

export interface Watch {
  readonly budget: Budget
  /** Go on after a violation and collect all that differ. */
  readonly keepGoing: boolean
  readonly signal?: { readonly aborted: boolean } | undefined
  /** Called at most every 100 ms. */
  readonly onProgress?: ((progress: Progress) => void) | undefined
  readonly sharing?: Sharing | undefined
  /** Looks at the first executions and at ever fewer later ones, and is told what was found so far; a diagnostic ends the search. */
  readonly audit?: Audit | undefined
}

/**
 * How long a slice is: so long, or until the engine has shown so many signs of progress, if that takes longer; or less, if
 * there were as many signs as are wanted.
 */
export interface Slice {
  readonly milliseconds: number
  readonly signs?: number | undefined
  readonly atLeast?: { readonly signs: number; readonly withinMilliseconds: number } | undefined
}

/** How a search that is a part of one gives away a part of itself. */
export interface Sharing {
  /** Whether somebody has nothing to do; asked about once a millisecond, and once for each time that somebody wants something. */
  isAsked(): boolean
  /** What comes after all that is left of this search, and before all that it gave before. */
  given(units: readonly WorkUnit[]): void
  /** The share of the whole search that is explored; told about once a millisecond. */
  explored(share: number): void
}

/** A violation as the engine reports it: not yet judged. */
export interface Found {
  readonly violation: Violation
  readonly decisions: readonly Decision[]
  readonly foundIn: number
  /** See `EngineEvent`. */
  readonly expand?: (() => readonly Decision[]) | undefined
  readonly repeatsFrom?: number | undefined
}

/** `undecided`: the engine went to its end and claims nothing. `outrun`: another search for the same answer had it first. */
export type EndOfSearch = 'exhausted' | 'undecided' | 'violation' | 'diagnostic' | 'outrun' | BudgetName

/** Of a search that explored only a part of its units: the others are left. */
export function withRest(driven: Driven, rest: readonly WorkUnit[]): Driven {
  if (rest.length === 0) return driven
  if (driven.because === 'exhausted' || driven.because === 'undecided')
    return { ...driven, because: 'units', remaining: rest }
  // What a budget left may be too much to be written down: then it is none.
  const isWhole = isBudget(driven.because) && driven.remaining.length > 0
  return isWhole ? { ...driven, remaining: [...driven.remaining, ...rest] } : driven
}

const budgets: ReadonlySet<EndOfSearch> = new Set(['time', 'executions', 'memory', 'units', 'interrupt', 'steps'])

/** Whether a search was ended by a budget, and might have gone on. */
export function isBudget(because: EndOfSearch): because is BudgetName {
  return budgets.has(because)
}

export interface Driven {
  readonly because: EndOfSearch
  readonly counts: Counts
  /** See `Progress`. */
  readonly explored: number
  /** Distinct violations, in the order they were found. */
  readonly found: readonly Found[]
  /** What the engine's claim rests on, or what it found instead. */
  readonly evidence: readonly Evidence[]
  readonly diagnostic?: Diagnostic | undefined
  /** What a budget left unexplored: with what was counted, the whole search. Nothing of a search that cannot be split. */
  readonly remaining: readonly WorkUnit[]
  /** See `EngineEvent`. */
  readonly picked?: Options | undefined
  readonly shard?: DrivenShard | undefined
}

/** What was explored of a shard. */
export interface DrivenShard extends Omit<ShardAccount, 'foundIn'> {
  /** By `violationKey`: the piece in which it was found first. */
  readonly foundIn: ReadonlyMap<string, number>
}

export type Driver = (search: Search, watch: Watch, host: Host) => Promise<Driven>
