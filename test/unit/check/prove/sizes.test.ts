import { expect, test } from 'vitest'
import { smallSizes } from '../../../../src/check/prove/sizes.ts'

test('one size goes from its least to 3', () => {
  expect(smallSizes({ every: { clients: { least: 0 } } })).toEqual([
    { clients: 0 },
    { clients: 1 },
    { clients: 2 },
    { clients: 3 },
  ])
})

test('a size with a large least still has three values', () => {
  expect(smallSizes({ every: { quorum: { least: 5 } } })).toEqual([{ quorum: 5 }, { quorum: 6 }, { quorum: 7 }])
})

test('two sizes are combined: smaller sums first, and of equal sums the most different first', () => {
  const all = smallSizes({ every: { n: { least: 0 }, m: { least: 1 } } })
  expect(all).toHaveLength(4 * 3)
  expect(all.slice(0, 6)).toEqual([
    { n: 0, m: 1 },
    { n: 0, m: 2 },
    { n: 1, m: 1 },
    { n: 0, m: 3 },
    { n: 1, m: 2 },
    { n: 2, m: 1 },
  ])
  expect(all.at(-1)).toEqual({ n: 3, m: 3 })
  expect(new Set(all.map((sizes) => JSON.stringify(sizes))).size).toBe(all.length)
})

test('no size is one combination', () => {
  expect(smallSizes({ every: {} })).toEqual([{}])
})
