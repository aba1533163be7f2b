/**
 * Async classes in JavaScript's own job order against plain Node: whatever order their processes start in, calls and returns come in the
 * same order, with the same results, and what would end Node ends an execution.
 */
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { amount, cut, longIf } from '../amount.ts'
import type { ComparedOrders } from './job-order/compare.ts'
import { plantedInOrders } from './job-order/planted.ts'
import { type Change, runBundled } from './jobs/bundle.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

async function compared(first: number, count: number, change?: Change): Promise<ComparedOrders> {
  const words = [first, count, 1].map(String)
  return JSON.parse(await runBundled(root, 'test/agreement/job-order/compare.ts', words, change)) as ComparedOrders
}

test('generated classes do in job order what they do in plain Node', cut, async () => {
  const count = amount({ quick: 50, rest: 300, thorough: 2_000, all: 20_000 })
  const { differences, classes, runs, depending, ended } = await compared(0, count)
  expect(differences).toEqual([])
  // The others have timers.
  expect(classes).toBeGreaterThan(count / 2)
  expect(runs).toBeGreaterThan(2 * classes - 1)
  expect(depending).toBeGreaterThan(classes / 50)
  expect(ended).toBeGreaterThan(3)
})

describe('an error that is planted is noticed', () => {
  for (const [at, { what, ...change }] of plantedInOrders.entries())
    test(what, longIf(true, at % 6 > 0), async () => {
      const { differences } = await compared(0, 100, change)
      expect(differences).not.toEqual([])
    })
})
