/**
 * What the protocols with a slot for each command share: acceptors that promise a round for all slots at once, vote in each slot and tell their last vote
 * of each, and leaders that decide. When a leader may propose what is left to the protocol.
 */

import type { Action } from 'allways'
import { qtree } from 'allways'

/** Messages that were sent stay. Rounds are counted from 1, and round 1 is at place 0; slots and acceptors are counted from 0. */
export interface Slots {
  /** The highest round that each acceptor has joined or voted in. */
  readonly promised: readonly number[]
  /** By acceptor and slot, the round of its last vote there; 0 if it has not voted. */
  readonly last: readonly (readonly number[])[]
  /** By round and acceptor, what it has joined with: its last votes then, by slot; null if it has not joined. */
  readonly joins: readonly (readonly (readonly number[] | null)[])[]
  /** By round and slot, what the leader has proposed. A vote is for that, so it tells no value. */
  readonly proposals: readonly (readonly (string | null)[])[]
  /** By round, slot and acceptor: who has voted. */
  readonly votes: readonly (readonly (readonly boolean[])[])[]
  /** By round and slot: whether the leader has decided. */
  readonly decided: readonly (readonly boolean[])[]
}

export interface SlotRules {
  readonly rounds: readonly number[]
  readonly slots: readonly number[]
  readonly acceptors: readonly number[]
  /** Sets of acceptors that are enough to propose. */
  readonly joinQuorums: readonly (readonly number[])[]
  /** How many votes are enough to decide. */
  readonly voteQuorum: number
}

/** One tree for each slot. */
export const trees = qtree('slots', { slots: true })

export function firstSlots({ rounds, slots, acceptors }: SlotRules): Slots {
  return {
    promised: acceptors.map(() => 0),
    last: acceptors.map(() => slots.map(() => 0)),
    joins: rounds.map(() => acceptors.map(() => null)),
    proposals: rounds.map(() => slots.map(() => null)),
    votes: rounds.map(() => slots.map(() => acceptors.map(() => false))),
    decided: rounds.map(() => slots.map(() => false)),
  }
}

/** One promise for all slots. */
export function joining<State extends Slots>(state: State, { rounds }: SlotRules): readonly Action<State>[] {
  return state.promised.flatMap((promised, acceptor) =>
    rounds
      .filter((round) => round > promised)
      .map((round) => ({
        name: `acceptor ${acceptor} joins ${round}`,
        after: () => ({
          ...state,
          promised: state.promised.with(acceptor, round),
          joins: placed(state.joins, round - 1, acceptor, state.last[acceptor] ?? null),
        }),
      })),
  )
}

type LastVotes = readonly number[]

/** What the leader of a round has heard from a quorum: by slot, the round of the highest vote, or 0; nothing, if somebody has not joined. */
export function heardFrom(state: Slots, round: number, quorum: readonly number[]): LastVotes | undefined {
  const joined = state.joins[round - 1] ?? []
  const told = quorum.map((acceptor) => joined[acceptor] ?? null).filter((votes) => votes !== null)
  if (told.length < quorum.length) return undefined
  return told.reduce((highest, votes) => highest.map((round, slot) => Math.max(round, votes[slot] ?? 0)))
}

export function proposalIn(state: Slots, round: number, slot: number): string | null {
  return state.proposals[round - 1]?.[slot] ?? null
}

export function hasDecided(state: Slots, round: number, slot: number): boolean {
  return state.decided[round - 1]?.[slot] === true
}

/** A value for a slot, after what was found about the round `parent` there. */
export interface Proposal {
  readonly round: number
  readonly slot: number
  readonly value: string
  readonly parent: number
}

export function proposing<State extends Slots>(state: State, { round, slot, value, parent }: Proposal): Action<State> {
  return {
    name: `leader ${round} proposes ${value} in slot ${slot} after ${parent}`,
    after: () => ({ ...state, proposals: placed(state.proposals, round - 1, slot, value) }),
    announces: [trees.add({ slot, round, value, parent })],
  }
}

export function voting<State extends Slots>(state: State, { rounds, slots }: SlotRules): readonly Action<State>[] {
  return rounds.flatMap((round) =>
    slots
      .filter((slot) => proposalIn(state, round, slot) !== null)
      .flatMap((slot) => {
        const votes = state.votes[round - 1] ?? []
        const voters = votes[slot] ?? []
        const able = [...state.promised.keys()].filter(
          (acceptor) => (state.promised[acceptor] ?? 0) <= round && voters[acceptor] === false,
        )
        return able.map((acceptor) => ({
          name: `acceptor ${acceptor} votes in ${round} for slot ${slot}`,
          after: () => ({
            ...state,
            promised: state.promised.with(acceptor, round),
            last: placed(state.last, acceptor, slot, round),
            votes: placed(state.votes, round - 1, slot, voters.with(acceptor, true)),
          }),
        }))
      }),
  )
}

export function deciding<State extends Slots>(state: State, rules: SlotRules): readonly Action<State>[] {
  const { rounds, slots, voteQuorum } = rules
  return rounds.flatMap((round) =>
    slots
      .filter((slot) => {
        const voters = state.votes[round - 1]?.[slot] ?? []
        return !hasDecided(state, round, slot) && voters.filter(Boolean).length >= voteQuorum
      })
      .map((slot) => ({
        name: `leader ${round} decides slot ${slot}`,
        after: () => ({ ...state, decided: placed(state.decided, round - 1, slot, true) }),
        announces: [trees.commit({ slot, round })],
      })),
  )
}

/** The same rows with another cell in one place. */
function placed<Cell>(rows: readonly (readonly Cell[])[], row: number, at: number, cell: Cell) {
  return rows.with(row, (rows[row] ?? []).with(at, cell))
}
