/** What was recorded of an object while it was used: its calls, and what they are compared with. */
import type { Call, History } from '../core/history.ts'
import type { Value } from '../core/value.ts'
import type { MadeSpecification } from './specification.ts'

export interface RecordedCalls {
  readonly history: History
  readonly specification: MadeSpecification
  /** Calls that failed and are left out. */
  readonly failed: number
  /** For a history of several objects of one kind: which one a call belongs to. */
  readonly objectOf: ((call: Call) => Value | undefined) | undefined
  /** Whether an order that explains the results is wanted; without one, the answer can come faster. */
  readonly witness: boolean
}
