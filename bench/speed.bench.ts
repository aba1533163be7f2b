/**
 * Executions per CPU second, one thread, beside the nearest peer (TraceForge 0.2.1, Rust, release mode; its figures were
 * measured on a 2-core machine under load and are compared as CPU seconds), the ratio of mailbox to fifo on programs with equal
 * counts, and the cost of an execution as a multiple of running the program's own code once. Counts are a gate: a wrong count
 * fails the benchmark.
 */
import { rNsAssm } from '../corpus/litmus-assume/model.check.ts'
import { nsNr, nsR, nworkers } from '../corpus/microbenchmarks/model.check.ts'
import { twoPhaseCommit } from '../corpus/two-phase-commit/model.check.ts'
import type { NetworkName, Program } from '../src/index.ts'
import { runBare } from './bare.ts'
import { best, type Measured, search, secondsSince, subjectOf, table, thousands } from './measure.ts'

interface Row {
  readonly title: string
  readonly program: Program
  readonly n: number
  readonly total: number
  /** Executions per CPU second of the peer. */
  readonly peer: number
}

const rows: readonly Row[] = [
  { title: 'ns+nr(7)', program: nsNr, n: 7, total: 5040, peer: 45_800 },
  { title: 'ns+nr(8)', program: nsNr, n: 8, total: 40_320, peer: 37_000 },
  { title: 'ns+nr(9)', program: nsNr, n: 9, total: 362_880, peer: 32_700 },
  { title: 'nworkers(7)', program: nworkers, n: 7, total: 10_080, peer: 29_600 },
  { title: 'nworkers(8)', program: nworkers, n: 8, total: 80_640, peer: 25_800 },
  { title: 'nworkers(9)', program: nworkers, n: 9, total: 725_760, peer: 20_400 },
  { title: '2pc(5)', program: twoPhaseCommit, n: 5, total: 3840, peer: 20_200 },
  { title: '2pc(6)', program: twoPhaseCommit, n: 6, total: 46_080, peer: 16_500 },
  { title: '2pc(7)', program: twoPhaseCommit, n: 7, total: 645_120, peer: 12_400 },
  { title: 'r_ns_assm(10)', program: rNsAssm, n: 10, total: 6144, peer: 16_600 },
  { title: 'ns+r(500)', program: nsR, n: 500, total: 500, peer: 186 },
]

let wrong = 0

function measured(row: Row, network: NetworkName): Measured {
  const times = row.total > 100_000 ? 2 : 4
  const found = best(
    times,
    () => search(row.program, { n: row.n }, network),
    (each) => each.cpuSeconds,
  )
  if (found.executions + found.blocked !== row.total) {
    wrong++
    console.error(`${row.title} ${network}: ${found.executions} + ${found.blocked} executions instead of ${row.total}`)
  }
  return found
}

/** CPU seconds to run the program's own code once. */
function bareSeconds(row: Row): number {
  const subject = subjectOf(row.program, { n: row.n }, 'fifo')
  const runs = row.n > 100 ? 200 : 20_000
  const once = () => {
    const before = process.cpuUsage()
    for (let run = 0; run < runs; run++) runBare(subject)
    return secondsSince(before) / runs
  }
  return best(3, once, (seconds) => seconds)
}

function speedRow(row: Row): readonly string[] {
  const { executions, blocked, cpuSeconds } = measured(row, 'fifo')
  const rate = (executions + blocked) / cpuSeconds
  const bare = cpuSeconds / (executions + blocked) / bareSeconds(row)
  return [
    row.title,
    thousands(executions + blocked),
    thousands(rate),
    thousands(row.peer),
    `${(rate / row.peer).toFixed(1)} ×`,
    `${bare.toFixed(2)} ×`,
  ]
}

function mailboxRow(row: Row): readonly string[] {
  const [fifo, mailbox] = [measured(row, 'fifo'), measured(row, 'mailbox')]
  return [row.title, thousands(row.total), `${(mailbox.cpuSeconds / fifo.cpuSeconds).toFixed(2)} ×`]
}

// One round first, so that no row pays for compiling the engine.
for (const row of rows) if (row.total < 50_000) search(row.program, { n: row.n }, 'fifo')
console.log('dpor under fifo, one thread; "bare" = cost of an execution over the cost of running the program once\n')
console.log(table(['program', 'executions', 'per CPU s', 'peer per CPU s', 'ratio', 'bare'], rows.map(speedRow)))
console.log('\nmailbox over fifo, programs with equal counts\n')
const equal = rows.filter(({ title }) =>
  ['ns+nr(8)', 'ns+nr(9)', 'nworkers(8)', 'nworkers(9)', '2pc(6)'].includes(title),
)
console.log(table(['program', 'executions', 'CPU time ratio'], equal.map(mailboxRow)))
process.exitCode = wrong > 0 ? 1 : 0
