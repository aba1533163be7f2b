/** What a local search has done; `states` are states of machines, `traces` soundness checks. */
import type { Counts } from '../../core/verdict.ts'

export interface LocalCounts extends Counts {
  readonly states: number
  readonly transitions: number
  readonly irreducible: number
  readonly traces: number
  readonly finals: number
  /** Events on the way to the deepest states of all machines together, as they were first met (LMC §5: depth). */
  readonly depth: number
  /** Distinct messages ever sent. */
  readonly messages: number
  /** Combinations of states that were made to be checked against an invariant. */
  readonly systemStates: number
  readonly soundnessChecks: number
  /** Preliminary violations that no execution leads to. */
  readonly rejected: number
}
