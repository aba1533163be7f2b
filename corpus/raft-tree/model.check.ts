/**
 * Raft (Ongaro, Ousterhout, "In Search of an Understandable Consensus Algorithm"): election and replication, without changes of membership, for so many
 * servers, terms and entries of the log. A node of the tree is an entry, (term, index), under the entry before it in the log of its leader.
 */
import { type Action, actions, qtree, type Rule, refines, system } from 'allways'
import { agreement } from '../paxos-tree/agreement.ts'
import { including, range } from '../paxos-tree/lists.ts'

interface Entry {
  readonly term: number
  readonly value: string
}

type Log = readonly Entry[]

interface Server {
  readonly term: number
  /** Whom it has voted for in this term; 0 is nobody. */
  readonly vote: number
  readonly role: 'follower' | 'candidate' | 'leader'
  readonly log: Log
  /** So many entries of its log are decided, as far as it knows. */
  readonly decided: number
}

/** VOTEREQ, without term and candidate: what the last entry of the candidate's log is. */
interface VoteRequest {
  readonly term: number
  readonly length: number
}

/** LOGREQ: the whole log, and how much of it is decided. */
interface LogRequest {
  readonly term: number
  readonly leader: number
  readonly log: Log
  readonly decided: number
}

/** Servers, and messages that were sent: they stay. What is told by term and server stands at `placeOf`; sets of servers are bits of a number. */
interface State {
  readonly servers: readonly Server[]
  /** By term and candidate. */
  readonly voteRequests: readonly (VoteRequest | null)[]
  /** VOTERESP, by term and candidate: who has voted for it. */
  readonly votes: readonly number[]
  readonly logRequests: readonly LogRequest[]
  /** LOGRESP, by term and leader, then by length: who has a log of this length from it. */
  readonly acknowledged: readonly (readonly number[])[]
  /** Whether a server has crashed, which happens once. */
  readonly hasCrashed: boolean
}

interface Rules {
  readonly servers: readonly number[]
  readonly terms: readonly number[]
  /** Entries of a log, at most. */
  readonly entries: number
  readonly values: readonly string[]
  readonly voteQuorum: number
  readonly logQuorum: number
  /** The candidate of each term; empty, if everybody may stand. */
  readonly candidates: readonly number[]
  /** Whether leaders send logs in which nothing is new. */
  readonly heartbeats: boolean
  readonly form: Form
}

const tree = qtree('raft', { decree: 'log' })

function rulesFor(rules: Rules): readonly Rule<State>[] {
  const steps = [standing, voting, winning, leading, following, crashing]
  return rules.servers.flatMap((server) => steps.map((step) => (state: State) => step(state, server, rules)))
}

/** A timeout: the server goes to the next term and votes for itself; if terms have candidates, to any term that is its own. */
function standing(state: State, server: number, { terms, candidates, servers }: Rules): readonly Action<State>[] {
  const now = serverOf(state, server)
  const possible = terms.filter((term) =>
    candidates.length === 0 ? term === now.term + 1 : term > now.term && candidates[term - 1] === server,
  )
  return possible.map((term) => {
    const place = placeOf(servers, term, server)
    const request = { term: now.log.at(-1)?.term ?? 0, length: now.log.length }
    const after = () => ({
      ...state,
      servers: state.servers.with(server - 1, { ...now, term, vote: server, role: 'candidate' as const }),
      voteRequests: state.voteRequests.with(place, request),
      votes: state.votes.with(place, bitOf(server)),
    })
    return { name: `server ${server} stands in term ${term}`, after }
  })
}

/** One vote in a term, and only for a candidate whose log is not behind: its last entry is of a later term, or it is as long. */
function voting(state: State, server: number, { terms, servers, form }: Rules): readonly Action<State>[] {
  const now = serverOf(state, server)
  return terms.flatMap((term) => {
    const isFree = term > now.term || (term === now.term && (now.vote === 0 || form.bug === 'twoVotes'))
    if (!isFree) return []
    return servers.flatMap((candidate) => {
      const place = placeOf(servers, term, candidate)
      const request = state.voteRequests[place] ?? null
      const before = state.votes[place] ?? 0
      if (candidate === server || request === null || (before & bitOf(server)) !== 0) return []
      if (isBehind(request, now.log, form.bug)) return []
      const voted: Server = { ...now, term, vote: candidate, role: 'follower' }
      const after = () => ({
        ...state,
        servers: state.servers.with(server - 1, voted),
        votes: state.votes.with(place, before | bitOf(server)),
      })
      return [{ name: `server ${server} votes for ${candidate} in term ${term}`, after }]
    })
  })
}

