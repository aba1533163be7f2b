/** Systems whose machines create others while they run, drawn at random: engines against the enumeration of interleavings. */
// @module-tag cut
import { checkResult, type Program } from 'allways'
import { expect, test } from 'vitest'
import { evidenceOf } from '../../src/core/evidence.ts'
import { networkNames } from '../../src/core/operation.ts'
import { violationKey } from '../../src/core/property.ts'
import { amount, atLeast, isLittle, isQuick } from '../amount.ts'
import { creatingSystem } from './creation-generate.ts'

const systems = amount({ quick: 2, rest: 6, thorough: 12, all: 150 })
/**
 * Of every system that has fewer, all executions are compared. Quickly, a system that has more than these is not enumerated for long
 * only to be given up: two in five have many thousands, and a soak of the tests takes the rest.
 */
const mostExecutions = amount({ quick: 150, all: 1_000 })
const samples = amount({ quick: 4, all: 10 })

// Quickly, on the usual network alone.
test.each(networkNames.filter((name, at) => (isQuick ? name === 'fifo' : !isLittle || at % 2 === 0)))(
  `stateful, dpor, random and pct agree with exhaustive on ${systems} systems that create machines: %s`,
  async (network) => {
    const tally = { compared: 0, violated: 0 }
    for (let seed = 0; seed < systems; seed++) {
      const program = creatingSystem(network, seed)
      const { keys: expected, isAll } = await told(program, { engine: 'exhaustive', maxExecutions: mostExecutions })
      for (const search of searches) {
        const found = await told(program, search)
        const invented = isAll ? found.keys.filter((key) => !expected.includes(key)) : []
        const missing = found.isAll ? expected.filter((key) => !found.keys.includes(key)) : []
        expect({ seed, ...search, invented, missing }).toEqual({ seed, ...search, invented: [], missing: [] })
      }
      if (isAll) tally.compared++
      if (isAll && expected.length > 0) tally.violated++
    }
    expect(tally.compared).toBeGreaterThan(atLeast(systems / 3))
    expect(tally.violated).toBeGreaterThan(atLeast(systems / 6))
    // Of a few, all may be wrong.
    if (!isLittle) expect(tally.violated).toBeLessThan(tally.compared)
  },
)

const searches = [
  { engine: 'stateful', options: { search: 'depth' } },
  { engine: 'stateful', options: { search: 'breadth' } },
  { engine: 'dpor', maxExecutions: 60 },
  { engine: 'random', samples },
  { engine: 'pct', samples },
]

/** Violations, each replayed by the judge; and whether they are all there are. */
async function told(program: Program, search: (typeof searches)[number]) {
  const result = await checkResult(program, { keepGoing: true, ...search })
  if (!result.ok) throw new Error(`${search.engine}: ${result.diagnostics[0]?.code} ${result.diagnostics[0]?.message}`)
  const verdict = result.value
  const keys = evidenceOf(verdict.evidence, 'execution').map(({ violation }) => violationKey(violation))
  const isEnded = verdict.kind === 'verified' || (verdict.kind === 'violated' && verdict.exhausted)
  return { keys, isAll: isEnded && search.engine !== 'random' && search.engine !== 'pct' }
}
