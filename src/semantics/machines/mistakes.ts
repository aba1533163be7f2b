/**
 * Mistakes of the user's in handlers and invariants. They come to light where a handler runs, and under a search that also
 * tries what can never happen that proves nothing: so they travel as violations, and become diagnostics where the
 * execution that leads to them is known.
 */
import { type Diagnostic, DiagnosticError } from '../../core/diagnostic.ts'
import type { Violation } from '../../core/property.ts'

const diagnostics = new WeakMap<Violation, Diagnostic>()

export function mistakenViolation(
  kind: 'exception' | 'invariant',
  diagnostic: Diagnostic,
  process: string | undefined,
): Violation {
  const { message, stack } = diagnostic
  const violation: Violation = { kind, property: message, message, process, stack }
  diagnostics.set(violation, diagnostic)
  return violation
}

/** The diagnostic behind a violation that is really a mistake. */
export function mistakeBehind(violation: Violation): Diagnostic | undefined {
  return diagnostics.get(violation)
}

/** For those who know that the violation can happen. */
export function refuseMistakes(violation: Violation): void {
  const diagnostic = diagnostics.get(violation)
  if (diagnostic !== undefined) throw new DiagnosticError(diagnostic)
}
