/**
 * The tests of the extractor can fail: its source, made wrong in one place at a time, answers some program differently.
 * All of them: `npm run soak -- --what extractor`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { env } from 'node:process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { amount, cut } from '../amount.ts'
import { knownText } from './answer.ts'
import { open } from './open.ts'
import { MutationRun } from './run.ts'
import { drawn, newTally, noted, notThere } from './soak-extractor.ts'

const run = new MutationRun(fileURLToPath(new URL('../..', import.meta.url)))
const file = fileURLToPath(new URL('answers.json', import.meta.url))

/** Terms and refusals that are written down word by word have tests of their own. */
const elsewhere = /^(?:inside|outside|program): /

test('every program is answered as is known', () => {
  const asked = [...run.known].filter(([{ name }]) => !elsewhere.test(name))
  const answers = Object.fromEntries(asked.map(([{ name }, answer]) => [name, knownText(answer)]))
  expect(Object.keys(answers)).toHaveLength(asked.length)
  if (env.UPDATE_ANSWERS === '1') writeFileSync(file, `${JSON.stringify(answers, undefined, 2)}\n`)
  expect(answers).toEqual(JSON.parse(readFileSync(file, 'utf8')))
})

test('no answer is a failure of ours', () => {
  expect([...run.known].filter(([, { said }]) => said === 'breaks').map(([{ name }]) => name)).toEqual([])
})

test('what makes the extractor wrong changes an answer, or nothing at all', cut, async () => {
  const tally = newTally()
  const problems = notThere(run.mutants)
  const decided = run.mutants.filter(({ name }) => !open.has(name))
  const sample = drawn(decided, 1).slice(0, amount({ quick: 3, thorough: 10, all: decided.length }))
  for (const mutant of sample) problems.push(...noted(await run.outcomeOf(mutant), tally))
  expect(problems).toEqual([])
  expect(run.mutants.length).toBeGreaterThan(1000)
})
