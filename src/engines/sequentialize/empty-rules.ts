/** Where a size is known to be nothing: sets without members do nothing and are sent nothing, and loops have no rounds. */
import type { Count } from '../../program/icet.ts'
import { boundsOf } from './bounds.ts'
import { endsOf, memberOf } from './configuration.ts'
import { partyAt } from './local-rules.ts'
import { headOf, next } from './position.ts'
import type { ProofStep } from './proof.ts'
import { Refusal } from './refusal.ts'
import type { State } from './state.ts'

export function isNothing({ configuration, facts }: State, count: Count | undefined): boolean {
  return count !== undefined && boundsOf(count, configuration, facts.icet).most <= 0
}

export function emptySet(state: State, { set }: Extract<ProofStep, { rule: 'empty' }>): void {
  const { configuration } = state
  const party = configuration.parties.get(set)
  const isSet = party?.form === 'set' && !party.isEmpty && !configuration.parties.has(memberOf(set))
  if (!isSet || !isNothing(state, party.process.count)) {
    throw new Refusal('no such step', `${set} is not known to have no members`)
  }
  configuration.update(set, { isEmpty: true })
  for (const key of [...configuration.queues.keys()]) if (endsOf(key).includes(set)) configuration.queues.delete(key)
}

/** How often the loop runs at which a party stands; undefined: it stands at none. */
export function roundsAt({ configuration, facts }: State, id: string): Count | undefined {
  const head = headOf(configuration.party(id).position)
  if (head?.kind === 'repeat') return head.count
  return head?.kind === 'each' ? facts.process(head.set).count : undefined
}

export function skipLoop(state: State, { party: id, statement }: Extract<ProofStep, { rule: 'skip' }>): void {
  const { position } = partyAt(state, id, statement)
  if (!isNothing(state, roundsAt(state, id))) throw new Refusal('no such step', 'the loop may have rounds')
  state.configuration.update(id, { position: next(position) })
}
