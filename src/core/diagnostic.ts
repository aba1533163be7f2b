/** The user's mistakes: values with a stable code, a place and a hint; never exceptions that escape to a stack trace. */

import type { DiagnosticCode } from './diagnostic-codes.ts'
import { OwnError } from './own-error.ts'

export interface Place {
  readonly file: string
  /** From 1. */
  readonly line: number
  /** From 1. */
  readonly column: number
}

export interface Diagnostic {
  readonly code: DiagnosticCode
  readonly message: string
  readonly hint: string
  readonly place?: Place | undefined
  /** JavaScript stack to be mapped to a place by the host, when no place is known yet. */
  readonly stack?: string | undefined
  /** Source text around the place, already framed by the host. */
  readonly frame?: string | undefined
}

export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] }

export function success<T>(value: T): Result<T> {
  return { ok: true, value }
}

export function failure(...diagnostics: readonly Diagnostic[]): Result<never> {
  return { ok: false, diagnostics }
}

/** Carries a diagnostic out of user code or an engine's inner loop; whoever drives turns it back into a value. */
/** The value, where diagnostics are thrown and caught further out. */
export function orThrow<T>(result: Result<T>): T {
  if (result.ok) return result.value
  const [first, ...others] = result.diagnostics
  if (first === undefined) throw new Error('a failure says why')
  throw new DiagnosticError(first, ...others)
}

export class DiagnosticError extends OwnError {
  override readonly name = 'DiagnosticError'
  readonly diagnostic: Diagnostic
  /** All mistakes that were found together, the one above first. */
  readonly diagnostics: readonly Diagnostic[]

  constructor(diagnostic: Diagnostic, ...others: readonly Diagnostic[]) {
    super(`${diagnostic.code}: ${diagnostic.message}`)
    this.diagnostic = diagnostic
    this.diagnostics = [diagnostic, ...others]
  }
}
