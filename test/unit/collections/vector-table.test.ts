import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PairTable } from '../../../src/collections/pair-table.ts'
import { VectorTable } from '../../../src/collections/vector-table.ts'

const small = fc.integer({ min: -3, max: 3 })

test('equal pairs have equal numbers, in the order they are met', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(small, fc.integer()), { maxLength: 300 }), (pairs) => {
      const table = new PairTable()
      const known = new Map<string, number>()
      for (const [left, right] of pairs) {
        const key = `${left} ${right}`
        const expected = known.get(key) ?? known.size
        known.set(key, expected)
        expect(table.intern(left, right)).toBe(expected)
        expect([table.left(expected), table.right(expected)]).toEqual([left, right])
      }
      expect(table.size).toBe(known.size)
    }),
  )
})

test('a table of a million pairs has little empty room, and all of them', () => {
  const table = new PairTable()
  for (let number = 0; number < 1_000_000; number++) table.intern(number % 1000, number)
  expect(table.size).toBe(1_000_000)
  for (const number of [0, 524_287, 524_288, 655_360, 999_999]) {
    expect(table.intern(number % 1000, number)).toBe(number)
    expect([table.left(number), table.right(number)]).toEqual([number % 1000, number])
  }
  // Eight bytes for each, of which a quarter more may be empty, and four for each of 2 ** 21 slots.
  expect(table.bytes).toBeLessThan(1_000_000 * 8 * 1.25 + 4 * 2 ** 21)
})

const change = fc.record({
  from: fc.nat(),
  sets: fc.array(fc.tuple(fc.nat(37), small), { maxLength: 5 }),
})

test('vectors that are made from each other have equal numbers where they are equal, however wide they become', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 80 }), (changes) => {
      const table = new VectorTable()
      const vectors: number[][] = [[]]
      const known = new Map([['', 0]])
      for (const { from, sets } of changes) {
        const source = from % vectors.length
        table.load(source)
        const vector = [...(vectors[source] as number[])]
        for (const [place, value] of sets) {
          table.set(place, value)
          while (vector.length <= place) vector.push(0)
          vector[place] = value
          expect(table.get(place)).toBe(value)
        }
        while (vector.at(-1) === 0) vector.pop()
        const expected = known.get(vector.join()) ?? known.size
        if (expected === known.size) vectors.push(vector)
        known.set(vector.join(), expected)
        expect(table.store()).toBe(expected)
        const last = [...new Map(sets)].sort(([left], [right]) => left - right)
        const [places, values] = [0, 1].map((at) => Int32Array.from(last, (one) => one[at] as number))
        expect(table.changed(source, last.length, places as Int32Array, values as Int32Array)).toBe(expected)
      }
      expect(table.size).toBe(vectors.length)
      for (const [number, vector] of vectors.entries()) {
        table.load(number)
        expect(Array.from({ length: 40 }, (_, place) => table.get(place))).toEqual(
          Array.from({ length: 40 }, (_, place) => vector[place] ?? 0),
        )
      }
    }),
  )
})

test('a vector that differs in one place costs little more than its root', () => {
  const table = new VectorTable()
  for (let value = 0; value < 100_000; value++) {
    table.load(0)
    for (let place = 0; place < 12; place++) table.set(place, 5)
    table.set(3, value % 300)
    table.set(11, Math.floor(value / 300))
    table.store()
  }
  expect(table.size).toBe(100_001)
  expect(table.bytes / table.size).toBeLessThan(40)
})
