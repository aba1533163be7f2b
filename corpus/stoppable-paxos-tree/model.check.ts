/**
 * Stoppable Paxos (Lamport, Malkhi and Zhou, "Stoppable Paxos"): Multi-Paxos in which the command `stop` ends the log, so that nothing is decided above a slot
 * in which it is decided. Trees of slots know nothing of each other: that is an invariant beside them.
 *
 * A leader that has heard a quorum
 * - proposes nothing above a slot in which it proposes stop, or has found a stop that is not displaced;
 * - proposes stop of its own only below slots of which it knows nothing: neither found a vote there, nor proposed.
 * A stop that was found is displaced if a vote of a higher round was found above it: the leader of that round has not found the stop, so it cannot have been
 * decided. The slot of a displaced stop is free.
 */
import { type Action, actions, invariant, refines, system } from 'allways'
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
} from '../multi-paxos-tree/slots.ts'
import { range, subsets } from '../paxos-tree/lists.ts'

interface State extends Slots {
  /** By round: the quorum that the leader has heard, from its first proposal on, where it is the same for all slots. */
  readonly heard: readonly (readonly number[] | null)[]
}

interface Rules extends SlotRules {
  /** A leader begins a slot when it has decided the one before. Otherwise in any order. */
  readonly inOrder: boolean
  readonly bug: Mistake | undefined
}

const stop = 'stop'
const command = 'a'

function next(state: State, rules: Rules): readonly Action<State>[] {
  return [...joining(state, rules), ...leading(state, rules), ...voting(state, rules), ...deciding(state, rules)]
}

function leading(state: State, rules: Rules): readonly Action<State>[] {
  return rules.rounds.flatMap((round) => {
    const quorums = state.heard[round - 1] ?? null
    const possible = (quorums === null ? rules.joinQuorums : [quorums]).flatMap((quorum) => {
      const votes = heardFrom(state, round, quorum)
      return votes === undefined ? [] : leadingAfter({ state, rules, round, votes }, quorum)
    })
    // What is the same after different quorums is one thing that can happen.
    return [...new Map(possible.map((action) => [action.name, action])).values()]
  })
}

/** A leader, and the round of the highest vote that it has found in each slot. */
interface Leader {
  readonly state: State
  readonly rules: Rules
  readonly round: number
  readonly votes: readonly number[]
}

function leadingAfter(leader: Leader, quorum: readonly number[]): readonly Action<State>[] {
  const { state, rules, round } = leader
  const open = rules.slots.filter((slot) => mayPropose(leader, slot))
  return open.flatMap((slot) => {
    const { parent, values } = possibleIn(leader, slot)
    return values.map((value) => {
      if (!keepsQuorum(rules)) return proposing(state, { round, slot, value, parent })
      const keeping = { ...state, heard: state.heard.with(round - 1, quorum) }
      const action = proposing(keeping, { round, slot, value, parent })
      return { ...action, name: `${action.name}, having heard ${quorum.join(' and ')}` }
    })
  })
}

/** In order, all that is above a slot comes after its decision, and the quorum does not matter. */
function keepsQuorum({ inOrder, bug }: Rules): boolean {
  return !inOrder && bug !== 'quorumPerSlot' && bug !== 'stopBelow'
}

function mayPropose(leader: Leader, slot: number): boolean {
  const { state, rules, round } = leader
  if (proposalIn(state, round, slot) !== null) return false
  if (rules.inOrder && slot > 0 && !hasDecided(state, round, slot - 1)) return false
  return rules.bug === 'stopIgnored' || range(0, slot - 1).every((below) => !isStopped(leader, below))
}

/** What the leader itself has proposed there tells; where it has not, what it has found. */
function isStopped(leader: Leader, slot: number): boolean {
  const own = proposalIn(leader.state, leader.round, slot)
  return own === null ? foundIn(leader, slot) === stop && !isDisplaced(leader, slot) : own === stop
}

function foundIn({ state, votes }: Leader, slot: number): string | null {
  const vote = votes[slot] ?? 0
  return vote === 0 ? null : proposalIn(state, vote, slot)
}

function isDisplaced({ votes }: Leader, slot: number): boolean {
  return votes.some((vote, above) => above > slot && vote > (votes[slot] ?? 0))
}

function possibleIn(leader: Leader, slot: number): { readonly parent: number; readonly values: readonly string[] } {
  const found = foundIn(leader, slot)
  if (found !== null && !(found === stop && isDisplaced(leader, slot)))
    return { parent: leader.votes[slot] ?? 0, values: [found] }
  const { slots, bug } = leader.rules
  const above = slots.filter((one) => one > slot)
  const isKnown = above.some(
    (one) => foundIn(leader, one) !== null || proposalIn(leader.state, leader.round, one) !== null,
  )
  // In the last slot there is nothing to stop.
  const mayStop = above.length > 0 && (!isKnown || bug === 'stopBelow' || bug === 'stopIgnored')
  return { parent: 0, values: mayStop ? [command, stop] : [command] }
}

const nothingAboveStop = invariant<State>('nothing above a stop', (machines) => {
  const decided = Object.values(machines).flatMap(decidedIn)
  const stops = decided.filter(({ value }) => value === stop).map(({ slot }) => slot)
  const above = decided.find(({ slot }) => slot > Math.min(...stops))
  return above === undefined || `slot ${above.slot} is decided above slot ${Math.min(...stops)}, where stop is decided`
})

function decidedIn({ proposals, decided }: State) {
  return proposals.flatMap((values, round) =>
    values.flatMap((value, slot) => (decided[round]?.[slot] ? [{ slot, value }] : [])),
  )
}

type Mistake = 'stopIgnored' | 'stopBelow' | 'quorumPerSlot'

interface Form {
  readonly inOrder: boolean
  readonly bug?: Mistake
}

/** `treesOnly`: it is not asked whether something is decided above a stop. */
const params = { acceptors: 3, rounds: 2, slots: 2, quorum: 2, treesOnly: false }

function declared(name: string, { inOrder, bug }: Form) {
  return system(name, { params, faults: {} }, (sizes) => {
    const acceptors = range(0, sizes.acceptors - 1)
    const rules: Rules = {
      rounds: range(1, sizes.rounds),
      slots: range(0, sizes.slots - 1),
      acceptors,
      joinQuorums: subsets(acceptors, sizes.quorum),
      voteQuorum: sizes.quorum,
      inOrder,
      bug,
    }
    const first: State = { ...firstSlots(rules), heard: rules.rounds.map(() => null) }
    return {
      machines: {
        stoppable: actions<State>('stoppable', { state: () => first, next: (state) => next(state, rules) }).as(),
      },
      properties: [refines(trees)],
      invariants: sizes.treesOnly ? [] : [nothingAboveStop],
    }
  })
}

export const inOrder = declared('in order', { inOrder: true })
export const inAnyOrder = declared('in any order', { inOrder: false })

/** Leaders take stop for a command like others. */
export const stopIgnored = declared('stop ignored', { inOrder: true, bug: 'stopIgnored' })
/** Leaders propose stop below slots in which they have found or made proposals. Which quorum they have heard is not kept here. */
export const stopBelow = declared('stop below', { inOrder: false, bug: 'stopBelow' })
/** Leaders look at another quorum for each slot. */
export const quorumPerSlot = declared('quorum per slot', { inOrder: false, bug: 'quorumPerSlot' })
