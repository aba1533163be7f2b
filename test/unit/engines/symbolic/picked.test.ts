/** Which way a search goes is told with everything that it counts. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Options } from '../../../../src/core/options.ts'
import { symbolic } from '../../../../src/engines/symbolic/symbolic.ts'
import { lower } from '../../../../src/frontends/p/lower.ts'
import type { Ir } from '../../../../src/ir/ir.ts'
import { settingOf } from '../../../agreement/p/explored.ts'
import { readProgram } from '../../../agreement/p/read.ts'
import { long } from '../../../amount.ts'

function counter(name: string): Ir {
  return programIn(readFileSync(new URL('../../../../corpus/p-counter/model.p', import.meta.url), 'utf8'), name)
}

function programIn(text: string, name: string): Ir {
  const read = readProgram(text)
  if ('problems' in read) throw new Error(read.problems.join('; '))
  const chosen = read.checked.tests.find((one) => one.name === name)
  if (chosen === undefined) throw new Error(`there is no test ${name}`)
  return lower(read.checked, chosen)
}

function picked(name: string, options: Options): readonly string[] {
  const subject = { program: counter(name), setting: settingOf('sender-queue') }
  const told = new Set<string>()
  for (const event of symbolic.explore(subject, options))
    if (event.kind === 'progress') told.add(`${event.picked?.mode} ${event.picked?.order}`)
  return [...told]
}

test.each([
  { mode: 'states', order: 'below' },
  { mode: 'steps', order: 'above' },
  { mode: 'rounds', order: 'sift' },
])('what was chosen is taken: $mode, $order', (options) => {
  expect(picked('counter5', options)).toEqual([`${options.mode} ${options.order}`])
})

test('what is left open is tried, and each that is tried is told', long, () => {
  expect(picked('counter5', { mode: 'auto', order: 'auto' })).toEqual(['states above'])
  expect(picked('counter10', { mode: 'auto', order: 'auto' })).toEqual(['states above', 'rounds below'])
  const ways = ['states above', 'rounds below', 'states below']
  expect(picked('counter12', { mode: 'auto', order: 'auto' })).toEqual(ways)
})

test('a trial is short where one way is clearly ahead of others', () => {
  const text = readFileSync(new URL('../../../../bench/symbolic/last-zero.p', import.meta.url), 'utf8')
  const subject = { program: programIn(text, 'lastZero___size_15'), setting: settingOf('sender-queue') }
  const nodes = new Map<string, number>()
  for (const event of symbolic.explore(subject, { mode: 'auto', order: 'auto' }))
    if (event.kind === 'progress') {
      nodes.set(`${event.picked?.mode}`, event.counts.bddNodes ?? 0)
      if ((nodes.get('rounds') ?? 0) > 45_000) break
    }
  expect([...nodes.keys()]).toEqual(['states', 'rounds'])
  expect(nodes.get('states')).toBeLessThan(45_000)
})
