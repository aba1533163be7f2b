/**
 * Each construct of JavaScript's concurrency in a class that loses an update by it, and in one that does not: what the check says is
 * what plain Node can do, where the class really runs with promises that are settled in every order.
 */
import { expect, test } from 'vitest'
import { classProgram } from '../../src/check/objects/class-program.ts'
import { checkRequest } from '../../src/check/request.ts'
import { runCheck } from '../../src/check/run.ts'
import { orThrow } from '../../src/core/diagnostic.ts'
import { evidenceOf } from '../../src/core/evidence.ts'
import { settingFrom } from '../../src/core/setting.ts'
import { linearizable } from '../../src/model/object.ts'
import { cut, oneIn } from '../amount.ts'
import { oracleOf } from './async-classes/node-oracle.ts'
import { counterWith, polyfills, waits } from './async-classes/pairs.ts'
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
    polyfills,
    ...named.flatMap(({ broken, correct }) => [broken.source, correct.source]),
  ].join('\n'),
)

function underCheck(name: string) {
  const found = search({ ...requestOf(loaded, name, client), granularity: 'await' }, clientOf(client), setting as never)
  if (found.kind !== 'ended') throw new Error(found.kind)
  return found.endings
}

/** The processes in the order in which the trace that is reported has them go on, each once in a row. */
async function reportedOrder(name: string): Promise<readonly number[]> {
  const declared = linearizable(loaded.classes.get(name) as new () => object, { operations: { inc: [] } })
  const check = declared.views.object?.(settingFrom({ params: {} }))
  if (check === undefined) throw new Error('a class is declared as one')
  const asked = orThrow(checkRequest(classProgram(check, loaded), { params: { client }, causes: false }))
  const { verdict } = orThrow(await runCheck(asked))
  const [found] = evidenceOf(verdict.evidence, 'execution')
  const acting = (found?.client?.steps ?? []).map(({ process }) => Number(/^p(\d+)/.exec(process)?.[1]) - 1)
  return acting.filter((process, at) => process !== acting[at - 1])
}

test.each(oneIn(2, named))('driven along the trace, plain Node loses the update as well: $name', cut, async (one) => {
  const order = await reportedOrder(`Broken${one.at}`)
  expect(order.length).toBeGreaterThan(2)
  const given = { text: one.broken.deferring, client: [['inc'], ['inc']] }
  expect((await oracleOf({ ...given, order }, 100_000))?.outcomes).toContain(lost)
  // One after the other, it does not.
  expect((await oracleOf({ ...given, order: [0, 1] }, 100_000))?.outcomes).not.toContain(lost)
})

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
