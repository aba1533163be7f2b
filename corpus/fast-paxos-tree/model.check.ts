/**
 * Fast Paxos (Lamport, "Fast Paxos"), single decree, with 3f+1 acceptors and quorums of 2f+1. In a fast round the leader that finds no vote sends ANY in place
 * of a value: acceptors then vote for what clients send them, the first that comes, and a step is saved. They may vote for different values, and nothing is
 * decided in that round. The leader of the next one must find out what may have been.
 */
import { type Action, actions, qtree, type Rule, refines, system } from 'allways'
import { agreement } from '../paxos-tree/agreement.ts'
import { alikeAcceptors } from '../paxos-tree/alike.ts'
import { range, subsets } from '../paxos-tree/lists.ts'

interface Vote {
  readonly round: number
  readonly value: string
}

/** What a leader sends in place of a value. */
const any = 'ANY'

/** Messages that were sent stay. Rounds are counted from 1, and round 1 is at place 0; acceptors are counted from 0. */
interface State {
  /** The highest round that each acceptor has joined or voted in. */
  readonly promised: readonly number[]
  /** The last vote of each acceptor, if it has voted. */
  readonly last: readonly (Vote | null)[]
  /** By round and acceptor, what it has joined with: its last vote then, or `silent`; null if it has not joined. */
  readonly joins: readonly (readonly (Vote | 'silent' | null)[])[]
  /** By round: a value, or ANY. */
  readonly proposals: readonly (string | null)[]
  /** By round and acceptor, what it has voted for. */
  readonly votes: readonly (readonly (string | null)[])[]
  readonly decided: readonly (string | null)[]
}

interface Rules {
  readonly acceptors: readonly number[]
  readonly rounds: readonly number[]
  /** Rounds up to this one are fast. */
  readonly lastFast: number
  readonly values: readonly string[]
  /** Sets of acceptors that are enough to propose. */
  readonly joinQuorums: readonly (readonly number[])[]
  /** How many votes for a value are enough to decide it, and how many after ANY. */
  readonly quorum: number
  readonly fastQuorum: number
  /** If so many of a quorum have voted for a value, it may have been decided. */
  readonly enough: number
  readonly bug: 'anyColliding' | undefined
}

const tree = qtree('fast')

/** Each looks at little of a state. */
function rulesFor(rules: Rules): readonly Rule<State>[] {
  const { acceptors, rounds } = rules
  return [
    ...acceptors.map((acceptor) => (state: State) => joining(state, acceptor, rules)),
    ...rounds.map((round) => (state: State) => proposing(state, round, rules)),
    ...rounds.flatMap((round) => acceptors.map((acceptor) => (state: State) => voting(state, round, acceptor, rules))),
    ...rounds.map((round) => (state: State) => deciding(state, round, rules)),
  ]
}

function joining(state: State, acceptor: number, { rounds }: Rules): readonly Action<State>[] {
  const promised = state.promised[acceptor] ?? 0
  return rounds
    .filter((round) => round > promised)
    .map((round) => ({
      name: `acceptor ${acceptor} joins ${round}`,
      after: () => ({
        ...state,
        promised: state.promised.with(acceptor, round),
        joins: placed(state.joins, round, acceptor, state.last[acceptor] ?? 'silent'),
      }),
    }))
}

function proposing(state: State, round: number, rules: Rules): readonly Action<State>[] {
  if (state.proposals[round - 1] !== null) return []
  const joined = state.joins[round - 1] ?? []
  const present = rules.joinQuorums.filter((quorum) => quorum.every((acceptor) => joined[acceptor] !== null))
  const possible = present.flatMap((quorum) => {
    const votes = quorum.map((acceptor) => joined[acceptor] ?? 'silent').filter((vote) => vote !== 'silent')
    return possibleAfter(votes, round, rules)
  })
  const different = [...new Map(possible.map((one) => [`${one.parent} ${one.proposal}`, one])).values()]
  return different.map(({ parent, proposal }) => ({
    name: `leader ${round} proposes ${proposal} after ${parent}`,
    after: () => ({ ...state, proposals: state.proposals.with(round - 1, proposal) }),
    announces: [
      proposal === any ? tree.add({ round, open: true, parent }) : tree.add({ round, value: proposal, parent }),
    ],
  }))
}

interface Possible {
  readonly parent: number
  readonly proposal: string
}

/**
 * After these votes of a quorum. Those of the highest round count. If they are all for one value, it is proposed. If they collide, a value that a quorum may
 * have voted for is: any two quorums of 2f+1 have f+1 acceptors in common, so that it has f+1 votes here, and no other can have as many. Otherwise nothing was
 * decided, and the leader is free. The round found is the parent whatever is proposed: its value is open until it is decided.
 */
