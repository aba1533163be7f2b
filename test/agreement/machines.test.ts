/**
 * Engines of systems against each other: which properties are violated, over all executions. `exhaustive` runs the machines
 * as processes and knows nothing of states; `stateful` knows nothing of processes.
 */
import { checkResult, type Program, type Verdict } from 'allways'
import { describe, expect, test } from 'vitest'
import { violationKey } from '../../src/core/property.ts'
import { counterexamplesOf } from '../../src/reports/result.ts'
import { generatedPlan, generatedSystem } from './machine-generate.ts'

const systems = Number(process.env.ALLWAYS_MACHINES ?? 60)
const first = Number(process.env.ALLWAYS_MACHINES_FROM ?? 0)

async function verdictOf(program: Program, engine: string, limit = 20_000): Promise<Verdict> {
  const result = await checkResult(program, { engine, keepGoing: true, maxExecutions: limit })
  if (!result.ok) throw new Error(`${engine}: ${result.diagnostics[0]?.code} ${result.diagnostics[0]?.message}`)
  return result.value
}

/** What is violated, or nothing known if the search did not end. */
async function violated(program: Program, engine: string, limit?: number): Promise<readonly string[] | undefined> {
  const verdict = await verdictOf(program, engine, limit)
  if (verdict.kind === 'incomplete' || (verdict.kind === 'violated' && !verdict.exhausted)) return undefined
  return verdict.kind === 'violated'
    ? counterexamplesOf(verdict)
        .map(({ violation }) => violationKey(violation))
        .sort()
    : []
}

describe('engines of systems agree', () => {
  test('stateful, dpor and exhaustive find the same violations in generated systems', async () => {
    let [compared, violations] = [0, 0]
    for (let seed = first; seed < first + systems; seed++) {
      const program = generatedSystem(generatedPlan(seed))
      const found = await violated(program, 'stateful')
      for (const [engine, limit] of [
        ['dpor', 200],
        ['exhaustive', 1_000],
      ] as const) {
        const others = await violated(program, engine, limit)
        if (others === undefined) continue
        expect({ seed, engine, found: others }).toEqual({ seed, engine, found })
        compared++
        violations += others.length
      }
    }
    // Most are small enough for some other engine, and many of those are wrong.
    expect(compared).toBeGreaterThan(systems / 2)
    expect(violations).toBeGreaterThan(systems / 10)
  })
})
