/** What is sampled of P programs is among what the interpreter says, and of those that are wrong most are found out by chance. */
// @module-tag cut
import { expect, test } from 'vitest'
import { pct } from '../../../src/engines/random/pct.ts'
import { random } from '../../../src/engines/random/random.ts'
import { amount, atLeast } from '../../amount.ts'
import { generatedProgram } from './generate.ts'
import { interpret } from './interpreter.ts'
import { productPaths, violationsAmong } from './product.ts'
import { readProgram } from './read.ts'
import { deliveries } from './world.ts'

const programs = amount({ quick: 8, rest: 40, thorough: 80, all: 1_000 })

test.each([random, pct])('$name', (engine) => {
  const tally = { compared: 0, wrong: 0, found: 0 }
  for (let seed = 0; seed < programs; seed++) {
    const read = readProgram(generatedProgram(5_000 + seed))
    if ('problems' in read) throw new Error(read.problems.join('; '))
    const { checked } = read
    const [test] = checked.tests
    const delivery = deliveries[seed % deliveries.length]
    if (test === undefined || delivery === undefined) throw new Error('every generated program has a test')
    const expected = interpret(checked, test, { delivery, mostStates: 300 })
    if (expected === undefined) continue
    tally.compared++
    const options = { samples: 60, depth: 3, seed }
    const found = violationsAmong(engine.explore(productPaths(checked, test, delivery), options))
    for (const one of found) expect(expected.violations, `seed ${seed}, ${delivery}`).toContain(one)
    if (expected.violations.length > 0) tally.wrong++
    if (found.length > 0) tally.found++
  }
  expect(tally.compared).toBeGreaterThan(atLeast(programs / 3))
  expect(tally.wrong).toBeGreaterThan(atLeast(programs / 8))
  expect(tally.found).toBeGreaterThan(tally.wrong / 2)
})
