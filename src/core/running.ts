/**
 * Which process is running user code right now. The model, the determinism guard and the loop counter need to know, and user
 * code sits between them and whoever resumed it, so it is the one piece of state that cannot be passed along.
 */
import { type Diagnostic, DiagnosticError } from './diagnostic.ts'

interface Running {
  /** Id of the process whose code runs, or nobody. */
  process: string | undefined
  /** Loop iterations left before the next operation; see `model/coroutine.ts`. */
  fuel: number
  /** Calls of async functions begun but not awaited so far. */
  unawaited: number
  /** The mistake the process made, kept here because user code may catch what is thrown. */
  mistake: Diagnostic | undefined
}

export const running: Running = { process: undefined, fuel: 0, unawaited: 0, mistake: undefined }

/** Loop iterations a process may make between two operations. */
export const loopLimit = 10_000_000

/** Reports the mistake of the running process from inside its own code, so that the stack shows the user's line. */
export function mistake(diagnostic: Diagnostic): never {
  const error = new DiagnosticError({ ...diagnostic, stack: diagnostic.stack ?? new Error().stack })
  running.mistake ??= error.diagnostic
  throw error
}
