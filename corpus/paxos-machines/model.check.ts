/**
 * Paxos (Lamport, "The Part-Time Parliament") as machines that send messages: acceptors, and proposers with one round each. An acceptor promises a round that
 * is not below any it knows of, and tells its last vote; a proposer that has heard a quorum proposes the value of the highest vote among them, or any value; what
 * a quorum has accepted is decided. A proposal is a node of the quorum tree, and what is decided is committed.
 */
import { conflict, type FaultBudget, type MachineContext, machine, qtree, refines, system } from 'allways'

/** Round 0: nothing was voted for. */
interface Vote {
  readonly round: number
  readonly value: string
}

interface Acceptor {
  /** The highest round that it has promised or voted in. */
  promised: number
  last: Vote
}

interface Proposer {
  /** By acceptor, the vote that it told when it promised; kept until there is a proposal. */
  heard: { readonly [acceptor: string]: Vote }
  proposal: string | undefined
  /** Acceptors that have voted for it; kept until it is decided. */
  votes: readonly string[]
  decided: string | undefined
}

type Message =
  | { readonly kind: 'prepare'; readonly round: number }
  | { readonly kind: 'promised'; readonly last: Vote }
  | { readonly kind: 'accept'; readonly round: number; readonly value: string }
  | { readonly kind: 'accepted' }

type Mistake = 'ownValue' | 'anyVote' | 'lateVotes' | 'voteNoPromise'

interface Rules {
  readonly acceptors: readonly string[]
  readonly values: readonly string[]
  readonly joinQuorum: number
  readonly voteQuorum: number
  readonly bug: Mistake | undefined
}

const tree = qtree('paxos')

const acceptor = (durable: readonly (keyof Acceptor & string)[]) =>
  machine<Acceptor, Message, Rules>('acceptor', {
    state: () => ({ promised: 0, last: { round: 0, value: '' } }),
    on: {
      prepare(state, { round }, { from, send }) {
        if (round < state.promised) return
        state.promised = round
        send(from, { kind: 'promised', last: state.last })
      },
      accept(state, { round, value }, { args, from, send }) {
        if (round < state.promised && args.bug !== 'lateVotes') return
        if (args.bug !== 'voteNoPromise') state.promised = Math.max(state.promised, round)
        state.last = { round, value }
        send(from, { kind: 'accepted' })
      },
    },
    durable,
  })

const proposer = (durable: readonly (keyof Proposer & string)[]) =>
  machine<Proposer, Message, Rules & { readonly round: number }>('proposer', {
    state: () => ({ heard: {}, proposal: undefined, votes: [], decided: undefined }),
    start(state, { args, send }) {
      if (state.proposal !== undefined) return
      for (const to of args.acceptors) send(to, { kind: 'prepare', round: args.round })
    },
    on: {
      promised(state, { last }, context) {
        if (state.proposal !== undefined) return
        state.heard = { ...state.heard, [context.from]: last }
        if (Object.keys(state.heard).length === context.args.joinQuorum) propose(state, context)
      },
      accepted(state, _, { args, from, announce }) {
        if (state.proposal === undefined || state.decided !== undefined || state.votes.includes(from)) return
        state.votes = [...state.votes, from].sort()
        if (state.votes.length < args.voteQuorum) return
        Object.assign(state, { votes: [], decided: state.proposal })
        announce(tree.commit({ round: args.round }))
      },
    },
    durable,
  })

type Proposing = MachineContext<Message, Rules & { readonly round: number }>

function propose(state: Proposer, { args, choose, send, announce }: Proposing): void {
  const { round, values, acceptors, bug } = args
  const told = Object.values(state.heard)
    .filter((vote) => vote.round > 0)
    .sort((one, other) => other.round - one.round)
  const binding = bug === 'anyVote' ? told.at(-1) : told[0]
  const value = binding === undefined || bug === 'ownValue' ? choose(values) : binding.value
  Object.assign(state, { heard: {}, proposal: value })
  announce(tree.add({ round, value, parent: binding?.round ?? 0 }))
  for (const to of acceptors) send(to, { kind: 'accept', round, value })
}

interface Form {
  readonly bug?: Mistake
  /** What an acceptor and a proposer have on disk; one machine may crash, once, if it is told. */
  readonly kept?: {
    readonly acceptor?: readonly (keyof Acceptor & string)[]
    readonly proposer?: readonly (keyof Proposer & string)[]
  }
  readonly refined?: boolean
}

/** `agreement`: nothing is asked but that no two values are decided. */
const params = { acceptors: 3, proposers: 2, values: 2, joinQuorum: 2, voteQuorum: 2, agreement: false }

function declared(name: string, { bug, kept, refined = true }: Form = {}) {
  const faults: FaultBudget = kept === undefined ? { losses: 'any' } : { losses: 'any', crashes: 1, restarts: 1 }
  return system(name, { params, faults }, (sizes) => {
    const acceptors = Array.from({ length: sizes.acceptors }, (_, at) => `A${at + 1}`)
    const proposers = Array.from({ length: sizes.proposers }, (_, at) => `P${at + 1}`)
    const { joinQuorum, voteQuorum } = sizes
    const rules: Rules = { acceptors, values: ['a', 'b'].slice(0, sizes.values), joinQuorum, voteQuorum, bug }
    const kinds = {
      acceptor: acceptor(kept?.acceptor ?? ['promised', 'last']),
      proposer: proposer(kept?.proposer ?? ['heard', 'proposal', 'votes', 'decided']),
    }
    return {
      machines: {
        ...Object.fromEntries(acceptors.map((one) => [one, kinds.acceptor.as(rules)])),
        ...Object.fromEntries(proposers.map((one, at) => [one, kinds.proposer.as({ ...rules, round: at + 1 })])),
      },
      // Which acceptor is which makes no difference; proposers have rounds.
      ...(acceptors.length > 1 ? { alike: [acceptors] } : {}),
      ...(refined && !sizes.agreement ? { properties: [refines(tree)] } : {}),
      ...(sizes.agreement ? { invariants: [agreement] } : {}),
    }
  })
}

const agreement = conflict<Acceptor | Proposer, string>('agreement', {
  each: (state) => ('decided' in state ? state.decided : undefined),
  conflict: (one, other) => one !== other,
})

export const paxos = declared('paxos')
/** The same, and nothing is asked of it. */
export const unwatched = declared('unwatched', { refined: false })
/** One machine crashes and comes back with what it has on its disk. */
export const restarting = declared('restarting', { kept: {} })

/** A proposer proposes a value of its own, though it has heard of another. */
export const ownValue = declared('own value', { bug: 'ownValue' })
/** A proposer takes over the lowest vote that it has heard of, and not the highest. */
export const anyVote = declared('any vote', { bug: 'anyVote' })
/** Acceptors vote in rounds below those that they have promised. */
export const lateVotes = declared('late votes', { bug: 'lateVotes' })
/** Acceptors that have voted in a round may still promise a lower one. */
export const voteNoPromise = declared('vote without promise', { bug: 'voteNoPromise' })
/** An acceptor that comes back has forgotten which rounds it has promised. */
export const promiseLost = declared('promise lost', { kept: { acceptor: ['last'] } })
/** An acceptor that comes back has forgotten what it has voted for. */
export const voteLost = declared('vote lost', { kept: { acceptor: ['promised'] } })
/** A proposer that comes back has forgotten what it has proposed, and proposes again. */
export const proposesAgain = declared('proposes again', { kept: { proposer: [] } })
