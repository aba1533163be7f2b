/**
 * Paxos (Lamport, "The Part-Time Parliament"), single decree, for so many acceptors, rounds and values. Each round has a leader. An acceptor joins a round
 * above all that it has promised, and tells its last vote; the leader that has heard a quorum proposes the value of the highest vote among them, or any
 * value; acceptors vote for it unless they have promised more; what a quorum has voted for is decided.
 */
import { type Action, actions, qtree, type Rule, refines, system } from 'allways'
import { agreement } from './agreement.ts'
import { alikeAcceptors } from './alike.ts'
import { range, subsets } from './lists.ts'

interface Vote {
  readonly round: number
  readonly value: string
}

/** By acceptor, and by round: messages that were sent stay there. Round 1 is at place 0. */
interface State {
  /** The highest round that each acceptor has joined or voted in. */
  readonly promised: readonly number[]
  /** The last vote of each acceptor, if it has voted. */
  readonly last: readonly (Vote | null)[]
  /** In each round, with what each acceptor has joined: its last vote then, or null. Once, unless a mistake lets it join again. */
  readonly joins: readonly (readonly (readonly (Vote | null)[])[])[]
  /** In each round, what its leader has proposed: one value, unless a mistake lets it propose again. */
  readonly proposals: readonly (readonly string[])[]
  /** In each round, what each acceptor has voted for. */
  readonly votes: readonly (readonly (string | null)[])[]
  /** In each round, what its leader has decided. */
  readonly decided: readonly (string | null)[]
  /** Whether each leader has begun its round, where that is a step of its own. */
  readonly begun: readonly boolean[]
  /** Whether an acceptor has crashed, which happens once. */
  readonly hasCrashed: boolean
}

interface Rules {
  readonly acceptors: readonly number[]
  readonly rounds: readonly number[]
  readonly values: readonly string[]
  /** Sets of acceptors that are enough to propose. */
  readonly joinQuorums: readonly (readonly number[])[]
  /** How many votes are enough to decide. */
  readonly voteQuorum: number
  readonly bug: Mistake | undefined
  /** As the TLA+ specification has it: leaders begin their rounds in a step, and nobody decides. */
  readonly tla: boolean
}

const tree = qtree('paxos')

/** Each looks at little of a state. */
function rulesFor(rules: Rules): readonly Rule<State>[] {
  const { acceptors, rounds, tla } = rules
  const inRounds = (of: (state: State, round: number, rules: Rules) => readonly Action<State>[]) =>
    rounds.map((round) => (state: State) => of(state, round, rules))
  return [
    ...acceptors.map((acceptor) => (state: State) => joining(state, acceptor, rules)),
    ...inRounds(proposing),
    ...rounds.flatMap((round) => acceptors.map((acceptor) => (state: State) => voting(state, round, acceptor, rules))),
    ...inRounds(tla ? beginning : deciding),
    (state) => crashing(state, rules),
  ]
}

function beginning(state: State, round: number): readonly Action<State>[] {
  if (state.begun[round - 1]) return []
  return [{ name: `leader ${round} begins`, after: () => ({ ...state, begun: state.begun.with(round - 1, true) }) }]
}

function joining(state: State, acceptor: number, { rounds, tla }: Rules): readonly Action<State>[] {
  const promised = state.promised[acceptor] ?? 0
  return rounds
    .filter((round) => round > promised && (!tla || state.begun[round - 1]))
    .map((round) => ({
      name: `acceptor ${acceptor} joins ${round}`,
      after: () => ({
        ...state,
        promised: state.promised.with(acceptor, round),
        joins: placed(state.joins, round, acceptor, joinedWith(state, round, acceptor)),
      }),
    }))
}

function joinedWith({ joins, last }: State, round: number, acceptor: number): readonly (Vote | null)[] {
  const vote = last[acceptor] ?? null
  const before = joins[round - 1]?.[acceptor] ?? []
  if (before.some((one) => one?.round === vote?.round)) return before
  return [...before, vote].sort((one, other) => (one?.round ?? 0) - (other?.round ?? 0))
}

function proposing(state: State, round: number, rules: Rules): readonly Action<State>[] {
  const { values, bug } = rules
  const known = state.proposals[round - 1] ?? []
  if (known.length > 0 && bug !== 'proposesAgain') return []
  return bindingVotes(state, round, rules).flatMap((vote) => {
    const parent = vote?.round ?? 0
    const possible = vote === null || bug === 'ownValue' ? values : [vote.value]
    return possible.map((value) => ({
      name: `leader ${round} proposes ${value} after ${parent}`,
      after: () => ({ ...state, proposals: state.proposals.with(round - 1, [...new Set([...known, value])].sort()) }),
      announces: [tree.add({ round, value, parent })],
    }))
  })
}

