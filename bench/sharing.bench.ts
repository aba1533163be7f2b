/**
 * What sharing over Redis can come to with more workers than a machine has: a search is run here in units as workers explore them, each for
 * so long, and the tree of units with what each took is played to 2 … 1,000 workers, slower by a factor so that the search takes ten
 * minutes, an hour or ten. Costs of messages are those of `research`: 4 ms until a worker has a unit, 0.5 ms of the submitter for
 * each record. Counts are a gate. Trust the shape: a search that really is that long splits finer than one that is played slowly.
 */
import { correct as chainReplication } from '../corpus/chain-replication/model.check.ts'
import { twoPhaseCommit } from '../corpus/two-phase-commit/model.check.ts'
import { realHost } from '../src/check/host.ts'
import type { WorkUnit } from '../src/core/verdict.ts'
import { piecesOf } from '../src/distribute/carrier.ts'
import { InlineDrive } from '../src/distribute/inline.ts'
import { dpor } from '../src/engines/dpor/dpor.ts'
import type { Engine } from '../src/engines/engine.ts'
import type { Params, Program } from '../src/index.ts'
import { secondsSince, subjectOf, table } from './measure.ts'

const isShort = process.argv.includes('--short')

interface Row {
  readonly title: string
  readonly program: Program
  readonly params: Params
  readonly executions: number
}

const rows: readonly Row[] = isShort
  ? [{ title: '2pc(6)', program: twoPhaseCommit, params: { n: 6 }, executions: 46_080 }]
  : [
      { title: '2pc(7)', program: twoPhaseCommit, params: { n: 7 }, executions: 645_120 },
      { title: 'chain(2,3)', program: chainReplication, params: { faults: 2, replicas: 3 }, executions: 233_692 },
    ]

/** Of a unit: as many pieces are given away of it as workers give where few units wait. */
const gifts = 2
const piecesOfGift = 4
const unitMilliseconds = isShort ? 2 : 5

interface Unit {
  readonly seconds: number
  /** When each is there, since the unit was begun. */
  readonly children: readonly { readonly after: number; readonly unit: Unit }[]
}

const options = { seed: 0, schedule: 'sends-first', eager: false }
const engine = dpor as Engine
const weigh = (unit: WorkUnit): number => dpor.weighs?.(unit, options) ?? 1
let executions = 0

async function recorded(row: Row, units: readonly WorkUnit[] | undefined): Promise<Unit> {
  const subject = subjectOf(row.program, row.params, 'fifo')
  const begun = process.cpuUsage()
  const given: { readonly after: number; readonly units: readonly WorkUnit[] }[] = []
  let wanted = gifts
  // Of this process: others have the processor, too.
  const elapsed = (): number => 1_000 * secondsSince(begun)
  const sharing = {
    isAsked: () => wanted > 0 && elapsed() >= unitMilliseconds / 2,
    given: (some: readonly WorkUnit[]) => {
      wanted--
      given.push({ after: elapsed() / 1_000, units: some })
    },
    explored: () => undefined,
  }
  const signal = {
    get aborted() {
      return elapsed() >= unitMilliseconds
    },
  }
  const drive = new InlineDrive(
    { engine, subject, options, units },
    { budget: {}, keepGoing: false, signal, sharing },
    realHost,
  )
  let isOver = false
  while (!isOver) isOver = drive.slice({ milliseconds: unitMilliseconds })
  const { counts, remaining, because } = drive.result()
  if (because !== 'exhausted' && because !== 'interrupt') throw new Error(`${row.title} ended: ${because}`)
  executions += (counts.executions ?? 0) + (counts.blocked ?? 0)
  const seconds = elapsed() / 1_000
  const left = [
    ...given.flatMap((gift) =>
      piecesOf(gift.units, weigh, piecesOfGift).map((piece) => ({ ...gift, units: piece.units })),
    ),
    ...piecesOf(remaining, weigh, 1).map((piece) => ({ after: seconds, units: piece.units })),
  ]
  const children: { readonly after: number; readonly unit: Unit }[] = []
  for (const { after, units: some } of left) children.push({ after, unit: await recorded(row, some) })
  return { seconds, children }
}

/** In seconds, on a real clock. */
const costs = { taking: 0.004, record: 0.0005 }

interface Played {
  readonly efficiency: number
  /** Part of the time that the submitter was busy. */
  readonly busy: number
}

/** Units are there when the record of their parent is, which the submitter reads; whoever is free takes the one that waits longest. */
function played(root: Unit, factor: number, workers: number): Played {
  const ready: { at: number; unit: Unit }[] = [{ at: 0, unit: root }]
  const free = new Float64Array(workers)
  let [submitterAt, records, work, end] = [0, 0, 0, 0]
  while (ready.length > 0) {
    let first = 0
    for (const [at, one] of ready.entries()) if (one.at < (ready[first] as { at: number }).at) first = at
    const { at, unit } = ready.splice(first, 1)[0] as { at: number; unit: Unit }
    let worker = 0
    for (let other = 1; other < workers; other++) if ((free[other] as number) < (free[worker] as number)) worker = other
    const begun = Math.max(at, free[worker] as number) + costs.taking
    const done = begun + unit.seconds * factor
    free[worker] = done
    work += unit.seconds * factor
    submitterAt = Math.max(submitterAt, done) + costs.record
    records++
    end = Math.max(end, submitterAt)
    for (const child of unit.children) ready.push({ at: done, unit: child.unit })
  }
  return { efficiency: work / (workers * end), busy: (records * costs.record) / end }
}

function units(unit: Unit): number {
  return 1 + unit.children.reduce((sum, child) => sum + units(child.unit), 0)
}

/** What must be done one after the other, however many workers there are. */
function longest(unit: Unit): number {
  return unit.seconds + Math.max(0, ...unit.children.map((child) => longest(child.unit)))
}

function seconds(unit: Unit): number {
  return unit.seconds + unit.children.reduce((sum, child) => sum + seconds(child.unit), 0)
}

const sizes = [2, 8, 64, 256, 1_000]

for (const row of rows) {
  // What compiling costs is no part of a search that takes ten minutes.
  await recorded(row, undefined)
  executions = 0
  const root = await recorded(row, undefined)
  if (executions !== row.executions) throw new Error(`${row.title}: ${executions} executions, not ${row.executions}`)
  const whole = seconds(root)
  const most = whole / longest(root)
  console.log(
    `\n${row.title}: ${units(root)} units in ${whole.toFixed(1)} s; at most ${most.toFixed(0)} workers are of use`,
  )
  const shown = [600, 3_600, 36_000].map((target) => {
    const all = sizes.map((workers) => played(root, target / whole, workers))
    return [`${target} s`, ...all.map(({ efficiency, busy }) => `${percent(efficiency)} (${percent(busy)})`)]
  })
  console.log(table(['one worker takes', ...sizes.map((workers) => `${workers} workers`)], shown))
}
console.log('\nefficiency, and in brackets how busy the submitter is; what limits it is the longest chain of units')

function percent(part: number): string {
  return `${(100 * part).toFixed(1)} %`
}
