/** Errors of the check, not of user code: they end a step or a search. */

import { type Diagnostic, DiagnosticError } from '../../core/diagnostic.ts'
import { OwnError } from '../../core/own-error.ts'

/** The last one, kept here because user code may catch what is thrown while it runs. */
export const lastThrown: { error: Error | undefined } = { error: undefined }

export abstract class SearchError extends OwnError {
  constructor(message?: string) {
    super(message)
    lastThrown.error = this
  }
}

/** A field that no source line assigns was assigned after all, through a computed name or a native function. */
export class AssignedAfterAllError extends SearchError {
  override readonly name = 'AssignedAfterAllError'
}

/** Makes or runs something anew each time a field turns out to be assigned: once that is known, its reads are accesses. */
export function untilKnown<T>(make: () => T): T {
  for (;;) {
    try {
      return make()
    } catch (error) {
      if (!(error instanceof AssignedAfterAllError)) throw error
    }
  }
}

/** A process had to wait inside lines that must run without interruption: this step is impossible. */
export class BlockedInsideError extends SearchError {
  override readonly name = 'BlockedInsideError'
}

/** Ends the search, whatever the user code around it catches. */
export function refuse(diagnostic: Diagnostic): never {
  lastThrown.error = new DiagnosticError(diagnostic)
  throw lastThrown.error
}
