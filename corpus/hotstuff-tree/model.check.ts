/**
 * HotStuff (Yin, Malkhi, Reiter, Gueta, Abraham, "HotStuff: BFT Consensus in the Lens of Blockchain"), basic, for so many rounds and values and one Byzantine
 * process of four. A leader proposes a node under another one; three quorums follow each other: JOINs certify the node, PRECOMMITs lock it, COMMITs decide it.
 *
 * Only correct processes are modelled. A Byzantine one signs whatever it likes, whenever it likes, and sees every message: so a quorum is there as soon as
 * the correct part of it is, and leaders, which are all Byzantine, can show any certificate that is possible to any process.
 */
import { type Action, actions, qtree, type Rule, refines, system } from 'allways'
import { agreement } from '../paxos-tree/agreement.ts'
import { alikeProcesses } from '../paxos-tree/alike.ts'
import { range } from '../paxos-tree/lists.ts'

/** A node with all that it stands under, as text: `1a 3b` is b of round 3 under a of round 1. The root is empty. */
type Node = string

const root: Node = ''

/** What a correct process has sent, by round: round 1 is at place 0. */
interface Process {
  /** It acts in this round only. */
  readonly round: number
  /** One node in a round, unless a mistake lets it join again. */
  readonly joins: readonly (readonly Node[])[]
  readonly precommits: readonly (Node | null)[]
  readonly commits: readonly (Node | null)[]
}

interface State {
  readonly processes: readonly Process[]
  /** DECIDE, by round. */
  readonly decided: readonly (Node | null)[]
}

interface Rules {
  readonly rounds: readonly number[]
  readonly values: readonly string[]
  /** So many correct processes make a quorum, together with all Byzantine ones. */
  readonly quorum: number
  readonly form: Form
}

const tree = qtree('hotstuff', { decree: 'log' })

/** What ends a round comes first: of executions that are equally short, the one is found in which rounds come one after the other. */
function rulesFor(rules: Rules): readonly Rule<State>[] {
  const acting = [committing, precommitting, joining, leaving].flatMap((step) =>
    correct.map((by) => (state: State) => step(state, state.processes[by] as Process, by, rules)),
  )
  return [...rules.rounds.map((round) => (state: State) => deciding(state, round, rules)), ...acting]
}

/**
 * A timeout: the process goes to the next round. Its ROUND-CHANGE tells the last node that it has seen certified, and a correct leader extends the highest;
 * a Byzantine one extends what it likes, and whoever joins asks for the certificate only. So nothing depends on what is told.
 */
function leaving(state: State, process: Process, by: number, { rounds }: Rules): readonly Action<State>[] {
  if (process.round === rounds.length) return []
  const after = () => changed(state, by, { ...process, round: process.round + 1 })
  return [{ name: `process ${by} leaves ${process.round}`, after }]
}

/** JOIN: once in a round, if the parent is certified and the lock allows it. The first that makes a quorum possible adds the node: a certificate can exist from then on. */
function joining(state: State, process: Process, by: number, rules: Rules): readonly Action<State>[] {
  const { quorum, values, form } = rules
  const { round } = process
  const joined = process.joins[round - 1] ?? []
  if (joined.length > 0 && form.bug !== 'twoJoins') return []
  const nodes = parents(state, round, rules).flatMap((parent) =>
    values.map((value) => ({ parent, node: under(parent, round, value) })),
  )
  const possible = nodes.filter(({ node, parent }) => !joined.includes(node) && isAllowed(process, node, parent, form))
  return possible.map(({ node, parent }) => {
    const isAdded = countOf(state, 'joins', round, node) + 1 === quorum && form.points !== 'at precommits'
    const joins = process.joins.with(round - 1, [...joined, node].sort())
    return {
      name: `process ${by} joins ${node}`,
      after: () => changed(state, by, { ...process, joins }),
      announces: isAdded ? [tree.add({ round, value: node, parent: roundOf(parent) })] : [],
    }
  })
}

/** Nodes of lower rounds that a leader can show to be certified. */
function parents(state: State, round: number, rules: Rules): readonly Node[] {
  if (rules.form.bug === 'uncertified') return imaginable(round, rules.values)
  const lower = rules.rounds.filter((one) => one < round)
  const nodes = lower.flatMap((one) => certified(state, one, rules))
  return [root, ...nodes]
}

function certified(state: State, round: number, { quorum }: Rules): readonly Node[] {
  const joined = new Set(state.processes.flatMap(({ joins }) => joins[round - 1] ?? []))
  return [...joined].filter((node) => countOf(state, 'joins', round, node) >= quorum)
}

/** All nodes below a round, whether anybody has joined them or not. */
function imaginable(round: number, values: readonly string[]): readonly Node[] {
  const above = range(1, round - 1).flatMap((one) =>
    imaginable(one, values).flatMap((parent) => values.map((value) => under(parent, one, value))),
  )
  return [root, ...above]
}

/** The lock: what a process has locked may be decided. It joins nodes that extend it, or whose parent was certified after it. */
function isAllowed(process: Process, node: Node, parent: Node, { bug }: Form): boolean {
  const lock = bug === 'neverLocks' ? root : (process.commits.findLast((one) => one !== null) ?? root)
  if (bug === 'noLockRule' || isExtending(node, lock)) return true
  return bug === 'overviewRule' ? roundOf(node) > roundOf(lock) : roundOf(parent) > roundOf(lock)
}

