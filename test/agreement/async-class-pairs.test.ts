/**
 * Each construct of JavaScript's concurrency in a class that loses an update by it, and in one that does not: what the check says is
 * what plain Node can do, where the class really runs with promises that are settled in every order.
 */
import { expect, test } from 'vitest'
import { cut, oneIn } from '../amount.ts'
import { oracleOf } from './async-classes/node-oracle.ts'
import { counterWith, waits } from './async-classes/pairs.ts'
import { loadText, requestOf } from './object-agreement.ts'
import { clientOf, search } from './object-search.ts'

const client = '{ inc() } || { inc() }'
const lost = 'n1 || n1'
const setting = { reduction: 'lazy', static: true, stateless: false, order: 'sequential' } as const

const named = waits.map((wait, at) => ({
  ...wait,
  broken: counterWith(wait, true, `Broken${at}`),
  correct: counterWith(wait, false, `Correct${at}`),
  at,
}))
const loaded = await loadText(
  [
    "import { setTimeout as sleep } from 'node:timers/promises'",
    ...named.flatMap(({ broken, correct }) => [broken.source, correct.source]),
  ].join('\n'),
)

function underCheck(name: string) {
  const found = search({ ...requestOf(loaded, name, client), granularity: 'await' }, clientOf(client), setting as never)
  if (found.kind !== 'ended') throw new Error(found.kind)
  return found.endings
}

test.each(oneIn(2, named))('$name', cut, async ({ broken, correct, at }) => {
  const calls = [['inc'], ['inc']]
  const wrong = underCheck(`Broken${at}`)
  const inNode = await oracleOf({ text: broken.deferring, client: calls }, 100_000)
  expect(wrong.violations).toEqual([`linearizability: ${lost}`])
  expect(inNode?.outcomes).toEqual(wrong.outcomes)
  expect(inNode?.outcomes).toContain(lost)
  const right = underCheck(`Correct${at}`)
  const correctly = await oracleOf({ text: correct.deferring, client: calls }, 100_000)
  expect(right.violations).toEqual([])
  expect(correctly?.outcomes).toEqual(right.outcomes)
  expect(correctly?.outcomes).not.toContain(lost)
})
