/**
 * States per CPU second of protocols that are declared by rules, beside the same search that asks all rules in every state, in the same run. A gate: the states are
 * those that are known.
 */
import { fastPaxos } from '../corpus/fast-paxos-tree/model.check.ts'
import { hotstuff } from '../corpus/hotstuff-tree/model.check.ts'
import { paxos, unwatched } from '../corpus/paxos-tree/model.check.ts'
import { pbft } from '../corpus/pbft-tree/model.check.ts'
import { settingFrom } from '../src/core/setting.ts'
import type { EngineEvent } from '../src/engines/engine.ts'
import { searchCells } from '../src/engines/stateful/cells/cells.ts'
import { GlobalSearch } from '../src/engines/stateful/global-search.ts'
import type { Params } from '../src/index.ts'
import type { Program } from '../src/program/program.ts'
import type { GlobalStates } from '../src/program/stateful.ts'
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

/** With and without the quorum tree beside the state, in turn; the median of three. */
const searchedFor = (program: Program): Searched =>
  searched(
    searchCells(statesOf({ name: program.name, program, params: { rounds: 3 }, states: 0 }), { search: 'breadth' }),
  )
const pairs = [1, 2, 3].map(() => [searchedFor(unwatched), searchedFor(paxos)] as const)
const [without, withTree] = pairs[0] as readonly [Searched, Searched]
const more = withTree.states / without.states
const [, slower = 0] = pairs.map(([bare, tree]) => tree.seconds / bare.seconds).sort((one, other) => one - other)
console.log('\nwhat a quorum tree costs: Paxos, 3 acceptors, 3 rounds\n')
console.log(
  table(
    ['', 'without', 'with', 'ratio'],
    [
      ['states', thousands(without.states), thousands(withTree.states), `${more.toFixed(2)} ×`],
      ['CPU', `${without.seconds.toFixed(2)} s`, `${withTree.seconds.toFixed(2)} s`, `${slower.toFixed(2)} ×`],
    ],
  ),
)
if (more > 1.25) throw new Error(`a tree costs ${more} times the states`)
