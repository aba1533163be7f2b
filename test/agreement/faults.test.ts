/**
 * Faults as budgets: on generated programs dpor explores every class of executions in which as much goes wrong as may, each exactly
 * once, whatever the network, the schedule and the way the search is split. `npm run soak -- --what faults` compares more of them.
 */
// @module-tag cut
import { describe, expect, test } from 'vitest'
import { networkNames } from '../../src/core/operation.ts'
import { atLeast, atMost, seedsOf } from '../amount.ts'
import { compareFaults, newFaultTally } from './fault-agreement.ts'

const minute = 60_000

describe.each(networkNames)('under %s', (network) => {
  // A budget that takes a second process cut off for a second partition shows with seeds 89 and 105.
  const seeds = seedsOf(network, networkNames, { quick: 8, thorough: 30, all: 150 })
  test(`dpor explores each execution of ${seeds.length} generated programs with faults exactly once`, {
    timeout: 30 * minute,
  }, () => {
    const tally = newFaultTally()
    for (const seed of seeds) {
      const problem = compareFaults(seed, network, tally)
      if (problem !== undefined) expect.fail(problem)
    }
    expect(tally.dropped / seeds.length, 'share of programs left out as too large').toBeLessThan(atMost(0.15))
    expect(tally.struck / seeds.length, 'share of programs with executions that only faults allow').toBeGreaterThan(
      atLeast(0.5),
    )
  })
})
