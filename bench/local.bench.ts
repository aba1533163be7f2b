/**
 * Local model checking against global search on Paxos (LMC §5): one proposal among three machines, the same as it goes deeper,
 * what is beyond, and the bug of §5.5. Counts are exact and a gate; time and memory are ratios within this run.
 */
import { answered, measured } from './local/child.ts'
import type { Larger, Level, Limit, Timed } from './local/measures.ts'
import { executionLength, type SearchName } from './local/searches.ts'
import { best, table, thousands } from './measure.ts'

const isFull = process.argv.includes('--full')
/** For what may not end. */
const seconds = isFull ? 60 : 20
const rounds = isFull ? 3 : 2

if (!answered()) {
  const iterations = measured('bounds')
  oneProposal(iterations)
  asItGoesDeeper(iterations)
  limits()
  liveBug()
}

function cost({ seconds }: Timed): number {
  return seconds
}

interface Row extends Timed {
  readonly name: string
  readonly heldBytes: number
  readonly peakBytes: number
}

function oneProposal(iterations: readonly Level[]): void {
  const floor = measured('peak', 'none')
  const row = (name: string, search: SearchName): Row => ({
    name,
    ...best(rounds, () => measured('time', search), cost),
    heldBytes: measured('held', search),
    peakBytes: measured('peak', search) - floor,
  })
  const bounded = row(`its last bound alone`, 'bounded')
  // LMC §4.2: in B-DFS "the search depth is increased at each step".
  const all: Row = {
    ...bounded,
    name: `(a) B-DFS, bounds 1 to ${iterations.length}`,
    transitions: iterations.reduce((sum, { transitions }) => sum + transitions, 0),
    seconds: iterations.reduce((sum, level) => sum + level.seconds, 0),
  }
  // What it remembers is the same.
  const unbounded: Row = {
    ...bounded,
    ...best(rounds, () => measured('time', 'unbounded'), cost),
    name: 'DFS without a bound',
  }
  const stateful = row('(b) stateful', 'stateful')
  const general = row('(c) local, all machines', 'general')
  const decomposed = row('(d) local, conflict', 'decomposed')
  console.log('\nPaxos, one proposal, three machines, bag\n')
  printRows([all, bounded, unbounded, stateful, general, decomposed], { all, bounded, stateful })
  gate(bounded.depth === executionLength, `executions have ${executionLength} events`)
  gate(unbounded.transitions === stateful.transitions, 'both global searches take the same transitions')
  gate(unbounded.transitions >= 100 * general.transitions, 'local search executes 100 times fewer handlers')
  gate(decomposed.systemStates === 0, 'no system state is created for a conflict that is none')
}

interface Baselines {
  readonly all: Row
  readonly bounded: Row
  readonly stateful: Row
}

function printRows(rows: readonly Row[], { all, bounded, stateful }: Baselines): void {
  const columns = ['search', 'transitions', 'states', 'system states', 'checks', 'depth', 'CPU ms', 'first time']
  const head = [...columns, '(a) / this', 'last bound / this', '(b) / this', 'held KB', 'peak MB']
  const cells = rows.map((row) => [
    row.name,
    thousands(row.transitions),
    thousands(row.states),
    orNothing(row.systemStates),
    orNothing(row.checks),
    orNothing(row.depth),
    milliseconds(row.seconds),
    milliseconds(row.first),
    ratio(all.seconds / row.seconds),
    ratio(bounded.seconds / row.seconds),
    ratio(stateful.seconds / row.seconds),
    thousands(row.heldBytes / 1024),
    (row.peakBytes / 2 ** 20).toFixed(1),
  ])
  console.log(table(head, cells))
}

function asItGoesDeeper(iterations: readonly Level[]): void {
  const levels = measured('levels')
  const end = levels.at(-1)
  const byDepth = new Map(levels.slice(0, -1).map((level) => [level.depth, level]))
  console.log('\nas the search goes deeper\n')
  const head = ['depth', 'B-DFS transitions', 'states', 'held KB', 'local transitions', 'states', 'held KB']
  const cells = (level: Level | undefined) =>
    level === undefined
      ? ['', '', '']
      : [thousands(level.transitions), thousands(level.states), (level.heldBytes / 1024).toFixed(1)]
  const rows = iterations.map((level) => [`${level.depth}`, ...cells(level), ...cells(byDepth.get(level.depth))])
  console.log(table(head, [...rows, ['end', ...cells(iterations.at(-1)), ...cells(end)]]))
  const [local, global] = [straightness(levels.slice(0, -1)), straightness(iterations)]
  console.log(`\nheld by depth, a straight line: R² ${local.toFixed(3)} for local, ${global.toFixed(3)} for B-DFS`)
}

