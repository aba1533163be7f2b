/**
 * Proofs as plain data: which rule was applied where. What follows from a step is not written down; the
 * checker computes it (`kernel.ts`).
 *
 * The rules of Brisk §4 and the ones it only mentions, as steps:
 *   R-SEND, R-RECV                    send, receive
 *   R-SEND-RESID, R-RCV-RESID,
 *   R-COMPOSE-RESID                   what is sent on the side stays under way (`configuration.ts`)
 *   R-IF-THEN, R-IF-ELSE              step, on a condition that is decided
 *   R-BRANCH                          branch
 *   R-WHILE-REPEAT, R-WHILE-REMOVE    step, into the loop; step, on its `break`
 *   R-SEND-UNFOLD, R-RECV-UNFOLD      unfold, or the member an iteration is about
 *   R-NONDET-RCV                      unfold, receive, fold
 *   R-LOOP-UPD                        iterate, over a set
 *   R-LOOP-REPEAT                     iterate, over nothing
 *   pairs of loops                    iterate, with several leaders
 *   symmetric removal (prototype)     iterate, over a set and without a leader
 *   R-CONTEXT, R-CONGRUENCE           steps of one process leave the others alone
 */
import type { Changed } from './refusal.ts'

export const proofFormat = 'allways-proof/2'

export interface Proof {
  readonly format: typeof proofFormat
  readonly steps: readonly ProofStep[]
}

export type ProofStep =
  /** A statement that concerns no other party. */
  | { readonly rule: 'step'; readonly party: string; readonly statement: number }
  | { readonly rule: 'send'; readonly party: string; readonly statement: number; readonly to: string }
  | { readonly rule: 'receive'; readonly party: string; readonly statement: number; readonly from: string }
  /** A condition that is not decided, or a choice: every case, up to where they agree again. */
  | {
      readonly rule: 'branch'
      readonly party: string
      readonly statement: number
      readonly arms: readonly (readonly ProofStep[])[]
    }
  /** The set has no members, or the loop no rounds, where a size is known to be nothing. */
  | { readonly rule: 'empty'; readonly set: string }
  | { readonly rule: 'skip'; readonly party: string; readonly statement: number }
  /** Tell an arbitrary member of the set apart; make it one of many again. */
  | { readonly rule: 'unfold'; readonly set: string }
  | { readonly rule: 'fold'; readonly set: string }
  | Iterate

/** One arbitrary iteration stands for all. */
export interface Iterate {
  readonly rule: 'iterate'
  /** Processes whose loops run together, iteration by iteration. */
  readonly leaders: readonly { readonly party: string; readonly statement: number }[]
  /** The set of which each iteration moves another member, which then stays where it got. */
  readonly over: string | undefined
  /** Messages under way, as many as there are iterations, of which each iteration takes one. */
  readonly takes: readonly { readonly from: string; readonly to: string; readonly index: number }[]
  /** Variables that iterations may change: nothing is known about them, or that they are one of few values. */
  readonly havoc: readonly Changed[]
  readonly body: readonly ProofStep[]
}
