/** Generated programs in everything that people write: prove says nothing that check contradicts. */
import { expect, test, vi } from 'vitest'
import { amount, cut } from '../amount.ts'
import { mockClock } from '../mock-clock.ts'
import { compare, newTally } from './agreement.ts'

test('no generated program is proved that check violates', cut, async () => {
  mockClock(1 / 8)
  const tally = newTally()
  const seeds = Array.from({ length: amount({ quick: 25, thorough: 120, all: 900 }) }, (_, index) => index)
  const found = new Map<number, string>()
  for (const seed of seeds) {
    const problem = await compare(seed, tally)
    if (problem !== undefined) found.set(seed, `${problem.problem}\n${problem.text}`)
  }
  expect([...found]).toEqual([])
  // Programs that are all refused would show nothing.
  expect(tally.proved).toBeGreaterThan(tally.programs / 40)
  vi.restoreAllMocks()
})
