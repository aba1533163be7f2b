/**
 * Symbolic search of the programs of the PSym paper's tables, beside explicit search and partial-order reduction in the same run and beside the figures of the
 * paper and of TLC. Each search has a process of its own and is stopped after some CPU seconds. Gates: nothing is violated, states are as many as known, and
 * `auto` is answered by the faster one of both in four programs of five.
 * `--full` takes every way of symbolic search, not only the one that is best for a program; `--limit=20` gives each search less time; `--only=ring` some rows;
 * `--filters` compares filters instead. Gates: nothing is violated, and none leaves more than there is without one.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { table, thousands } from './measure.ts'
import { filteredRows, filteredWays, type Row, rows, type Way } from './symbolic/rows.ts'
import { type Figures, type Question, search } from './symbolic/searched.ts'

const option = (name: string): string | undefined =>
  process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3)

const seconds = Number(option('limit') ?? 60)
/** Others are given up sooner: how long they take is not the question. */
const secondsOfOthers = Math.min(seconds, 10)
const ways: readonly Way[] = (['states', 'steps', 'rounds'] as const).flatMap((mode) =>
  (['above', 'below'] as const).map((order) => ({ mode, order })),
)

type Asked = Pick<Row, 'title' | 'file' | 'test' | 'abstract'>

interface Outcome {
  readonly row: Row
  readonly bySymbolic: ReadonlyMap<string, Figures>
  readonly stateful: Figures
  readonly dpor: Figures
  readonly auto: Figures
}

let wrong = 0

/**
 * In a process of its own, which the system stops: a step can take long, and a thread that looks at the time would be a part of the figures. `auto` has a budget
 * of its own, and takes CPU time on other threads besides.
 */
