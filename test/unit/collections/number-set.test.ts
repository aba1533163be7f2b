import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NumberSet } from '../../../src/collections/number-set.ts'

test('numbers are there once, in the order in which they were added', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(5000)), fc.nat(5000), (numbers, other) => {
      const set = new NumberSet()
      const known = new Set<number>()
      for (const number of numbers) {
        expect(set.add(number)).toBe(!known.has(number))
        known.add(number)
      }
      expect(set.size).toBe(known.size)
      expect(set.has(other)).toBe(known.has(other))
      expect([...set.from(0)]).toEqual([...known])
    }),
  )
})

test('the last ones can come in another order', () => {
  const set = new NumberSet()
  for (const number of [40, 3, 9, 1, 77]) set.add(number)
  set.reorder(2, [2, 0, 1])
  expect([...set.from(0)]).toEqual([40, 3, 77, 9, 1])
  expect([...set.from(3)]).toEqual([9, 1])
  expect([set.has(77), set.has(2), set.add(9)]).toEqual([true, false, false])
})
