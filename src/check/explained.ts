/** Mistakes of the user that show where nobody can see what they are: the program is asked again. */
import { type Diagnostic, DiagnosticError } from '../core/diagnostic.ts'
import type { Paths } from '../program/path.ts'
import { probeDeterminism } from '../semantics/determinism.ts'

/** What in a program is the reason that it does not repeat itself, if one run shows it. */
export function probeQuietly(subject: Paths): Diagnostic | undefined {
  try {
    return probeDeterminism(subject)
  } catch (error) {
    return error instanceof DiagnosticError ? error.diagnostic : undefined
  }
}

/** The better of two diagnostics for the same mistake: engines see that replay failed, the guard or a probe sees why. */
export function explained(diagnostic: Diagnostic, subject: Paths): Diagnostic {
  if (diagnostic.code !== 'E201' || diagnostic.place !== undefined || diagnostic.stack !== undefined) return diagnostic
  return probeQuietly(subject) ?? diagnostic
}
