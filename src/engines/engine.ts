/** The contract of engines. An engine never prints, reads a clock, touches files or starts threads; whoever drives it does. */
import type { Diagnostic } from '../core/diagnostic.ts'
import type { Evidence } from '../core/evidence.ts'
import type { OptionDeclarations, Options } from '../core/options.ts'
import type { PropertyKind, Violation } from '../core/property.ts'
import type { Decision } from '../core/trace.ts'
import type { CountedAs, Counts, Rest, WorkUnit } from '../core/verdict.ts'
import type { ViewName, Views } from '../program/program.ts'

export type { OptionDeclarations, Options } from '../core/options.ts'
export type { CountedAs, Counts, WorkUnit } from '../core/verdict.ts'

export type EngineEvent =
  | {
      readonly kind: 'execution'
      readonly blocked: boolean
      /** Events added since they were last told, and events in this one. */
      readonly events: number
      readonly length: number
      /** The share of the unit's part of the search explored so far, in [0, 1], as estimated from how the search branched. */
      readonly explored: number
      /** This execution as decisions; to be called before the engine is resumed. */
      readonly decisions: () => readonly Decision[]
      /** What went wrong on the way, where that may have been told of another unit; to be called before the engine is resumed. */
      readonly violations?: (() => readonly Violation[]) | undefined
    }
  | {
      readonly kind: 'violation'
      readonly violation: Violation
      readonly decisions: readonly Decision[]
      /** Decisions of the execution it was found in, of which these may be the relevant part only. */
      readonly foundIn: number
      /** As in `progress`, so that a search that ends here has counted alike whatever units it was cut into. */
      readonly counts?: Counts | undefined
      /** If decisions stand for several steps each: those of single steps. To be called when the search is over. */
      readonly expand?: (() => readonly Decision[]) | undefined
      /** Of an execution without end: how many of the decisions come before those that repeat for ever. */
      readonly repeatsFrom?: number | undefined
    }
  | {
      /** Now and then: what the unit has counted so far beside its executions, and the share of it. */
      readonly kind: 'progress'
      readonly counts: Counts
      readonly explored: number
      /** Work goes on, and is no nearer to its end: a time to look at the clock, and no sign of progress. */
      readonly isBreath?: boolean | undefined
      /** Steps that executions grew by in the second half of the work so far, from engines that can be compared by it. */
      readonly pace?: number | undefined
      /** What is so at the moment and is no count, such as how many states wait to be left; to be called before the engine is resumed. */
      readonly now?: (() => Counts) | undefined
      /** Options that were left to the engine, as it chose them. */
      readonly picked?: Options | undefined
    }
  | {
      /** Searches that remember states: once per distinct final state. */
      readonly kind: 'ending'
      readonly counts: Counts
      /** Equal for equal final states and only for those. */
      readonly key: string
      readonly violation: Violation | undefined
      /** An execution that leads there; to be called before the engine is resumed. */
      readonly decisions: () => readonly Decision[]
    }
  | {
      /** What the engine's claim rests on; or what it found instead, so that it claims nothing. */
      readonly kind: 'evidence'
      readonly evidence: Evidence
      /** False: the search ends without a decision, which says nothing against the program. */
      readonly decides: boolean
    }
  | { readonly kind: 'diagnostic'; readonly diagnostic: Diagnostic }
  | { readonly kind: 'surplus'; readonly unit: WorkUnit }
  /** There is no room to go on, however much memory the budget leaves. */
  | { readonly kind: 'full' }
  /** All executions of as many steps as the bound allows were explored, and some of them go on. */
  | { readonly kind: 'bound' }
  /** Instead of surplus, to `surrender`: what is left cannot be written down, and a later run starts again. */
  | { readonly kind: 'unsaved' }

/**
 * What the driver may ask when it resumes an engine: `share` = hand out part of the remaining work as surplus, if there is
 * any to spare; `surrender` = hand out all of it and end. Together with what was explored, surplus covers the whole unit.
 */
export type EngineRequest = 'share' | 'surrender' | undefined

/** What whoever drives an engine lets it use. */
export interface Means {
  /** Bytes that may still be taken. */
  room(): number
}

export interface Engine<V extends ViewName = ViewName> {
  readonly name: string
  /** One line for `list` and the README's table. */
  readonly summary: string
  readonly needs: V
  /** Whether it judges executions without end with these options; without it, with all, if it decides liveness. */
  judgesEndless?(options: Options): boolean
  /** Asking for another kind is a diagnostic that names the engines that decide it. */
  readonly decides: readonly PropertyKind[]
  /** What is in the way of deciding it for this program. */
  refuses?(subject: Views[V]): Diagnostic | undefined
  /** What a search that ended without a violation may say. */
  readonly claims: 'proved' | 'verified' | 'passed'
  /** What can be chosen; equal options and units give equal searches. */
  readonly options: OptionDeclarations
  readonly counted: CountedAs
  /** A `whole` search cannot be split: it is neither saved nor resumed, and starts again instead. */
  readonly units: 'split' | 'whole'
  /** Whether a bound on steps is one on how long executions are, and not on what each process does. */
  readonly boundsLength?: boolean | undefined
  /**
   * The share of the whole search that a unit stands for. Engines that have it answer `share`, so that their search can be several
   * threads'; others can at most be saved.
   */
  weighs?(unit: WorkUnit, options: Options): number
  /** Whether what is said to be explored and the units that are said to be left are all of a search, and nothing twice. */
  addsUp?(rest: Rest, options: Options): boolean
  /** Explores a unit, or everything. Options are complete and checked. */
  explore(
    subject: Views[V],
    options: Options,
    unit?: WorkUnit,
    means?: Means,
  ): Generator<EngineEvent, void, EngineRequest>
}
