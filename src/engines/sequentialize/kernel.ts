/**
 * The rules, and nothing else: what follows from a step, or why it is not allowed. The search for a proof goes through here
 * (`strategy.ts`), and so does the check of one; a proof holds if every step is allowed and every process has ended.
 *
 * Why that suffices (after the proof of Theorem 4.1, made for what is checked here). Take any execution, for any sizes. Follow
 * the proof, unrolled for these sizes, and choose as the execution does: the options of choices, and for a receive from anyone
 * the sender it has in the execution. The rule for receives makes sure that there is such a choice; if the execution gets
 * stuck before, any will do. Then every event of the unrolled proof is one of the execution: look at the first that is not;
 * its process has done everything before it, and what it waits for has been sent, so the execution could have gone on. As
 * every process has ended and nothing is under way where the proof ends, the execution has no other events either. So no process
 * waits for ever, and no failure happens that the proof does not go through: `fail` leaves as an obligation that what is known where it
 * stands cannot be, and nothing follows it.
 */
import type { Icet } from '../../program/icet.ts'
import { fold, receive, send, unfold } from './communication-rules.ts'
import { endsOf, type Party } from './configuration.ts'
import { emptySet, skipLoop } from './empty-rules.ts'
import { iterate } from './iterate-rule.ts'
import { branch, localStep, tryValue } from './local-rules.ts'
import { headOf } from './position.ts'
import { type Proof, type ProofStep, proofFormat } from './proof.ts'
import { Refusal } from './refusal.ts'
import { initialState, type State } from './state.ts'
import { StaticFacts } from './static-facts.ts'
import { partyText } from './value-text.ts'

/** Throws a refusal. The state given is used up. */
export function apply(state: State, step: ProofStep): State {
  if (state.isExcluded) throw new Refusal('no such step', 'nothing happens after a failure')
  switch (step.rule) {
    case 'step':
      localStep(state, step)
      return state
    case 'send':
      send(state, step)
      return state
    case 'receive':
      receive(state, step)
      return state
    case 'unfold':
      unfold(state, step.set)
      return state
    case 'fold':
      fold(state, step.set)
      return state
    case 'empty':
      emptySet(state, step)
      return state
    case 'skip':
      skipLoop(state, step)
      return state
    case 'branch':
      return branch(state, step, applyAll)
    case 'iterate':
      return iterate(state, step, applyAll)
  }
}

export function applyAll(state: State, steps: readonly ProofStep[]): State {
  return steps.reduce(apply, state)
}

/** Why the proof does not end here, if it does not. */
export function notEnded(state: State): Refusal | undefined {
  if (state.isExcluded) return new Refusal('possible failure', 'every execution may fail', failures(state))
  for (const party of state.configuration.parties.values()) {
    if (party.isEmpty) continue
    if (party.form === 'member') return new Refusal('no such step', `${party.id} is still told apart`)
    const at = waitingAt(party)
    if (at === 'ended' || (at === 'waits' && party.process.daemon && isWaitingWell(state, party))) continue
    const head = headOf(party.position)
    const statements = head === undefined ? [] : [head.id]
    if (head?.kind === 'fail') return new Refusal('possible failure', `${party.process.name} may fail`, { statements })
    const reason = head?.kind === 'while' ? 'loop-carried termination' : 'unmatched receive'
    const goal = head?.kind === 'while' ? 'leave its loop' : 'come to its end'
    return new Refusal(reason, `${party.process.name} is not sure to ${goal}`, { statements })
  }
  for (const [key, entries] of state.configuration.queues) {
    const [from, to] = endsOf(key)
    if (isEmpty(state, from) || isEmpty(state, to)) continue
    const statements = entries.map(({ site }) => site)
    return new Refusal('superfluous send', `a message from ${partyText(from)} to ${partyText(to)} is not taken`, {
      statements,
    })
  }
  return undefined
}

function isEmpty({ configuration }: State, id: string): boolean {
  return configuration.parties.get(id)?.isEmpty === true
}

function failures({ obligations }: State): { readonly statements: readonly number[] } {
  return { statements: obligations.map(({ statement }) => statement) }
}

/** At a receive, perhaps at the beginning of a loop. */
function waitingAt({ position }: Party): 'ended' | 'waits' | 'moves' {
  let head = headOf(position)
  if (head === undefined) return position.length === 0 ? 'ended' : 'moves'
  while (head?.kind === 'while') head = head.body[0]
  return head?.kind === 'receive' ? 'waits' : 'moves'
}

/** A receive by sender must have an address to wait for. */
function isWaitingWell(state: State, party: Party): boolean {
  let head = headOf(party.position)
  while (head?.kind === 'while') head = head.body[0]
  if (head?.kind !== 'receive' || head.from === undefined) return true
  const { kind } = tryValue(state, party, head.from)
  return kind === 'process' || kind === 'symbol' || kind === 'self'
}

/** Follows a proof step by step: what is wrong with it, if anything. */
export function checkProof(icet: Icet, proof: Proof): string | undefined {
  if (proof.format !== proofFormat) return `not a proof: ${String(proof.format)}`
  try {
    return notEnded(applyAll(initialState(new StaticFacts(icet)), proof.steps))?.message
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
}
