/** Constructs outside the provable subset: thrown where they are met, turned into diagnostics where the translation goes on. */
import type { Diagnostic } from '../../../core/diagnostic.ts'
import type { DiagnosticCode } from '../../../core/diagnostic-codes.ts'

/** Ends the translation of one statement. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  /** Undefined: the reason has been reported before. */
  readonly diagnostic: Diagnostic | undefined

  constructor(diagnostic: Diagnostic | undefined) {
    super(diagnostic?.message ?? 'follows from an earlier refusal')
    this.diagnostic = diagnostic
  }
}

/** What is wrong, and the rewrite that brings it inside. */
export interface Complaint {
  readonly code: DiagnosticCode
  readonly message: string
  readonly hint: string
}

export const notUpFront = (what: string, hint: string): Complaint => ({
  code: 'E408',
  message: `${what}: prove needs all processes to be spawned at the beginning, outside loops and conditions`,
  hint,
})

export const undecided = (what: string, hint: string): Complaint => ({
  code: 'E413',
  message: `prove does not decide ${what}`,
  hint,
})

export const notAnAddress = (message: string, hint: string): Complaint => ({ code: 'E415', message, hint })

export const outside = (construct: string, hint: string): Complaint => ({
  code: 'E416',
  message: `${construct} is outside the subset of TypeScript that prove reads`,
  hint,
})

export const sharedVariable = (name: string, hint: string): Complaint => ({
  code: 'E412',
  message: `${name} is shared between processes`,
  hint,
})

export const notRepeatable = (name: string): Complaint => ({
  code: 'E209',
  message: `a process uses ${name}, which is not the same each time`,
  hint: 'use choose(…) where several values are possible',
})
