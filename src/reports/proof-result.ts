/** What reports about proofs are made of: a verdict, and what the host knows about it. */
import type { ProofVerdict } from '../core/proof-verdict.ts'

export interface ReportedProof {
  readonly kind: 'proof'
  readonly program: string
  /** As the user would type it. */
  readonly file: string
  readonly verdict: ProofVerdict
  readonly seconds: number
  /** Source lines around the first place of what is not canonical, framed as in `Diagnostic.frame`. */
  readonly frames: readonly string[]
  /** Explores chosen sizes. */
  readonly checkCommand?: string | undefined
}
