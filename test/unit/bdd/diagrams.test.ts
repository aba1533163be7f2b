import { describe, expect, test } from 'vitest'
import { Random } from '../../../src/core/random.ts'
import { expectReadings, Pool, withVariables } from './pool.ts'
import { assignmentAt, expectKnown, randomSummary, readOff, tableOf, zip } from './truth-table.ts'

const orders = ['above', 'below'] as const

describe.each(orders)('with new variables %s', (order) => {
  test.each([1, 2, 3, 5, 8, 12])('every operation agrees with tables of %i variables', (variables) => {
    const pool = new Pool(withVariables(order, variables), new Random(variables))
    for (let step = 0; step < 60; step++) {
      pool.step()
      expectReadings(pool)
    }
    expectKnown(pool.diagrams, pool.known)
  })

  test.each([4, 7, 9])(
    'with collections in between, and variables that come late, from %i variables on',
    (variables) => {
      const pool = new Pool(withVariables(order, variables), new Random(100 + variables))
      for (let round = 0; round < 8; round++) {
        for (let step = 0; step < 15; step++) pool.step()
        pool.forgetHalf()
        pool.diagrams.collect(pool.roots)
        // Nothing but what the roots reach, both constants, and the leaf that an operation absorbs by.
        const kept = pool.diagrams.nodesOf([...pool.roots, 0, 1, pool.diagrams.leaf(0x7fffffff)])
        expect(pool.diagrams.size).toBe(kept)
        expectKnown(pool.diagrams, pool.known)
        if (round % 3 !== 2) continue
        pool.diagrams.variable()
        pool.known = pool.known.map(({ diagram, table }) => ({ diagram, table: [...table, ...table] }))
      }
    },
  )

  test.each([3, 5, 8, 10])('with reordering in between, from %i variables on', (variables) => {
    const pool = new Pool(withVariables(order, variables), new Random(200 + variables))
    for (let round = 0; round < 6; round++) {
      for (let step = 0; step < 12; step++) pool.step()
      pool.forgetHalf()
      pool.diagrams.collect(pool.roots)
      const before = pool.diagrams.size
      pool.diagrams.sift(pool.roots)
      expect(pool.diagrams.size).toBeLessThanOrEqual(before)
      const kept = pool.diagrams.nodesOf([...pool.roots, 0, 1, pool.diagrams.leaf(0x7fffffff)])
      expect(pool.diagrams.size).toBe(kept)
      expectKnown(pool.diagrams, pool.known)
      expectReadings(pool)
      if (round % 2 === 1) pool.addVariable()
    }
  })

  test('a new variable is tested above or below all others', () => {
    const diagrams = withVariables(order, 3)
    const both = diagrams.and(diagrams.literal(0), diagrams.literal(2))
    const first = [...(diagrams.model(both) ?? new Map<number, boolean>()).keys()][0]
    expect(first).toBe(order === 'above' ? 2 : 0)
  })

  test('codes without a value have the other leaf, whichever order the variables are in', () => {
    const diagrams = withVariables(order, 3)
    for (const variables of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 2, 0],
    ]) {
      const table = diagrams.fromTable(variables, [10, 11, 12, 13, 14], 99)
      const spelled = (index: number) => variables.reduce((code, variable) => code * 2 + ((index >> variable) & 1), 0)
      expect(readOff(diagrams, table)).toEqual(tableOf(3, (index) => [10, 11, 12, 13, 14][spelled(index)] ?? 99))
    }
    const last = diagrams.fromTable([0, 1, 2], [10, 11, 12, 13, 14])
    const code = (index: number) => ((index & 1) << 2) + (index & 2) + (index >> 2)
    expect(readOff(diagrams, last)).toEqual(tableOf(3, (index) => 10 + Math.min(code(index), 4)))
    expect(diagrams.valueOf(diagrams.fromTable([], [], 5))).toBe(5)
    expect(diagrams.valueOf(diagrams.fromTable([], [6], 5))).toBe(6)
    expect(() => diagrams.fromTable([0], [1, 2, 3], 5)).toThrow('1 variables have a code for each value')
  })
})

test('leaf 0 and leaf 1 are the constants, and leaves are any 32-bit integer', () => {
  const diagrams = withVariables('above', 1)
  expect([diagrams.leaf(0), diagrams.leaf(1)]).toEqual([diagrams.never, diagrams.always])
  expect([diagrams.never, diagrams.always]).toEqual([0, 1])
  for (const value of [-1, -0x80000000, 0x7fffffff, 2]) {
    expect(diagrams.valueOf(diagrams.leaf(value))).toBe(value)
    expect(diagrams.isLeaf(diagrams.leaf(value))).toBe(true)
  }
  expect(diagrams.isLeaf(diagrams.literal(0))).toBe(false)
  expect(() => diagrams.leaf(0.5)).toThrow('32-bit integer, not 0.5')
  expect(() => diagrams.leaf(2 ** 31)).toThrow('32-bit integer')
  expect(() => diagrams.valueOf(diagrams.literal(0))).toThrow('only a leaf has a value')
  expect(() => diagrams.literal(1)).toThrow('a variable is below 1, not 1')
})

