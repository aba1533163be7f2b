/**
 * Programs with public counterparts in the tables of "PSym: Efficient Symbolic Exploration of Distributed Systems" (PLDI 2023), at its sizes where they are
 * known. All are our own, written from descriptions, so times are comparable in kind only; the states of two are those of the TLA+ specification.
 */
import type { AbstractionOptions } from '../../src/program/p-model.ts'

export interface Way {
  readonly mode: 'states' | 'steps' | 'rounds'
  readonly order: 'above' | 'below'
}

export interface Row {
  readonly title: string
  readonly file: string
  readonly test: string
  /** Types that are known by classes of their values. */
  readonly abstract?: { readonly [type: string]: AbstractionOptions }
  /** With sender queues, as `stateful` counts them; undefined if there are too many to count. */
  readonly states: number | undefined
  readonly best: Way
  /** Time, memory of PSym in the paper. */
  readonly paper: string
  /** TLC on the specification, one worker: CPU s, or time in the paper. */
  readonly tlc?: string
}

const byStates: Way = { mode: 'states', order: 'above' }
const byStepsBelow: Way = { mode: 'steps', order: 'below' }
const bySteps: Way = { mode: 'steps', order: 'above' }
const inRounds: Way = { mode: 'rounds', order: 'below' }

const counter = 'corpus/p-counter/model.p'
const lastZero = 'bench/symbolic/last-zero.p'
const ring = 'bench/symbolic/ring-election.p'
const clock = 'bench/p/hybrid-clock.p'
const benOr = 'bench/symbolic/ben-or.p'
const flexible = 'bench/symbolic/flexible-paxos.p'
const inTurns = 'bench/symbolic/commit-in-turns.p'
const leaders = 'bench/symbolic/leaders-paxos.p'
const commit = 'bench/symbolic/two-phase-commit.p'
const paxos = 'bench/symbolic/paxos.p'
const storeByCommit = 'corpus/p-store-commit/model.p'
const storeByPaxos = 'corpus/p-store-paxos/model.p'

/** As `all-values.check.ts` has it, beside these programs. */
const keysAndValues: Row['abstract'] = {
  Key: {
    classes: { key: 'one', otherKeys: 'many' },
    functions: { theKey: ['key'], otherKey: ['otherKeys'] },
  },
  Val: {
    classes: { val: 'one', otherVals: 'many' },
    functions: { theVal: ['val'], anyVal: ['val', 'otherVals'] },
  },
}

