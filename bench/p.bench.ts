/**
 * States of P programs per CPU second, one thread, exact and by fingerprints of 64 bits, which is what TLC has, beside TLC's published figures on
 * specifications of the same protocols (one worker, measured on a 2-core machine), the cost of the same search with handlers run by the reference semantics,
 * and the bytes that a state takes. Counts are a gate; those of two-phase commit and of hybrid clocks are TLC's, with one state more for the moment before the
 * machine begins.
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
    title: 'hybrid clocks, MaxT = 5, one machine',
    file: 'hybrid-clock-steps.p',
    network: 'sender-queue',
    states: 1_251_985,
    transitions: 4_870_816,
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

/** States that are left where handlers are compared. */
const few = 5_000

/** What a search does as it usually does not. */
type Way = 'exact' | 'fingerprints' | 'reference'

interface Figures {
  readonly states: number
  readonly transitions: number
  readonly cpuSeconds: number
  readonly tableBytes: number
  readonly valueBytes: number
}

async function searched({ file, network }: Row, most: number, way: Way): Promise<Figures> {
  // Beside the bundle there is no source.
  const path = join(process.cwd(), 'bench/p', file)
  const [first] = orThrow(await loadPrograms(path)).programs
  const view = first?.program.views.ir?.(settingFrom({ params: {}, network, faults: {} }))
  if (view === undefined) throw new Error(`${file} has no test`)
  const before = process.cpuUsage()
  const space = new StateSpace(irRules(view.program, view.setting), {
    generates: way !== 'reference',
    fingerprints: way === 'fingerprints' ? { bits: 32, isDepthFirst: false } : undefined,
  })
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
function figures(row: Row, most: number, way: Way): Figures {
  const args = [fileURLToPath(import.meta.url), `--row=${row.title}`, `--most=${most}`, `--way=${way}`]
  const child = spawnSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
  return JSON.parse(child.stdout) as Figures
}

let wrong = 0

/** Ways take turns, so that what else the machine does is the same for all; the best of two each. */
function best(row: Row, most: number, ways: readonly Way[]): readonly Figures[] {
  const turns = [0, 1].map(() => ways.map((way) => figures(row, most, way)))
  return ways.map((_, at) =>
    turns.map((turn) => turn[at] as Figures).reduce((one, other) => (one.cpuSeconds < other.cpuSeconds ? one : other)),
  )
}

function line(row: Row): readonly string[] {
  const [ours, theirs] = best(row, few, ['exact', 'reference']) as [Figures, Figures]
  const found = best(row, row.most ?? Number.MAX_SAFE_INTEGER, ['exact', 'fingerprints'])
  for (const { states, transitions } of found) {
    if (states === row.states && transitions === row.transitions) continue
    wrong++
    console.error(`${row.title}: ${states} states and ${transitions} transitions`)
  }
  const cells = found.flatMap(({ states, cpuSeconds, tableBytes, valueBytes }) => {
    const rate = states / cpuSeconds
    const bytes = `${Math.round(tableBytes / states)} + ${Math.round(valueBytes / states)}`
    return [thousands(rate), `${(rate / row.peer).toFixed(1)} ×`, bytes]
  })
  const multiple = `${(theirs.cpuSeconds / ours.cpuSeconds).toFixed(1)} ×`
  return [row.title, thousands(row.states), thousands(row.peer), ...cells, multiple]
}

const option = (name: string): string | undefined =>
  process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3)
const only = rows.find(({ title }) => title === option('row'))

if (only !== undefined) {
  console.log(JSON.stringify(await searched(only, Number(option('most')), option('way') as Way)))
} else {
  console.log(`"reference": CPU time of the first ${thousands(few)} states by the reference semantics, as a multiple\n`)
  const head = ['program', 'states', 'TLC per CPU s', 'exact', '', 'bytes', 'fingerprints', '', 'bytes', 'reference']
  console.log(table(head, rows.map(line)))
  process.exitCode = wrong > 0 ? 1 : 0
}
