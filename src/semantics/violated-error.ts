/** Ends a process of our own making that found a violation: the violation is already in the words a user reads. */
import { OwnError } from '../core/own-error.ts'
import type { Violation } from '../core/property.ts'

export class ViolatedError extends OwnError {
  override readonly name = 'ViolatedError'
  readonly violation: Violation

  constructor(violation: Violation) {
    super(violation.message)
    this.violation = violation
  }
}
