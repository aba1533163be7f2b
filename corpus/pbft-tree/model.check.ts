/**
 * PBFT (Castro, Liskov, "Practical Byzantine Fault Tolerance"), one slot, for so many rounds and values and one Byzantine process of four. Names are those
 * of the other protocols here: JOIN is PBFT's PREPARE, VOTE its COMMIT, ROUND-CHANGE its VIEW-CHANGE.
 *
 * Only correct processes are modelled. A Byzantine one signs whatever it likes, whenever it likes, and sees every message: so a quorum is there as soon as
 * the correct part of it is, and a Byzantine leader can show to any process whatever such quorums allow. Unless told otherwise all leaders are Byzantine.
 */
import { type Action, actions, qtree, type Rule, refines, system } from 'allways'
import { agreement } from '../paxos-tree/agreement.ts'
import { alikeProcesses } from '../paxos-tree/alike.ts'
import { range, subsets } from '../paxos-tree/lists.ts'

/** Something that was voted for in a round. Round 0: nothing was. */
interface Vote {
  readonly round: number
  readonly value: string
}

/** What a JOIN is for, and the round of the vote that justified the proposal; 0 if there was none. */
interface Join {
  readonly value: string
  readonly parent: number
}

/** What a correct process has sent, by round: round 1 is at place 0. */
interface Process {
  /** It acts in this round only. */
  readonly round: number
  readonly joins: readonly (Join | null)[]
  readonly votes: readonly (string | null)[]
  /** ROUND-CHANGE to the round at this place: the last vote until then. */
  readonly changes: readonly (Vote | null)[]
  readonly decided: readonly (string | null)[]
}

interface State {
  readonly processes: readonly Process[]
  /** PROPOSE of each round, if leaders are correct: one for all. */
  readonly proposals: readonly (Join | null)[]
}

interface Rules {
  readonly rounds: readonly number[]
  readonly values: readonly string[]
  /** So many correct processes make a quorum of JOINs, VOTEs or ROUND-CHANGEs, together with all Byzantine ones. */
  readonly quorum: number
  /** The same for VOTEs that decide. */
  readonly decisive: number
  /** Sets of correct processes that make a quorum. */
  readonly quorums: readonly (readonly number[])[]
  readonly form: Form
}

const tree = qtree('pbft')

const nothing: Vote = { round: 0, value: '' }

/** What ends a round comes first: of executions that are equally short, the one is found in which rounds come one after the other. */
function rulesFor(rules: Rules): readonly Rule<State>[] {
  const acting = [deciding, voting, joining, leaving].flatMap((step) =>
    correct.map((by) => (state: State) => step(state, state.processes[by] as Process, by, rules)),
  )
  const leading = rules.rounds.map((round) => (state: State) => proposing(state, round, rules))
  return rules.form.correctLeaders === true ? [...leading, ...acting] : acting
}

/** A correct leader sends one PROPOSE to all, with a quorum of ROUND-CHANGEs that justifies it. */
function proposing(state: State, round: number, rules: Rules): readonly Action<State>[] {
  if (state.proposals[round - 1] !== null) return []
  return justified(state, round, rules).map((proposal) => ({
    name: `leader ${round} proposes ${proposal.value} after ${proposal.parent}`,
    after: () => ({ ...state, proposals: state.proposals.with(round - 1, proposal) }),
  }))
}

/** A timeout: the process leaves its round, and tells its last vote with the quorum of JOINs that it has seen for it. */
function leaving(state: State, process: Process, by: number, { rounds, form }: Rules): readonly Action<State>[] {
  const { round, votes, decided } = process
  if (round === rounds.length) return []
  const told = rounds.filter((one) => one <= round && votes[one - 1] !== null)
  const last = told.findLast((one) => form.bug !== 'decidedLeftOut' || decided[one - 1] === null) ?? 0
  const change = last === 0 ? nothing : { round: last, value: votes[last - 1] ?? '' }
  return [
    {
      name: `process ${by} leaves ${round}`,
      after: () => changed(state, by, { ...process, round: round + 1, changes: process.changes.with(round, change) }),
    },
  ]
}

