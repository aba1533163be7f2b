/**
 * Paxos, for one decision. Each round has a leader. Acceptors join rounds in rising order and tell
 * their last vote; a leader that has heard a quorum proposes the value of the highest vote among
 * them; acceptors vote for it; what a quorum has voted for is decided. Messages stay where they
 * are, so that whatever is late or comes twice is part of it, and what is lost is never read.
 */
import { type Action, actions, qtree, type Rule, refines, system } from 'allways'

interface Vote {
  readonly round: number
  readonly value: string
}

interface Acceptor {
  /** The highest round that it has joined or voted in. */
  readonly joined: number
  readonly vote: Vote | null
}

interface Round {
  /** By acceptor: the vote that it told when it joined, 'none' if it had not voted. */
  readonly joins: readonly (Vote | 'none' | null)[]
  readonly proposal: string | null
  /** By acceptor: whether it has voted. */
  readonly votes: readonly boolean[]
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

/** What may happen: in each round, and there to each acceptor. */
function rulesFor(sizes: Sizes): readonly Rule<State>[] {
  const [rounds, acceptors] = [count(sizes.rounds), count(sizes.acceptors)]
  return rounds.flatMap((at): readonly Rule<State>[] => [
    ...acceptors.map((by) => (state: State) => joining(state, at, by)),
    (state) => proposing(state, at, sizes),
    ...acceptors.map((by) => (state: State) => voting(state, at, by)),
    (state) => deciding(state, at, sizes),
  ])
}

function joining(state: State, at: number, by: number): readonly Action<State>[] {
  const { joined, vote } = state.acceptors[by] as Acceptor
  if (joined > at) return []
  const joins = (state.rounds[at] as Round).joins.with(by, vote ?? 'none')
  const acceptors = state.acceptors.with(by, { joined: at + 1, vote })
  const after = { acceptors, rounds: changed(state, at, { joins }) }
  return [{ name: `acceptor ${by} joins ${at + 1}`, after }]
}

function changed(state: State, at: number, round: Partial<Round>): readonly Round[] {
  return state.rounds.with(at, { ...(state.rounds[at] as Round), ...round })
}

function proposing(state: State, at: number, { joinQuorum }: Sizes): readonly Action<State>[] {
  const { joins, proposal } = state.rounds[at] as Round
  if (proposal !== null) return []
  const heard = joins.filter((vote) => vote !== null)
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
  const cast = votes.filter((vote) => vote !== 'none')
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

function voting(state: State, at: number, by: number): readonly Action<State>[] {
  const { proposal, votes } = state.rounds[at] as Round
  const { joined } = state.acceptors[by] as Acceptor
  if (proposal === null || joined > at + 1 || votes[by]) return []
  const vote = { round: at + 1, value: proposal }
  const acceptors = state.acceptors.with(by, { joined: at + 1, vote })
  const after = { acceptors, rounds: changed(state, at, { votes: votes.with(by, true) }) }
  return [{ name: `acceptor ${by} votes in ${at + 1}`, after }]
}

function deciding(state: State, at: number, { voteQuorum }: Sizes): readonly Action<State>[] {
  const { votes, isDecided } = state.rounds[at] as Round
  if (isDecided || votes.filter(Boolean).length < voteQuorum) return []
  const after = { ...state, rounds: changed(state, at, { isDecided: true }) }
  const announces = [tree.commit({ round: at + 1 })]
  return [{ name: `leader ${at + 1} decides`, after, announces }]
}

/** All that a state says of each acceptor. Which of them is which makes no difference. */
function parties({ acceptors, rounds }: State): readonly unknown[] {
  return acceptors.map((acceptor, by) => {
    const told = rounds.map(({ joins, votes }) => [joins[by], votes[by]])
    return [acceptor, told]
  })
}

/** The state with the acceptors in another order. */
function renamed({ acceptors, rounds }: State, order: readonly number[]): State {
  return {
    acceptors: order.map((by) => acceptors[by] as Acceptor),
    rounds: rounds.map((round) => ({
      ...round,
      joins: order.map((by) => round.joins[by] as Vote | 'none' | null),
      votes: order.map((by) => round.votes[by] as boolean),
    })),
  }
}

/** 0, 1, 2 and so on. */
function count(size: number): readonly number[] {
  return Array.from({ length: size }, (_, at) => at)
}

const params = { acceptors: 3, rounds: 2, joinQuorum: 2, voteQuorum: 2 }

export const paxos = system('paxos', { params, faults: {} }, (sizes) => {
  const acceptors = count(sizes.acceptors)
  const first: State = {
    acceptors: acceptors.map(() => ({ joined: 0, vote: null })),
    rounds: count(sizes.rounds).map(() => ({
      joins: acceptors.map(() => null),
      proposal: null,
      votes: acceptors.map(() => false),
      isDecided: false,
    })),
  }
  const protocol = actions<State>('paxos', {
    state: () => first,
    next: rulesFor(sizes),
    alike: { parties, renamed },
  })
  return { machines: { paxos: protocol.as() }, properties: [refines(tree)] }
})
