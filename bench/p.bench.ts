/**
 * States of P programs per CPU second, one thread, beside TLC's published figures on specifications of the same protocols (one worker, measured on a
 * 2-core machine), the cost of the same search with handlers run by the reference semantics, and the bytes that a state takes. Counts are a gate;
 * those of two-phase commit are TLC's, with one state more for the moment before the machine begins.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadPrograms } from '../src/check/load.ts'
import { orThrow } from '../src/core/diagnostic.ts'
import { settingFrom } from '../src/core/setting.ts'
import { StateSpace } from '../src/engines/stateful/ir/space.ts'
import type { NetworkName } from '../src/index.ts'
import { irRules } from '../src/semantics/ir/paths.ts'
import { secondsSince, table, thousands } from './measure.ts'

interface Row {
  readonly title: string
  readonly file: string
  readonly network: NetworkName
  /** States that are left, in a search that does not go to its end. */
  readonly most?: number
  readonly states: number
  readonly transitions: number
  /** Distinct states per CPU second of TLC. */
  readonly peer: number
}

const rows: readonly Row[] = [
  {
    title: 'two-phase commit, RM = 7, one machine',
    file: 'two-phase.p',
    network: 'sender-queue',
    states: 296_449,
    transitions: 2_744_706,
    peer: 22_600,
  },
  {
    title: 'hybrid clocks, one machine',
    file: 'hybrid-clock.p',
    network: 'sender-queue',
    states: 152_088,
    transitions: 833_687,
    peer: 45_200,
  },
  {
    title: 'ring election, N = 8',
    file: 'ring.p',
    network: 'fifo',
    states: 181_823,
    transitions: 1_000_092,
    peer: 18_900,
  },
  {
    title: 'Ben-Or, two rounds, first million',
    file: 'ben-or.p',
    network: 'sender-queue',
    most: 1_000_000,
    states: 1_321_370,
    transitions: 3_060_900,
    peer: 30_300,
  },
]

/** States that are left where both ways are compared. */
const few = 5_000

interface Figures {
  readonly states: number
  readonly transitions: number
  readonly cpuSeconds: number
  readonly tableBytes: number
  readonly valueBytes: number
}

async function searched({ file, network }: Row, most: number, generates: boolean): Promise<Figures> {
  // Beside the bundle there is no source.
  const path = join(process.cwd(), 'bench/p', file)
  const [first] = orThrow(await loadPrograms(path)).programs
  const view = first?.program.views.ir?.(settingFrom({ params: {}, network, faults: {} }))
  if (view === undefined) throw new Error(`${file} has no test`)
  const before = process.cpuUsage()
  const space = new StateSpace(irRules(view.program, view.setting), { generates })
  let transitions = 0
  for (let state = space.first; state <= Math.min(space.size, most); state++) {
    // As the search does: it may stop between handlers, and what was remembered of them is forgotten in between.
    for (const _ of space.preparing(state));
    for (const step of space.steps(state)) {
      space.after(step)
      transitions++
    }
  }
  const cpuSeconds = secondsSince(before)
  return { states: space.size, transitions, cpuSeconds, ...space.bytes }
}

/** In a process of its own. */
function figures(row: Row, most: number, generates: boolean): Figures {
  const args = [fileURLToPath(import.meta.url), `--row=${row.title}`, `--most=${most}`, `--generates=${generates}`]
  const child = spawnSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
  return JSON.parse(child.stdout) as Figures
}

let wrong = 0

function line(row: Row): readonly string[] {
  // Both ways take turns, so that what else the machine does is the same for both.
  const turns = [0, 1].map(() => [figures(row, few, true).cpuSeconds, figures(row, few, false).cpuSeconds] as const)
  const [ours, theirs] = [0, 1].map((at) => Math.min(...turns.map((turn) => turn[at] as number)))
  const { states, transitions, cpuSeconds, tableBytes, valueBytes } = figures(
    row,
    row.most ?? Number.MAX_SAFE_INTEGER,
    true,
  )
  if (states !== row.states || transitions !== row.transitions) {
    wrong++
    console.error(`${row.title}: ${states} states and ${transitions} transitions`)
  }
  const rate = states / cpuSeconds
  return [
    row.title,
    thousands(states),
    thousands(rate),
    thousands(row.peer),
    `${(rate / row.peer).toFixed(1)} ×`,
    `${((theirs ?? 0) / (ours ?? 1)).toFixed(1)} ×`,
    `${Math.round(tableBytes / states)} + ${Math.round(valueBytes / states)}`,
  ]
}

const option = (name: string): string | undefined =>
  process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3)
const only = rows.find(({ title }) => title === option('row'))

if (only !== undefined) {
  console.log(JSON.stringify(await searched(only, Number(option('most')), option('generates') === 'true')))
} else {
  console.log(`"reference": CPU time of the first ${thousands(few)} states by the reference semantics, as a multiple\n`)
  const head = ['program', 'states', 'per CPU s', 'TLC per CPU s', 'ratio', 'reference', 'bytes: tables + values']
  console.log(table(head, rows.map(line)))
  process.exitCode = wrong > 0 ? 1 : 0
}
