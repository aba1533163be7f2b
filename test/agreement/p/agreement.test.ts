/** Generated P programs under every delivery: the product against an interpreter that runs the checked tree. */
// @module-tag cut
import { describe, expect, test } from 'vitest'
import { amount, atMost } from '../../amount.ts'
import { disagreement, newPTally, smallestDisagreement, soakP } from './agreement.ts'
import { generatedProgram } from './generate.ts'
import { shrunk } from './shrink.ts'
import { deliveries } from './world.ts'

const programs = amount({ quick: 6, rest: 20, thorough: 150, all: 2_000 })
const mostStates = 150

describe('generated P programs', { timeout: 3_600_000 }, () => {
  test('have the outcomes that the interpreter says, under every delivery', () => {
    const tally = newPTally()
    for (let seed = 0; seed < programs; seed++) {
      const text = generatedProgram(seed)
      const problem = disagreement(text, { tally, mostStates })
      expect({ seed, problem: problem && smallestDisagreement(text, mostStates) }).toEqual({ seed, problem: undefined })
    }
    // Five deliveries each, and most of them small enough; some fail and some do not.
    expect(tally.programs).toBe(programs)
    expect(tally.compared).toBeGreaterThan(4 * programs)
    expect(tally.violated).toBeGreaterThan(tally.compared / 5)
    expect(tally.violated).toBeLessThan(atMost(tally.compared / 2))
    expect(tally.enumerated).toBeGreaterThan(tally.compared / 3)
  })

  test('that a monitor ends before a handler chooses are found by that alone', () => {
    const text = [
      'event e0;',
      'machine Main { start state S { entry { send this, e0; if ($) { raise halt; } } } }',
      'spec Watch observes e0 { start state W { } }',
      'test tc [main=Main]: assert Watch in { Main };',
    ].join('\n')
    expect(disagreement(text, { tally: newPTally(), mostStates })).toBeUndefined()
  })

  test('of scenarios: they fail as monitors do, and are hot as long as they like', () => {
    const scenario = (state: string): string =>
      [
        'event e0;',
        'machine Main { start state S { entry { send this, e0; } ignore e0; } }',
        `scenario Seen observes e0 { start hot state W { ${state} } }`,
        'test tc [main=Main]: assert Seen in { Main };',
      ].join('\n')
    for (const [state, violated] of [
      ['ignore e0;', 0],
      ['', 1],
      ['on e0 do { assert false; }', 1],
    ] as const) {
      const tally = newPTally()
      expect(disagreement(scenario(state), { tally, mostStates })).toBeUndefined()
      expect(tally).toMatchObject({ compared: deliveries.length, violated: violated * deliveries.length })
    }
  })

  test('are the same for the same seed and others for others', () => {
    expect(generatedProgram(7)).toBe(generatedProgram(7))
    expect(generatedProgram(7)).not.toBe(generatedProgram(8))
  })

  test('are compared one after the other in a soak', () => {
    const search = soakP({ programs: 2, seed: 3 })
    expect(search.next().value).toMatchObject({ programs: 1 })
    expect(search.next().value).toMatchObject({ programs: 2 })
    expect(search.next()).toEqual({ done: true, value: undefined })
  })

  test('become small when they fail', () => {
    const smallest = shrunk(generatedProgram(1), (text) => /machine Main \{/.test(text) && /state S0/.test(text))
    expect(smallest.trim().split('\n')).toHaveLength(2)
  })
})
