import { describe, expect, test } from 'vitest'
import { bit, count, isSubset, least } from '../../../src/collections/bit-mask.ts'
import { IntVector } from '../../../src/collections/int-vector.ts'
import { KeyIndex } from '../../../src/collections/key-index.ts'
import { PairMap } from '../../../src/collections/pair-map.ts'
import { SequenceInterner } from '../../../src/collections/sequence-interner.ts'
import { Random } from '../../../src/core/random.ts'

describe('masks', () => {
  test('name their least member, also the greatest that a process can have', () => {
    expect([0b1, 0b1100, bit(29), bit(29) | bit(7)].map(least)).toEqual([0, 2, 29, 7])
  })

  test('count their members', () => {
    expect([0, 0b1011, bit(30) - 1].map(count)).toEqual([0, 3, 30])
  })

  test('are subsets of those that have all their members', () => {
    expect([isSubset(0b101, 0b111), isSubset(0, 0), isSubset(0b101, 0b100)]).toEqual([true, true, false])
  })
})

test('a vector keeps what was pushed while it grows', () => {
  const vector = new IntVector(1)
  for (let item = 0; item < 1000; item++) expect(vector.push(item * 7 - 3000)).toBe(item)
  vector.set(500, 42)
  expect([vector.length, vector.at(0), vector.at(500), vector.pop(), vector.length]).toEqual([
    1000, -3000, 42, 3993, 999,
  ])
})

test('a pair map answers like a Map of both numbers', () => {
  const random = new Random(1)
  const pairs = new PairMap()
  const model = new Map<string, number>()
  for (let draw = 0; draw < 20_000; draw++) {
    const [left, right, value] = [random.below(80) - 40, random.below(80) - 40, random.next() | 0]
    expect(pairs.get(left, right)).toBe(model.get(`${left},${right}`))
    pairs.set(left, right, value)
    model.set(`${left},${right}`, value)
  }
  expect(pairs.size).toBe(model.size)
  pairs.clear()
  expect([pairs.size, pairs.get(0, 0)]).toEqual([0, undefined])
})

test('sequences get the same number exactly if they are equal', () => {
  const random = new Random(2)
  const interner = new SequenceInterner()
  const model = new Map<string, number>()
  for (let draw = 0; draw < 20_000; draw++) {
    const sequence = Array.from({ length: random.below(5) }, () => random.below(7) - 1)
    const known = model.get(sequence.join()) ?? model.size
    model.set(sequence.join(), known)
    expect(interner.intern(sequence)).toBe(known)
    expect(interner.at(known)).toEqual(sequence)
  }
  expect(interner.size).toBe(model.size)
})

test('an interned sequence does not change with the array it came from', () => {
  const interner = new SequenceInterner()
  const scratch = [1, 2]
  interner.intern(scratch)
  scratch[0] = 9
  expect(interner.at(0)).toEqual([1, 2])
})

test('keys are found again beyond the size of one map', () => {
  const keys = new KeyIndex(10)
  for (let key = 0; key < 35; key++) expect(keys.add(`key ${key}`)).toBe(key)
  expect([keys.size, keys.find('key 0'), keys.find('key 19'), keys.find('key 34'), keys.find('key 35')]).toEqual([
    35, 0, 19, 34, -1,
  ])
})
