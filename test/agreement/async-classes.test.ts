/**
 * Async classes under check against plain Node: generated classes really run, with real promises, and whatever may take time is settled
 * in every order. What their clients can give must be the same.
 */
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { amount, cut, longIf } from '../amount.ts'
import type { ComparedClasses } from './async-classes/compare.ts'
import { plantedInClasses } from './async-classes/planted.ts'
import { type Change, runBundled } from './jobs/bundle.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

async function compared(first: number, count: number, change?: Change): Promise<ComparedClasses> {
  const printed = await runBundled(
    root,
    'test/agreement/async-classes/compare.ts',
    [first, count, 1].map(String),
    change,
  )
  return JSON.parse(printed) as ComparedClasses
}

test('generated classes give under check what plain Node can make them give', cut, async () => {
  const count = amount({ quick: 50, rest: 200, thorough: 1_500, all: 28_000 })
  const { differences, classes, tooLarge, branching } = await compared(0, count)
  expect(differences).toEqual([])
  expect(classes).toBe(count)
  // Most are small enough, and more than half of those say something.
  expect(tooLarge).toBeLessThan(count / 2)
  expect(branching).toBeGreaterThan((count - tooLarge) / 2)
})

describe('an error that is planted is noticed', () => {
  for (const [at, { what, near = 0, ...change }] of plantedInClasses.entries())
    test(what, longIf(true, at % 12 > 0), async () => {
      const { differences } = await compared(near, 500, change)
      expect(differences).not.toEqual([])
    })
})
