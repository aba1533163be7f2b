/**
 * A filter that throws takes the message that it throws on, and its process fails there: for the interleavings, for every graph of
 * the paper, for dpor and for states that are remembered, the same executions and the same violations.
 */
// @module-tag cut
import { expect, test } from 'vitest'
import { networkNames } from '../../src/core/operation.ts'
import { amount, atLeast } from '../amount.ts'
import { declaredProblem, dporProblem, smallest, truthOf } from './agreement.ts'
import { declaredClasses } from './declarative.ts'
import { generate } from './generate.ts'
import { runnableOf } from './interpret.ts'
import { byInterleavings, byStates } from './path-states.ts'
import { type ProgramText, refusal } from './text.ts'

const programs = amount({ quick: 6, thorough: 30, all: 300 })

test.each(networkNames)('dpor agrees with the interleavings and with the graphs under %s', (network) => {
  let throwing = 0
  for (let seed = 0; seed < programs; seed++) {
    const text = generate(seed, { mixed: seed % 4 === 0, monitors: seed % 2 === 0, changing: true, throwing: true })
    const problemOf = (candidate: ProgramText): string | undefined => {
      const truth = truthOf(candidate, network)
      const declared = candidate.monitor === undefined ? declaredClasses(candidate, network) : undefined
      if (truth === undefined) return undefined
      if ([...truth.violations].some((key) => key.includes(refusal))) throwing++
      return dporProblem(candidate, network, truth) ?? (declared && declaredProblem(candidate, network, declared))
    }
    if (problemOf(text) !== undefined) expect.fail(smallest(text, network, problemOf))
  }
  expect(throwing, 'programs in which a filter throws').toBeGreaterThan(atLeast(programs / 4))
})

test.each(networkNames)('remembered states have the same ends and violations under %s', (network) => {
  for (let seed = 0; seed < programs; seed++) {
    const subject = runnableOf(generate(seed, { mixed: false, monitors: true, throwing: true }), network)
    const truth = byInterleavings(subject)
    if (truth !== undefined) expect(byStates(subject), `seed ${seed}`).toEqual(truth)
  }
})
