import { describe, expect, test } from 'vitest'
import { DiagramsFull } from '../../../src/bdd/diagram.ts'
import { Diagrams } from '../../../src/bdd/diagrams.ts'
import { withVariables } from './pool.ts'
import { queens } from './queens.ts'

describe('n queens', () => {
  // The sizes are those that other packages report, leaves included.
  test.each([
    [4, 2n, 31],
    [5, 10n, 169],
    [6, 4n, 131],
    [7, 40n, 1101],
    [8, 92n, 2453],
  ])('%i queens have %i placements and %i nodes', (size, placements, nodes) => {
    const diagrams = new Diagrams({ order: 'below' })
    const guard = queens(diagrams, size)
    expect(diagrams.count(guard)).toBe(placements)
    expect(diagrams.nodesOf([guard])).toBe(nodes)
  })

  test('new variables above give the same placements', () => {
    const diagrams = new Diagrams()
    const guard = queens(diagrams, 6)
    expect(diagrams.count(guard)).toBe(4n)
    expect(diagrams.nodesOf([guard])).toBe(131)
  })
})

describe('a full table', () => {
  test('says so, and after a collection goes on and is right', () => {
    const diagrams = new Diagrams({ order: 'below', mostNodes: 4000 })
    expect(() => queens(diagrams, 6)).toThrow(DiagramsFull)
    expect(diagrams.size).toBe(4000)
    diagrams.collect([])
    expect(diagrams.size).toBe(2)
    // 6 queens left 36 variables behind: they are free.
    const guard = queens(diagrams, 5)
    expect(diagrams.count(guard, 25)).toBe(10n)
    expect(diagrams.nodesOf([guard])).toBe(169)
  })

  test('keeps what was built before', () => {
    const diagrams = new Diagrams({ order: 'below', mostNodes: 4000 })
    const five = queens(diagrams, 5)
    expect(() => queens(diagrams, 6)).toThrow(DiagramsFull)
    diagrams.collect([five])
    expect(diagrams.size).toBe(169)
    expect(diagrams.count(five, 25)).toBe(10n)
    const four = queens(diagrams, 4)
    const both = diagrams.and(four, five)
    expect(diagrams.count(both, 41)).toBe(20n)
  })

  test('keeps diagrams whole when there is no room to reorder them', () => {
    const diagrams = new Diagrams({ order: 'below', mostNodes: 150 })
    const guard = pairsApart(diagrams, 5)
    const count = diagrams.count(guard)
    const roots = [guard]
    // The widest level has 16 nodes, which may need 32 new ones for a moment.
    while (diagrams.size < 130) roots.push(diagrams.leaf(1000 + roots.length))
    diagrams.sift(roots)
    expect(diagrams.count(guard)).toBe(count)
    expect(diagrams.size).toBe(diagrams.nodesOf(roots))
    const full = diagrams.nodesOf([guard])
    expect(full).toBeGreaterThan(12)
    diagrams.sift([guard])
    expect(diagrams.nodesOf([guard])).toBe(12)
    expect(diagrams.count(guard)).toBe(count)
  })
})

/** x0·y0 + x1·y1 + … with all x before all y: 2^(n+1) nodes, and 2n + 2 with each y next to its x (Bryant, 1986, §3.1). */
function pairsApart(diagrams: Diagrams, pairs: number): number {
  const first = diagrams.variables
  for (let at = 0; at < pairs * 2; at++) diagrams.variable()
  let guard = diagrams.never
  for (let at = 0; at < pairs; at++) {
    const both = diagrams.and(diagrams.literal(first + at), diagrams.literal(first + pairs + at))
    guard = diagrams.or(guard, both)
    diagrams.collect([guard])
  }
  return guard
}

describe('reordering', () => {
  test.each(['above', 'below'] as const)('brings together what belongs together, with new variables %s', (order) => {
    const diagrams = new Diagrams({ order })
    const guard = pairsApart(diagrams, 9)
    const count = diagrams.count(guard)
    expect(diagrams.nodesOf([guard])).toBe(1024)
    diagrams.sift([guard])
    expect(diagrams.size).toBe(20)
    expect(diagrams.count(guard)).toBe(count)
    // A variable that comes now still goes to its end.
    const late = diagrams.variable()
    const both = diagrams.and(guard, diagrams.literal(late))
    expect([...(diagrams.model(both)?.keys() ?? [])].at(order === 'above' ? 0 : -1)).toBe(late)
    expect(diagrams.count(both)).toBe(count)
  })

  test('passes over variables without nodes', () => {
    const diagrams = new Diagrams({ order: 'below' })
    for (let at = 0; at < 2000; at++) diagrams.variable()
    const guard = pairsApart(diagrams, 6)
    for (let at = 0; at < 2000; at++) diagrams.variable()
    diagrams.sift([guard])
    expect(diagrams.size).toBe(14)
    // 4^6 − 3^6 assignments have a pair.
    expect(diagrams.count(guard, 12)).toBe(3367n)
  })
})

describe('5,000 variables', () => {
  const many = 5000

  test.each(['above', 'below'] as const)('are no deeper than any operation goes, with new variables %s', (order) => {
    const diagrams = withVariables(order, many)
    const variables = Array.from({ length: many }, (_, at) => at)
    const fromLeaf = order === 'above' ? variables : variables.toReversed()
    const all = fromLeaf.reduce<number>((below, at) => diagrams.and(diagrams.literal(at), below), diagrams.always)
    const none = fromLeaf.reduce<number>((below, at) => diagrams.and(diagrams.literal(at, false), below), 1)
    // Even parity: two nodes for each variable but the first, and both leaves.
    const isEqual = diagrams.operation((left, right) => Number(left === right), { commutative: true })
    const even = fromLeaf.reduce<number>((below, at) => diagrams.apply(isEqual, diagrams.literal(at), below), 1)
    expect(diagrams.nodesOf([even])).toBe(2 * many + 1)
    expect(diagrams.count(even)).toBe(2n ** BigInt(many - 1))
    expect(diagrams.count(diagrams.or(all, none))).toBe(2n)
    expect(diagrams.disjoint(all, none)).toBe(true)
    expect(diagrams.covers(even, all)).toBe(true)
    expect(diagrams.covers(all, even)).toBe(false)
    expect(diagrams.and(even, all)).toBe(all)
    expect(diagrams.not(diagrams.not(even))).toBe(even)
    expect(diagrams.count(diagrams.minus(even, all))).toBe(2n ** BigInt(many - 1) - 1n)
    const summary = diagrams.ite(even, diagrams.leaf(4), diagrams.ite(all, diagrams.leaf(5), diagrams.leaf(6)))
    expect(diagrams.leaves(summary)).toEqual([4, 6])
    expect(diagrams.leavesWithin(summary, all)).toEqual([4])
    expect(diagrams.guardOf(summary, 4)).toBe(even)
    expect(
      diagrams.map(
        diagrams.function((value) => Number(value === 4)),
        summary,
      ),
    ).toBe(even)
    expect(diagrams.within(summary, all)).toBe(diagrams.leaf(4))
    expect(diagrams.constrain(summary, none)).toBe(diagrams.leaf(4))
    expect(diagrams.some(even, variables.slice(0, many / 2))).toBe(diagrams.always)
    expect(diagrams.every(diagrams.or(even, diagrams.not(even)), variables)).toBe(diagrams.always)
    expect(diagrams.model(all)?.size).toBe(many)
    diagrams.collect([even])
    expect(diagrams.size).toBe(2 * many + 1)
  })
})