/** Of each quorum that has joined the round, what it has voted for last; nothing, if none of it has voted. Each of these once. */
function bindingVotes(state: State, round: number, { joinQuorums, bug }: Rules): readonly (Vote | null)[] {
  const joined = state.joins[round - 1] ?? []
  const byRound = new Map<number, Vote | null>()
  for (const quorum of joinQuorums) {
    for (const heard of oneOfEach(quorum.map((acceptor) => joined[acceptor] ?? []))) {
      const sorted = heard.filter((vote) => vote !== null).sort((one, other) => other.round - one.round)
      const binding = (bug === 'anyVote' ? sorted.at(-1) : sorted[0]) ?? null
      if (!byRound.has(binding?.round ?? 0)) byRound.set(binding?.round ?? 0, binding)
    }
  }
  return [...byRound.values()]
}

/** All ways to take one of each; none, if one of them is empty. */
function oneOfEach<Item>(lists: readonly (readonly Item[])[]): readonly (readonly Item[])[] {
  return lists.reduce<readonly (readonly Item[])[]>(
    (taken, list) => taken.flatMap((some) => list.map((item) => [...some, item])),
    [[]],
  )
}

function voting(state: State, round: number, acceptor: number, { bug }: Rules): readonly Action<State>[] {
  const promised = state.promised[acceptor] ?? 0
  const mayVote = promised <= round || bug === 'lateVotes'
  if (!mayVote || state.votes[round - 1]?.[acceptor] !== null) return []
  return (state.proposals[round - 1] ?? []).map((value) => ({
    name: `acceptor ${acceptor} votes in ${round}`,
    after: () => ({
      ...state,
      promised: bug === 'voteNoPromise' ? state.promised : state.promised.with(acceptor, Math.max(promised, round)),
      last: state.last.with(acceptor, { round, value }),
      votes: placed(state.votes, round, acceptor, value),
    }),
  }))
}

function deciding(state: State, round: number, { voteQuorum }: Rules): readonly Action<State>[] {
  return (state.proposals[round - 1] ?? []).flatMap((value) => {
    const count = (state.votes[round - 1] ?? []).filter((vote) => vote === value).length
    if (count < voteQuorum || state.decided[round - 1] !== null) return []
    const after = () => ({ ...state, decided: state.decided.with(round - 1, value) })
    return [{ name: `leader ${round} decides`, after, announces: [tree.commit({ round })] }]
  })
}

/** One acceptor, once: it keeps what it has promised and voted for, unless the mistake is that it does not. A vote is a promise, too. */
function crashing(state: State, { bug }: Rules): readonly Action<State>[] {
  if (state.hasCrashed || (bug !== 'promiseLost' && bug !== 'voteLost')) return []
  return state.last.map((vote, acceptor) => {
    const lost =
      bug === 'promiseLost'
        ? { promised: state.promised.with(acceptor, vote?.round ?? 0) }
        : { last: state.last.with(acceptor, null) }
    return { name: `acceptor ${acceptor} crashes`, after: () => ({ ...state, ...lost, hasCrashed: true }) }
  })
}

/** The same rows with something else in the place of an acceptor in a round. */
function placed<Cell>(rows: readonly (readonly Cell[])[], round: number, acceptor: number, cell: Cell) {
  return rows.with(round - 1, (rows[round - 1] ?? []).with(acceptor, cell))
}

type Mistake = 'ownValue' | 'anyVote' | 'lateVotes' | 'voteNoPromise' | 'promiseLost' | 'voteLost' | 'proposesAgain'

interface Form {
  readonly bug?: Mistake
  readonly tla?: boolean
  readonly refined?: boolean
}

/** `agreement`: nothing is asked but that no two values are decided. */
const params = { acceptors: 3, rounds: 2, values: 2, joinQuorum: 2, voteQuorum: 2, agreement: false }

function declared(name: string, { bug, tla = false, refined = true }: Form = {}) {
  return system(name, { params, faults: {} }, (sizes) => {
    const rounds = range(1, sizes.rounds)
    const acceptors = range(0, sizes.acceptors - 1)
    const rules: Rules = {
      acceptors,
      rounds,
      values: ['a', 'b', 'c'].slice(0, sizes.values),
      joinQuorums: subsets(acceptors, sizes.joinQuorum),
      voteQuorum: sizes.voteQuorum,
      bug,
      tla,
    }
    const first: State = {
      promised: acceptors.map(() => 0),
      last: acceptors.map(() => null),
      joins: rounds.map(() => acceptors.map(() => [])),
      proposals: rounds.map(() => []),
      votes: rounds.map(() => acceptors.map(() => null)),
      decided: rounds.map(() => null),
      begun: rounds.map(() => false),
      hasCrashed: false,
    }
    return {
      machines: {
        paxos: actions<State>('paxos', {
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
