/**
 * Faults as budgets: on generated programs dpor explores every class of executions in which as much goes wrong as may, each exactly
 * once, whatever the network, the schedule and the way the search is split. `npm run soak -- --what faults` compares more of them.
 */
import { describe, expect, test } from 'vitest'
import { networkNames } from '../../src/core/operation.ts'
import { amount } from '../amount.ts'
import { compareFaults, newFaultTally } from './fault-agreement.ts'

const programs = Number(process.env.FAULT_PROGRAMS ?? amount({ quick: 50, all: 150 }))
const minute = 60_000

describe.each(networkNames)('under %s', (network) => {
  test(`dpor explores each execution of ${programs} generated programs with faults exactly once`, {
    timeout: 30 * minute,
  }, () => {
    const tally = newFaultTally()
    for (let seed = 0; seed < programs; seed++) {
      const problem = compareFaults(seed, network, tally)
      if (problem !== undefined) expect.fail(problem)
    }
    expect(tally.dropped / programs, 'share of programs left out as too large').toBeLessThan(0.15)
    expect(tally.struck / programs, 'share of programs with executions that only faults allow').toBeGreaterThan(0.5)
  })
})
