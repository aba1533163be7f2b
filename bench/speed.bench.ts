/**
 * Executions per CPU second, one thread, beside the nearest peer (TraceForge 0.2.1, Rust, release mode; its figures were
 * measured on a 2-core machine under load and are compared as CPU seconds), the ratio of mailbox to fifo on programs with equal
 * counts, and the cost of an execution as a multiple of running the program's own code once. Counts are a gate: a wrong count
 * fails the benchmark.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { rNsAssm } from '../corpus/litmus-assume/model.check.ts'
import { nsNr, nsR, nworkers } from '../corpus/microbenchmarks/model.check.ts'
import { twoPhaseCommit } from '../corpus/two-phase-commit/model.check.ts'
import { dpor } from '../src/engines/dpor/dpor.ts'
import type { NetworkName, Program } from '../src/index.ts'
import { runBare } from './bare.ts'
import { best, search, secondsSince, subjectOf, table, thousands } from './measure.ts'

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

interface Figures {
  readonly executions: number
  readonly cpuSeconds: number
  /** CPU seconds to run the program's own code once. */
  readonly bareSeconds: number
}

/** A row in a process of its own: code compiled for one program would slow down the next. */
function figures(row: Row, network: NetworkName): Figures {
  const args = [fileURLToPath(import.meta.url), `--row=${row.title}`, `--network=${network}`]
  const child = spawnSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
  const found = JSON.parse(child.stdout) as Figures
  if (found.executions !== row.total) {
    wrong++
    console.error(`${row.title} ${network}: ${found.executions} executions instead of ${row.total}`)
  }
  return found
}

function measured(row: Row, network: NetworkName): Figures {
  const times = row.total > 100_000 ? 3 : 8
  const run = () => search(row.program, { n: row.n }, network)
  const { executions, blocked, cpuSeconds } = best(times, run, (each) => each.cpuSeconds)
  return { executions: executions + blocked, cpuSeconds, bareSeconds: bareSeconds(row) }
}

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
  const { executions, cpuSeconds, bareSeconds: bare } = figures(row, 'fifo')
  const rate = executions / cpuSeconds
  return [
    row.title,
    thousands(executions),
    thousands(rate),
    thousands(row.peer),
    `${(rate / row.peer).toFixed(1)} ×`,
    `${(cpuSeconds / executions / bare).toFixed(2)} ×`,
  ]
}

function mailboxRow(row: Row): readonly string[] {
  const [fifo, mailbox] = [figures(row, 'fifo'), figures(row, 'mailbox')]
  return [row.title, thousands(row.total), `${(mailbox.cpuSeconds / fifo.cpuSeconds).toFixed(2)} ×`]
}

/** Executions in each CPU second of this process, counted from its start: what is loaded and compiled is in the first. */
function rates(seconds: number): readonly number[] {
  const counts = Array.from({ length: seconds }, () => 0)
  const subject = subjectOf(nworkers, { n: 11 }, 'fifo')
  const options = { seed: 1, schedule: 'sends-first', eager: false, samples: 0, depth: 0 }
  let sinceLook = 0
  for (const event of dpor.explore(subject, options)) {
    // To ask for the time costs about as much as an execution.
    if (event.kind !== 'execution' || ++sinceLook < 100) continue
    const { user, system } = process.cpuUsage()
    const second = Math.floor((user + system) / 1e6)
    if (second >= seconds) break
    counts[second] = (counts[second] ?? 0) + sinceLook
    sinceLook = 0
  }
  return counts
}

/** In a process of its own. */
function warmth(seconds: number): string {
  const child = spawnSync(process.execPath, [fileURLToPath(import.meta.url), `--rates=${seconds}`], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const counts = JSON.parse(child.stdout) as readonly number[]
  const [first = 0, last = 0] = [counts[0], counts.at(-1)]
  return `nworkers(11), executions in CPU second 1 of a process and in second ${seconds}: ${thousands(first)} and ${thousands(last)}, ${(first / last).toFixed(2)} ×`
}

const option = (name: string): string | undefined =>
  process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3)
const only = rows.find(({ title }) => title === option('row'))

if (option('rates') !== undefined) {
  console.log(JSON.stringify(rates(Number(option('rates')))))
} else if (process.argv.includes('--short')) {
  console.log(warmth(3))
} else if (only !== undefined) {
  console.log(JSON.stringify(measured(only, option('network') as NetworkName)))
} else {
  console.log('dpor under fifo, one thread; "bare" = cost of an execution over the cost of running the program once\n')
  console.log(table(['program', 'executions', 'per CPU s', 'peer per CPU s', 'ratio', 'bare'], rows.map(speedRow)))
  console.log('\nmailbox over fifo, programs with equal counts\n')
  const equal = rows.filter(({ title }) =>
    ['ns+nr(8)', 'ns+nr(9)', 'nworkers(8)', 'nworkers(9)', '2pc(6)'].includes(title),
  )
  console.log(table(['program', 'executions', 'CPU time ratio'], equal.map(mailboxRow)))
  console.log(`\n${[1, 2, 3].map(() => warmth(10)).join('\n')}`)
  process.exitCode = wrong > 0 ? 1 : 0
}
