import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  bitSetOf,
  bitsOf,
  differenceOf,
  hasBit,
  intersectionOf,
  isDisjoint,
  isWithin,
  isWithinWhere,
  sizeOf,
  unionOf,
} from '../../../src/collections/bit-set.ts'

const members = fc.uniqueArray(fc.nat(130), { maxLength: 40 })

function sorted(numbers: Iterable<number>): readonly number[] {
  return [...numbers].sort((left, right) => left - right)
}

test('every operation does what it does to sets of numbers', () => {
  fc.assert(
    fc.property(members, members, members, (left, right, third) => {
      const [a, b, c] = [bitSetOf(left), bitSetOf(right), bitSetOf(third)]
      const [inRight, inThird] = [new Set(right), new Set(third)]
      expect([...bitsOf(a)]).toEqual(sorted(left))
      expect(sizeOf(a)).toBe(left.length)
      expect([...bitsOf(unionOf(a, b))]).toEqual(sorted(new Set([...left, ...right])))
      expect([...bitsOf(intersectionOf(a, b))]).toEqual(sorted(left.filter((each) => inRight.has(each))))
      expect([...bitsOf(differenceOf(a, b))]).toEqual(sorted(left.filter((each) => !inRight.has(each))))
      expect(isWithin(a, b)).toBe(left.every((each) => inRight.has(each)))
      expect(isDisjoint(a, b)).toBe(!left.some((each) => inRight.has(each)))
      expect(isWithinWhere(a, b, c)).toBe(left.every((each) => !inRight.has(each) || inThird.has(each)))
      for (const each of [0, 31, 32, 63, 130]) expect(hasBit(a, each)).toBe(left.includes(each))
    }),
  )
})

test('a set that has all is given back as it is', () => {
  const [small, large] = [bitSetOf([3]), bitSetOf([3, 70])]
  expect(unionOf(large, small)).toBe(large)
  expect(unionOf(small, large)).toBe(large)
  expect(intersectionOf(small, large)).toBe(small)
})
