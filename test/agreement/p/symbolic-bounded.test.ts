/** Symbolic search up to so many steps: the states, ends and violations that there are within them, counted one by one over the reference semantics. */
// @module-tag cut
import { describe, expect, test } from 'vitest'
import { symbolic } from '../../../src/engines/symbolic/symbolic.ts'
import { lower } from '../../../src/frontends/p/lower.ts'
import type { Ir } from '../../../src/ir/ir.ts'
import { amount } from '../../amount.ts'
import { expectRetaken, settingOf } from './explored.ts'
import { generatedProgram } from './generate.ts'
import { type Layers, layersOf, siteOf } from './layers.ts'
import { readProgram } from './read.ts'

const network = 'sender-queue'
const bounds = [1, 2, 4, 7]

interface Found {
  readonly states: number
  readonly ends: number
  readonly sites: readonly string[]
  readonly isBounded: boolean
}

function programsOf(text: string): readonly Ir[] {
  const read = readProgram(text)
  if ('problems' in read) throw new Error(read.problems.join('; '))
  return read.checked.tests.map((one) => lower(read.checked, one))
}

function found(ir: Ir, maxSteps: number, options: { readonly [name: string]: string }): Found {
  const setting = { ...settingOf(network), bounds: { maxSteps } }
  const sites = new Set<string>()
  let [counts, isBounded]: [{ readonly [name: string]: number }, boolean] = [{}, false]
  for (const event of symbolic.explore({ program: ir, setting }, options)) {
    if (event.kind === 'progress') counts = event.counts
    if (event.kind === 'bound') isBounded = true
    if (event.kind !== 'violation') continue
    sites.add(siteOf(event.violation))
    expectRetaken(ir, network, event)
  }
  const { states = 0, terminals = 0, executions = terminals, steps, rounds = steps ?? 0 } = counts
  expect(rounds).toBeLessThanOrEqual(maxSteps)
  return { states, ends: executions, sites: [...sites].sort(), isBounded }
}

/** Layers have states before each step, and what goes wrong in the last of those steps. */
function expected({ layers, sites, isWhole }: Layers): Found {
  const states = layers.reduce((sum, { fresh }) => sum + fresh, 0)
  const ends = layers.reduce((sum, { freshEnded }) => sum + freshEnded, 0)
  return { states, ends, sites: [...sites.keys()].sort(), isBounded: !isWhole }
}

describe('a bound on steps', () => {
  test('leaves the states, ends and violations that there are within so many steps', () => {
    let [bounded, violated] = [0, 0]
    for (let seed = 0; seed < amount({ quick: 6, rest: 30, all: 400 }); seed++)
      for (const ir of programsOf(generatedProgram(seed)))
        for (const steps of bounds) {
          // One more: what is known is what goes wrong on the way to its states.
          const within = layersOf(ir, network, { steps: steps + 1, states: 100 })
          const before = layersOf(ir, network, { steps, states: 100 })
          if (within === undefined || before === undefined) continue
          const { states, ends } = expected(within)
          const told = found(ir, steps, { mode: 'states', order: 'above' })
          expect({ seed, steps, states: told.states, ends: told.ends }).toEqual({ seed, steps, states, ends })
          expect(within.sites.size >= told.sites.length && told.sites.length >= before.sites.size).toBe(true)
          if (told.isBounded) bounded++
          else expect(told.states).toBe(expected(layersOf(ir, network, { steps: 60, states: 400 }) ?? within).states)
          if (told.sites.length > 0) violated++
          expect(found(ir, steps, { mode: 'steps', order: 'below' }).sites).toEqual(told.sites)
        }
    expect(bounded).toBeGreaterThan(5)
    expect(violated).toBeGreaterThan(0)
  })

  const chain = `
    event go: int;
    machine Main { start state S { entry { send this, go, 1; } on go do (n: int) { assert n < 5, "five"; send this, go, n + 1; } } }
    test tc [main=Main]: { Main };
  `

  test.each(['states', 'steps', 'rounds'])('is reached or is not, to the step, by %s', (mode) => {
    const [ir] = programsOf(chain) as [Ir]
    // Main begins, and handles 1 to 4 before it fails.
    expect(found(ir, 5, { mode })).toMatchObject({ sites: [], isBounded: true })
    expect(found(ir, 6, { mode })).toMatchObject({ sites: [expect.stringContaining('assertion')], isBounded: false })
  })
})
