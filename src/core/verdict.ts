/** Verdicts: five kinds, each with its scope and counts. There is no Boolean, and sampling can never say "verified". */
import type { Event } from './event.ts'
import type { FaultBudget } from './faults.ts'
import type { NetworkName } from './operation.ts'
import type { EndedProcess, Violation } from './property.ts'
import type { Decision, Params } from './trace.ts'

/** What was explored. Engines add the counts they have; sums over work units are counts again. */
export interface Counts {
  /** Complete executions, one per equivalence class of the engine. */
  readonly executions: number
  /** Executions that ended with a process waiting or stopped. Every explored execution is in exactly one of the two. */
  readonly blocked: number
  /** Events added to executions. */
  readonly events: number
  /** Length of the longest execution. */
  readonly longest: number
  /** Of searches that remember states, which then explore no executions. */
  readonly states?: number | undefined
  readonly transitions?: number | undefined
}

/** What a search that remembers states has explored. */
export interface SearchCounts {
  readonly states: number
  readonly transitions: number
  /** States with a move, all of whose moves are visible. */
  readonly irreducible: number
  /** Paths followed to their end: a final state, or one met before. */
  readonly traces: number
  /** Distinct final states. */
  readonly finals: number
}

/** What a verdict speaks about. */
export interface Scope {
  readonly engine: string
  readonly network: NetworkName | 'fifo-eager'
  readonly params: Params
  readonly seed: number
  /** Bounds the user set, which change what is verified: at most so many operations per process. */
  readonly maxSteps?: number | undefined
  /** 'ignored' when the user allowed executions that end with processes waiting. */
  readonly deadlock: 'error' | 'allow'
  /** What may go wrong between and in machines, or how often with processes. */
  readonly faults?: Faults | FaultBudget | undefined
}

/** Faults of a system of machines. */
export interface Faults {
  /** Messages may get lost. */
  readonly loss: boolean
  /** Bound: how often each message may be delivered again. */
  readonly duplicates: number
  /** Bound: how often each machine may crash. */
  readonly crashes: number
}

export function areOfMachines(faults: Faults | FaultBudget): faults is Faults {
  return 'loss' in faults
}

/** A violation the judge has replayed. */
export interface Counterexample {
  readonly violation: Violation
  readonly decisions: readonly Decision[]
  readonly events: readonly Event[]
  /** Events of the execution in which it was found, before those without influence were left out. */
  readonly foundIn: number
  readonly processes: readonly EndedProcess[]
}

/** Which budget ended a search. */
export type BudgetName = 'time' | 'executions' | 'memory' | 'interrupt'

export const unitFormat = 'allways-unit/1'

/** Plain data; only the engine that made it reads `state`. */
export interface WorkUnit {
  readonly format: typeof unitFormat
  readonly engine: string
  readonly state: unknown
}

export type Verdict =
  | { readonly kind: 'proved'; readonly scope: Scope; readonly counts: Counts }
  | { readonly kind: 'verified'; readonly scope: Scope; readonly counts: Counts }
  | { readonly kind: 'passed'; readonly scope: Scope; readonly counts: Counts }
  | {
      readonly kind: 'violated'
      readonly scope: Scope
      readonly counts: Counts
      readonly counterexample: Counterexample
      /** With `keepGoing`, further distinct violations. */
      readonly others: readonly Counterexample[]
      /** Whether the search went on to its end, so that there are no other violations than these. */
      readonly exhausted: boolean
    }
  | {
      readonly kind: 'incomplete'
      readonly scope: Scope
      readonly counts: Counts
      readonly because: BudgetName
      /** Estimated share of the search that was explored, in [0, 1]. */
      readonly explored: number
      readonly remaining: readonly WorkUnit[]
    }

export type VerdictKind = Verdict['kind']

export const noCounts: Counts = { executions: 0, blocked: 0, events: 0, longest: 0 }

export function addCounts(left: Counts, right: Counts): Counts {
  return {
    executions: left.executions + right.executions,
    blocked: left.blocked + right.blocked,
    events: left.events + right.events,
    longest: Math.max(left.longest, right.longest),
    ...added('states', left, right),
    ...added('transitions', left, right),
  }
}

function added(name: 'states' | 'transitions', left: Counts, right: Counts): Partial<Counts> {
  if (left[name] === undefined && right[name] === undefined) return {}
  return { [name]: (left[name] ?? 0) + (right[name] ?? 0) }
}
