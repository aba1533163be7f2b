/**
 * Raft (Ongaro and Ousterhout, "In Search of an Understandable Consensus Algorithm", USENIX ATC 2014) without snapshots and changes of
 * membership. A leader sends its whole log, so that no message asks whether what comes before fits. Elections are requests: that a
 * timeout comes is all that its length decides. What a server must not forget, term, vote and log, is on disk.
 */
import { conflict, machine, system } from 'allways'

type Entry = {
  readonly term: number
  readonly value: string
}

interface State {
  term: number
  /** In this term. */
  votedFor: string | undefined
  log: readonly Entry[]
  role: 'follower' | 'candidate' | 'leader'
  /** Candidate: who votes for it, itself among them. */
  votes: readonly string[]
  /** Leader: by server, how many entries it has for certain. */
  matched: { readonly [server: string]: number }
  /** How many entries are committed, as far as it knows. */
  committed: number
}

type Message =
  | { readonly kind: 'request vote'; readonly term: number; readonly lastTerm: number; readonly length: number }
  | { readonly kind: 'vote'; readonly term: number }
  | { readonly kind: 'entries'; readonly term: number; readonly log: readonly Entry[]; readonly committed: number }
  | { readonly kind: 'matched'; readonly term: number; readonly length: number }

interface Context {
  readonly self: string
  readonly peers: readonly string[]
  send(to: string, message: Message): void
}

/** Whether a leader may commit what a majority has, up to an entry of this term. */
type MayCommit = (entry: Entry | undefined, term: number) => boolean

/** Raft §5.4.2: entries of earlier terms are committed with one of its own, never by themselves. */
const ofItsTerm: MayCommit = (entry, term) => entry?.term === term
/** The mistake of Raft, Figure 8: whatever a majority has. */
const ofAnyTerm: MayCommit = () => true

type Durable = readonly ('term' | 'votedFor' | 'log')[]

const all: Durable = ['term', 'votedFor', 'log']
/** A mistake: a server that crashes after it voted votes again in the same term. */
const allButVote: Durable = ['term', 'log']

const server = (name: string, mayCommit: MayCommit, durable: Durable) =>
  machine<State, Message>(name, {
    state: () => ({
      term: 0,
      votedFor: undefined,
      log: [],
      role: 'follower',
      votes: [],
      matched: {},
      committed: 0,
    }),
    on: {
      'request vote'(state, { term, lastTerm, length }, { from, send }) {
        heed(state, term)
        if (term < state.term || (state.votedFor !== undefined && state.votedFor !== from)) return
        const own = lastTermOf(state.log)
        if (lastTerm < own || (lastTerm === own && length < state.log.length)) return
        state.votedFor = from
        send(from, { kind: 'vote', term })
      },
      vote(state, { term }, context) {
        heed(state, term)
        if (state.role !== 'candidate' || term !== state.term) return
        state.votes = [...new Set([...state.votes, context.from])].sort()
        if (!isMajority(state.votes.length, context)) return
        state.role = 'leader'
        state.votes = []
        sendLog(state, context)
      },
      entries(state, { term, log, committed }, { from, send }) {
        if (term < state.term) return
        heed(state, term)
        state.role = 'follower'
        state.votes = []
        // What agrees stays, also if the leader's log was shorter when it was sent.
        const agreeing = log.findIndex((entry, at) => state.log[at]?.term !== entry.term)
        if (agreeing >= 0) state.log = log
        state.committed = Math.max(state.committed, Math.min(committed, log.length))
        send(from, { kind: 'matched', term, length: log.length })
      },
      matched(state, { term, length }, context) {
        heed(state, term)
        if (state.role !== 'leader' || term !== state.term) return
        const known = state.matched[context.from] ?? 0
        if (length <= known) return
        // In the order of names, and not of arrival: states that differ in nothing else are one.
        const matched = Object.entries({ ...state.matched, [context.from]: length })
        state.matched = Object.fromEntries(matched.sort(([one], [other]) => (one < other ? -1 : 1)))
        const having = Object.values(state.matched).filter((one) => one >= length).length
        if (length <= state.committed || !isMajority(having + 1, context)) return
        if (mayCommit(state.log[length - 1], state.term)) state.committed = length
      },
    },
    requests: {
      campaign(state, _: undefined, context) {
        state.term++
        state.role = 'candidate'
        state.votedFor = context.self
        state.votes = [context.self]
        state.matched = {}
        const { term, log } = state
        broadcast(context, { kind: 'request vote', term, lastTerm: lastTermOf(log), length: log.length })
      },
      append(state, value: string, context) {
        if (state.role !== 'leader') return
        state.log = [...state.log, { term: state.term, value }]
        sendLog(state, context)
      },
    },
    durable,
  })

