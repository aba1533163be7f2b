/**
 * Processes in any number, at small sizes: every engine that explores executions sees those that dpor sees. What holds for every size is
 * compared with dpor in `sequentialize.test.ts`.
 */
// @module-tag cut
import { expect, test } from 'vitest'
import { dpor } from '../../src/engines/dpor/dpor.ts'
import { exhaustive } from '../../src/engines/exhaustive/exhaustive.ts'
import { pct } from '../../src/engines/random/pct.ts'
import { random } from '../../src/engines/random/random.ts'
import type { Runnable } from '../../src/program/program.ts'
import { deadlockFreedom } from '../../src/properties/deadlock.ts'
import { runIcet } from '../../src/semantics/icet/run-icet.ts'
import { amount, atLeast } from '../amount.ts'
import { exploreAll, usualSetting } from './explored.ts'
import { hashedMeaning, sizesUpTo } from './icet-bounded.ts'
import { generateIcet } from './icet-generate.ts'
import { byInterleavings, byStates } from './path-states.ts'

const programs = amount({ quick: 8, thorough: 60, all: 600 })
const mostExecutions = 100

/** Small enough to be gone through by every engine. */
function subjects(): readonly (readonly [name: string, subject: Runnable])[] {
  return Array.from({ length: programs }, (_, seed) => seed).flatMap((seed) => {
    const icet = generateIcet(seed)
    return [...sizesUpTo(icet, 2)].map((sizes) => {
      const options = { meaning: hashedMeaning(0), properties: [deadlockFreedom], maxSteps: 100 }
      return [`seed ${seed}, ${JSON.stringify(sizes)}`, runIcet(icet, sizes, options)] as const
    })
  })
}

test('exhaustive search has the classes and violations of dpor, and samples are among them', () => {
  const tally = { compared: 0, violated: 0, all: 0 }
  for (const [name, subject] of subjects()) {
    const truth = exploreAll(dpor, subject, { cap: mostExecutions })
    const each = exploreAll(exhaustive, subject, { cap: 5 * mostExecutions })
    if (truth.stopped !== undefined || each.stopped !== undefined) continue
    tally.compared++
    if (truth.violations.size > 0) tally.violated++
    expect([...each.classes.keys()].sort(), name).toEqual([...truth.classes.keys()].sort())
    expect([...each.violations].sort(), name).toEqual([...truth.violations].sort())
    for (const engine of [random, pct]) {
      const sampled = exploreAll(engine, subject, { setting: { ...usualSetting, samples: 30 } })
      for (const one of sampled.classes.keys()) expect(truth.classes.has(one), `${engine.name}, ${name}`).toBe(true)
      for (const one of sampled.violations) expect([...truth.violations], `${engine.name}, ${name}`).toContain(one)
      if (sampled.classes.size === truth.classes.size) tally.all++
    }
  }
  expect(tally.compared).toBeGreaterThan(atLeast(2 * programs))
  expect(tally.violated).toBeGreaterThan(atLeast(programs / 4))
  // Most have few classes, and thirty samples meet all of them.
  expect(tally.all).toBeGreaterThan(tally.compared)
})

test('states that are remembered have the ends and violations of all interleavings', () => {
  let compared = 0
  for (const [name, subject] of subjects()) {
    // Some loop for ever.
    if (exploreAll(dpor, subject, { cap: mostExecutions, classes: false }).stopped !== undefined) continue
    const truth = byInterleavings(subject)
    if (truth === undefined) continue
    compared++
    expect(byStates(subject), name).toEqual(truth)
  }
  expect(compared).toBeGreaterThan(atLeast(2 * programs))
})
