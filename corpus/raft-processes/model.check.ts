/**
 * Raft (Ongaro, Ousterhout, "In Search of an Understandable Consensus Algorithm") as processes: election and replication, for so many servers and so many
 * entries of the log. Which servers grow impatient, and how often, is a parameter; when they do is open. A LOGREQ carries the whole log. An entry is a node of
 * the quorum tree, (term, index), under the entry before it.
 */
import {
  type Address,
  announce,
  type Process,
  type PropertyDeclaration,
  program,
  qtree,
  receive,
  refines,
  self,
  send,
  spawn,
} from 'allways'

interface Entry {
  readonly term: number
  /** The leader that has appended it. */
  readonly by: string
}

type Log = readonly Entry[]

interface Peers {
  readonly kind: 'peers'
  readonly all: readonly Address<Message>[]
}
interface Impatient {
  readonly kind: 'impatient'
}
/** VOTEREQ: the term of the last entry of the candidate's log, and how long it is. */
interface Ask {
  readonly kind: 'ask'
  readonly term: number
  readonly last: number
  readonly length: number
  readonly from: Address<Message>
}
interface Vote {
  readonly kind: 'vote'
  readonly term: number
}
/** LOGREQ: the whole log, and how much of it is decided. */
interface Append {
  readonly kind: 'append'
  readonly term: number
  readonly log: Log
  readonly decided: number
  readonly from: Address<Message>
}
/** LOGRESP. */
interface Have {
  readonly kind: 'have'
  readonly term: number
  readonly length: number
}
type Message = Impatient | Ask | Vote | Append | Have

type Mistake = 'twoVotes' | 'noComparison' | 'lengthOnly' | 'oldTerm' | 'loneVote' | 'loneEntry'

interface Rules {
  /** Entries of a log, at most. */
  readonly entries: number
  /** Servers that must vote for a leader, and those that must have its log before it is decided; itself included. */
  readonly voteQuorum: number
  readonly logQuorum: number
  /** Whether leaders tell the others what is decided. */
  readonly tells: boolean
  readonly bug: Mistake | undefined
}

interface Server {
  readonly self: Address<Message>
  readonly peers: readonly Address<Message>[]
  readonly rules: Rules
  readonly term: number
  readonly hasVoted: boolean
  readonly role: 'follower' | 'candidate' | 'leader'
  readonly log: Log
  /** The term of the leader that it has its log from. */
  readonly logOf: number
  /** So many entries of its log are decided, as far as it knows. */
  readonly decided: number
  /** Of a candidate, who votes for it; of a leader, who has its log. Itself included. */
  readonly count: number
}

const tree = qtree('raft', { decree: 'log' })

function* server(rules: Rules): Process<Message | Peers> {
  const own = yield* self<Message>()
  const { all } = yield* receive<Peers>('peers')
  const start = { term: 0, hasVoted: false, role: 'follower', log: [], logOf: 0, decided: 0, count: 0 } as const
  let now: Server = { self: own, peers: all.filter((one) => one !== own), rules, ...start }
  while (true) {
    const message = yield* receive<Message>()
    now = yield* handled(now, message)
  }
}

type Handled = Process<Message | Peers, Server>

function handled(now: Server, message: Message): Handled {
  switch (message.kind) {
    case 'impatient':
      return stand(now)
    case 'ask':
      return vote(message.term > now.term ? follower(now, message.term) : now, message)
    case 'vote':
      return win(now, message)
    case 'append':
      return follow(message.term > now.term ? follower(now, message.term) : now, message)
    case 'have':
      return decide(now, message)
  }
}

function follower(now: Server, term: number): Server {
  return { ...now, term, hasVoted: false, role: 'follower' }
}

/** The server goes to the next term and votes for itself: a follower that hears nothing, or a leader that was restarted. */
function* stand(now: Server): Handled {
  const term = now.term + 1
  const request: Ask = { kind: 'ask', term, last: lastTerm(now.log), length: now.log.length, from: now.self }
  for (const peer of now.peers) yield* send(peer, request)
  const candidate: Server = { ...now, term, hasVoted: true, role: 'candidate', count: 1 }
  return yield* lead(candidate)
}

/** One vote in a term, and only for a candidate whose log is not behind: its last entry is of a later term, or it is as long. */
function* vote(now: Server, { term, last, length, from }: Ask): Handled {
  const isFree = !now.hasVoted || now.rules.bug === 'twoVotes'
  if (term < now.term || !isFree || isBehind({ last, length }, now)) return now
  yield* send(from, { kind: 'vote', term })
  return { ...now, hasVoted: true }
}

function isBehind({ last, length }: Pick<Ask, 'last' | 'length'>, { log, rules }: Server): boolean {
  if (rules.bug === 'noComparison') return false
  if (rules.bug === 'lengthOnly') return length < log.length
  return last < lastTerm(log) || (last === lastTerm(log) && length < log.length)
}

