/**
 * The stateful engine against its oracle: on generated shared-memory programs, with loops, locks, deadlocks, unseen loops, heaps
 * whose objects change their numbers and processes that begin others, every reduction reaches exactly the final states that
 * there are, whatever the order, with and without safe sets, with and without memory of states.
 */
// @module-tag cut
import { expect, test } from 'vitest'
import { amount, atLeast, atMost, isLittle } from '../amount.ts'
import { compareShared, newTally, soakStateful } from './stateful-agreement.ts'

const programs = amount({ quick: 40, thorough: 250, all: 2000 })

test(`every reduction reaches the final states of ${programs} generated programs`, () => {
  const tally = newTally()
  for (let seed = 0; seed < programs; seed++) {
    const problem = compareShared(seed, tally)
    if (problem !== undefined) expect.fail(problem)
  }
  const { dropped, cyclic, deadlocking, branching, stateless, states } = tally
  expect(dropped / programs, 'share of programs left out as too large').toBeLessThan(atMost(0.02))
  expect(cyclic / programs, 'share of programs with loops without progress').toBeGreaterThan(atLeast(0.15))
  expect(deadlocking / programs, 'share of programs that can end waiting').toBeGreaterThan(atLeast(0.1))
  expect(branching / programs, 'share of programs with several final states').toBeGreaterThan(atLeast(0.45))
  expect(stateless / programs, 'share of programs explored without memory too').toBeGreaterThan(atLeast(0.4))
  expect(states.safe / states.none, 'states left by safe sets').toBeLessThan(isLittle ? 0.95 : 0.85)
  expect(states.lazy / states.none, 'states left by source sets').toBeLessThan(isLittle ? 0.85 : 0.7)
  expect(states.eager).toBe(states.lazy)
})

test('a soak compares as many programs as it is asked for', () => {
  const soak = soakStateful({ programs: 5, seed: 1 })
  const tallies = Array.from(soak, ({ programs }) => programs)
  expect(tallies).toEqual([1, 2, 3, 4, 5])
})
