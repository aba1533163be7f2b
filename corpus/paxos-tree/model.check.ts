/**
 * Paxos (Lamport, "The Part-Time Parliament"), single decree, for so many acceptors, rounds and values. Each round has a leader. An acceptor joins a round
 * above all that it has promised, and tells its last vote; the leader that has heard a quorum proposes the value of the highest vote among them, or any
 * value; acceptors vote for it unless they have promised more; what a quorum has voted for is decided.
 */
import { type Action, actions, qtree, refines, system } from 'allways'
import { including, range, subsets } from './actions.ts'

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
  /** Rounds that their leaders have begun, where that is a step of its own. */
  readonly begun: readonly number[]
  /** Whether an acceptor has crashed, which happens once. */
  readonly hasCrashed: boolean
}

interface Bounds {
  readonly acceptors: number
  readonly rounds: number
  readonly values: number
  /** How many must join, and how many must vote. */
  readonly joinQuorum: number
  readonly voteQuorum: number
  readonly bug: Mistake | undefined
  /** As the TLA+ specification has it: leaders begin their rounds in a step, and nobody decides. */
  readonly tla: boolean
}

const values = ['a', 'b', 'c']

const tree = qtree('paxos')

function next(state: State, bounds: Bounds): readonly Action<State>[] {
  const usual = [...joining(state, bounds), ...proposing(state, bounds), ...voting(state, bounds)]
  const beside = bounds.tla ? beginning(state, bounds) : deciding(state, bounds)
  return [...usual, ...beside, ...crashing(state, bounds)]
}

function beginning(state: State, { rounds }: Bounds): readonly Action<State>[] {
  return range(1, rounds)
    .filter((round) => !state.begun.includes(round))
    .map((round) => ({
      name: `leader ${round} begins`,
      after: () => ({ ...state, begun: including(state.begun, round) }),
    }))
}

function joining(state: State, { rounds, tla }: Bounds): readonly Action<State>[] {
  const open = tla ? state.begun : range(1, rounds)
  return state.acceptors.flatMap((acceptor, by) =>
    open
      .filter((round) => round > acceptor.promised)
      .map((round) => ({
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
  const isOpen = (round: number) => bug === 'proposesAgain' || state.proposals.every((one) => one.round !== round)
  const open = range(1, rounds).filter(isOpen)
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
function bindingIn(quorum: readonly Join[], bug: Mistake | undefined): Vote | null {
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

/** One acceptor, once: it keeps what it has promised and voted for, unless the mistake is that it does not. A vote is a promise, too. */
function crashing(state: State, { bug }: Bounds): readonly Action<State>[] {
  if (state.hasCrashed || (bug !== 'promiseLost' && bug !== 'voteLost')) return []
  return state.acceptors.map((acceptor, by) => {
    const kept =
      bug === 'promiseLost' ? { ...acceptor, promised: acceptor.vote?.round ?? 0 } : { ...acceptor, vote: null }
    const after = () => ({ ...state, acceptors: state.acceptors.with(by, kept), hasCrashed: true })
    return { name: `acceptor ${by} crashes`, after }
  })
}

type Mistake = 'ownValue' | 'anyVote' | 'lateVotes' | 'voteNoPromise' | 'promiseLost' | 'voteLost' | 'proposesAgain'

interface Form {
  readonly bug?: Mistake
  readonly tla?: boolean
  readonly refined?: boolean
}

const params = { acceptors: 3, rounds: 2, values: 2, joinQuorum: 2, voteQuorum: 2 }

function declared(name: string, { bug, tla = false, refined = true }: Form = {}) {
  return system(name, { params, faults: {} }, (sizes) => {
    const bounds: Bounds = { ...sizes, bug, tla }
    const first: State = {
      acceptors: range(1, bounds.acceptors).map(() => ({ promised: 0, vote: null })),
      joins: [],
      proposals: [],
      votes: [],
      decided: [],
      begun: [],
      hasCrashed: false,
    }
    return {
      machines: { paxos: actions<State>('paxos', { state: () => first, next: (state) => next(state, bounds) }).as() },
      ...(refined ? { properties: [refines(tree)] } : {}),
    }
  })
}

export const paxos = declared('paxos')
/** The same, and nothing is asked of it. */
export const unwatched = declared('unwatched', { refined: false })
/** As TLC has it. */
export const tla = declared('tla', { tla: true, refined: false })

/** The leader proposes its own value, though it has heard of another. */
export const ownValue = declared('own value', { bug: 'ownValue' })
/** The leader takes over any vote that it has heard of, and not the highest. */
export const anyVote = declared('any vote', { bug: 'anyVote' })
/** Acceptors vote in rounds below those that they have joined. */
export const lateVotes = declared('late votes', { bug: 'lateVotes' })
/** Acceptors that have voted in a round may still join a lower one. */
export const voteNoPromise = declared('vote without promise', { bug: 'voteNoPromise' })
/** An acceptor that crashes forgets which rounds it has joined. */
export const promiseLost = declared('promise lost', { bug: 'promiseLost' })
/** An acceptor that crashes forgets what it has voted for. */
export const voteLost = declared('vote lost', { bug: 'voteLost' })
/** A leader proposes twice in one round. */
export const proposesAgain = declared('proposes again', { bug: 'proposesAgain' })