function figures(
  { file, test, abstract }: Asked,
  engine: Question['engine'],
  options: Question['options'] = {},
): Figures {
  const question = { file, test, abstract, engine, options, seconds: isLong(engine) ? seconds : secondsOfOthers }
  const args = [fileURLToPath(import.meta.url), `--ask=${JSON.stringify(question)}`]
  const most = String(Math.ceil(engine === 'auto' ? 2 * question.seconds : question.seconds))
  const limited = ['-c', 'ulimit -t "$1"; shift; exec "$@"', 'sh', most, process.execPath, ...args]
  const child = spawnSync('sh', limited, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  const last = child.stdout.trimEnd().split('\n').at(-1) ?? ''
  if (last === '') throw new Error(`${file} ${test} ${engine}: ${child.stderr}`)
  return JSON.parse(last) as Figures
}

function isLong(engine: Question['engine']): boolean {
  return engine === 'symbolic' || engine === 'auto'
}

function outcomeOf(row: Row): Outcome {
  const taken = process.argv.includes('--full') ? ways : [row.best]
  const bySymbolic = new Map(taken.map((way) => [nameOf(way), figures(row, 'symbolic', { ...way })]))
  const [stateful, dpor, auto] = (['stateful', 'dpor', 'auto'] as const).map((engine) => figures(row, engine))
  const outcome = { row, bySymbolic, stateful, dpor, auto } as Outcome
  judge(outcome)
  console.error(detail(outcome).join(' | '))
  return outcome
}

function nameOf({ mode, order }: Way): string {
  return `${mode}, ${order}`
}

/** Whoever comes to the end has the same states and no violation. */
function judge({ row, bySymbolic, stateful, dpor, auto }: Outcome): void {
  const complain = (what: string): void => {
    wrong++
    console.error(`${row.title}: ${what}`)
  }
  for (const [name, found] of [...bySymbolic, ['stateful', stateful], ['dpor', dpor], ['auto', auto]] as const) {
    if (found.violations > 0) complain(`${name} finds a violation`)
    const counts = name === 'stateful' || name.startsWith('states')
    if (counts && found.isDone && found.counts.states !== row.states)
      complain(`${name} has ${found.counts.states} states, not ${row.states}`)
  }
}

/** CPU seconds, or those of the last figures before it was stopped. */
function time({ isDone, cpuSeconds, refused }: Figures): string {
  if (refused !== undefined) return 'refused'
  return `${isDone ? '' : '> '}${cpuSeconds.toFixed(cpuSeconds < 10 ? 2 : 0)}`
}

function bestOf({ bySymbolic }: Outcome): readonly [string, Figures] {
  const all = [...bySymbolic].sort(([, a], [, b]) => Number(b.isDone) - Number(a.isDone) || a.cpuSeconds - b.cpuSeconds)
  return all[0] as readonly [string, Figures]
}

function count(value: number | undefined): string {
  if (value === undefined) return ''
  return value < 1e9 ? thousands(value) : value.toExponential(1)
}

function memory({ megabytes }: Figures): string {
  return `${Math.round(megabytes)} MB`
}

/** '61 %, 43 %' of questions about two diagrams and about three. */
function hits({ hitRates }: Figures): string {
  if (hitRates === undefined) return ''
  return [hitRates.pairs, hitRates.choices].map((share) => `${Math.round(share * 100)} %`).join(', ')
}

function detail(outcome: Outcome): readonly string[] {
  const { row, stateful, dpor, auto } = outcome
  const [name, best] = bestOf(outcome)
  const { rounds, steps = rounds, handlers, bddNodes, states, executions } = best.counts
  const ratio = best.isDone && stateful.isDone ? `${(stateful.cpuSeconds / best.cpuSeconds).toFixed(2)} ×` : ''
  return [
    row.title,
    name,
    time(best),
    memory(best),
    count(steps),
    count(handlers),
    count(bddNodes),
    hits(best),
    name.startsWith('states') ? `${count(states)} states` : `${count(executions)} executions`,
    time(stateful),
    memory(stateful),
    ratio,
    time(dpor),
    count(dpor.counts.executions),
    `${auto.by}, ${time(auto)}`,
    row.paper,
    row.tlc ?? '',
  ]
}

/** Differences of a tenth of a second are not about searching. */
const alike = 0.1

/** Whether `auto` was answered by the one of both that needs less alone; one that was stopped needs more than any. */
function isPickedWell(outcome: Outcome): boolean {
  const [, best] = bestOf(outcome)
  const [explicit, symbolic] = [outcome.stateful, best].map(({ isDone, cpuSeconds }) =>
    isDone ? cpuSeconds : Number.POSITIVE_INFINITY,
  ) as [number, number]
  if (explicit === symbolic || Math.abs(explicit - symbolic) < alike) return true
  return outcome.auto.by === (explicit < symbolic ? 'stateful' : 'symbolic')
}

const detailHead = [
  'program',
  'way',
  'CPU s',
  'peak',
  'steps',
  'handlers',
  'nodes',
  'hits',
  'found',
  'stateful',
  'peak',
  'ratio',
  'dpor',
  'executions',
  'auto',
  'PSym (paper)',
  'TLC',
]

/** CPU s, and states or executions, by filter. */
function filteredCells(row: Asked): readonly string[] {
  const found = filteredWays.map((way) => figures(row, 'symbolic', { ...way }))
  const sizeOf = ({ counts }: Figures): number => counts.states ?? counts.executions ?? 0
  const cells = found.map((one, at) => {
    const { mode, filter } = filteredWays[at] as (typeof filteredWays)[number]
    const without = found[filteredWays.findIndex((way) => way.mode === mode && way.filter === 'none')] as Figures
    const isMore = one.isDone && without.isDone && sizeOf(one) > sizeOf(without)
    if (one.violations > 0 || isMore) {
      wrong++
      console.error(`${row.title}: ${mode}, ${filter} finds a violation or has more than without`)
    }
    if (one.refused !== undefined) return 'refused'
    return one.isDone ? `${time(one)}, ${count(sizeOf(one))}` : time(one)
  })
  console.error([row.title, ...cells].join(' | '))
  return [row.title, ...cells]
}

const asked = option('ask')
if (asked !== undefined) await search(JSON.parse(asked) as Question)
else if (process.argv.includes('--filters')) {
  const chosen = filteredRows.filter(({ title }) => title.includes(option('only') ?? ''))
  const head = filteredWays.map(({ mode, filter }) => (filter === 'none' ? `by ${mode}` : filter))
  console.log(table(['program', ...head], chosen.map(filteredCells)))
  process.exitCode = wrong > 0 ? 1 : 0
} else {
  const chosen = rows.filter(({ title }) => title.includes(option('only') ?? ''))
  const outcomes = chosen.map(outcomeOf)
  console.log(`\nsymbolic search; each is stopped after ${seconds} CPU s, others after ${secondsOfOthers}\n`)
  console.log(table(detailHead, outcomes.map(detail)))
  const well = outcomes.filter(isPickedWell).length
  console.log(`\nauto was answered by the faster one of both in ${well} of ${outcomes.length} programs`)
  if (well < 0.8 * outcomes.length) wrong++
  if (process.argv.includes('--full')) {
    console.log('\nCPU s of every way, and how many steps it took\n')
    const cells = ({ bySymbolic }: Outcome): readonly string[] =>
      ways.map((way) => {
        const found = bySymbolic.get(nameOf(way)) as Figures
        return `${time(found)} (${count(found.counts.steps ?? found.counts.rounds)})`
      })
    console.log(
      table(
        ['program', ...ways.map(nameOf)],
        outcomes.map((one) => [one.row.title, ...cells(one)]),
      ),
    )
  }
  process.exitCode = wrong > 0 ? 1 : 0
}
