import { expect, test } from 'vitest'
import { PackedVectors } from '../../../src/collections/packed-vectors.ts'
import { Random } from '../../../src/core/random.ts'

test.each([
  ['bytes', 3, 200],
  ['two bytes', 5, 40_000],
  ['four bytes', 2, 2_000_000_000],
])(
  'in %s, equal vectors have equal numbers, in the order they are met, and are known by them',
  (_, length, largest) => {
    const random = new Random(length)
    const vectors = new PackedVectors(length)
    const numbers = new Map<string, number>()
    const values = new Int32Array(length)
    // Small ones first, so that what is kept must be made wider.
    for (let count = 0; count < 30_000; count++) {
      const bound = count < 10_000 ? 4 : count < 20_000 ? Math.min(largest, 250) : largest
      for (let place = 0; place < length; place++)
        values[place] = random.below(3) === 0 ? random.below(bound) : random.below(3)
      const further = random.below(4) === 0 ? random.below(70_000) : 0
      const text = `${values.join()}|${further}`
      const known = numbers.get(text) ?? numbers.size
      numbers.set(text, known)
      if (vectors.intern(values, vectors.hash(values), further) !== known) expect.fail(`${text} is not number ${known}`)
    }
    expect(vectors.size).toBe(numbers.size)
    for (const [text, number] of numbers) {
      vectors.load(number, values)
      const found = vectors.find(values, vectors.hash(values), vectors.furtherAt(number))
      if (`${values.join()}|${vectors.furtherAt(number)}` !== text || found !== number) expect.fail(`${text} is lost`)
    }
  },
)

test('the hash of a vector that differs in a place follows from the difference', () => {
  const vectors = new PackedVectors(4)
  const values = Int32Array.of(1, 2, 3, 4)
  const before = vectors.hash(values)
  values[2] = 7
  expect((before + vectors.hashOf(2, 7 - 3)) | 0).toBe(vectors.hash(values))
})

test('vectors with equal hashes are told apart', () => {
  const vectors = new PackedVectors(2)
  expect(vectors.intern(Int32Array.of(1, 2), 5, 0)).toBe(0)
  expect(vectors.intern(Int32Array.of(2, 1), 5, 0)).toBe(1)
  expect(vectors.intern(Int32Array.of(2, 1), 5, 1)).toBe(2)
  expect(vectors.intern(Int32Array.of(1, 2), 5, 0)).toBe(0)
  expect(vectors.find(Int32Array.of(2, 1), 5, 1)).toBe(2)
  expect(vectors.find(Int32Array.of(2, 2), 5, 1)).toBe(-1)
})