function possibleAfter(votes: readonly Vote[], round: number, rules: Rules): readonly Possible[] {
  const parent = Math.max(0, ...votes.map((vote) => vote.round))
  if (parent === 0) {
    const proposals = round <= rules.lastFast ? [any] : rules.values
    return proposals.map((proposal) => ({ parent, proposal }))
  }
  const highest = votes.filter((vote) => vote.round === parent).map(({ value }) => value)
  const found = [...new Set(highest)]
  const isEnough = (value: string) => highest.filter((one) => one === value).length >= rules.enough
  const bound = found.length === 1 ? found : found.filter(isEnough)
  const proposals = found.length > 1 && rules.bug === 'anyColliding' ? found : bound.length > 0 ? bound : rules.values
  return proposals.map((proposal) => ({ parent, proposal }))
}

/** Once in a round, for what was proposed; after ANY, for what a client has sent. */
function voting(state: State, round: number, acceptor: number, { values }: Rules): readonly Action<State>[] {
  const proposal = state.proposals[round - 1] ?? null
  const mayVote = (state.promised[acceptor] ?? 0) <= round && state.votes[round - 1]?.[acceptor] === null
  if (proposal === null || !mayVote) return []
  return (proposal === any ? values : [proposal]).map((value) => ({
    name: `acceptor ${acceptor} votes for ${value} in ${round}`,
    after: () => ({
      ...state,
      promised: state.promised.with(acceptor, round),
      last: state.last.with(acceptor, { round, value }),
      votes: placed(state.votes, round, acceptor, value),
    }),
  }))
}

function deciding(state: State, round: number, { values, quorum, fastQuorum }: Rules): readonly Action<State>[] {
  if (state.decided[round - 1] !== null) return []
  const needed = state.proposals[round - 1] === any ? fastQuorum : quorum
  const votes = state.votes[round - 1] ?? []
  return values
    .filter((value) => votes.filter((vote) => vote === value).length >= needed)
    .map((value) => ({
      name: `leader ${round} decides ${value}`,
      after: () => ({ ...state, decided: state.decided.with(round - 1, value) }),
      announces: [tree.commit({ round, value })],
    }))
}

/** The same rows with another cell in the place of an acceptor in a round. */
function placed<Cell>(rows: readonly (readonly Cell[])[], round: number, acceptor: number, cell: Cell) {
  return rows.with(round - 1, (rows[round - 1] ?? []).with(acceptor, cell))
}

interface Form {
  readonly bug?: 'anyColliding'
  readonly refined?: boolean
}

/** `fail`: f, how many may fail. `agreement`: nothing is asked but that no two values are decided. */
const params = {
  acceptors: 4,
  fail: 1,
  rounds: 2,
  fastRounds: 1,
  values: 2,
  quorum: 3,
  fastQuorum: 3,
  agreement: false,
}

function declared(name: string, { bug, refined = true }: Form = {}) {
  return system(name, { params, faults: {} }, (sizes) => {
    const acceptors = range(0, sizes.acceptors - 1)
    const rounds = range(1, sizes.rounds)
    const rules: Rules = {
      acceptors,
      rounds,
      lastFast: sizes.fastRounds,
      values: ['a', 'b', 'c'].slice(0, sizes.values),
      joinQuorums: subsets(acceptors, sizes.quorum),
      quorum: sizes.quorum,
      fastQuorum: sizes.fastQuorum,
      enough: sizes.fail + 1,
      bug,
    }
    const first: State = {
      promised: acceptors.map(() => 0),
      last: acceptors.map(() => null),
      joins: rounds.map(() => acceptors.map(() => null)),
      proposals: rounds.map(() => null),
      votes: rounds.map(() => acceptors.map(() => null)),
      decided: rounds.map(() => null),
    }
    return {
      machines: {
        fast: actions<State>('fast', {
          state: () => first,
          next: rulesFor(rules),
          alike: alikeAcceptors(),
        }).as(),
      },
      ...(refined && !sizes.agreement ? { properties: [refines(tree)] } : {}),
      ...(sizes.agreement ? { invariants: [agreement(decidedIn)] } : {}),
    }
  })
}

function decidedIn({ decided }: State): readonly string[] {
  return decided.filter((value) => value !== null)
}

export const fastPaxos = declared('fast paxos')
/** The same, and nothing is asked of it. */
export const unwatched = declared('unwatched', { refined: false })
/** After a collision the leader proposes any of the values that it has found. */
export const anyColliding = declared('any colliding', { bug: 'anyColliding' })