export const rows: readonly Row[] = [
  // Table 6.
  { title: 'counter(5)', file: counter, test: 'counter5', states: 47, best: byStates, paper: '1 s, 8 MB' },
  { title: 'counter(10)', file: counter, test: 'counter10', states: 2011, best: byStates, paper: '7.6 s, 200 MB' },
  { title: 'counter(15)', file: counter, test: 'counter15', states: 77_306, best: byStates, paper: '317 s, 13 GB' },
  {
    title: 'lastzero(5)',
    file: lastZero,
    test: 'lastZero___size_5',
    states: 12_264,
    best: inRounds,
    paper: '93 s, 3.6 GB; filter: 3 s, 20 MB',
  },
  {
    title: 'lastzero(10)',
    file: lastZero,
    test: 'lastZero___size_10',
    states: undefined,
    best: inRounds,
    paper: '> 1 h; filter: 12 s, 180 MB',
  },
  {
    title: 'lastzero(15)',
    file: lastZero,
    test: 'lastZero___size_15',
    states: undefined,
    best: inRounds,
    paper: '> 1 h; filter: 73 s, 1 GB',
  },
  {
    title: 'lastzero(20)',
    file: lastZero,
    test: 'lastZero___size_20',
    states: undefined,
    best: inRounds,
    paper: '–',
  },
  // Table 2: one machine each.
  {
    title: 'Chang–Roberts, N = 5',
    file: ring,
    test: 'ring___size_5',
    states: 5488,
    best: byStates,
    paper: '1 s',
    tlc: '3.0 s, 202 MB',
  },
  {
    title: 'Chang–Roberts, N = 6',
    file: ring,
    test: 'ring___size_6',
    states: 40_326,
    best: byStates,
    paper: '–',
    tlc: '6.8 s, 357 MB',
  },
  {
    title: 'hybrid clocks, MaxT = 3',
    file: clock,
    test: 'clocks___most_3',
    states: 7455,
    best: byStepsBelow,
    paper: '3 s',
    tlc: '5.6 s, 478 MB',
  },
  {
    title: 'hybrid clocks, MaxT = 4',
    file: clock,
    test: 'clocks___most_4',
    states: 28_458,
    best: byStepsBelow,
    paper: '8 s',
    tlc: '11.6 s, 1.3 GB',
  },
  {
    title: 'hybrid clocks, MaxT = 5',
    file: clock,
    test: 'clocks___most_5',
    states: 73_039,
    best: byStepsBelow,
    paper: '24 s',
    tlc: '27.7 s, 2.3 GB',
  },
  {
    title: 'Ben-Or, N = 4, 2 rounds',
    file: benOr,
    test: 'fourProcesses___size_4__rounds_2',
    states: 8196,
    best: byStates,
    paper: '7 s',
    tlc: '8.6 s, 587 MB',
  },
  {
    title: 'Ben-Or, N = 4, 3 rounds',
    file: benOr,
    test: 'fourProcesses___size_4__rounds_3',
    states: 56_342,
    best: byStates,
    paper: '71 s',
    tlc: '74.6 s, 2.5 GB',
  },
  {
    title: '2PC with backup, RM = 5',
    file: 'bench/symbolic/two-phase-backup.p',
    test: 'backup___size_5',
    states: 25_570,
    best: byStates,
    paper: '10 s',
    tlc: '4.7 s, 329 MB',
  },
  {
    title: 'Streamlet, 5 epochs',
    file: 'bench/symbolic/streamlet.p',
    test: 'streamlet___epochs_5',
    states: 12_178,
    best: byStates,
    paper: '5 s',
    tlc: '> 15 min (paper)',
  },
  {
    title: 'flexible Paxos, 2 acceptors, 3 ballots',
    file: flexible,
    test: 'flexible___size_2__ballots_3__first_2__second_1',
    states: 1624,
    best: byStates,
    paper: '–',
    tlc: '9.0 s, 514 MB',
  },
  {
    title: 'Paxos, 3 acceptors, 3 ballots, one machine',
    file: flexible,
    test: 'threeBallots___size_3__ballots_3__first_2__second_2',
    states: 200_250,
    best: byStates,
    paper: '201 s',
    tlc: '200 s (paper)',
  },
  {
    title: 'Paxos, 2 leaders, 3 ballots, one machine',
    file: leaders,
    test: 'turns___size_3__leaders_2__most_2',
    states: 47_764,
    best: byStates,
    paper: '–',
  },
  {
    title: 'Paxos, 9 leaders, 11 ballots, one machine',
    file: leaders,
    test: 'full___size_3__leaders_9__most_10',
    states: undefined,
    best: byStates,
    paper: '6 min 54',
    tlc: '> 15 min (paper)',
  },
  // Table 3.
  {
    title: 'token ring, 4 members',
    file: 'corpus/p-token-ring/model.p',
    test: 'four',
    states: 120,
    best: bySteps,
    paper: '2 s, 27 MB',
  },
  {
    title: 'bounded asynchrony, 11 rounds',
    file: 'corpus/p-bounded-asynchrony/model.p',
    test: 'eleven',
    states: 947,
    best: bySteps,
    paper: '11 s, 45 MB',
  },
  {
    title: 'German, 3 clients, 5 wishes',
    file: 'bench/symbolic/german.p',
    test: 'german___size_3__asks_5',
    states: 25_246,
    best: byStates,
    paper: '44 s, 860 MB',
  },
  {
    title: 'failure detector, 3 nodes, 2 rounds',
    file: 'bench/symbolic/failure-detector.p',
    test: 'detector___size_3__rounds_2',
    states: 16_301,
    best: byStates,
    paper: '38 s, 1.4 GB',
  },
  {
    title: 'two-phase commit, 2 clients',
    file: 'corpus/p-two-phase-commit/model.p',
    test: 'twoClients',
    states: 1393,
    best: byStates,
    paper: '–',
  },
  {
    title: '2PC, 2 clients, 1 transaction each',
    file: inTurns,
    test: 'commits___size_2__clients_2__rounds_1__names_2__numbers_2',
    states: 24_548,
    best: byStates,
    paper: '–',
  },
  {
    title: '2PC, 2 clients, 2 transactions each',
    file: inTurns,
    test: 'commits___size_2__clients_2__rounds_2__names_2__numbers_2',
    states: 748_716,
    best: byStates,
    paper: '–',
  },
  {
    title: '2PC, 2 clients, 3 transactions each',
    file: inTurns,
    test: 'commits___size_2__clients_2__rounds_3__names_2__numbers_2',
    states: 5_048_924,
    best: byStates,
    paper: '57 min, 13 GB',
  },
  {
    title: 'Paxos, 3 acceptors',
    file: paxos,
    test: 'paxos___size_3',
    states: 2517,
    best: byStates,
    paper: '2 h, 18 GB',
  },
  // Table 5: stores for all keys and values.
  {
    title: 'store by 2PC(2), all values',
    file: storeByCommit,
    abstract: keysAndValues,
    test: 'store___size_2',
    states: 319,
    best: byStates,
    paper: '< 1 s, 8 MB',
  },
  {
    title: 'store by 2PC(4), all values',
    file: storeByCommit,
    abstract: keysAndValues,
    test: 'store___size_4',
    states: 953,
    best: byStates,
    paper: '< 1 s, 9 MB',
  },
  {
    title: 'store by 2PC(6), all values',
    file: storeByCommit,
    abstract: keysAndValues,
    test: 'store___size_6',
    states: 1939,
    best: byStates,
    paper: '1 s, 9 MB',
  },
  {
    title: 'store by Paxos(3), all values',
    file: storeByPaxos,
    abstract: keysAndValues,
    test: 'store___size_3',
    states: 20_362,
    best: byStates,
    paper: '12 s, 123 MB',
  },
  {
    title: 'store by Paxos(5), all values',
    file: storeByPaxos,
    abstract: keysAndValues,
    test: 'store___size_5',
    states: 634_453,
    best: byStates,
    paper: '3 h, 18 GB',
  },
  // The same protocols without a store: one transaction, one decision.
  { title: '2PC(2)', file: commit, test: 'commit___size_2', states: 49, best: bySteps, paper: '–' },
  { title: '2PC(4)', file: commit, test: 'commit___size_4', states: 827, best: bySteps, paper: '–' },
  { title: '2PC(6)', file: commit, test: 'commit___size_6', states: 13_533, best: bySteps, paper: '–' },
  {
    title: 'Paxos, 5 acceptors',
    file: paxos,
    test: 'paxos___size_5',
    states: 143_781,
    best: byStates,
    paper: '–',
  },
]

/** What is measured with filters: those of the rows in which one of them makes a difference, and one in which machines are alike. */
export const filteredRows: readonly Pick<Row, 'title' | 'file' | 'test'>[] = [
  ...rows.filter(({ title }) => ['counter(15)', 'lastzero(5)', 'Paxos, 3 acceptors', '2PC(6)'].includes(title)),
  { title: '5 voters', file: 'bench/symbolic/voters.p', test: 'voters___size_5' },
  { title: '7 voters', file: 'bench/symbolic/voters.p', test: 'voters___size_7' },
]

/** By states, and step by step for what is about executions. */
export const filteredWays = [
  { mode: 'states', filter: 'none' },
  { mode: 'states', filter: 'creations' },
  { mode: 'states', filter: 'sole' },
  { mode: 'states', filter: 'symmetry' },
  { mode: 'steps', filter: 'none' },
  { mode: 'steps', filter: 'sleep' },
] as const
