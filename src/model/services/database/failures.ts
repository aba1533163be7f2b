/** Why a database gave a transaction up, as its clients learn it: a rejected promise, with the code that SQL has for it. */
import { OwnError } from '../../../core/own-error.ts'

const codes = {
  /** Others committed what does not fit what this transaction has seen. */
  serialization: '40001',
  /** It would have waited for one that waits for it. */
  deadlock: '40P01',
  /** Another row has the key, or the values of a unique constraint. */
  unique: '23505',
  /** An earlier statement failed, and the transaction with it. */
  aborted: '25P02',
} as const

export type FailureReason = keyof typeof codes

/** The transaction has come to nothing. Which failures can be tried again is the business of who began it. */
export class DatabaseError extends OwnError {
  override readonly name = 'DatabaseError'
  readonly reason: FailureReason
  /** As in SQL: `40001`, `40P01`, `23505` or `25P02`. */
  readonly code: string

  constructor(reason: FailureReason, message: string) {
    super(message)
    this.reason = reason
    this.code = codes[reason]
  }
}
