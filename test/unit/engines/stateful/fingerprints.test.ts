/** Fingerprints by themselves: as good as random, and about what vectors hold alone. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FingerprintTable } from '../../../../src/collections/fingerprint-table.ts'
import { VectorTable } from '../../../../src/collections/vector-table.ts'
import { FingerprintedVectors } from '../../../../src/engines/stateful/ir/fingerprinted-vectors.ts'

const plain = { isStack: false, bits: 32 } as const

test('equal fingerprints have equal numbers, in the order they are met', () => {
  const half = fc.integer({ min: -2, max: 2 })
  fc.assert(
    fc.property(fc.array(fc.tuple(half, half), { maxLength: 300 }), (fingerprints) => {
      const table = new FingerprintTable()
      const known = new Map<string, number>()
      for (const [low, high] of fingerprints) {
        const expected = known.get(`${low} ${high}`) ?? known.size
        known.set(`${low} ${high}`, expected)
        expect(table.intern(low, high)).toBe(expected)
      }
      expect(table.size).toBe(known.size)
    }),
  )
})

const place = fc.nat(40)
const changes = fc.array(fc.array(fc.tuple(place, fc.integer({ min: -2, max: 2 })), { maxLength: 5 }), {
  maxLength: 60,
})

test('vectors that are made along one way have the numbers that exact tables give them', () => {
  fc.assert(
    fc.property(changes, (steps) => {
      const [exact, fingerprinted] = [new VectorTable(), new FingerprintedVectors(plain)]
      for (const sets of steps) {
        for (const [at, value] of sets) for (const one of [exact, fingerprinted]) one.set(at, value)
        // Now and then a step is only looked at.
        if (sets.length === 1) expect(fingerprinted.store()).toBe(exact.store())
        else expect(fingerprinted.follow()).toBe(exact.follow())
        for (let at = 0; at <= 45; at++) expect(fingerprinted.get(at)).toBe(exact.get(at))
      }
      expect(fingerprinted.size).toBe(exact.size)
    }),
  )
})

test('a vector that waits is loaded as it was kept', () => {
  fc.assert(
    fc.property(changes, (steps) => {
      const [exact, fingerprinted] = [new VectorTable(), new FingerprintedVectors(plain)]
      for (const sets of [[[0, 1] as const], ...steps]) {
        for (const [at, value] of sets) for (const one of [exact, fingerprinted]) one.set(at, value)
        expect(fingerprinted.store()).toBe(exact.store())
      }
      for (let number = 1; number < exact.size; number++) {
        for (const one of [exact, fingerprinted]) one.load(number)
        for (let at = 0; at <= 45; at++) expect(fingerprinted.get(at)).toBe(exact.get(at))
        expect(fingerprinted.store()).toBe(number)
      }
    }),
  )
})

/** Vectors with one of these values in each of six places: how many are met for the first time by fingerprints with halves of so many bits. */
function told(values: readonly number[], bits: number): number {
  const vectors = new FingerprintedVectors({ ...plain, bits })
  const width = values.length
  for (let number = 0; number < width ** 6; number++) {
    for (let place = 0; place < 6; place++) vectors.set(place, values[Math.floor(number / width ** place) % width] ?? 0)
    vectors.store()
  }
  return vectors.size - 1
}

test('with 64 bits many vectors that differ in little are told apart', () => {
  expect(told([1, 2, 3, 4, 5, 6, 7], 32)).toBe(7 ** 6)
})

test('with fewer bits as many are mistaken for others as if fingerprints were random', () => {
  const [tables, bits] = [50, 9]
  let mistaken = 0
  for (let first = 1; first <= tables; first++) {
    const values = [0, 1, 2, 3].map((at) => first * 4 + at * 7)
    mistaken += 4 ** 6 - told(values, bits)
  }
  const expected = (tables * (4 ** 6) ** 2) / 2 ** (2 * bits + 1)
  expect(mistaken / expected).toBeGreaterThan(0.8)
  expect(mistaken / expected).toBeLessThan(1.2)
})
