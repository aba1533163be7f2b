/**
 * Paxos (Lamport, "The Part-Time Parliament"), single decree, for so many acceptors, rounds and values. Each round has a leader. An acceptor joins a round
 * above all that it has promised, and tells its last vote; the leader that has heard a quorum proposes the value of the highest vote among them, or any
 * value; acceptors vote for it unless they have promised more; what a quorum has voted for is decided.
 */
import { qtree, refines, system } from 'allways'
import { type Action, actions, including, range, subsets } from './actions.ts'

interface Vote {
  readonly round: number
  readonly value: string
}

interface Acceptor {
  readonly promised: number
  readonly vote: Vote | null
}

interface Join {
  readonly round: number
  readonly by: number
  readonly vote: Vote | null
}

interface State {
  readonly acceptors: readonly Acceptor[]
  readonly joins: readonly Join[]
  readonly proposals: readonly Vote[]
  readonly votes: readonly { readonly round: number; readonly by: number }[]
  readonly decided: readonly number[]
}

interface Bounds {
  readonly acceptors: number
  readonly rounds: number
  readonly values: number
  /** How many must join, and how many must vote. */
  readonly joinQuorum: number
  readonly voteQuorum: number
  readonly bug: string
}

const values = ['a', 'b', 'c']

const tree = qtree('paxos')

function next(state: State, bounds: Bounds): readonly Action<State>[] {
  return [...joining(state, bounds), ...proposing(state, bounds), ...voting(state, bounds), ...deciding(state, bounds)]
}

function joining(state: State, { rounds }: Bounds): readonly Action<State>[] {
  return state.acceptors.flatMap((acceptor, by) =>
    range(acceptor.promised + 1, rounds).map((round) => ({
      name: `acceptor ${by} joins ${round}`,
      after: () => ({
        ...state,
        acceptors: state.acceptors.with(by, { ...acceptor, promised: round }),
        joins: including(state.joins, { round, by, vote: acceptor.vote }),
      }),
    })),
  )
}

function proposing(state: State, { rounds, values: count, joinQuorum, bug }: Bounds): readonly Action<State>[] {
  const open = range(1, rounds).filter((round) => state.proposals.every((one) => one.round !== round))
  return open.flatMap((round) => {
    const joined = state.joins.filter((join) => join.round === round)
    const heard = subsets(joined, joinQuorum).map((quorum) => bindingIn(quorum, bug))
    const bound = heard.filter((vote, at) => heard.findIndex((one) => one?.round === vote?.round) === at)
    return bound.flatMap((vote) => {
      const parent = vote?.round ?? 0
      const possible = vote === null || bug === 'ownValue' ? values.slice(0, count) : [vote.value]
      return possible.map((value) => ({
        name: `leader ${round} proposes ${value} after ${parent}`,
        after: () => ({ ...state, proposals: including(state.proposals, { round, value }) }),
        announces: [tree.add({ round, value, parent })],
      }))
    })
  })
}

/** What a quorum has voted for last; nothing, if none of it has voted. */
function bindingIn(quorum: readonly Join[], bug: string): Vote | null {
  const votes = quorum.flatMap(({ vote }) => (vote === null ? [] : [vote]))
  const sorted = [...votes].sort((one, other) => other.round - one.round)
  return (bug === 'anyVote' ? sorted.at(-1) : sorted[0]) ?? null
}

function voting(state: State, { bug }: Bounds): readonly Action<State>[] {
  return state.proposals.flatMap((proposal) =>
    state.acceptors.flatMap((acceptor, by) => {
      const { round } = proposal
      const mayVote = acceptor.promised <= round || bug === 'lateVotes'
      if (!mayVote || state.votes.some((vote) => vote.round === round && vote.by === by)) return []
      const promised = bug === 'voteNoPromise' ? acceptor.promised : Math.max(acceptor.promised, round)
      const vote = acceptor.vote !== null && acceptor.vote.round > round ? acceptor.vote : proposal
      const after = () => ({
        ...state,
        acceptors: state.acceptors.with(by, { promised, vote }),
        votes: including(state.votes, { round, by }),
      })
      return [{ name: `acceptor ${by} votes in ${round}`, after }]
    }),
  )
}

function deciding(state: State, { voteQuorum }: Bounds): readonly Action<State>[] {
  return state.proposals.flatMap(({ round }) => {
    const count = state.votes.filter((vote) => vote.round === round).length
    if (count < voteQuorum || state.decided.includes(round)) return []
    const after = () => ({ ...state, decided: including(state.decided, round) })
    return [{ name: `leader ${round} decides`, after, announces: [tree.commit({ round })] }]
  })
}

export const paxos = system(
  'paxos',
  {
    params: { acceptors: 3, rounds: 2, values: 2, joinQuorum: 2, voteQuorum: 2, bug: 'none', refines: true },
    faults: {},
  },
  ({ refines: isRefining, ...bounds }) => {
    const first: State = {
      acceptors: range(1, bounds.acceptors).map(() => ({ promised: 0, vote: null })),
      joins: [],
      proposals: [],
      votes: [],
      decided: [],
    }
    return {
      machines: { paxos: actions<State>('paxos', first, (state) => next(state, bounds)).as() },
      ...(isRefining ? { properties: [refines(tree)] } : {}),
    }
  },
)
