/** The contract of engines. An engine never prints, reads a clock, touches files or starts threads; whoever drives it does. */
import type { Diagnostic } from '../core/diagnostic.ts'
import type { PropertyKind, Violation } from '../core/property.ts'
import type { Decision } from '../core/trace.ts'
import type { SearchCounts, WorkUnit } from '../core/verdict.ts'
import type { ViewName, Views } from '../program/program.ts'

export type { WorkUnit } from '../core/verdict.ts'

/** How processes are picked where it makes no difference to the result. */
export type ScheduleName = 'sends-first' | 'left-to-right' | 'right-to-left' | 'random'

/** What an engine may depend on beside its view; equal settings and seeds give equal searches. */
export interface EngineSetting {
  readonly seed: number
  readonly schedule: ScheduleName
  /** dpor only: also enumerate the order in which unread messages arrive, to show what lazy ordering saves. */
  readonly eager: boolean
  /** Sampling engines only: how many executions. */
  readonly samples: number
  /** pct only: how many priority changes. */
  readonly depth: number
  /** stateful only; the lazy reduction with safe sets unless told otherwise. */
  readonly stateful?: StatefulSetting | undefined
}

/** How a search that remembers states chooses which processes to follow from each. */
export interface StatefulSetting {
  /** Everything; safe sets alone (S-POR); source sets on top of them, found eagerly (DE-S-POR) or lazily (DL-S-POR). */
  readonly reduction: 'none' | 'safe' | 'eager' | 'lazy'
  /** False: the safe set of a state is every process that can move. */
  readonly safeSets: boolean
  /** Forget states: explore a tree of executions. Programs with loops then have no end. */
  readonly stateless: boolean
  readonly order: 'sequential' | 'random'
  /** sequential only: processes in the order they are tried; those left out come last, by number. */
  readonly permutation?: readonly number[] | undefined
  /** Systems of machines only, which have no reduction: breadth first unless told otherwise. */
  readonly search?: 'depth' | 'breadth' | undefined
}

export type EngineEvent =
  | {
      readonly kind: 'execution'
      readonly blocked: boolean
      /** Events added since the last execution, and events in this one. */
      readonly events: number
      readonly length: number
      /** The share of the unit's part of the search explored so far, in [0, 1], as estimated from how the search branched. */
      readonly explored: number
      /** This execution as decisions; to be called before the engine is resumed. */
      readonly decisions: () => readonly Decision[]
    }
  | {
      readonly kind: 'violation'
      readonly violation: Violation
      readonly decisions: readonly Decision[]
      /** Events of the execution it was found in, of which the decisions may be the relevant part only. */
      readonly foundIn: number
    }
  | {
      /** Searches that remember states: now and then. Counts and share are those of the unit so far. */
      readonly kind: 'progress'
      readonly counts: SearchCounts
      readonly explored: number
    }
  | {
      /** Searches that remember states: once per distinct final state. */
      readonly kind: 'ending'
      readonly counts: SearchCounts
      /** Equal for equal final states and only for those. */
      readonly key: string
      readonly violation: Violation | undefined
      /** An execution that leads there; to be called before the engine is resumed. */
      readonly decisions: () => readonly Decision[]
    }
  | { readonly kind: 'diagnostic'; readonly diagnostic: Diagnostic }
  | { readonly kind: 'surplus'; readonly unit: WorkUnit }

/**
 * What the driver may ask when it resumes an engine: `share` = hand out part of the remaining work as surplus, if there is
 * any to spare; `surrender` = hand out all of it and end. Together with what was explored, surplus covers the whole unit.
 */
export type EngineRequest = 'share' | 'surrender' | undefined

export interface Engine<V extends ViewName = ViewName> {
  readonly name: string
  /** One line for `list` and the README's table. */
  readonly summary: string
  readonly needs: V
  /** Asking for another kind is a diagnostic that names the engines that decide it. */
  readonly decides: readonly PropertyKind[]
  /** What a search that ended without a violation may say. */
  readonly claims: 'proved' | 'verified' | 'passed'
  /** The whole search as one unit of work. */
  root(): WorkUnit
  explore(subject: Views[V], setting: EngineSetting, unit: WorkUnit): Generator<EngineEvent, void, EngineRequest>
}
