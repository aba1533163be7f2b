/** What repairs are computed from: an execution as accesses, in the order they happened (thesis §2.1). */
import type { CodeSite } from '../../core/code.ts'

export interface RecordedAccess {
  readonly process: number
  /** The method invocation it belongs to: unique in the execution, and every invocation belongs to one process. */
  readonly call: number
  readonly site: CodeSite
  /**
   * The call sites of the frames above, outermost first: the first stands in the operation's method. Absent or empty, the
   * access stands in the operation's method itself.
   */
  readonly callers?: readonly CodeSite[] | undefined
  /** Consecutive accesses of a call with the same number happened at once. Absent, the access happened by itself. */
  readonly step?: number | undefined
  /** Objects have one number throughout the execution. */
  readonly object: number
  /** Field, element or entry; -1 is the whole object. */
  readonly part: number
  readonly mode: 'read' | 'write'
  /** Accesses of locks order executions, but they are not conflicts to repair. */
  readonly isLock: boolean
}

export interface RecordedExecution {
  readonly accesses: readonly RecordedAccess[]
}
