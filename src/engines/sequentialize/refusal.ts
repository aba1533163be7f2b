import type { NotCanonicalReason } from '../../core/evidence.ts'
import type { Literal } from '../../program/icet.ts'

/** Why a step is not allowed. */
export type Reason =
  | NotCanonicalReason
  /** Not a step of any proof. */
  | 'no such step'

export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly reason: Reason
  /** Statements it is about. */
  readonly statements: readonly number[]
  /** Variables that an iteration changes although it was said to leave them alone. */
  readonly changed: readonly Changed[]

  constructor(
    reason: Reason,
    message: string,
    about: { readonly statements?: readonly number[]; readonly changed?: readonly Changed[] } = {},
  ) {
    super(message)
    this.reason = reason
    this.statements = about.statements ?? []
    this.changed = about.changed ?? []
  }
}

export interface Changed {
  readonly party: string
  readonly variable: string
  /** All values that it has before and after iterations, if they are few. */
  readonly among?: readonly Literal[]
}
