/**
 * Clients of generated async classes in job order, against plain Node: the class as it is written, with real promises, started in every
 * order. A program to be run by itself, with the first seed, how many, and how many differences to stop at.
 */
import { argv } from 'node:process'
import { guardDeterminism } from '../../../src/check/guard.ts'
import { provideModule } from '../../../src/check/load-modules.ts'
import { madeByClass } from '../../../src/check/objects/job-order-form.ts'
import type { LoadedObjects } from '../../../src/check/objects/load.ts'
import * as index from '../../../src/index.ts'
import * as sync from '../../../src/model/sync/sync.ts'
import { JobRun } from '../../../src/semantics/job-order/job-run.ts'
import * as runtime from '../../../src/semantics/job-order/runtime.ts'
import * as access from '../../../src/semantics/memory/access.ts'
import { type AsyncClass, generateAsyncClass } from '../async-classes/generate.ts'
import { loadText } from '../object-agreement.ts'
import { clientOf } from '../object-search.ts'
import { nativeRun } from './native.ts'
import { written } from './written.ts'

export interface ComparedOrders {
  classes: number
  runs: number
  /** Classes whose log depends on who starts first, beyond the names of processes. */
  depending: number
  /** Runs that Node would have ended. */
  ended: number
  readonly differences: string[]
}

const atOnce = 25

async function compared(first: number, count: number, most: number): Promise<ComparedOrders> {
  const tally: ComparedOrders = { classes: 0, runs: 0, depending: 0, ended: 0, differences: [] }
  for (let at = first; at < first + count && tally.differences.length < most; at += atOnce) {
    const classes = Array.from({ length: Math.min(atOnce, first + count - at) }, (_, index) =>
      generateAsyncClass(at + index),
    )
      .filter(({ source }) => !/setTimeout|setImmediate/.test(source))
      .concat(at === 0 ? written : [])
    const loaded = await loadText(classes.map(({ source }) => source).join('\n'))
    for (const one of classes) await compareClass(one, loaded, tally)
  }
  return tally
}

async function compareClass(one: AsyncClass, loaded: LoadedObjects, tally: ComparedOrders): Promise<void> {
  tally.classes++
  const logs = new Set<string>()
  for (const order of ordersOf(one.client.map((_, index) => index))) {
    const under = underCheck(one, loaded, order)
    const inNode = await nativeRun({ text: one.source.replace(/^export /, ''), client: one.client, order })
    tally.runs++
    if (inNode.includes('ended')) tally.ended++
    logs.add(under.map((line) => line.replace(/^p\d/, '')).join('; '))
    if (JSON.stringify(under) !== JSON.stringify(inNode))
      tally.differences.push(
        [one.source, order.join(), `Node:  ${inNode.join('; ')}`, `check: ${under.join('; ')}`].join('\n'),
      )
  }
  if (logs.size > 1) tally.depending++
}

/** Calls and returns as they come, up to what would end Node. */
function underCheck(
  { name, client }: AsyncClass,
  { jobOrder }: LoadedObjects,
  order: readonly number[],
): readonly string[] {
  const text = client.map((calls) => `{ ${calls.map((each) => `${each}()`).join('; ')} }`).join(' || ')
  const { processes } = clientOf(text)
  const release = guardDeterminism()
  try {
    const create = madeByClass(jobOrder, name)
    const run = new JobRun({ create, setup: [], processes, isTimed: true, judge: () => undefined })
    for (const process of order) run.take(`p${process + 1}`)
    const { results, failures } = run.ending()
    const log = run.steps.flatMap(({ kind, process }, at) => {
      if (kind === 'call') return [`${process} calls`]
      const before = run.steps.slice(0, at).filter((step) => step.kind === 'return' && step.process === process)
      return kind === 'return' ? [`${process} ${results[Number(process.slice(1)) - 1]?.[before.length]}`] : []
    })
    return failures.length > 0 ? [...log, 'ended'] : log
  } catch (error) {
    return [String(error)]
  } finally {
    release()
  }
}

function ordersOf(processes: readonly number[]): readonly (readonly number[])[] {
  if (processes.length === 0) return [[]]
  return processes.flatMap((first) =>
    ordersOf(processes.filter((other) => other !== first)).map((others) => [first, ...others]),
  )
}

provideModule('allways', index)
provideModule('allways/access', access)
provideModule('allways/job-order', runtime)
provideModule('allways/sync', sync)
const [, , first = '0', count = '100', most = '1'] = argv
console.log(JSON.stringify(await compared(Number(first), Number(count), Number(most))))
