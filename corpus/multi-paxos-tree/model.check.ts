/**
 * Multi-Paxos (Lamport, "Paxos Made Simple", section 3): a log whose slots are decided one by one, each as in Paxos. An acceptor that joins a round promises
 * it for all slots, and tells its last vote of each. So the leader of a round asks once, and then proposes in one slot after the other.
 */
import { type Action, actions, refines, system } from 'allways'
import { agreement } from '../paxos-tree/agreement.ts'
import { range, subsets } from '../paxos-tree/lists.ts'
import {
  deciding,
  firstSlots,
  hasDecided,
  heardFrom,
  joining,
  proposalIn,
  proposing,
  type SlotRules,
  type Slots,
  trees,
  voting,
} from './slots.ts'

interface Rules extends SlotRules {
  readonly values: readonly string[]
}

function next(state: Slots, rules: Rules): readonly Action<Slots>[] {
  return [...joining(state, rules), ...leading(state, rules), ...voting(state, rules), ...deciding(state, rules)]
}

/**
 * The highest vote of a quorum for the slot binds the leader; without one it is free. It begins a slot when it has decided the one before. Which quorum it
 * asks does not matter from slot to slot: each slot alone is Paxos.
 */
function leading(state: Slots, rules: Rules): readonly Action<Slots>[] {
  return rules.rounds.flatMap((round) => {
    const slot = rules.slots.find((one) => proposalIn(state, round, one) === null)
    if (slot === undefined || (slot > 0 && !hasDecided(state, round, slot - 1))) return []
    const heard = rules.joinQuorums.map((quorum) => heardFrom(state, round, quorum))
    const parents = new Set(heard.filter((votes) => votes !== undefined).map((votes) => votes[slot] ?? 0))
    return [...parents].flatMap((parent) => {
      const bound = parent === 0 ? null : proposalIn(state, parent, slot)
      const possible = bound === null ? rules.values : [bound]
      return possible.map((value) => proposing(state, { round, slot, value, parent }))
    })
  })
}

/** `agreement`: nothing is asked but that no two values are decided for a slot. */
const params = { acceptors: 3, rounds: 2, slots: 2, values: 1, joinQuorum: 2, voteQuorum: 2, agreement: false }

function declared(name: string, { refined }: { readonly refined: boolean }) {
  return system(name, { params, faults: {} }, (sizes) => {
    const acceptors = range(0, sizes.acceptors - 1)
    const rules: Rules = {
      rounds: range(1, sizes.rounds),
      slots: range(0, sizes.slots - 1),
      acceptors,
      values: ['a', 'b', 'c'].slice(0, sizes.values),
      joinQuorums: subsets(acceptors, sizes.joinQuorum),
      voteQuorum: sizes.voteQuorum,
    }
    return {
      machines: {
        multi: actions<Slots>('multi', { state: () => firstSlots(rules), next: (state) => next(state, rules) }).as(),
      },
      ...(refined && !sizes.agreement ? { properties: [refines(trees)] } : {}),
      ...(sizes.agreement ? { invariants: [agreement<Slots>((state) => decidedApart(state, rules))] } : {}),
    }
  })
}

/** What is decided for a slot, of one for which it is not the same everywhere, if there is one. */
function decidedApart(state: Slots, { slots, rounds }: Rules): readonly string[] {
  const bySlot = slots.map((slot) =>
    rounds.filter((round) => hasDecided(state, round, slot)).flatMap((round) => proposalIn(state, round, slot) ?? []),
  )
  return bySlot.find((decided) => new Set(decided).size > 1) ?? []
}

export const multiPaxos = declared('multi-paxos', { refined: true })
/** The same, and nothing is asked of it. */
export const unwatched = declared('unwatched', { refined: false })