test('what is no guard is refused where it would be taken for one', () => {
  const diagrams = withVariables('above', 2)
  const summary = diagrams.ite(diagrams.literal(0), diagrams.leaf(5), diagrams.leaf(6))
  const other = diagrams.ite(diagrams.literal(0), diagrams.leaf(7), diagrams.leaf(8))
  expect(() => diagrams.and(summary, other)).toThrow('the leaves of a guard are 0 and 1')
  expect(() => diagrams.ite(summary, diagrams.leaf(2), diagrams.leaf(3))).toThrow('the leaves of a guard are 0 and 1')
  expect(() => diagrams.count(summary)).toThrow('the leaves of a guard are 0 and 1')
  expect(() => diagrams.model(summary)).toThrow('the leaves of a guard are 0 and 1')
  expect(() => diagrams.disjoint(summary, other)).toThrow('the leaves of a guard are 0 and 1')
  // After an error everything goes on as before.
  expect(readOff(diagrams, diagrams.and(diagrams.literal(0), diagrams.literal(1)))).toEqual([0, 0, 0, 1])
})

test('an operation may use diagrams itself, and one that throws leaves nothing behind', () => {
  const diagrams = withVariables('below', 4)
  const random = new Random(7)
  const [a, b] = [randomSummary(diagrams, random, [1, 2, 3]), randomSummary(diagrams, random, [1, 2, 3])]
  const nested = diagrams.operation((left, right) => {
    const inner = diagrams.apply(plus, a.diagram, diagrams.leaf(left * 100))
    return diagrams.leaves(inner).length + right
  })
  const plus = diagrams.operation((left, right) => left + right)
  const variety = new Set(a.table).size
  expect(readOff(diagrams, diagrams.apply(nested, a.diagram, b.diagram))).toEqual(b.table.map((x) => variety + x))
  const failing = diagrams.function((value) => {
    if (value === 3) throw new Error('not 3')
    return value
  })
  expect(() => diagrams.map(failing, a.diagram)).toThrow('not 3')
  expect(readOff(diagrams, diagrams.apply(plus, a.diagram, b.diagram))).toEqual(zip(a.table, b.table, (x, y) => x + y))
})

test('counting over fewer variables than a guard depends on is refused', () => {
  const diagrams = withVariables('above', 10)
  const guard = diagrams.or(diagrams.literal(3), diagrams.literal(8))
  expect(diagrams.count(guard)).toBe(768n)
  expect(diagrams.count(guard, 2)).toBe(3n)
  expect(() => diagrams.count(guard, 1)).toThrow('depends on at most 1 variables')
})

test('a variable that an assignment does not name is false', () => {
  const diagrams = withVariables('above', 2)
  const summary = diagrams.fromTable([1, 0], [20, 21, 22, 23], 0)
  expect(diagrams.valueUnder(summary, new Map())).toBe(20)
  expect(diagrams.valueUnder(summary, new Map([[1, true]]))).toBe(22)
  expect(diagrams.valueUnder(summary, assignmentAt(3, 2))).toBe(23)
})

test('a result is forgotten with the guard it was chosen by, because another guard may get its number', () => {
  const diagrams = withVariables('below', 2)
  const [five, six] = [diagrams.leaf(5), diagrams.leaf(6)]
  const former = diagrams.literal(0)
  const chosen = diagrams.ite(former, five, six)
  diagrams.collect([five, six, chosen])
  const guard = diagrams.literal(1)
  expect(guard).toBe(former)
  expect(readOff(diagrams, diagrams.ite(guard, five, six))).toEqual([6, 6, 5, 5])
})

test('operations that are over hold nothing', () => {
  const diagrams = withVariables('above', 20)
  const parity = Array.from({ length: 20 }, (_, at) => at).reduce<number>(
    (below, at) => diagrams.ite(diagrams.literal(at), diagrams.not(below), below),
    diagrams.always,
  )
  diagrams.collect([parity])
  const held = diagrams.bytes
  for (let time = 0; time < 200; time++) {
    diagrams.not(parity)
    diagrams.collect([parity])
  }
  expect(diagrams.bytes).toBe(held)
})