/** JOIN: once in a round, for a proposal that is justified. The first that makes a quorum possible adds the node: a certificate can exist from then on. */
function joining(state: State, process: Process, by: number, rules: Rules): readonly Action<State>[] {
  const { round } = process
  if (process.joins[round - 1] !== null) return []
  const sent = state.proposals[round - 1] ?? null
  const possible = rules.form.correctLeaders !== true ? justified(state, round, rules) : sent === null ? [] : [sent]
  return possible.map(({ value, parent }) => {
    const joined = { ...process, joins: process.joins.with(round - 1, { value, parent }) }
    const isAdded = joinsFor(state, round, value) + 1 === rules.quorum && rules.form.points !== 'at votes'
    return {
      name: `process ${by} joins ${round} with ${value} after ${parent}`,
      after: () => changed(state, by, joined),
      announces: isAdded ? [tree.add({ round, value, parent })] : [],
    }
  })
}

/**
 * What can be proposed, and after which round: a quorum of signed ROUND-CHANGEs is shown, and the highest vote among them is taken over. The Byzantine part of
 * it tells any vote for which a quorum of JOINs can be shown, or none.
 */
function justified(state: State, round: number, rules: Rules): readonly Join[] {
  const { quorums, values, form } = rules
  const free = values.map((value) => ({ value, parent: 0 }))
  if (round === 1 || form.bug === 'uncertified') return free
  const claims = [nothing, ...certified(state, round, rules)]
  const highest = new Map<string, Vote>()
  for (const quorum of quorums) {
    const told = quorum.map((by) => state.processes[by]?.changes[round - 1] ?? null)
    if (told.includes(null)) continue
    for (const claim of claims) for (const vote of shown(told as Vote[], claim, form)) highest.set(textOf(vote), vote)
  }
  const found = [...highest.values()]
  const isFree = found.some((vote) => vote.round === 0)
  const bound = found.filter((vote) => vote.round > 0).map((vote) => ({ value: vote.value, parent: vote.round }))
  return isFree ? [...free, ...bound] : bound
}

/** The vote that binds the leader. If only votes are shown, and not that others have none, it leaves out those it does not like. */
function shown(told: readonly Vote[], claim: Vote, { bug }: Form): readonly Vote[] {
  if (bug === 'votesOnly') return [nothing, claim, ...told]
  return [told.reduce((one, other) => (other.round > one.round ? other : one), claim)]
}

/** Votes of earlier rounds that somebody can prove with JOINs. */
function certified(state: State, round: number, { rounds, values, quorum, form }: Rules): readonly Vote[] {
  const all = rounds.filter((one) => one < round).flatMap((one) => values.map((value) => ({ round: one, value })))
  return all.filter((vote) => form.bug === 'unproved' || joinsFor(state, vote.round, vote.value) >= quorum)
}

/** VOTE: after a quorum of JOINs. */
function voting(state: State, process: Process, by: number, { values, quorum, form }: Rules): readonly Action<State>[] {
  const { round } = process
  if (process.votes[round - 1] !== null) return []
  const prepared = values.filter((value) => joinsFor(state, round, value) >= quorum)
  return prepared.map((value) => ({
    name: `process ${by} votes for ${value} in ${round}`,
    after: () => changed(state, by, { ...process, votes: process.votes.with(round - 1, value) }),
    announces: form.points === 'at votes' ? [tree.add({ round, value, parent: parentOf(state, round, value) })] : [],
  }))
}

/** A quorum of VOTEs decides. The first to see it commits; for others the call is repeated and changes nothing. */
function deciding(state: State, process: Process, by: number, rules: Rules): readonly Action<State>[] {
  const { round } = process
  if (process.decided[round - 1] !== null) return []
  const chosen = rules.values.filter((value) => votesFor(state, round, value) >= rules.decisive)
  return chosen.map((value) => ({
    name: `process ${by} decides ${value} in ${round}`,
    after: () => changed(state, by, { ...process, decided: process.decided.with(round - 1, value) }),
    announces: [tree.commit({ round })],
  }))
}