function isBehind({ term, length }: VoteRequest, log: Log, bug: Mistake | undefined): boolean {
  const last = log.at(-1)?.term ?? 0
  if (bug === 'noComparison') return false
  if (bug === 'lengthOnly') return length < log.length
  return term < last || (term === last && length < log.length)
}

function winning(state: State, server: number, { voteQuorum, servers }: Rules): readonly Action<State>[] {
  const now = serverOf(state, server)
  if (now.role !== 'candidate') return []
  if (sizeOf(state.votes[placeOf(servers, now.term, server)] ?? 0) < voteQuorum) return []
  const after = () => ({ ...state, servers: state.servers.with(server - 1, { ...now, role: 'leader' as const }) })
  return [{ name: `server ${server} leads term ${now.term}`, after }]
}

/** A leader looks whether its log has come to be decided, appends an entry or none, and sends it all. */
function leading(state: State, server: number, rules: Rules): readonly Action<State>[] {
  const before = serverOf(state, server)
  if (before.role !== 'leader') return []
  const decided = decidedBy(state, before, server, rules)
  const committing = decided > before.decided ? committed(before, decided, rules.form) : []
  const sent = (log: Log, name: string, announces: readonly object[]): Action<State> => ({
    name: `leader ${server} of term ${before.term} ${name}, ${decided} decided`,
    after: () => ({
      ...state,
      servers: state.servers.with(server - 1, { ...before, log, decided }),
      logRequests: including(state.logRequests, { term: before.term, leader: server, log, decided }),
    }),
    announces,
  })
  const { log, term } = before
  const isIdle = decided === before.decided && !rules.heartbeats
  const old = isIdle ? [] : [sent(log, `sends a log of ${log.length}`, committing)]
  const appendable = log.length < rules.entries ? rules.values : []
  const appended = appendable.map((value) => {
    const index = log.length + 1
    const parent = index === 1 ? 0 : [log.at(-1)?.term ?? 0, index - 1]
    const adding = tree.add({ round: [term, index], value, parent })
    return sent([...log, { term, value }], `appends ${value}`, [...committing, adding])
  })
  return [...old, ...appended]
}

/**
 * The whole log, if a majority has it and its last entry is of the leader's own term: one of an old term may still be overwritten, whoever has it
 * (Figure 8 of the paper).
 */
function decidedBy(state: State, leader: Server, server: number, { servers, logQuorum, form }: Rules): number {
  const { term, log, decided } = leader
  const have = state.acknowledged[placeOf(servers, term, server)]?.[log.length] ?? 0
  const isOwn = log.at(-1)?.term === term || form.bug === 'oldTerm'
  return isOwn && sizeOf(have | bitOf(server)) >= logQuorum ? Math.max(decided, log.length) : decided
}

/** Entries of the leader's own term are committed; those of old terms are decided, as they stand above them. */
function committed({ term, log, decided }: Server, until: number, { points }: Form): readonly object[] {
  const passed = range(decided + 1, until).map((index) => [log[index - 1]?.term ?? 0, index] as const)
  const commits = passed.filter(([of]) => of === term || points === 'commit old').map((round) => tree.commit({ round }))
  return points === 'no decided' ? commits : [...commits, ...passed.map((round) => tree.decided({ round }))]
}

/** A server takes a log that is not of an old term and not shorter than its own, and tells its leader how long it is now. */
function following(state: State, server: number, { servers, form }: Rules): readonly Action<State>[] {
  const now = serverOf(state, server)
  return state.logRequests.flatMap(({ term, leader, log, decided: told }) => {
    if (leader === server || term < now.term) return []
    const isLongEnough = log.length >= now.log.length || (form.takesShorter === true && term > now.term)
    if (!isLongEnough) return []
    const place = placeOf(servers, term, leader)
    const lengths = state.acknowledged[place] ?? []
    const have = lengths[log.length] ?? 0
    const decided = Math.max(now.decided, told)
    const vote = term > now.term ? 0 : now.vote
    const hasIt = now.term === term && now.decided === decided && now.role === 'follower' && isSame(now.log, log)
    if (hasIt && (have & bitOf(server)) !== 0) return []
    const after = () => ({
      ...state,
      servers: state.servers.with(server - 1, { term, vote, role: 'follower' as const, log, decided }),
      acknowledged: state.acknowledged.with(place, lengths.with(log.length, have | bitOf(server))),
    })
    const passed = range(now.decided + 1, decided).map((index) => [log[index - 1]?.term ?? 0, index])
    const announces = form.points === 'no decided' ? [] : passed.map((round) => tree.decided({ round }))
    return [
      { name: `server ${server} takes ${textOf(log)} of ${leader}, term ${term}, ${told} decided`, after, announces },
    ]
  })
}

