import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { takenCopy } from '../../../src/core/copy-value.ts'
import {
  Address,
  compareValues,
  encodeValue,
  fingerprint,
  fingerprintText,
  freezeValue,
  sameValue,
  type Value,
  valueProblem,
} from '../../../src/core/value.ts'
import { unusual } from './unusual-values.ts'
import { rebuilt, values } from './values.ts'

describe('an address', () => {
  test('is one object per process', () => {
    expect(Address.of('a')).toBe(Address.of('a'))
    expect(Address.of('a')).not.toBe(Address.of('b'))
  })

  test('is frozen and prints as its id', () => {
    expect(Object.isFrozen(Address.of('a'))).toBe(true)
    expect(`${Address.of('n1')}`).toBe('n1')
    expect(JSON.stringify(Address.of('n1'))).toBe('{"#address":"n1"}')
  })
})

test.each(unusual)('$name is told from a value, and neither frozen nor left out of a copy', ({ make, problem }) => {
  const part = make()
  expect(valueProblem({ part })).toEqual({ path: `.part${problem.path}`, found: problem.found })
  expect(takenCopy({ part })).toEqual({ problem: { path: `.part${problem.path}`, found: problem.found } })
  expect(freezeValue({ part })).toEqual({ path: `.part${problem.path}`, found: problem.found })
  expect(Object.isExtensible(part)).toBe(true)
})

test('a copy of a value is frozen, and what it is of stays as it is', () => {
  const value = { list: [1], map: new Map([['a', new Set([1])]]) }
  const taken = takenCopy(value) as { readonly value: typeof value }
  expect(taken.value).not.toBe(value)
  expect(taken.value).toEqual({ list: [1], map: expect.any(Map) })
  expect(Object.isFrozen(taken.value.list)).toBe(true)
  expect(() => taken.value.map.clear()).toThrow(/frozen/)
  expect(Object.isFrozen(value.list)).toBe(false)
  value.map.clear()
  // What is closed is a value as before.
  expect(valueProblem(taken.value)).toBe(undefined)
})

describe('freezing', () => {
  test('accepts every value, more than once', () => {
    fc.assert(
      fc.property(values, (value) => {
        expect(freezeValue(value)).toBe(undefined)
        expect(freezeValue(value)).toBe(undefined)
      }),
      { seed: 10 },
    )
  })

  test('makes every part unchangeable', () => {
    const value = { list: [1, { deep: true }], map: new Map([['k', [1]]]), set: new Set([1]) }
    freezeValue(value)
    expect(() => Object.assign(value, { list: [] })).toThrow(TypeError)
    expect(() => value.list.push(2)).toThrow(TypeError)
    expect(() => Object.assign(value.list[1] as object, { deep: false })).toThrow(TypeError)
    expect(() => value.map.get('k')?.push(2)).toThrow(TypeError)
    for (const change of [() => value.map.set('k', []), () => value.map.delete('k'), () => value.map.clear()])
      expect(change).toThrow(/frozen/)
    for (const change of [() => value.set.add(2), () => value.set.delete(1), () => value.set.clear()])
      expect(change).toThrow(/frozen/)
    expect([value.map.get('k'), [...value.set]]).toEqual([[1], [1]])
  })

  test.each<[string, unknown, { path: string; found: string }]>([
    ['a function', function done() {}, { path: '', found: 'a function (done)' }],
    ['an unnamed function', (() => () => {})(), { path: '', found: 'a function' }],
    ['a symbol', [Symbol('s')], { path: '[0]', found: 'a symbol' }],
    ['a class instance', { when: new Date(0) }, { path: '.when', found: 'an instance of Date' }],
    [
      'an object with a prototype of its own',
      { deep: [Object.create(Object.create(null))] },
      { path: '.deep[0]', found: 'an object with a prototype of its own' },
    ],
    [
      'a function among map keys',
      new Map([
        [1, 1],
        [() => {}, 2],
      ] as [unknown, unknown][]),
      { path: '.keys[1]', found: 'a function' },
    ],
    ['a symbol among map values', new Map([['a', Symbol()]]), { path: '.values[0]', found: 'a symbol' }],
    ['a function in a set', new Set([1, () => {}]), { path: '.items[1]', found: 'a function' }],
    ['a promise', Promise.resolve(), { path: '', found: 'a promise' }],
    ...unusual.map(({ name, make, problem }): [string, unknown, { path: string; found: string }] => [
      name,
      { a: [make()] },
      { path: `.a[0]${problem.path}`, found: problem.found },
    ]),
  ])('refuses %s and says where', (_, value, problem) => {
    expect(freezeValue(value)).toEqual(problem)
  })

  test('refuses cycles, but not the same object twice', () => {
    const shared = { n: 1 }
    expect(freezeValue([shared, shared])).toBe(undefined)
    const cycle: { next?: unknown } = {}
    cycle.next = [cycle]
    expect(freezeValue(cycle)).toEqual({ path: '.next[0]', found: 'a cycle' })
  })

  test('accepts records without a prototype', () => {
    expect(freezeValue(Object.assign(Object.create(null), { a: 1 }))).toBe(undefined)
  })

  test('refuses what it refused before, and freezes nothing past it', () => {
    const value = { bad: () => {}, after: [1] }
    expect(freezeValue(value)?.path).toBe('.bad')
    expect(freezeValue(value)?.path).toBe('.bad')
    expect(Object.isFrozen(value)).toBe(false)
    expect(Object.isFrozen(value.after)).toBe(false)
  })
})

