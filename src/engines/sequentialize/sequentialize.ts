/**
 * Canonical sequentialization (Brisk §4, §5.2): proves for every size of the sets that no process waits for ever and no
 * failure is reached, by rewriting the program into a sequential one; or says why it has none that these rules find.
 */

import type { Icet } from '../../program/icet.ts'
import type { Attempt } from './attempt.ts'
import { notEnded } from './kernel.ts'
import { type Proof, type ProofStep, proofFormat } from './proof.ts'
import { type Reason, Refusal } from './refusal.ts'
import { initialState, type Obligation, type State } from './state.ts'
import { StaticFacts } from './static-facts.ts'
import { Strategy } from './strategy.ts'
import { asymmetricRaces } from './tags.ts'

export type Sequentialization =
  | { readonly kind: 'proved'; readonly proof: Proof }
  /** Proved but for assertions over data that constants do not decide. */
  | { readonly kind: 'assertions left'; readonly proof: Proof; readonly obligations: readonly Obligation[] }
  | {
      readonly kind: 'not canonical'
      readonly reason: Reason
      readonly message: string
      /** Statements it is about. */
      readonly statements: readonly number[]
      /** The longest part that could be made sequential, and what is left then. */
      readonly prefix: readonly ProofStep[]
      readonly rest: State
    }

export function sequentialize(icet: Icet): Sequentialization {
  const facts = new StaticFacts(icet)
  const [race] = asymmetricRaces(icet, facts)
  if (race !== undefined) {
    const statements = [race.receive.id, ...race.sends.map(({ statement }) => statement.id)]
    const message = `${race.process.name} may receive the message of either send`
    return {
      kind: 'not canonical',
      reason: 'asymmetric race',
      message,
      statements,
      prefix: [],
      rest: initialState(facts),
    }
  }
  const strategy = new Strategy()
  const attempt: Attempt = { state: initialState(facts), steps: [], isFinished: false }
  const failed = driven(strategy, attempt)
  if (failed === undefined) {
    const proof: Proof = { format: proofFormat, steps: attempt.steps }
    const { obligations } = attempt.state
    return obligations.length === 0 ? { kind: 'proved', proof } : { kind: 'assertions left', proof, obligations }
  }
  const { reason, message, statements } = worst([failed, ...strategy.refusals])
  return { kind: 'not canonical', reason, message, statements, prefix: attempt.steps, rest: attempt.state }
}

function driven(strategy: Strategy, attempt: Attempt): Refusal | undefined {
  try {
    strategy.drive(attempt, { iteration: undefined, isActive: () => true })
    return notEnded(attempt.state)
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

/** The refusal that says most about the program: those that name no statement only follow from others. */
function worst(refusals: readonly Refusal[]): Refusal {
  const order: readonly Reason[] = [
    'asymmetric race',
    'possible failure',
    'indiscriminate communication',
    'superfluous send',
    'loop-carried termination',
    'unmatched receive',
    'no such step',
  ]
  const rank = ({ reason, statements }: Refusal): number =>
    order.indexOf(reason) + (statements.length > 0 ? 0 : order.length)
  return refusals.reduce((worse, refusal) => (rank(refusal) < rank(worse) ? refusal : worse))
}