function* win(now: Server, { term }: Vote): Handled {
  if (term !== now.term || now.role !== 'candidate') return now
  return yield* lead({ ...now, count: now.count + 1 })
}

/** A candidate with enough votes appends an entry, if there is room, and sends its log. */
function* lead(now: Server): Handled {
  if (now.count < now.rules.voteQuorum) return now
  const leader: Server = { ...now, role: 'leader', log: yield* appended(now), count: 1 }
  yield* sendLog(leader)
  return yield* advance(leader)
}

function* appended({ self: { id: by }, term, log, rules }: Server): Process<Message | Peers, Log> {
  if (log.length === rules.entries) return log
  const parent = log.length === 0 ? 0 : [lastTerm(log), log.length]
  yield* announce(tree.add({ round: [term, log.length + 1], value: by, parent }))
  return [...log, { term, by }]
}

function* sendLog({ self: from, peers, term, log, decided }: Server): Process<Message | Peers> {
  for (const peer of peers) yield* send(peer, { kind: 'append', term, log, decided, from })
}

/** A server takes the log of a leader that is not of an old term, even a shorter one, unless it has a later one from it. */
function* follow(before: Server, { term, log, decided: told, from }: Append): Handled {
  if (term < before.term || (term === before.logOf && log.length < before.log.length)) return before
  const now: Server = { ...before, role: 'follower', log, logOf: term }
  const decided = Math.max(now.decided, told)
  yield* announceDecided(now, decided)
  yield* send(from, { kind: 'have', term, length: log.length })
  return { ...now, decided }
}

function* decide(now: Server, { term, length }: Have): Handled {
  if (term !== now.term || now.role !== 'leader' || length !== now.log.length) return now
  return yield* advance({ ...now, count: now.count + 1 })
}

/** The whole log is decided if enough servers have it and its last entry is of this term: others may still be overwritten (Figure 8 of the paper). */
function* advance(now: Server): Handled {
  const { term, log, rules } = now
  const decided = log.length
  const isOwn = lastTerm(log) === term || rules.bug === 'oldTerm'
  if (now.count < rules.logQuorum || !isOwn || decided <= now.decided) return now
  for (const [at, entry] of log.entries())
    if (at >= now.decided && entry.term === term) yield* announce(tree.commit({ round: [term, at + 1] }))
  yield* announceDecided(now, decided)
  const after = { ...now, decided }
  if (rules.tells) yield* sendLog(after)
  return after
}

function* announceDecided({ log, decided }: Server, until: number): Process<Message | Peers> {
  for (const [at, { term }] of log.entries())
    if (at >= decided && at < until) yield* announce(tree.decided({ round: [term, at + 1] }))
}

function lastTerm(log: Log): number {
  return log.at(-1)?.term ?? 0
}

interface Form {
  readonly bug?: Mistake
  readonly properties?: readonly PropertyDeclaration[]
}

/** `impatient`: a digit for each timeout, the server that has it; those of one server come one after the other. */
const params = { servers: 3, impatient: 12, entries: 1, tells: false }

function declared(name: string, { bug, properties = [refines(tree)] }: Form = {}) {
  return program(name, { params, network: 'fifo', properties }, function* (sizes) {
    const majority = Math.floor(sizes.servers / 2) + 1
    const rules: Rules = {
      ...sizes,
      voteQuorum: bug === 'loneVote' ? 1 : majority,
      logQuorum: bug === 'loneEntry' ? 1 : majority,
      bug,
    }
    const all: Address<Message | Peers>[] = []
    for (let at = 1; at <= sizes.servers; at++) all.push(yield* spawn(`S${at}`, { daemon: true }, server, rules))
    for (const one of all) yield* send(one, { kind: 'peers', all })
    for (const digit of String(sizes.impatient))
      yield* send(all[Number(digit) - 1] as Address<Message>, { kind: 'impatient' })
  })
}

export const raft = declared('raft')
/** The same, and nothing is asked of it. */
export const unwatched = declared('unwatched', { properties: [] })

/** A server votes twice in one term. */
export const twoVotes = declared('two votes', { bug: 'twoVotes' })
/** Servers vote without looking at the log of the candidate. */
export const noComparison = declared('no comparison', { bug: 'noComparison' })
/** Servers look at how long the log of the candidate is, and not at its last term. */
export const lengthOnly = declared('length only', { bug: 'lengthOnly' })
/** A leader decides an entry of an old term because a majority has it: Figure 8. */
export const oldTerm = declared('old term', { bug: 'oldTerm' })
/** A server leads by its own vote alone. */
export const loneVote = declared('lone vote', { bug: 'loneVote' })
/** A leader decides what nobody else has. */
export const loneEntry = declared('lone entry', { bug: 'loneEntry' })