function changed(state: State, by: number, process: Process): State {
  return { ...state, processes: state.processes.with(by, process) }
}

function joinsFor({ processes }: State, round: number, value: string): number {
  return processes.filter(({ joins }) => joins[round - 1]?.value === value).length
}

function votesFor({ processes }: State, round: number, value: string): number {
  return processes.filter(({ votes }) => votes[round - 1] === value).length
}

/** Equal JOINs can have different parents, as a Byzantine leader justifies a value in different ways. Any of them will do. */
function parentOf({ processes }: State, round: number, value: string): number {
  const joins = processes.map((process) => process.joins[round - 1] ?? null)
  return joins.find((join) => join?.value === value)?.parent ?? 0
}

function textOf({ round, value }: Vote): string {
  return `${round} ${value}`
}

type Mistake = 'uncertified' | 'votesOnly' | 'decidedLeftOut' | 'unproved'

interface Form {
  readonly bug?: Mistake
  readonly correctLeaders?: true
  /** So many VOTEs decide, in place of a quorum. */
  readonly decisive?: number
  /** Nodes are added when the first correct process votes: too late, as a certificate can be shown before. */
  readonly points?: 'at votes' | 'none'
}

/** `quorum`: of all four processes. `agreement`: nothing is asked but that no two values are decided. */
const params = { rounds: 2, values: 2, quorum: 3, agreement: false }

/** One of four processes is Byzantine. */
const faults = 1
const correct = range(0, 2)

function declared(name: string, form: Form = {}) {
  return system(name, { params, faults: {} }, (sizes) => {
    const rounds = range(1, sizes.rounds)
    const quorum = sizes.quorum - faults
    const rules: Rules = {
      rounds,
      values: ['a', 'b', 'c'].slice(0, sizes.values),
      quorum,
      decisive: (form.decisive ?? sizes.quorum) - faults,
      quorums: subsets(correct, quorum),
      form,
    }
    const none = rounds.map(() => null)
    const process: Process = { round: 1, joins: none, votes: none, changes: none, decided: none }
    const first: State = { processes: correct.map(() => process), proposals: none }
    return {
      machines: {
        pbft: actions<State>('pbft', {
          state: () => first,
          next: rulesFor(rules),
          models: ['one Byzantine process of four'],
          alike: alikeProcesses(),
        }).as(),
      },
      ...(sizes.agreement ? { invariants: [agreement(decidedIn)] } : {}),
      ...(sizes.agreement || form.points === 'none' ? {} : { properties: [refines(tree)] }),
    }
  })
}

function decidedIn({ processes }: State): readonly string[] {
  return processes.flatMap(({ decided }) => decided).filter((value) => value !== null)
}

export const pbft = declared('pbft')
/** The same, and nothing is asked of it. */
export const unwatched = declared('unwatched', { points: 'none' })
/** Leaders are correct, and propose in a step. */
export const correctLeaders = declared('correct leaders', { correctLeaders: true })

/** Processes do not ask why something is proposed. */
export const uncertified = declared('uncertified', { bug: 'uncertified' })
/** The leader shows votes, and need not show that others have none. */
export const votesOnly = declared('votes only', { bug: 'votesOnly' })
/** A process that has decided does not tell its vote any more. */
export const decidedLeftOut = declared('decided left out', { bug: 'decidedLeftOut' })
/** The same, with correct leaders. */
export const decidedLeftOutCorrect = declared('decided left out, correct leaders', {
  bug: 'decidedLeftOut',
  correctLeaders: true,
})
/** A vote that is told need not be proved with JOINs. */
export const unproved = declared('unproved', { bug: 'unproved' })
/** f + 1 VOTEs decide. */
export const fewVotes = declared('few votes', { decisive: 2 })
/** PBFT without a mistake, by points at which a node is added when the first correct process votes: they refuse it. */
export const addedAtVotes = declared('added at votes', { points: 'at votes' })
