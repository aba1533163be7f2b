import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Address, sameValue, type Value } from '../../../src/core/value.ts'
import { type Json, valueFromJson, valueToJson } from '../../../src/core/value-json.ts'
import { values } from './values.ts'

const throughText = (value: Value): Value => valueFromJson(JSON.parse(JSON.stringify(valueToJson(value))) as Json)

describe('values in JSON', () => {
  test('come back as they were', () => {
    fc.assert(
      fc.property(values, (value) => {
        expect(sameValue(throughText(value), value)).toBe(true)
      }),
      { seed: 20, numRuns: 1000 },
    )
  })

  test.each<[string, Value, Json]>([
    ['undefined', undefined, { '#undefined': true }],
    ['bigint', 12n, { '#bigint': '12' }],
    ['not a number', Number.NaN, { '#number': 'NaN' }],
    ['infinity', -Infinity, { '#number': '-Infinity' }],
    ['minus zero', -0, { '#number': '-0' }],
    ['an address', Address.of('n1'), { '#address': 'n1' }],
    ['a set', new Set([1, 'a']), { '#set': [1, 'a'] }],
    ['a map', new Map<Value, Value>([[{ a: 1 }, 2n]]), { '#map': [[{ a: 1 }, { '#bigint': '2' }]] }],
    ['a record', { a: [null, true, 1.5, 'x'] }, { a: [null, true, 1.5, 'x'] }],
    ['a record that looks tagged', { '#set': [1] }, { '##set': [1] }],
    ['a record that looks escaped', { '##': 1, '#': 2 }, { '###': 1, '##': 2 }],
  ])('write %s in its own form', (_, value, json) => {
    expect(valueToJson(value)).toEqual(json)
    expect(sameValue(throughText(value), value)).toBe(true)
  })

  test.each<[Json]>([
    [{ '#undefined': 7 }],
    [{ '#bigint': 'x' }],
    [{ '#bigint': '' }],
    [{ '#bigint': '007' }],
    [{ '#bigint': 1 }],
    [{ '#number': '9007199254740993' }],
    [{ '#number': '1' }],
    [{ '#number': {} }],
    [{ '#address': 3 }],
    [{ '#set': {} }],
    [{ '#set': [1, 1] }],
    [{ '#map': [[1]] }],
    [{ '#map': [[1, 2, 3]] }],
    [
      {
        '#map': [
          [1, 2],
          [1, 3],
        ],
      },
    ],
    [{ '#tag': 1 }],
    [{ a: [{ x: 1, '#map': [] }] }],
  ])('%j is no value', (json) => {
    expect(() => valueFromJson(json)).toThrow(RangeError)
  })

  test('give addresses back as the one object of their process', () => {
    expect(throughText(Address.of('n7'))).toBe(Address.of('n7'))
  })

  test('keep a key called __proto__', () => {
    const value = Object.fromEntries([['__proto__', 1]])
    expect(Object.keys(throughText(value) as object)).toEqual(['__proto__'])
  })
})
