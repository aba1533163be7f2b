// @module-tag cut
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Discharged, discharge } from '../../../../src/check/assertions/discharge.ts'
import type { Obligation } from '../../../../src/engines/sequentialize/state.ts'
import { amount } from '../../../amount.ts'
import { type Assignment, counterexample, isCounterexample } from './oracle.ts'
import { assertion, is, literal, opaque, parameter, symbol, term } from './values.ts'

const symbols = [symbol(1), symbol(2)]
const constants = [0, 1, 2, -1, 0.5, -0, Number.NaN, 'a', '', true, false, undefined, null].map(literal)
const whole = symbols.map((one) => opaque('Number.isInteger(v)', one))
const numbers = symbols.map((one) => is(opaque('typeof v', one), 'number'))

const leaf = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...symbols) },
  { weight: 1, arbitrary: fc.constant(parameter('n')) },
  { weight: 2, arbitrary: fc.constantFrom(...constants) },
)
const computed = fc
  .tuple(fc.constantFrom('+', '-', '*', '/', '%', '&&', '||'), leaf, leaf)
  .map(([operator, left, right]) => term(operator, left, right))
const applied = fc
  .tuple(fc.constantFrom('!', '.a', '`f(v)`', '`typeof v`'), leaf)
  .map(([operator, input]) => term(operator, input))
const chosen = fc.tuple(leaf, leaf, leaf).map((inputs) => term('?:', ...inputs))
const side = fc.oneof({ weight: 4, arbitrary: leaf }, { weight: 3, arbitrary: computed }, applied, chosen)
const comparison = fc
  .tuple(fc.constantFrom('<', '<=', '>', '>=', '===', '==='), side, side)
  .map(([operator, left, right]) => term(operator, left, right))
const condition = fc.oneof(
  { weight: 5, arbitrary: comparison },
  side,
  fc.tuple(fc.constantFrom('&&', '||'), comparison, comparison).map(([operator, a, b]) => term(operator, a, b)),
)

/** With types known for two thirds, so that something can be proved. */
const generated: fc.Arbitrary<Obligation> = fc
  .record({
    condition,
    holds: fc.array(comparison, { maxLength: 1 }),
    fails: fc.array(comparison, { maxLength: 1 }),
    types: fc.constantFrom([], whole, numbers),
    domain: fc.option(fc.subarray([1, 0, 'a', true, undefined], { minLength: 1 }), { freq: 3 }),
  })
  .map(({ condition: asserted, holds, fails, types, domain }) => {
    const domains = domain === null ? {} : { 1: domain }
    return assertion(asserted, { holds: domain === null ? [...holds, ...types] : holds, fails, domains })
  })

const tempting = amount({ quick: 8, thorough: 32, all: 260 })
const drawn = amount({ quick: 150, thorough: 600, all: 6_000 })

/** Those that no small whole numbers contradict are the likeliest to be proved wrongly. */
function sample(): readonly Obligation[] {
  const all = fc.sample(generated, { numRuns: drawn, seed: 20 })
  const whole = [0, 1, 2, -1, -2]
  const isTempting = (one: Obligation): boolean =>
    counterexample(one, whole) === undefined &&
    counterexample({ ...one, condition: literal(false) }, whole) !== undefined
  const chosen = all.filter(isTempting).slice(0, tempting)
  return [...chosen, ...all.slice(0, tempting / 4)]
}

test('nothing is proved that some values contradict, and what is said to refute does', async () => {
  const assertions = sample()
  expect(assertions).toHaveLength(tempting + Math.floor(tempting / 4))
  const found = await discharge(assertions, { milliseconds: 300_000 })
  expect(found.filter(isWrong)).toEqual([])
  const isProved = ({ answer, why }: Discharged): boolean =>
    answer === 'proved' && why?.includes('contradicts') !== true
  expect(found.filter(isProved).length).toBeGreaterThan(tempting / 4)
  expect(found.filter(({ answer }) => answer === 'refuted').length).toBeGreaterThan(tempting / 12)
})

function isWrong({ obligation, answer, model }: Discharged): boolean {
  if (answer === 'proved') return counterexample(obligation) !== undefined
  if (answer === 'unknown') return false
  const assignment = readAssignment(model as string)
  return assignment !== undefined && !isCounterexample(obligation, assignment)
}

/** Of plain values; objects and functions have no text that could be read back. */
function readAssignment(model: string): Assignment | undefined {
  const [symbols, parameters] = [new Map<number, unknown>(), new Map<string, number>()]
  for (const part of model.split(', ')) {
    const [, name, text] = /^(.+) = (undefined|null|true|false|-?\d+|".*")$/.exec(part) ?? []
    if (name === undefined || text === undefined) return undefined
    const read = text === 'undefined' ? undefined : JSON.parse(text)
    if (/^value \d+$/.test(name)) symbols.set(Number(name.slice(6)), read)
    else if (name === 'n') parameters.set('n', read)
    else return undefined
  }
  return { symbols, parameters, opaque: () => undefined }
}
