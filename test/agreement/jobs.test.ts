/**
 * Promises under control against those of Node: generated programs run in plain Node, which drains its own queues, and under control,
 * and every line that they log is compared, with the order of all of them.
 */
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { amount, cut, long, longIf } from '../amount.ts'
import { comparisonIn } from './jobs/bundle.ts'
import { planted } from './jobs/planted.ts'

const { compared, toldByHost } = comparisonIn(fileURLToPath(new URL('../..', import.meta.url)))

describe('generated programs log the same lines in plain Node and under control', () => {
  test.each([
    ['mixed', 0],
    ['generators', 1_000_000],
    ['values', 2_000_000],
  ] as const)('%s', cut, async (kind, first) => {
    const count = amount({ quick: 60, rest: 200, thorough: 1_000, all: kind === 'values' ? 2_000 : 5_000 })
    const { programs, lines, differences } = await compared({ kind, first, count, most: 1 })
    expect(differences).toEqual([])
    expect(programs).toBe(count)
    // A program logs some 15 lines.
    expect(lines).toBeGreaterThan(5 * count)
  })
})

test('what the host gives programs behaves as that of Node, and functions in every form as written', long, async () => {
  const told = await toldByHost()
  for (const { name, native, controlled } of told) expect([name, ...controlled]).toEqual([name, ...native])
  expect(told.length).toBeGreaterThan(10)
})

describe('an error that is planted is noticed', () => {
  for (const [at, { shownBy, ...change }] of planted.entries())
    test(change.what, longIf(true, at % 6 > 0), async () => {
      const { differences } = await compared({ kind: shownBy, first: 0, count: 1_500, most: 1 }, change)
      expect(differences).toHaveLength(1)
    })
})
