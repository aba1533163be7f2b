/**
 * States per CPU second of protocols that are declared by rules, beside the same search that asks all rules in every state, and beside B-DFS, in the same run. Gates:
 * the states are those that are known, Paxos has 200,000 of them a second, and a quorum tree costs at most a quarter more states and twice the time.
 */
import { fastPaxos, unwatched as fastUnwatched } from '../corpus/fast-paxos-tree/model.check.ts'
import { hotstuff, unwatched as hotstuffUnwatched } from '../corpus/hotstuff-tree/model.check.ts'
import { multiPaxos, unwatched as multiUnwatched } from '../corpus/multi-paxos-tree/model.check.ts'
import { paxos, unwatched as paxosUnwatched } from '../corpus/paxos-tree/model.check.ts'
import { pbft, unwatched as pbftUnwatched } from '../corpus/pbft-tree/model.check.ts'
import { raft, unwatched as raftUnwatched } from '../corpus/raft-tree/model.check.ts'
import { settingFrom } from '../src/core/setting.ts'
import type { EngineEvent } from '../src/engines/engine.ts'
import { searchCells } from '../src/engines/stateful/cells/cells.ts'
import { GlobalSearch } from '../src/engines/stateful/global-search.ts'
import type { Params } from '../src/index.ts'
import type { Program } from '../src/program/program.ts'
import type { GlobalStates } from '../src/program/stateful.ts'
import { BoundedSearch } from './local/bounded-search.ts'
import { secondsSince, table, thousands } from './measure.ts'
import { bytesHeld } from './object-search.ts'
import { twoPhaseCommit } from './rules/two-phase-commit.ts'

interface Row {
  readonly name: string
  readonly program: Program
  readonly params: Params
  readonly states: number
  /** Whether states that differ in names of parties alone are one. */
  readonly symmetry?: true
  /** TLC's, with one worker, on a specification with the same states. */
  readonly tlc?: number
}

const rows: readonly Row[] = [
  { name: 'Paxos, 3 acceptors, 3 rounds', program: paxos, params: { rounds: 3 }, states: 475_904 },
  {
    name: 'two-phase commit, RM = 7',
    program: twoPhaseCommit,
    params: { participants: 7 },
    states: 296_448,
    tlc: 22_600,
  },
  { name: 'PBFT, 2 rounds, 2 values', program: pbft, params: {}, states: 217_424 },
  { name: 'Paxos, up to names', program: paxos, params: { rounds: 3 }, states: 85_620, symmetry: true },
  {
    name: 'Fast Paxos, 3 rounds, up to names',
    program: fastPaxos,
    params: { rounds: 3 },
    states: 503_783,
    symmetry: true,
  },
  {
    name: 'HotStuff, 2 rounds, 2 values, up to names',
    program: hotstuff,
    params: { values: 2 },
    states: 186_706,
    symmetry: true,
  },
  { name: 'PBFT, 2 rounds, 2 values, up to names', program: pbft, params: {}, states: 37_970, symmetry: true },
]

/** Of the search that asks every state: it is the same for all of them. */
const firstStates = 6_000

function statesOf({ program, params }: Row): GlobalStates {
  const setting = settingFrom({ params: { ...program.params, ...params }, network: program.network })
  const view = program.views.stateful?.(setting)
  if (view === undefined || !('machines' in view)) throw new Error(`${program.name} has no states`)
  return view
}

interface Searched {
  readonly states: number
  readonly seconds: number
  /** Of each state, after a collection. */
  readonly bytes: number
}

function searched(events: Iterable<EngineEvent>, most = Number.POSITIVE_INFINITY): Searched {
  const [before, held] = [process.cpuUsage(), bytesHeld()]
  let [states, seconds, bytes] = [0, 0, 0]
  for (const event of events) {
    if (event.kind === 'violation') throw new Error(event.violation.message)
    if (event.kind !== 'progress') continue
    states = event.counts.states ?? 0
    if (event.explored < 1 && states < most) continue
    seconds = secondsSince(before)
    bytes = bytesHeld() - held
    break
  }
  return { states, seconds, bytes: bytes / states }
}

