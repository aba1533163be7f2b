/** What a verdict rests on, as plain data: reports draw it, and readers can check it. */
import type { Event } from './event.ts'
import type { EndedProcess, Violation } from './property.ts'
import type { Decision } from './trace.ts'

export type Evidence = ExecutionEvidence

/** A violation the judge has replayed. */
export interface Counterexample {
  readonly violation: Violation
  readonly decisions: readonly Decision[]
  readonly events: readonly Event[]
  /** Events of the execution in which it was found, before those without influence were left out. */
  readonly foundIn: number
  readonly processes: readonly EndedProcess[]
}

export interface ExecutionEvidence extends Counterexample {
  readonly kind: 'execution'
}

export function execution(counterexample: Counterexample): ExecutionEvidence {
  return { kind: 'execution', ...counterexample }
}
