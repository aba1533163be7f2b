/**
 * States of processes, remembered, against every interleaving: the same violations, and the same ends of executions, each once. An
 * end is what each process came to; states that are told apart by more are more states and never fewer.
 */
// @module-tag cut
import { describe, expect, test } from 'vitest'
import { networkNames } from '../../src/core/operation.ts'
import { amount, atLeast } from '../amount.ts'
import { generate } from './generate.ts'
import { runnableOf } from './interpret.ts'
import { byInterleavings, byStates } from './path-states.ts'

const programs = amount({ quick: 15, thorough: 60, all: 400 })
describe.each(networkNames)('under %s', (network) => {
  test(`${programs} generated programs have the same ends and violations`, () => {
    let compared = 0
    for (let seed = 1; seed <= programs; seed++) {
      const text = generate(seed, { mixed: seed % 4 === 0, monitors: true, changing: true })
      const subject = runnableOf(text, network)
      const truth = byInterleavings(subject)
      if (truth === undefined) continue
      compared++
      expect(byStates(subject), `seed ${seed}`).toEqual(truth)
    }
    expect(compared).toBeGreaterThan(atLeast(programs / 2))
  })
})