/** A later term ends whatever a server does in this one. */
function heed(state: State, term: number): void {
  if (term <= state.term) return
  state.term = term
  state.votedFor = undefined
  state.role = 'follower'
  state.votes = []
  state.matched = {}
}

function sendLog({ term, log, committed }: State, context: Context): void {
  if (log.length > 0) broadcast(context, { kind: 'entries', term, log, committed })
}

function broadcast({ self, peers, send }: Context, message: Message): void {
  for (const peer of peers) if (peer !== self) send(peer, message)
}

function isMajority(some: number, { peers, self }: Context): boolean {
  return some > (peers.filter((peer) => peer !== self).length + 1) / 2
}

function lastTermOf(log: readonly Entry[]): number {
  return log.at(-1)?.term ?? 0
}

/** Raft, Figure 3: at most one leader in a term. */
const electionSafety = conflict<State, number>('one leader in a term', {
  each: ({ role, term }) => (role === 'leader' ? term : undefined),
  conflict: (left, right) => left === right,
})

/** Raft, Figure 3: what one server has committed at an index no other has different. */
const stateMachineSafety = conflict<State, readonly Entry[]>('committed entries agree', {
  each: ({ log, committed }) => (committed === 0 ? undefined : log.slice(0, committed)),
  conflict: (left, right) => left.some(({ value }, at) => right[at] !== undefined && right[at]?.value !== value),
})

const servers = ['S1', 'S2', 'S3'] as const

/** Campaigns are those of S1 and S3 in turn; after each of the first ones its candidate is asked to append a value. */
const raftSystem = (name: string, { mayCommit = ofItsTerm, durable = all, crashes = 0 } = {}) => {
  const kind = server(name, mayCommit, durable)
  const faults = { losses: 'any', crashes, restarts: crashes } as const
  return system(name, { params: { campaigns: 2, values: 2 }, faults }, ({ campaigns, values }) => {
    const requests = (self: string) =>
      Array.from({ length: campaigns }, (_, at) => at)
        .filter((at) => (at % 2 === 0 ? 'S1' : 'S3') === self)
        .flatMap((at) => [
          ['campaign', undefined] as const,
          ...(at < values ? [['append', `v${at + 1}`] as const] : []),
        ])
    return {
      machines: Object.fromEntries(servers.map((one) => [one, kind.as()])),
      requests: Object.fromEntries(servers.map((one) => [one, requests(one)])),
      invariants: [electionSafety, stateMachineSafety],
    }
  })
}

export const raft = raftSystem('raft')
export const crashingRaft = raftSystem('raft with a crash', { crashes: 1 })
export const forgottenVote = raftSystem('raft that forgets its vote', { crashes: 1, durable: allButVote })
export const earlierTerms = raftSystem('raft that commits entries of earlier terms', { mayCommit: ofAnyTerm })

/** Each server campaigns once, and nothing is appended: which server is which makes no difference. */
const electionsOf = (name: string, { durable = all, crashes = 0 } = {}) => {
  const kind = server(name, ofItsTerm, durable)
  const faults = { losses: 'any', crashes, restarts: crashes } as const
  return system(name, { faults }, () => ({
    machines: Object.fromEntries(servers.map((one) => [one, kind.as()])),
    alike: [servers],
    requests: Object.fromEntries(servers.map((one) => [one, [['campaign']]])),
    invariants: [electionSafety],
  }))
}

export const elections = electionsOf('elections')
export const crashingElections = electionsOf('elections with a crash', { crashes: 1 })
export const forgetfulElections = electionsOf('elections that forget votes', { crashes: 1, durable: allButVote })
