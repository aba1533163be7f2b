/**
 * Raft: a leader for each term, and a log that it replicates. A leader begins with an entry of its
 * own. What a server has promised must be on its disk: one that forgets its vote when it comes back
 * may vote twice in a term, and then two leaders write the same entry.
 */
import { machine, qtree, refines, system } from 'allways'

interface Entry {
  readonly term: number
  readonly by: string
}

interface Server {
  term: number
  /** In this term. */
  votedFor: string | undefined
  log: readonly Entry[]
  /** Of a candidate, or of a leader. */
  votes: readonly string[]
  isLeader: boolean
  /** Of a leader: who has its log. */
  having: readonly string[]
}

type Message =
  | { readonly kind: 'ask'; readonly term: number; readonly last: Position }
  | { readonly kind: 'vote'; readonly term: number }
  | { readonly kind: 'log'; readonly term: number; readonly log: readonly Entry[] }
  | { readonly kind: 'have'; readonly term: number; readonly length: number }

/** The term of the last entry, and how many there are. */
type Position = readonly [term: number, length: number]

interface Sizes {
  readonly terms: number
  /** Milliseconds, in a system that runs. */
  readonly patience: number
}

/** A node for each entry: its round is its term and its place in the log. */
const tree = qtree('raft', { decree: 'log' })

const server = (durable: readonly (keyof Server & string)[]) =>
  machine<Server, Message, Sizes>('server', {
    state: () => ({ term: 0, votedFor: undefined, log: [], votes: [], isLeader: false, having: [] }),
    start: (_, { setTimer, args }) => setTimer('impatient', { milliseconds: args.patience }),
    timers: {
      impatient(state, { self, peers, args, send, setTimer }) {
        if (state.term >= args.terms) return
        setTimer('impatient', { milliseconds: args.patience })
        heed(state, state.term + 1)
        state.votedFor = self
        state.votes = [self]
        for (const to of peers) send(to, { kind: 'ask', term: state.term, last: lastOf(state) })
      },
    },
    on: {
      ask(state, { term, last }, { from, send }) {
        heed(state, term)
        const isFree = state.votedFor === undefined || state.votedFor === from
        if (term < state.term || !isFree || isBehind(last, lastOf(state))) return
        state.votedFor = from
        send(from, { kind: 'vote', term })
      },
      vote(state, { term }, { from, self, peers, send, announce }) {
        heed(state, term)
        if (term < state.term || state.isLeader || state.votes.length === 0) return
        state.votes = [...new Set([...state.votes, from])].sort()
        if (2 * state.votes.length <= peers.length + 1) return
        const [above, place] = lastOf(state)
        state.isLeader = true
        state.having = [self]
        state.log = [...state.log, { term, by: self }]
        const parent = place === 0 ? 0 : [above, place]
        announce(tree.add({ round: [term, place + 1], value: self, parent }))
        for (const to of peers) send(to, { kind: 'log', term, log: state.log })
      },
      log(state, { term, log }, { from, send }) {
        heed(state, term)
        if (term < state.term) return
        state.log = log
        send(from, { kind: 'have', term, length: log.length })
      },
      have(state, { term, length }, { from, peers, announce }) {
        heed(state, term)
        if (term < state.term || length !== state.log.length) return
        state.having = [...new Set([...state.having, from])].sort()
        if (2 * state.having.length <= peers.length + 1) return
        announce(tree.commit({ round: [term, length] }))
      },
    },
    durable,
  })

/** A later term ends whatever a server does in this one. */
function heed(state: Server, term: number): void {
  if (term <= state.term) return
  Object.assign(state, { term, votedFor: undefined, votes: [], isLeader: false, having: [] })
}

function lastOf({ log }: Server): Position {
  return [log.at(-1)?.term ?? 0, log.length]
}

function isBehind([term, length]: Position, [ownTerm, ownLength]: Position): boolean {
  return term < ownTerm || (term === ownTerm && length < ownLength)
}

const params = { terms: 1, forgets: false }
const faults = { losses: 'any', crashes: 1, restarts: 1 } as const

export const raft = system('raft', { params, faults }, ({ terms, forgets }) => {
  const kind = server(forgets ? ['term', 'log'] : ['term', 'votedFor', 'log'])
  return {
    machines: {
      S1: kind.as({ terms, patience: 300 }),
      S2: kind.as({ terms, patience: 700 }),
      S3: kind.as({ terms, patience: 500 }),
    },
    properties: [refines(tree)],
  }
})
