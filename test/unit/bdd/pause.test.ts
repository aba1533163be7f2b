import { expect, test } from 'vitest'
import { DiagramsFull, DiagramsPaused } from '../../../src/bdd/diagram.ts'
import { Diagrams } from '../../../src/bdd/diagrams.ts'

/** Where all pairs of variables agree: with the two of a pair far apart, a diagram that is exponential in their number. */
function agreeing(diagrams: Diagrams, variables: readonly number[]): number {
  const half = variables.length / 2
  return variables.slice(0, half).reduce((all, variable, at) => {
    const other = variables[half + at] as number
    const both = diagrams.and(diagrams.literal(variable), diagrams.literal(other))
    const neither = diagrams.and(diagrams.literal(variable, false), diagrams.literal(other, false))
    return diagrams.and(all, diagrams.or(both, neither))
  }, diagrams.always)
}

test('an operation that takes too long is told, and ends when it is asked again and again', () => {
  const [plain, paused] = [new Diagrams(), new Diagrams()]
  const variables = Array.from({ length: 20 }, () => paused.variable())
  const expected = agreeing(
    plain,
    Array.from({ length: 20 }, () => plain.variable()),
  )
  let pauses = 0
  let found: number | undefined
  for (let slice = 50; found === undefined; slice *= 2) {
    paused.pauseAfter(slice)
    try {
      found = agreeing(paused, variables)
    } catch (error) {
      expect(error).toBeInstanceOf(DiagramsPaused)
      pauses++
    }
  }
  expect(pauses).toBeGreaterThan(2)
  paused.pauseAfter()
  expect(paused.count(found)).toBe(2n ** 10n)
  expect(paused.nodesOf([found])).toBe(plain.nodesOf([expected]))
})

test('what is remembered is found again, so that attempts need not get longer', () => {
  const diagrams = new Diagrams()
  const variables = Array.from({ length: 28 }, () => diagrams.variable())
  const [effort, most] = [2_000, 200]
  let attempts = 0
  for (let found: number | undefined; found === undefined && attempts < most; attempts++) {
    diagrams.pauseAfter(effort)
    try {
      found = agreeing(diagrams, variables)
    } catch (error) {
      expect(error).toBeInstanceOf(DiagramsPaused)
      diagrams.remember(4 * effort)
    }
  }
  expect(attempts).toBeGreaterThan(10)
  expect(attempts).toBeLessThan(most)
})

test('a question that takes too long is told as well, although it makes no nodes', () => {
  const diagrams = new Diagrams()
  const variables = Array.from({ length: 20 }, () => diagrams.variable())
  const agree = agreeing(diagrams, variables)
  const differ = diagrams.not(agree)
  const made = diagrams.created
  diagrams.pauseAfter(100)
  expect(() => diagrams.disjoint(agree, differ)).toThrow(DiagramsPaused)
  diagrams.pauseAfter()
  expect(diagrams.disjoint(agree, differ)).toBe(true)
  expect(diagrams.created).toBe(made)
})

test('without room for more nodes there are no more, and what was built is whole', () => {
  let room = Number.POSITIVE_INFINITY
  const diagrams = new Diagrams({ room: () => room })
  const variables = Array.from({ length: 24 }, () => diagrams.variable())
  const few = agreeing(diagrams, [...variables.slice(0, 4), ...variables.slice(12, 16)])
  room = 0
  const before = diagrams.bytes
  expect(() => agreeing(diagrams, variables)).toThrow(DiagramsFull)
  expect(diagrams.bytes).toBe(before)
  expect(diagrams.count(few, 8)).toBe(2n ** 4n)
  diagrams.collect([few])
  expect(diagrams.size).toBeLessThan(200)
  room = 1 << 20
  expect(diagrams.count(agreeing(diagrams, variables), 24)).toBe(2n ** 12n)
})

test('a value that keeps the other side, and sides that are alike, are seen at once', () => {
  const diagrams = new Diagrams()
  const [first, second] = [diagrams.variable(), diagrams.variable()]
  const left = diagrams.ite(diagrams.literal(first), diagrams.leaf(3), diagrams.leaf(4))
  const right = diagrams.ite(diagrams.literal(second), diagrams.leaf(7), diagrams.leaf(9))
  let computed = 0
  const compute = (one: number, other: number): number => {
    computed++
    return one * 10 + other
  }
  const operation = diagrams.operation(compute, { keeps: 7, alike: -1 })
  expect(diagrams.leaves(diagrams.apply(operation, left, right))).toEqual([3, 4, 39, 49])
  expect(computed).toBe(2)
  expect(diagrams.apply(operation, left, left)).toBe(diagrams.leaf(-1))
})
