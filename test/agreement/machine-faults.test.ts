/** Engines of systems against each other and against naive search, where budgets bound what goes wrong: see `machine-agreement.ts`. */
import { checkResult } from 'allways'
import { expect, test } from 'vitest'
import { evidenceOf } from '../../src/core/evidence.ts'
import type { FaultBudget } from '../../src/core/faults.ts'
import { type NetworkName, networkNames } from '../../src/core/operation.ts'
import { violationKey } from '../../src/core/property.ts'
import { amount, atLeast, cut, longIf, seedsOf } from '../amount.ts'
import { disagreement, newMachineTally } from './machine-agreement.ts'
import { generatedPlan } from './machine-generate.ts'
import { searchGlobally } from './machine-oracle.ts'
import { generatedSystem, type SystemPlan } from './machine-plan.ts'
import { referenceOf } from './machine-reference.ts'

const budgets: readonly FaultBudget[] = [
  { losses: 1 },
  { losses: 2 },
  { duplicates: 1 },
  { losses: 1, duplicates: 1 },
  { crashes: 1 },
  { crashes: 1, restarts: 1 },
  { crashes: 2, restarts: 1, losses: 'any' },
  { crashes: 2, restarts: 2 },
  { partitions: 1, losses: 1 },
]

const systems = amount({ quick: 9, all: 270 })

test.each(networkNames)(
  `local, stateful and dpor agree on ${systems} generated systems with budgets: %s`,
  (network) => {
    const tally = newMachineTally()
    for (let seed = 0; seed < systems; seed++) {
      const problem = disagreement(planFor(network, seed), tally)
      if (problem !== undefined) throw new Error(`seed ${seed}, ${JSON.stringify(budgetFor(seed))}: ${problem}`)
    }
    expect(tally.violated).toBeGreaterThan(systems / 4)
    expect(tally.verified).toBeGreaterThan(systems / 4)
    expect(tally.dporSkipped).toBeLessThan(systems / 3)
  },
)

for (const [row, network] of networkNames.entries())
  test(`exhaustive, random and pct invent nothing, and what is exhausted misses nothing: ${network}`, {
    tags: [...longIf(true, row % 2 > 0).tags, ...cut.tags],
  }, async () => {
    let compared = 0
    for (const seed of seedsOf(network, networkNames, { quick: 3, rest: 5, thorough: 9, all: 270 })) {
      const plan = planFor(network, seed)
      const expected = [...searchGlobally(referenceOf(plan)).violated.keys()].sort()
      for (const engine of ['exhaustive', 'random', 'pct']) {
        const { keys, isAll } = await told(plan, engine)
        const missing = isAll ? expected.filter((key) => !keys.includes(key)) : []
        const invented = keys.filter((key) => !expected.includes(key))
        expect({ seed, engine, missing, invented }).toEqual({ seed, engine, missing: [], invented: [] })
        if (isAll) compared++
      }
    }
    // With faults, few systems have so few interleavings that all of them can be explored.
    expect(compared).toBeGreaterThanOrEqual(atLeast(2))
  })

function budgetFor(seed: number): FaultBudget {
  return budgets[seed % budgets.length] as FaultBudget
}

function planFor(network: NetworkName, seed: number): SystemPlan {
  return generatedPlan(seed, { network, faults: budgetFor(seed) })
}

/** Violations that an engine tells, each replayed by the judge; and whether it has told all there are. */
async function told(plan: SystemPlan, engine: string) {
  const sampled = engine === 'exhaustive' ? { maxExecutions: 300 } : { samples: 10 }
  const result = await checkResult(generatedSystem(plan), { engine, keepGoing: true, ...sampled })
  if (!result.ok) throw new Error(`${engine}: ${result.diagnostics[0]?.code} ${result.diagnostics[0]?.message}`)
  const verdict = result.value
  const keys = evidenceOf(verdict.evidence, 'execution').map(({ violation }) => violationKey(violation))
  const isEnded = verdict.kind === 'verified' || (verdict.kind === 'violated' && verdict.exhausted)
  return { keys, isAll: engine === 'exhaustive' && isEnded }
}