describe('equality', () => {
  test('does not depend on the order of keys, entries and items', () => {
    fc.assert(
      fc.property(values, (value) => {
        expect(sameValue(value, rebuilt(value))).toBe(true)
        expect(fingerprint(value)).toBe(fingerprint(rebuilt(value)))
        expect(compareValues(value, rebuilt(value))).toBe(0)
      }),
      { seed: 11 },
    )
  })

  test('is an equivalence that agrees with the canonical text', () => {
    fc.assert(
      fc.property(values, values, (left, right) => {
        const same = sameValue(left, right)
        expect(same).toBe(sameValue(right, left))
        expect(same).toBe(encodeValue(left) === encodeValue(right))
      }),
      { seed: 12, numRuns: 500 },
    )
  })

  test.each<[Value, Value]>([
    [0, -0],
    [1, 1n],
    [1, '1'],
    [null, undefined],
    [[], {}],
    [[], new Set()],
    [new Set(), new Map()],
    [{}, new Map()],
    [
      [1, 2],
      [2, 1],
    ],
    [
      [[1], 2],
      [1, [2]],
    ],
    [['a,b'], ['a', 'b']],
    ['n1', Address.of('n1')],
    [{ a: undefined }, {}],
    [new Map([['a', 1]]), { a: 1 }],
    [new Set(['a']), ['a']],
    [true, 'true'],
    [{ 'a":1,"b': 1 }, { a: 1, b: 1 }],
    ['undefined', undefined],
    ['u', undefined],
  ])('tells %o from %o', (left, right) => {
    expect(sameValue(left, right)).toBe(false)
    expect(encodeValue(left)).not.toBe(encodeValue(right))
    expect(compareValues(left, right)).not.toBe(0)
    expect(fingerprint(left)).not.toBe(fingerprint(right))
  })

  test('takes NaN for equal to itself, also inside', () => {
    expect(sameValue(Number.NaN, Number.NaN)).toBe(true)
    expect(sameValue([Number.NaN], [Number.NaN])).toBe(true)
  })

  test('takes collections of equal objects for equal', () => {
    expect(sameValue(new Set([{ a: 1 }]), new Set([{ a: 1 }]))).toBe(true)
    expect(sameValue(new Map([[[1], 2]]), new Map([[[1], 2]]))).toBe(true)
  })
})

describe('the order of values', () => {
  test('is total, antisymmetric and transitive', () => {
    fc.assert(
      fc.property(values, values, values, (a, b, c) => {
        expect(Math.sign(compareValues(a, b)) + Math.sign(compareValues(b, a))).toBe(0)
        if (compareValues(a, b) <= 0 && compareValues(b, c) <= 0) expect(compareValues(a, c)).toBeLessThanOrEqual(0)
      }),
      { seed: 13 },
    )
  })
})

describe('a fingerprint', () => {
  test('is 16 hexadecimal digits', () => {
    fc.assert(
      fc.property(values, (value) => {
        expect(fingerprint(value)).toMatch(/^[0-9a-f]{16}$/)
      }),
      { seed: 14 },
    )
  })

  test('does not collide on a hundred thousand similar texts', () => {
    const seen = new Set<string>()
    for (let at = 0; at < 100_000; at++) seen.add(fingerprintText(`{"n":n${at}}`))
    expect(seen.size).toBe(100_000)
  })

  test('uses all of its digits', () => {
    const columns = Array.from({ length: 16 }, () => new Set<string>())
    for (let at = 0; at < 2000; at++)
      for (const [column, digit] of [...fingerprintText(`n${at}`)].entries()) columns[column]?.add(digit)
    expect(columns.map((digits) => digits.size)).toEqual(columns.map(() => 16))
  })
})