const head = ['protocol', 'states', 'per CPU s', 'first run', 'asked in every state', 'ratio', 'TLC', 'ratio', 'bytes']
const lines = rows.map((row) => {
  const options = { search: 'breadth', symmetry: row.symmetry === true } as const
  const runs = [1, 2, 3].map(() => searched(searchCells(statesOf(row), options)))
  const cold = runs[0] as Searched
  const byRules = runs.reduce((one, other) => (one.seconds < other.seconds ? one : other))
  if (byRules.states !== row.states) throw new Error(`${row.name}: ${byRules.states} states`)
  const whole = searched(new GlobalSearch(statesOf(row), options).events(), firstStates)
  const [rate, slow] = [byRules.states / byRules.seconds, whole.states / whole.seconds]
  return [
    row.name,
    byRules.states.toLocaleString('en'),
    Math.round(rate).toLocaleString('en'),
    thousands(cold.states / cold.seconds),
    Math.round(slow).toLocaleString('en'),
    `${(rate / slow).toFixed(1)} ×`,
    row.tlc?.toLocaleString('en') ?? '',
    row.tlc === undefined ? '' : `${(rate / row.tlc).toFixed(1)} ×`,
    Math.max(...runs.map(({ bytes }) => bytes)).toFixed(0),
  ]
})
console.log('\nstates of protocols by rules, one thread\n')
console.log(table(head, lines))

const [first] = lines.map(([, , rate]) => Number(rate?.replaceAll(',', '')))
if (first === undefined || first < 200_000) throw new Error(`Paxos: ${first} states per CPU second`)

/** All states of B-DFS are alike: so many tell how fast it is. Each is executed, serialised and remembered by its fingerprint, without a tree. */
const statesOfBaseline = 40_000
{
  const { machines } = statesOf(rows[0] as Row)
  const runs = [1, 2, 3].map(() => {
    const search = new BoundedSearch(machines, Number.POSITIVE_INFINITY, statesOfBaseline)
    const before = process.cpuUsage()
    search.run()
    return search.states / secondsSince(before)
  })
  const baseline = Math.max(...runs)
  console.log('\nPaxos, 3 acceptors, 3 rounds, beside B-DFS: states per CPU s, best of three\n')
  const cells = [first, baseline].map((rate) => Math.round(rate).toLocaleString('en'))
  console.log(table(['stateful', 'B-DFS', 'ratio'], [[...cells, `${(first / baseline).toFixed(1)} ×`]]))
}

interface Pair {
  readonly name: string
  readonly bare: Program
  readonly tree: Program
  readonly params: Params
}

const pairs: readonly Pair[] = [
  { name: 'Paxos, 3 rounds', bare: paxosUnwatched, tree: paxos, params: { rounds: 3 } },
  { name: 'Multi-Paxos, 2 slots', bare: multiUnwatched, tree: multiPaxos, params: {} },
  { name: 'Fast Paxos', bare: fastUnwatched, tree: fastPaxos, params: {} },
  { name: 'Raft, 2 terms', bare: raftUnwatched, tree: raft, params: {} },
  { name: 'Raft, 3 terms', bare: raftUnwatched, tree: raft, params: { terms: 3, candidates: 123 } },
  { name: 'HotStuff', bare: hotstuffUnwatched, tree: hotstuff, params: {} },
  { name: 'PBFT', bare: pbftUnwatched, tree: pbft, params: {} },
]

/** Trees of slots are not searched on numbers. */
function searchedFor(program: Program, params: Params): Searched {
  const subject = statesOf({ name: program.name, program, params, states: 0 })
  const onNumbers = searched(searchCells(subject, { search: 'breadth' }))
  return onNumbers.states > 0 ? onNumbers : searched(new GlobalSearch(subject, { search: 'breadth' }).events())
}

/** With and without the quorum tree beside the state, in turn; the best of three. */
const costs = pairs.map(({ name, bare, tree, params }) => {
  const runs = [1, 2, 3].map(() => [searchedFor(bare, params), searchedFor(tree, params)] as const)
  const [without, withTree] = runs[0] as readonly [Searched, Searched]
  const best = (at: 0 | 1) => Math.min(...runs.map((run) => run[at].seconds))
  const [states, seconds] = [withTree.states / without.states, best(1) / best(0)]
  if (!(states <= 1.25)) throw new Error(`${name}: a tree costs ${states} times the states`)
  if (!(seconds <= 2)) throw new Error(`${name}: a tree costs ${seconds} times the CPU time`)
  const counts = [without, withTree].map((one) => one.states.toLocaleString('en'))
  const times = [best(0), best(1)].map((one) => `${one.toFixed(2)} s`)
  return [name, ...counts, `${states.toFixed(2)} ×`, ...times, `${seconds.toFixed(2)} ×`]
})
console.log('\nwhat a quorum tree costs\n')
console.log(table(['protocol', 'without', 'with', 'ratio', 'CPU without', 'CPU with', 'ratio'], costs))
