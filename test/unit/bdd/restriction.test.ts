import { describe, expect, test } from 'vitest'
import { Random } from '../../../src/core/random.ts'
import { withVariables } from './pool.ts'
import { expectEqualWithin, type Known, randomGuard, randomSummary, readOff } from './truth-table.ts'

const cases = Array.from({ length: 40 }, (_, seed) => {
  const random = new Random(seed)
  const diagrams = withVariables(seed % 2 === 0 ? 'above' : 'below', 2 + (seed % 7))
  const [f, g] = [randomSummary(diagrams, random, [0, 1, 5, 9]), randomSummary(diagrams, random, [0, 1, 5, 9])]
  let care: Known
  do care = randomGuard(diagrams, random, 5)
  while (care.diagram === diagrams.never)
  return { diagrams, f, g, care }
})

describe.each(['within', 'constrain'] as const)('%s', (kind) => {
  test('equals the diagram on the care set', () => {
    for (const { diagrams, f, care } of cases) {
      expectEqualWithin(readOff(diagrams, diagrams[kind](f.diagram, care.diagram)), f.table, care.table)
    }
  })

  test('differs from it outside, and not only a little: a comparison that forgot the care set would fail', () => {
    const differing = cases.filter(({ diagrams, f, care }) => diagrams[kind](f.diagram, care.diagram) !== f.diagram)
    expect(differing.length).toBeGreaterThan(20)
    const [one] = differing.map(({ diagrams, f, care }) => ({
      table: readOff(diagrams, diagrams[kind](f.diagram, care.diagram)),
      f,
    }))
    expect(() => expectEqualWithin(one?.table ?? [], one?.f.table ?? [], one?.table.map(() => 1) ?? [])).toThrow()
  })

  test('needs a care set that holds somewhere', () => {
    const diagrams = withVariables('above', 1)
    expect(() => diagrams[kind](diagrams.literal(0), diagrams.never)).toThrow('holds somewhere')
  })

  test('by a literal is the cofactor', () => {
    const diagrams = withVariables('above', 3)
    const table = diagrams.fromTable([2, 1, 0], [10, 11, 12, 13, 14, 15, 16, 17], 0)
    const high = diagrams.fromTable([2, 0], [12, 13, 16, 17], 0)
    const low = diagrams.fromTable([2, 0], [10, 11, 14, 15], 0)
    expect(diagrams[kind](table, diagrams.literal(1))).toBe(high)
    expect(diagrams[kind](table, diagrams.literal(1, false))).toBe(low)
  })
})

test('constrain gives diagrams that are equal on the care set one number', () => {
  for (const { diagrams, f, g, care } of cases) {
    const patched = diagrams.ite(care.diagram, f.diagram, g.diagram)
    expect(diagrams.constrain(patched, care.diagram)).toBe(diagrams.constrain(f.diagram, care.diagram))
  }
})

test('within does not test a variable that the diagram does not test, and constrain may', () => {
  const diagrams = withVariables('below', 3)
  const [x, y, z] = [diagrams.literal(0), diagrams.literal(1), diagrams.literal(2)]
  // Where x holds y must hold, and where it does not z must: x says which one matters.
  const care = diagrams.ite(x, y, z)
  const f = diagrams.and(y, z)
  // The care set over y and z alone is "y or z", and on it "y and z" is no smaller.
  expect(diagrams.within(f, care)).toBe(f)
  expect(diagrams.constrain(f, care)).toBe(diagrams.ite(x, z, y))
})

test('within leaves one value where only one is met', () => {
  const diagrams = withVariables('above', 6)
  const digits = Array.from({ length: 64 }, (_, code) => code % 10)
  const summary = diagrams.fromTable([5, 4, 3, 2, 1, 0], digits, 0)
  const sevens = diagrams.guardOf(summary, 7)
  expect(diagrams.count(sevens)).toBe(6n)
  expect(diagrams.within(summary, sevens)).toBe(diagrams.leaf(7))
  expect(diagrams.leavesWithin(summary, sevens)).toEqual([7])
})
