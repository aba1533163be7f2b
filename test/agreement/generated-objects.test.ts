/**
 * The stateful search of classes against itself without any reduction, on generated classes that go through the front end as
 * users' classes do: some variants for each find the same outcomes and the same violations.
 */
// @module-tag long
// @module-tag cut
import { expect, test } from 'vitest'
import { amount } from '../amount.ts'
import { compareObjects, newObjectTally } from './object-agreement.ts'

const classCount = amount({ quick: 20, rest: 40, all: 240 })
/** Among these there are as many classes of each kind as among all; a source set without its fixpoint shows with seed 117. */
const firstSeed = amount({ quick: 110, all: 0 })

test(`all variants agree with the full search on ${classCount} generated classes`, {}, async () => {
  const tally = newObjectTally()
  for (let first = 0; first < classCount; first += 40) {
    const seeds = Array.from({ length: 40 }, (_, index) => firstSeed + first + index)
    const problem = await compareObjects(seeds, tally)
    if (problem !== undefined) expect.fail(problem)
  }
  const { classes, tooLarge, comparisons, branching, violated, deadlocking, async: asynchronous, forgetful } = tally
  expect(tooLarge / classes, 'share of classes left out as too large').toBeLessThan(0.2)
  expect(branching / comparisons, 'share with several outcomes').toBeGreaterThan(0.3)
  expect(violated / comparisons, 'share with violations').toBeGreaterThan(0.15)
  expect(deadlocking / comparisons, 'share that can end waiting').toBeGreaterThan(0.02)
  expect(asynchronous / classes, 'share of classes with async methods').toBeGreaterThan(0.2)
  expect(forgetful / comparisons, 'share explored without memory too').toBeGreaterThan(0.5)
  expect(tally.lazyTransitions / tally.transitions, 'transitions left by source sets').toBeLessThan(0.3)
})
