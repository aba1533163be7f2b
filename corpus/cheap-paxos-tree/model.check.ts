/**
 * Cheap Paxos (Lamport and Massa, "Cheap Paxos"), single decree: of 2f+1 acceptors the leader asks f+1 to vote, and all of them must. The others rest; when
 * one of those asked fails, a leader begins a higher round and asks another f+1.
 */
import { type Action, actions, qtree, refines, system } from 'allways'
import { agreement } from '../paxos-tree/agreement.ts'
import { range, subsets } from '../paxos-tree/lists.ts'

interface Proposal {
  readonly value: string
  /** Who is asked to vote. */
  readonly asked: readonly number[]
}

/** Messages that were sent stay. Rounds are counted from 1, and round 1 is at place 0; acceptors are counted from 0. */
interface State {
  /** The highest round that each acceptor has joined or voted in. */
  readonly promised: readonly number[]
  /** The round of each acceptor's last vote; 0 if it has not voted. */
  readonly last: readonly number[]
  /** By round and acceptor, what it has joined with: the round of its last vote then; null if it has not joined. */
  readonly joins: readonly (readonly (number | null)[])[]
  readonly proposals: readonly (Proposal | null)[]
  /** By round and acceptor: who has voted. */
  readonly votes: readonly (readonly boolean[])[]
  readonly decided: readonly boolean[]
}

interface Rules {
  readonly rounds: readonly number[]
  readonly values: readonly string[]
  /** All sets of f+1 acceptors. Any of them is enough to propose, and any of them can be asked to vote. */
  readonly quorums: readonly (readonly number[])[]
  /** How many of those asked need not vote: none, unless that is the mistake. */
  readonly missing: number
}

const tree = qtree('cheap')

function next(state: State, rules: Rules): readonly Action<State>[] {
  return [...joining(state, rules), ...proposing(state, rules), ...voting(state, rules), ...deciding(state, rules)]
}

function joining(state: State, { rounds }: Rules): readonly Action<State>[] {
  return state.promised.flatMap((promised, acceptor) =>
    rounds
      .filter((round) => round > promised)
      .map((round) => ({
        name: `acceptor ${acceptor} joins ${round}`,
        after: () => ({
          ...state,
          promised: state.promised.with(acceptor, round),
          joins: placed(state.joins, round, acceptor, state.last[acceptor] ?? 0),
        }),
      })),
  )
}

/** As in Paxos; and the leader asks f+1 of those that have joined, who need not be those that it has heard of votes. */
function proposing(state: State, { rounds, values, quorums }: Rules): readonly Action<State>[] {
  const open = rounds.filter((round) => state.proposals[round - 1] === null)
  return open.flatMap((round) => {
    const joined = state.joins[round - 1] ?? []
    const present = quorums.filter((quorum) => quorum.every((acceptor) => joined[acceptor] !== null))
    const parents = new Set(present.map((quorum) => Math.max(...quorum.map((acceptor) => joined[acceptor] ?? 0))))
    return [...parents].flatMap((parent) => {
      const bound = parent === 0 ? undefined : state.proposals[parent - 1]?.value
      const possible = bound === undefined ? values : [bound]
      return possible.flatMap((value) =>
        present.map((asked) => ({
          name: `leader ${round} proposes ${value} after ${parent} to ${asked.join(' and ')}`,
          after: () => ({ ...state, proposals: state.proposals.with(round - 1, { value, asked }) }),
          announces: [tree.add({ round, value, parent })],
        })),
      )
    })
  })
}

function voting(state: State, { rounds }: Rules): readonly Action<State>[] {
  return rounds.flatMap((round) =>
    (state.proposals[round - 1]?.asked ?? [])
      .filter((acceptor) => (state.promised[acceptor] ?? 0) <= round && !state.votes[round - 1]?.[acceptor])
      .map((acceptor) => ({
        name: `acceptor ${acceptor} votes in ${round}`,
        after: () => ({
          ...state,
          promised: state.promised.with(acceptor, round),
          last: state.last.with(acceptor, round),
          votes: placed(state.votes, round, acceptor, true),
        }),
      })),
  )
}

function deciding(state: State, { rounds, missing }: Rules): readonly Action<State>[] {
  return rounds.flatMap((round) => {
    const asked = state.proposals[round - 1]?.asked
    if (asked === undefined || state.decided[round - 1]) return []
    const voters = asked.filter((acceptor) => state.votes[round - 1]?.[acceptor])
    if (voters.length < asked.length - missing) return []
    const after = () => ({ ...state, decided: state.decided.with(round - 1, true) })
    return [{ name: `leader ${round} decides`, after, announces: [tree.commit({ round })] }]
  })
}

/** The same rows with another cell in the place of an acceptor in a round. */
function placed<Cell>(rows: readonly (readonly Cell[])[], round: number, acceptor: number, cell: Cell) {
  return rows.with(round - 1, (rows[round - 1] ?? []).with(acceptor, cell))
}

/** How many acceptors may `fail`, of which there are twice as many and one. `agreement`: nothing is asked but that no two values are decided. */
const params = { fail: 1, rounds: 2, values: 2, agreement: false }

function declared(name: string, missing = 0) {
  return system(name, { params, faults: {} }, (sizes) => {
    const acceptors = range(0, 2 * sizes.fail)
    const rounds = range(1, sizes.rounds)
    const quorums = subsets(acceptors, sizes.fail + 1)
    const rules: Rules = { rounds, values: ['a', 'b', 'c'].slice(0, sizes.values), quorums, missing }
    const first: State = {
      promised: acceptors.map(() => 0),
      last: acceptors.map(() => 0),
      joins: rounds.map(() => acceptors.map(() => null)),
      proposals: rounds.map(() => null),
      votes: rounds.map(() => acceptors.map(() => false)),
      decided: rounds.map(() => false),
    }
    return {
      machines: { cheap: actions<State>('cheap', { state: () => first, next: (state) => next(state, rules) }).as() },
      ...(sizes.agreement ? { invariants: [agreement(decidedIn)] } : { properties: [refines(tree)] }),
    }
  })
}

function decidedIn({ decided, proposals }: State): readonly string[] {
  return proposals.flatMap((proposal, at) => (decided[at] && proposal !== null ? [proposal.value] : []))
}

export const cheapPaxos = declared('cheap paxos')
/** When one of those asked does not vote, the leader goes on with the others, and does not begin another round. */
export const oneLess = declared('one less', 1)