/** R² of the straight line through memory by depth. */
function straightness(levels: readonly Level[]): number {
  const mean = (of: (level: Level) => number) => levels.reduce((sum, level) => sum + of(level), 0) / levels.length
  const [x, y] = [mean(({ depth }) => depth), mean(({ heldBytes }) => heldBytes)]
  const covariance = mean(({ depth, heldBytes }) => (depth - x) * (heldBytes - y))
  return covariance ** 2 / (mean(({ depth }) => (depth - x) ** 2) * mean(({ heldBytes }) => (heldBytes - y) ** 2))
}

function limits(): void {
  console.log(`\nbeyond, with a conflict for invariant, given up after ${seconds} CPU s\n`)
  const cases = [
    { machines: 3, proposals: 1, seconds },
    { machines: 4, proposals: 1, seconds },
    { machines: 5, proposals: 1, seconds },
    { machines: 3, proposals: 2, seconds },
    { machines: 4, proposals: 2, seconds },
  ]
  const rows = cases.map((options) => ({
    name: `${options.machines} machines, ${proposalsOf(options)}`,
    ...measured('limit', options),
  }))
  printLimits(rows)
  for (const options of cases.filter(({ machines, proposals }) => machines + proposals === 5)) {
    const { states, transitions, ended } = measured('globalLimit', options)
    const size = `${options.machines} machines, ${proposalsOf(options)}`
    const far = `${thousands(states)} states, ${thousands(transitions)} transitions`
    console.log(`stateful, ${size}: ${ended ? 'ended with' : 'given up after'} ${far}`)
  }
  gate(
    rows.every(({ violations }) => violations === 0),
    'Paxos is right',
  )
}

function proposalsOf({ proposals }: Larger): string {
  return proposals === 1 ? '1 proposal' : `${proposals} proposals`
}

function liveBug(): void {
  const found = measured('bug')
  console.log('\nthe last answer wins (LMC §5.5), from the live state to the violation\n')
  printLimits([{ name: 'local, conflict', ...found }])
  const perCheck = found.checksMs / found.counts.soundnessChecks
  console.log(`\n${perCheck.toFixed(3)} ms for each soundness check; ${milliseconds(found.first)} ms the first time`)
  gate(found.violations === 1, 'the bug is found')
}

function printLimits(rows: readonly (Limit & { readonly name: string })[]): void {
  const counted = ['depth', 'transitions', 'states', 'messages', 'system states', 'checks', 'rejected']
  const head = ['', 'ended', ...counted, 'CPU ms', 'handlers', 'system states', 'checks']
  const cells = rows.map(({ name, ended, counts, seconds, handlersMs, systemStatesMs, checksMs }) => [
    name,
    ended ? 'yes' : 'no',
    ...[counts.depth, counts.transitions, counts.states, counts.messages, counts.systemStates].map(thousands),
    thousands(counts.soundnessChecks),
    thousands(counts.rejected),
    milliseconds(seconds),
    ...[handlersMs, systemStatesMs, checksMs].map(
      (ms) => `${Math.round((100 * ms) / (handlersMs + systemStatesMs + checksMs))} %`,
    ),
  ])
  console.log(table(head, cells))
}

function gate(holds: boolean, claim: string): void {
  if (holds) return
  console.error(`wrong: ${claim}`)
  process.exitCode = 1
}

function orNothing(count: number | undefined): string {
  return count === undefined ? '' : thousands(count)
}

function milliseconds(seconds: number): string {
  const ms = seconds * 1e3
  return ms >= 100 ? thousands(ms) : ms.toPrecision(2)
}

function ratio(times: number): string {
  return `${times >= 10 ? thousands(times) : times.toPrecision(2)} ×`
}
