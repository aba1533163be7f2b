/** Calls with mistakes: each is refused with what helps, or means something; none is ignored, and none breaks us. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { amount } from '../amount.ts'
import { type ValidCall, validCalls } from './calls.ts'
import { knownAnswers } from './known-wrong.ts'
import { imports } from './loaded.ts'
import { callText } from './mutate.ts'
import { outcomeOf } from './mutations.ts'
import { answered } from './soak-mutations.ts'

const folder = mkdtempSync(join(tmpdir(), 'allways-hostile-'))
const fiveMinutes = 300_000

afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('calls without mistakes hold', async () => {
  const outcomes = await inTurn(validCalls, async ({ called, args, around }: ValidCall) => {
    const source = `${imports}${around.replace('CALL', () => callText(called, args))}\n`
    return { source, ...(await outcomeOf({ kind: 'order', words: '', text: '', source })) }
  })
  expect(outcomes.filter(({ said, problem }) => said !== 'verified' || problem !== undefined)).toEqual([])
})

test('calls with mistakes are refused with code, place and hint, or mean something', {
  timeout: fiveMinutes,
}, async () => {
  const seeds = Array.from({ length: amount({ quick: 200, all: 10_000 }) }, (_, seed) => seed)
  const found = new Map<string, string>()
  let refused = 0
  for (const seed of seeds) {
    const { source, outcome } = await answered(seed, folder)
    if (outcome.said === 'refused') refused++
    const { problem } = outcome
    if (problem !== undefined && !found.has(problem.kind)) found.set(problem.kind, `${problem.words}\n${source}`)
  }
  expect([...found].filter(([kind]) => !knownAnswers.has(kind))).toEqual([])
  const mended = [...knownAnswers].filter((kind) => !found.has(kind))
  expect(mended, 'mended: take them out of the list of what is known').toEqual([])
  expect(refused).toBeGreaterThan(seeds.length / 3)
})

async function inTurn<From, To>(all: readonly From[], each: (one: From) => Promise<To>): Promise<readonly To[]> {
  const results: To[] = []
  for (const one of all) results.push(await each(one))
  return results
}
