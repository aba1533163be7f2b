/**
 * Paxos, for one decision. Each round has a leader. Acceptors join rounds in rising order and tell
 * their last vote; a leader that has heard a quorum proposes the value of the highest vote among
 * them; acceptors vote for it; what a quorum has voted for is decided. Messages stay where they
 * are, so that whatever is late or comes twice is part of it, and what is lost is never read.
 */
import { type Action, actions, qtree, refines, system } from 'allways'

interface Vote {
  readonly round: number
  readonly value: string
}

interface Acceptor {
  /** The highest round that it has joined or voted in. */
  readonly joined: number
  readonly vote?: Vote
}

interface Round {
  /** By acceptor: the vote that it told when it joined, 'none' if it had not voted. */
  readonly joins: readonly (Vote | 'none' | undefined)[]
  readonly proposal?: string
  readonly voters: readonly number[]
  readonly isDecided: boolean
}

interface State {
  readonly acceptors: readonly Acceptor[]
  readonly rounds: readonly Round[]
}

interface Sizes {
  readonly acceptors: number
  readonly rounds: number
  /** How many acceptors must join a round before its leader proposes, and how many must vote. */
  readonly joinQuorum: number
  readonly voteQuorum: number
}

const tree = qtree('paxos')

/** All that may happen in a state. */
function next(state: State, sizes: Sizes): readonly Action<State>[] {
  return state.rounds.flatMap((round, at) => [
    ...joining(state, at),
    ...proposing(state, at, sizes),
    ...voting(state, at),
    ...deciding(state, at, round, sizes),
  ])
}

function changed(state: State, at: number, round: Partial<Round>): readonly Round[] {
  return state.rounds.with(at, { ...(state.rounds[at] as Round), ...round })
}

function joining(state: State, at: number): readonly Action<State>[] {
  const number = at + 1
  return state.acceptors.flatMap((acceptor, by) => {
    if (acceptor.joined >= number) return []
    const joins = (state.rounds[at] as Round).joins.with(by, acceptor.vote ?? 'none')
    const acceptors = state.acceptors.with(by, { ...acceptor, joined: number })
    const after = { acceptors, rounds: changed(state, at, { joins }) }
    return [{ name: `acceptor ${by} joins ${number}`, after }]
  })
}

function proposing(state: State, at: number, { joinQuorum }: Sizes): readonly Action<State>[] {
  const { joins, proposal } = state.rounds[at] as Round
  if (proposal !== undefined) return []
  const heard = joins.flatMap((vote) => (vote === undefined ? [] : [vote]))
  const told = quorums(heard, joinQuorum).map(highest)
  const bound = [...new Map(told.map((vote) => [vote?.round ?? 0, vote])).values()]
  return bound.flatMap((vote) => {
    const parent = vote?.round ?? 0
    // A leader that has heard of no vote is free to propose what it likes.
    return (vote === undefined ? ['a', 'b'] : [vote.value]).map((value) => ({
      name: `leader ${at + 1} proposes ${value} because of ${parent}`,
      after: { ...state, rounds: changed(state, at, { proposal: value }) },
      announces: [tree.add({ round: at + 1, value, parent })],
    }))
  })
}

function highest(votes: readonly (Vote | 'none')[]): Vote | undefined {
  const cast = votes.flatMap((vote) => (vote === 'none' ? [] : [vote]))
  return cast.sort((one, other) => other.round - one.round)[0]
}

/** All ways to take so many of them. */
function quorums<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  if (size === 0) return [[]]
  return items.flatMap((item, at) => {
    const others = quorums(items.slice(at + 1), size - 1)
    return others.map((rest) => [item, ...rest])
  })
}

function voting(state: State, at: number): readonly Action<State>[] {
  const [number, { proposal, voters }] = [at + 1, state.rounds[at] as Round]
  if (proposal === undefined) return []
  return state.acceptors.flatMap((acceptor, by) => {
    if (acceptor.joined > number || voters.includes(by)) return []
    const vote = { round: number, value: proposal }
    const acceptors = state.acceptors.with(by, { joined: number, vote })
    const after = { acceptors, rounds: changed(state, at, { voters: [...voters, by].sort() }) }
    return [{ name: `acceptor ${by} votes in ${number}`, after }]
  })
}

function deciding(
  state: State,
  at: number,
  { voters, isDecided }: Round,
  { voteQuorum }: Sizes,
): readonly Action<State>[] {
  if (isDecided || voters.length < voteQuorum) return []
  const after = { ...state, rounds: changed(state, at, { isDecided: true }) }
  const announces = [tree.commit({ round: at + 1 })]
  return [{ name: `leader ${at + 1} decides`, after, announces }]
}

/** All that a state says of each acceptor. Which of them is which makes no difference. */
function parties({ acceptors, rounds }: State): readonly unknown[] {
  return acceptors.map((acceptor, by) => [
    acceptor,
    rounds.map(({ joins, voters }) => [joins[by], voters.includes(by)]),
  ])
}

/** The state with the acceptors in another order. */
function renamed({ acceptors, rounds }: State, order: readonly number[]): State {
  return {
    acceptors: order.map((by) => acceptors[by] as Acceptor),
    rounds: rounds.map((round) => ({
      ...round,
      joins: order.map((by) => round.joins[by]),
      voters: order.flatMap((by, to) => (round.voters.includes(by) ? [to] : [])),
    })),
  }
}

const params = { acceptors: 3, rounds: 2, joinQuorum: 2, voteQuorum: 2 }

export const paxos = system('paxos', { params, faults: {} }, (sizes) => {
  const first: State = {
    acceptors: Array.from({ length: sizes.acceptors }, () => ({ joined: 0 })),
    rounds: Array.from({ length: sizes.rounds }, () => ({
      joins: Array.from({ length: sizes.acceptors }, () => undefined),
      voters: [],
      isDecided: false,
    })),
  }
  const protocol = actions<State>('paxos', {
    state: () => first,
    next: (state) => next(state, sizes),
    alike: { parties, renamed },
  })
  return { machines: { paxos: protocol.as() }, properties: [refines(tree)] }
})