/** PRECOMMIT: after a quorum of JOINs. */
function precommitting(state: State, process: Process, by: number, rules: Rules): readonly Action<State>[] {
  const { round } = process
  if (process.precommits[round - 1] !== null) return []
  return certified(state, round, rules).map((node) => ({
    name: `process ${by} precommits ${node}`,
    after: () => changed(state, by, { ...process, precommits: process.precommits.with(round - 1, node) }),
    announces:
      rules.form.points === 'at precommits' ? [tree.add({ round, value: node, parent: roundOf(parentOf(node)) })] : [],
  }))
}

/** COMMIT: after a quorum of PRECOMMITs. The process locks the node. */
function committing(state: State, process: Process, by: number, rules: Rules): readonly Action<State>[] {
  const { round } = process
  if (process.commits[round - 1] !== null) return []
  return withQuorum(state, 'precommits', round, rules).map((node) => ({
    name: `process ${by} commits ${node}`,
    after: () => changed(state, by, { ...process, commits: process.commits.with(round - 1, node) }),
  }))
}

/** DECIDE: after a quorum of COMMITs. */
function deciding(state: State, round: number, rules: Rules): readonly Action<State>[] {
  if (state.decided[round - 1] !== null) return []
  const votes = rules.form.bug === 'decidesEarly' ? 'precommits' : 'commits'
  return withQuorum(state, votes, round, rules).map((node) => ({
    name: `leader ${round} decides ${node}`,
    after: () => ({ ...state, decided: state.decided.with(round - 1, node) }),
    announces: [tree.commit({ round })],
  }))
}

type Votes = 'precommits' | 'commits'

function withQuorum(state: State, votes: Votes, round: number, { quorum }: Rules): readonly Node[] {
  const nodes = new Set(state.processes.map((process) => process[votes][round - 1] ?? null))
  return [...nodes].filter((node) => node !== null && countOf(state, votes, round, node) >= quorum) as Node[]
}

function countOf({ processes }: State, votes: Votes | 'joins', round: number, node: Node): number {
  const isFor = (process: Process) =>
    votes === 'joins' ? process.joins[round - 1]?.includes(node) : process[votes][round - 1] === node
  return processes.filter(isFor).length
}

function changed(state: State, by: number, process: Process): State {
  return { ...state, processes: state.processes.with(by, process) }
}

function under(parent: Node, round: number, value: string): Node {
  return parent === root ? `${round}${value}` : `${parent} ${round}${value}`
}

function parentOf(node: Node): Node {
  return node.slice(0, Math.max(0, node.lastIndexOf(' ')))
}

function roundOf(node: Node): number {
  return node === root ? 0 : Number.parseInt(node.slice(node.lastIndexOf(' ') + 1), 10)
}

function isExtending(node: Node, other: Node): boolean {
  return other === root || node === other || node.startsWith(`${other} `)
}

type Mistake = 'noLockRule' | 'neverLocks' | 'overviewRule' | 'decidesEarly' | 'uncertified' | 'twoJoins'

interface Form {
  readonly bug?: Mistake
  /** Nodes are added at the first PRECOMMIT: too late, as a certificate can be shown before. */
  readonly points?: 'at precommits' | 'none'
}

/** `quorum`: of all four processes. `agreement`: nothing is asked but that what is decided is on one branch. */
const params = { rounds: 2, values: 1, quorum: 3, agreement: false }

/** One of four processes is Byzantine. */
const faults = 1
const correct = range(0, 2)

function declared(name: string, form: Form = {}) {
  return system(name, { params, faults: {} }, (sizes) => {
    const rounds = range(1, sizes.rounds)
    const rules: Rules = {
      rounds,
      values: ['a', 'b', 'c'].slice(0, sizes.values),
      quorum: sizes.quorum - faults,
      form,
    }
    const none = rounds.map(() => null)
    const process: Process = { round: 1, joins: rounds.map(() => []), precommits: none, commits: none }
    const first: State = { processes: correct.map(() => process), decided: none }
    return {
      machines: {
        hotstuff: actions<State>('hotstuff', {
          state: () => first,
          next: rulesFor(rules),
          models: ['one Byzantine process of four'],
          alike: alikeProcesses(),
        }).as(),
      },
      ...(sizes.agreement ? { invariants: [agreement(decidedApart)] } : {}),
      ...(sizes.agreement || form.points === 'none' ? {} : { properties: [refines(tree)] }),
    }
  })
}

/** Decided nodes that no other decided node extends. */
function decidedApart({ decided }: State): readonly string[] {
  const nodes = decided.filter((node) => node !== null)
  return nodes.filter((node) => nodes.every((other) => other === node || !isExtending(other, node)))
}

export const hotstuff = declared('hotstuff')
/** The same, and nothing is asked of it. */
export const unwatched = declared('unwatched', { points: 'none' })

/** Processes join whatever extends a certified node. */
export const noLockRule = declared('no lock rule', { bug: 'noLockRule' })
/** Processes do not remember what they have locked. */
export const neverLocks = declared('never locks', { bug: 'neverLocks' })
/** The node itself, and not its parent, is compared with the lock: it is always of a higher round. */
export const overviewRule = declared('overview rule', { bug: 'overviewRule' })
/** A quorum of PRECOMMITs decides. */
export const decidesEarly = declared('decides early', { bug: 'decidesEarly' })
/** Processes do not ask for the certificate of the parent. */
export const uncertified = declared('uncertified', { bug: 'uncertified' })
/** Processes join twice in a round. */
export const twoJoins = declared('two joins', { bug: 'twoJoins' })
/** HotStuff without a mistake, by points at which a node is added at the first PRECOMMIT: they refuse it. */
export const addedAtPrecommits = declared('added at precommits', { points: 'at precommits' })
