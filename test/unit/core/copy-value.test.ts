/** Copies of values, and what is handed on as it is. */
import { expect, test } from 'vitest'
import { copyValue } from '../../../src/core/copy-value.ts'
import { freezeValue } from '../../../src/core/value.ts'

test('a copy shares nothing with what it is of', () => {
  const value = { list: [{ at: 1 }], map: new Map([['a', new Set([1])]]) }
  const copy = copyValue(value) as typeof value
  expect(copy).toEqual(value)
  expect([copy.list, copy.list[0], copy.map, copy.map.get('a')]).not.toContain(value.list)
  expect(copy.list[0]).not.toBe(value.list[0])
  expect(copy.map.get('a')).not.toBe(value.map.get('a'))
})

test('what is in itself is handed on, and told by who freezes it with the path to it', () => {
  const value: { list: unknown[]; own?: unknown } = { list: [] }
  value.list.push(value)
  expect(copyValue(value)).toBe(value)
  expect(freezeValue(copyValue(value))).toEqual({ path: '.list[0]', found: 'a cycle' })
  expect(copyValue({ at: 1 })).toEqual({ at: 1 })
})

test('nor does it end for what has no bottom', () => {
  const value = Array.from({ length: 100_000 }).reduce((inner) => [inner], 0)
  expect(freezeValue(copyValue(value))?.found).toMatch(/nested more than 500 levels/)
})