/** One server, once: it keeps everything, unless the mistake is that it forgets its vote. */
function crashing(state: State, server: number, { form }: Rules): readonly Action<State>[] {
  if (state.hasCrashed || form.bug !== 'voteLost') return []
  const lost: Server = { ...serverOf(state, server), vote: 0, role: 'follower' }
  const after = () => ({ ...state, servers: state.servers.with(server - 1, lost), hasCrashed: true })
  return [{ name: `server ${server} crashes`, after }]
}

function serverOf(state: State, server: number): Server {
  return state.servers[server - 1] as Server
}

/** Where messages of a term stand that are sent to this server, or by it. */
function placeOf(servers: readonly number[], term: number, server: number): number {
  return (term - 1) * servers.length + server - 1
}

function bitOf(server: number): number {
  return 1 << (server - 1)
}

function sizeOf(set: number): number {
  return set === 0 ? 0 : (set & 1) + sizeOf(set >> 1)
}

function isSame(one: Log, other: Log): boolean {
  return one.length === other.length && one.every(({ term, value }, at) => isEntry(other[at], term, value))
}

function isEntry(entry: Entry | undefined, term: number, value: string): boolean {
  return entry?.term === term && entry.value === value
}

function textOf(log: Log): string {
  return `[${log.map(({ term, value }) => `${term}${value}`).join(' ')}]`
}

type Mistake = 'twoVotes' | 'voteLost' | 'noComparison' | 'lengthOnly' | 'oldTerm'

interface Form {
  readonly bug?: Mistake
  /** Followers take a shorter log from a newer term, as Raft itself has it; else they keep their own until one is as long. */
  readonly takesShorter?: true
  /** What entries of old terms mean to the tree when the index passes them: nothing, or a commit. Both are wrong. */
  readonly points?: 'no decided' | 'commit old'
  readonly refined?: boolean
}

/**
 * `candidates`: a digit for each term, the only server that stands in it; 0 if all do. `heartbeats`: leaders send logs in which nothing is new.
 * `agreement`: nothing is asked but that no two entries are decided for one index.
 */
const params = {
  servers: 3,
  terms: 2,
  entries: 1,
  values: 1,
  voteQuorum: 2,
  logQuorum: 2,
  candidates: 0,
  heartbeats: true,
  agreement: false,
}

function declared(name: string, form: Form = {}) {
  return system(name, { params, faults: {} }, (sizes) => {
    const servers = range(1, sizes.servers)
    const terms = range(1, sizes.terms)
    const rules: Rules = {
      ...sizes,
      servers,
      terms,
      values: ['a', 'b', 'c'].slice(0, sizes.values),
      candidates: sizes.candidates === 0 ? [] : [...String(sizes.candidates)].map(Number),
      form,
    }
    const places = terms.flatMap(() => servers)
    const first: State = {
      servers: servers.map(() => ({ term: 0, vote: 0, role: 'follower', log: [], decided: 0 })),
      voteRequests: places.map(() => null),
      votes: places.map(() => 0),
      logRequests: [],
      acknowledged: places.map(() => range(0, sizes.entries).map(() => 0)),
      hasCrashed: false,
    }
    return {
      machines: { raft: actions<State>('raft', { state: () => first, next: rulesFor(rules) }).as() },
      ...(sizes.agreement ? { invariants: [agreement(decidedFirst)] } : {}),
      ...(form.refined !== false && !sizes.agreement ? { properties: [refines(tree)] } : {}),
    }
  })
}

/** First entries that servers take for decided. */
function decidedFirst({ servers }: State): readonly string[] {
  return servers.filter(({ decided }) => decided > 0).map(({ log }) => textOf(log.slice(0, 1)))
}

export const raft = declared('raft')
/** The same, and nothing is asked of it. */
export const unwatched = declared('unwatched', { refined: false })
/** Followers take shorter logs of newer terms. */
export const takesShorter = declared('takes shorter', { takesShorter: true })

/** A server votes twice in one term. */
export const twoVotes = declared('two votes', { bug: 'twoVotes' })
/** A server that crashes forgets its vote. */
export const voteLost = declared('vote lost', { bug: 'voteLost' })
/** Servers vote without looking at the log of the candidate. */
export const noComparison = declared('no comparison', { bug: 'noComparison' })
/** Servers look at how long the log of the candidate is, and not at its last term. */
export const lengthOnly = declared('length only', { bug: 'lengthOnly' })
/** A leader decides an entry of an old term because a majority has it: Figure 8. */
export const oldTerm = declared('old term', { bug: 'oldTerm' })
/** The same, by points of the tree that leave entries of old terms out: they do not notice. */
export const oldTermUnseen = declared('old term unseen', { bug: 'oldTerm', points: 'no decided' })
/** Raft without a mistake, by points at which entries of old terms are committed: they refuse it. */
export const commitsOld = declared('commits old', { points: 'commit old' })
