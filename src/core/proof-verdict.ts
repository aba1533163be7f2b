/** Verdicts for every number of processes: proved, with the sequential program that shows it; or not, with the reason. */
import type { Place } from './diagnostic.ts'
import type { Params } from './trace.ts'
import type { BudgetName } from './verdict.ts'

export interface ProofScope {
  readonly engine: 'sequentialize'
  /** Sizes range over all whole numbers from `least` on. */
  readonly parameters: readonly { readonly name: string; readonly least: number }[]
}

/** A line of a sequential program. */
export interface SequentialLine {
  readonly depth: number
  readonly text: string
  /** The statement it stands for; of a message, the receive. */
  readonly place: Place | undefined
  /** Of a message: where it is sent. */
  readonly sentAt?: Place | undefined
}

/** Where a process, or every member of a set, stands in what could not be made sequential. */
export interface RestingProcess {
  readonly process: string
  readonly isSet: boolean
  readonly isDaemon: boolean
  /** Nothing when it has ended. */
  readonly at: { readonly place: Place; readonly text: string } | undefined
}

/** Why a program has no canonical sequentialization, as far as was found. The first four are those of Brisk §2.3. */
export type NotCanonicalReason =
  | 'asymmetric race'
  | 'superfluous send'
  | 'indiscriminate communication'
  | 'loop-carried termination'
  /** A process waits for a message that the prover cannot match with a send: often a deadlock. */
  | 'unmatched receive'
  /** An assertion or a failure that is not excluded. */
  | 'possible failure'

export interface NotCanonical {
  readonly reason: NotCanonicalReason
  readonly message: string
  /** The statements it is about, the first one first. */
  readonly places: readonly { readonly place: Place; readonly text: string }[]
  /** The longest part that could be made sequential, and what is left. */
  readonly prefix: readonly SequentialLine[]
  readonly rest: readonly RestingProcess[]
  /** Messages under way then. */
  readonly underWay: readonly string[]
}

export interface AssertionAnswer {
  readonly place: Place
  readonly message: string
  readonly answer: 'proved' | 'refuted' | 'unknown'
  readonly why: string | undefined
}

/** What exploring small sizes has shown beside. */
export interface BoundedSearch {
  /** All executions of these sizes were explored, without a violation. */
  readonly sizes: readonly Params[]
  readonly executions: number
  /** Sizes that a budget ended, and which. */
  readonly unfinished: readonly Params[]
  readonly because: BudgetName | undefined
}

export type ProofVerdict =
  | {
      readonly kind: 'proved'
      readonly scope: ProofScope
      readonly steps: number
      readonly sequential: readonly SequentialLine[]
      readonly assertions: readonly AssertionAnswer[]
    }
  | {
      readonly kind: 'incomplete'
      readonly scope: ProofScope
      /** Undefined: proved but for assertions. */
      readonly notCanonical: NotCanonical | undefined
      readonly sequential: readonly SequentialLine[]
      readonly assertions: readonly AssertionAnswer[]
      readonly bounded: BoundedSearch
    }
