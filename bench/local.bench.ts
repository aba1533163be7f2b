/**
 * Paxos with one proposal among three machines (LMC §5.1 and Figure 11): global search, local search with an invariant about all
 * machines (LMC-GEN) and with the same as a conflict between two (LMC-OPT). Counts are exact; time and memory are ratios.
 */
import { LocalSearch } from '../src/engines/local/search.ts'
import type { Machines } from '../src/program/machines.ts'
import { searchGlobally } from '../test/agreement/machine-oracle.ts'
import { liveState, paxos } from '../test/unit/engines/local/paxos.ts'
import { best, secondsSince, table, thousands } from './measure.ts'

interface Row {
  readonly name: string
  readonly transitions: number
  readonly localStates: string
  readonly systemStates: number
  readonly checks: string
  readonly cpuSeconds: number
  readonly heapMegabytes: number
}

/** Global search is given up there: the table then says how far it came. */
const mostStates = 60_000

const oneProposal = { proposals: [['v1']] }
const global = measured(() => globally(paxos({ ...oneProposal, general: true })))
const general = best(
  3,
  () => measured(() => locally('local, all machines', paxos({ ...oneProposal, general: true }))),
  cost,
)
const decomposed = best(3, () => measured(() => locally('local, conflict', paxos(oneProposal))), cost)
console.log('\nPaxos, one proposal, three machines, bag\n')
print([global, general, decomposed], global)

const wrong = { proposals: [['v1'], ['v2']], lastAnswerWins: true }
const bug = best(3, () => measured(() => locally('local, conflict', liveState(paxos(wrong)))), cost)
const bugGeneral = measured(() => locally('local, all machines', liveState(paxos({ ...wrong, general: true }))))
console.log('\nthe last answer wins (LMC §5.5), from the live state to the violation\n')
print([bugGeneral, bug], bugGeneral)

function cost({ cpuSeconds }: Row): number {
  return cpuSeconds
}

function globally(subject: Machines): Omit<Row, 'cpuSeconds' | 'heapMegabytes'> {
  const { transitions, globalStates, cut } = searchGlobally(subject, { mostStates })
  const name = cut ? `global, given up` : 'global'
  return { name, transitions, localStates: '', systemStates: globalStates, checks: '' }
}

function locally(name: string, subject: Machines): Omit<Row, 'cpuSeconds' | 'heapMegabytes'> {
  const search = new LocalSearch(subject)
  for (const event of search.events()) if (event.kind === 'violation') break
  const { states, transitions, systemStates, soundnessChecks } = search.counts()
  return { name, transitions, localStates: thousands(states), systemStates, checks: thousands(soundnessChecks) }
}

function measured(run: () => Omit<Row, 'cpuSeconds' | 'heapMegabytes'>): Row {
  const heap = process.memoryUsage().heapUsed
  const before = process.cpuUsage()
  const row = run()
  const cpuSeconds = secondsSince(before)
  return { ...row, cpuSeconds, heapMegabytes: Math.max(0, process.memoryUsage().heapUsed - heap) / 2 ** 20 }
}

function print(rows: readonly Row[], baseline: Row): void {
  const head = ['search', 'transitions', 'local states', 'system states', 'checks', 'CPU', 'speed-up', 'heap grown']
  const cells = rows.map((row) => [
    row.name,
    thousands(row.transitions),
    row.localStates,
    thousands(row.systemStates),
    row.checks,
    `${row.cpuSeconds.toFixed(2)} s`,
    `${(baseline.cpuSeconds / row.cpuSeconds).toFixed(1)} ×`,
    `${row.heapMegabytes.toFixed(0)} MB`,
  ])
  console.log(table(head, cells))
}
