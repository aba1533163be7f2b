/** What is sampled is among what is explored: every sample of `random` and `pct` is an execution that dpor counts, and so are its violations. */
// @module-tag cut
import { describe, expect, test } from 'vitest'
import type { FaultBudget } from '../../src/core/faults.ts'
import { dpor } from '../../src/engines/dpor/dpor.ts'
import { pct } from '../../src/engines/random/pct.ts'
import { random } from '../../src/engines/random/random.ts'
import type { Runnable } from '../../src/program/program.ts'
import { amount, atLeast } from '../amount.ts'
import { exploreAll, usualSetting } from './explored.ts'
import { generate } from './generate.ts'
import { runnableOf } from './interpret.ts'
import { viewsOf } from './machine-engines.ts'
import { generatedPlan } from './machine-generate.ts'
import { generatedSystem } from './machine-plan.ts'

const programs = amount({ quick: 6, thorough: 20, all: 300 })
const setting = { ...usualSetting, samples: 30 }
const mostExecutions = 500

const kinds: readonly (readonly [kind: string, subject: (seed: number) => Runnable])[] = [
  [
    'processes',
    (seed) => runnableOf(generate(seed, { mixed: seed % 4 === 0, monitors: true, changing: true }), 'fifo'),
  ],
  // A crash of a machine that waits for ever is a sample of its own, and no class of its own (ADR 14).
  [
    'machines',
    (seed) => viewsOf(generatedSystem(generatedPlan(seed, { faults: budgets[seed % 2] as FaultBudget }))).runnable,
  ],
]

const budgets: readonly FaultBudget[] = [{ losses: 'any' }, { duplicates: 1 }]

describe.each(kinds)('%s', (_kind, subjectOf) => {
  test.each([random, pct])('$name', (engine) => {
    let compared = 0
    for (let seed = 1; seed <= programs; seed++) {
      const subject = subjectOf(seed)
      // Which states are met together is a matter of the interleaving, and a class leaves that open.
      const unjudged = { ...subject, properties: subject.properties.filter(({ sees }) => sees !== 'state') }
      const truth = exploreAll(dpor, unjudged, { cap: mostExecutions })
      if (truth.stopped !== undefined) continue
      compared++
      const sampled = exploreAll(engine, unjudged, { setting })
      expect(sampled.stopped, `seed ${seed}`).toBeUndefined()
      for (const one of sampled.classes.keys()) expect(truth.classes.has(one), `seed ${seed}: ${one}`).toBe(true)
      const { violations } = exploreAll(dpor, subject, { classes: false })
      for (const one of exploreAll(engine, subject, { setting, classes: false }).violations)
        expect([...violations], `seed ${seed}`).toContain(one)
    }
    expect(compared).toBeGreaterThan(atLeast(programs / 4))
  })
})
