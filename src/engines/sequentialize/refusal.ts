/** Why a step is not allowed. The first four are the ways in which a program has no canonical sequentialization (Brisk §2.3). */
export type Reason =
  | 'asymmetric race'
  | 'superfluous send'
  | 'indiscriminate communication'
  | 'loop-carried termination'
  /** A process waits for a message that the prover cannot match with a send: often a deadlock. */
  | 'unmatched receive'
  /** An assertion or a failure that is not excluded. */
  | 'possible failure'
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
}
