/**
 * Outcomes of generated async classes under check, against what plain Node can do. A program to be run by itself, with the first seed,
 * how many, and how many differences to stop at.
 */

import { argv } from 'node:process'
import { provideModule } from '../../../src/check/load-modules.ts'
import type { JudgedClass } from '../../../src/check/objects/subjects.ts'
import * as index from '../../../src/index.ts'
import * as sync from '../../../src/model/sync/sync.ts'
import * as access from '../../../src/semantics/memory/access.ts'
import { loadText, requestOf } from '../object-agreement.ts'
import { clientOf, search } from '../object-search.ts'
import { type AsyncClass, generateAsyncClass } from './generate.ts'
import { oracleOf } from './node-oracle.ts'

export interface ComparedClasses {
  classes: number
  /** Left out, because there are too many schedules. */
  tooLarge: number
  /** With several outcomes: the others say little. */
  branching: number
  schedules: number
  readonly differences: string[]
}

const mostSchedules = 1_500
const atOnce = 50

async function compared(first: number, count: number, most: number): Promise<ComparedClasses> {
  const tally: ComparedClasses = { classes: 0, tooLarge: 0, branching: 0, schedules: 0, differences: [] }
  for (let at = first; at < first + count && tally.differences.length < most; at += atOnce) {
    const classes = Array.from({ length: Math.min(atOnce, first + count - at) }, (_, index) =>
      generateAsyncClass(at + index),
    )
    const loaded = await loadText(classes.map(({ source }) => source).join('\n'))
    for (const one of classes) {
      if (tally.differences.length >= most) break
      const found = await oracleOf({ text: one.deferring, client: one.client }, mostSchedules)
      tally.classes++
      if (found === undefined) {
        tally.tooLarge++
        continue
      }
      tally.schedules += found.schedules
      if (found.outcomes.length > 1) tally.branching++
      const request = {
        ...requestOf(loaded, one.name, clientText(one)),
        criterion: 'outcomes',
        deadlock: 'allow',
      } as const
      const outcomes = underCheck(request, one)
      if (JSON.stringify(outcomes) !== JSON.stringify(found.outcomes))
        tally.differences.push(difference(one, found.outcomes, outcomes))
    }
  }
  return tally
}

function underCheck(request: JudgedClass, one: AsyncClass): readonly string[] {
  const setting = { reduction: 'lazy', static: true, stateless: false, order: 'sequential' } as const
  try {
    const found = search({ ...request, granularity: 'await' }, clientOf(clientText(one)), setting as never)
    return found.kind === 'ended' ? found.endings.outcomes : [found.kind]
  } catch (error) {
    return [String(error)]
  }
}

function clientText({ client }: AsyncClass): string {
  return client.map((calls) => `{ ${calls.map((name) => `${name}()`).join('; ')} }`).join(' || ')
}

function difference(one: AsyncClass, inNode: readonly string[], underCheck: readonly string[]): string {
  const only = (left: readonly string[], right: readonly string[]) => left.filter((each) => !right.includes(each))
  return [
    one.source,
    clientText(one),
    `only in Node: ${JSON.stringify(only(inNode, underCheck))}`,
    `only under check: ${JSON.stringify(only(underCheck, inNode))}`,
  ].join('\n')
}

provideModule('allways', index)
provideModule('allways/access', access)
provideModule('allways/sync', sync)
process.on('unhandledRejection', () => {})
const [, , first = '0', count = '100', most = '1'] = argv
console.log(JSON.stringify(await compared(Number(first), Number(count), Number(most))))
