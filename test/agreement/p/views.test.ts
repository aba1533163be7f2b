/** Generated P programs through `dpor` and `local`, against an interpreter that runs the checked tree. */
// @module-tag cut
import { describe, expect, test } from 'vitest'
import { amount, atLeast, longIf } from '../../amount.ts'
import { generatedProgram } from './generate.ts'
import { orderLitmus } from './order-litmus.ts'
import { shrunk } from './shrink.ts'
import { newViewsTally, viewsDisagreement } from './views.ts'
import { deliveries } from './world.ts'

const programs = amount({ quick: 40, rest: 160, thorough: 320, all: 2_400 })
const limits = { states: 40, executions: 100, decisions: 600 }

const many = { states: 2_000, executions: 2_000, decisions: 100_000 }

describe('small P programs in which order decides', () => {
  const cases = orderLitmus.flatMap((litmus) => deliveries.map((delivery) => ({ ...litmus, delivery })))
  for (const { name, text, delivery, classes } of cases)
    test(`${name}, ${delivery}`, longIf(delivery === 'mailbox'), () => {
      const tally = newViewsTally()
      expect(viewsDisagreement(text, delivery, { tally, limits: many })).toBeUndefined()
      expect(tally).toMatchObject({ compared: 1, dropped: 0, refused: 0 })
      const expected = classes[delivery]
      if (expected !== undefined) expect(tally).toMatchObject({ counted: 1, classes: expected })
    })
})

describe('generated P programs', { timeout: 3_600_000 }, () => {
  test('have the same outcomes as processes, each class of executions once, and as machines apart', () => {
    const tally = newViewsTally()
    for (let seed = 0; seed < programs; seed++) {
      const text = generatedProgram(seed)
      const delivery = deliveries[seed % deliveries.length] as (typeof deliveries)[number]
      const problem = viewsDisagreement(text, delivery, { tally, limits })
      const disagrees = (smaller: string) => viewsDisagreement(smaller, delivery, { tally, limits }) !== undefined
      const smallest = problem && `${delivery}: ${problem}\n${shrunk(text, disagrees)}`
      expect({ seed, smallest }).toEqual({ seed, smallest: undefined })
    }
    expect(tally.compared).toBeGreaterThan(programs / 2)
    expect(tally.violated).toBeGreaterThan(tally.compared / 5)
    expect(tally.counted).toBeGreaterThan(programs / 10)
    // In some programs order decides much, and more of them than before are about values, types and modules alone.
    expect(tally.classes).toBeGreaterThan(atLeast(1.5 * tally.counted))
    // Machines are looked at apart on two of the five networks.
    expect(tally.apart).toBeGreaterThan(programs / 6)
  })
})
