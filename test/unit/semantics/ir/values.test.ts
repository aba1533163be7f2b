/** Values of IR programs: equal ones are one, orders do not depend on who came first, and texts are those of P. */
import { describe, expect, test } from 'vitest'
import { Random } from '../../../../src/core/random.ts'
import { Address, encodeValue, type Value } from '../../../../src/core/value.ts'
import type { Ir, IrType } from '../../../../src/ir/ir.ts'
import { defaultOf, irText, isOfType, messageValue, toValue } from '../../../../src/semantics/ir/typed-value.ts'
import { compareIrValues, type IrValue, Values } from '../../../../src/semantics/ir/value.ts'
import { any, bool, does, float, int, mapOf, program, seqOf, setOf, text } from './build.ts'

const ir: Ir = program({ events: ['eGo'], machines: { Main: { states: { S: { entry: does() } } } } })

const color: IrType = {
  kind: 'enum',
  name: 'Color',
  elements: [
    { name: 'RED', value: 5 },
    { name: 'BLUE', value: 3 },
  ],
}
const point: IrType = {
  kind: 'record',
  fields: [
    { name: 'x', type: int },
    { name: 'c', type: color },
  ],
}

/** Values up to a depth, few enough that many are equal. */
function anyValue(values: Values, random: Random, depth: number): IrValue {
  const parts = (): IrValue[] => Array.from({ length: random.below(3) }, () => anyValue(values, random, depth - 1))
  switch (random.below(depth === 0 ? 6 : 11)) {
    case 0:
      return null
    case 1:
      return random.below(2) === 0
    case 2:
      return random.below(3) - 1
    case 3:
      return values.float(random.below(3) / 2)
    case 4:
      return ['', 'a', '1'][random.below(3)] as string
    case 5:
      return values.event(random.below(2))
    case 6:
      return values.seq(parts())
    case 7:
      return values.set(parts())
    case 8:
      return values.map(parts().map((key) => [key, anyValue(values, random, depth - 1)]))
    case 9:
      return values.tuple(parts())
    default: {
      const items = parts()
      return values.tuple(
        items,
        items.map((_, at) => `f${at}`),
      )
    }
  }
}

describe('any values', () => {
  const values = new Values()
  const random = new Random(7)
  const some = Array.from({ length: 120 }, () => anyValue(values, random, 3))

  test('are the same object exactly if they are equal', () => {
    // A second table makes the same values in another order: what is one there is one here.
    const others = new Values()
    for (let at = 0; at < 50; at++) anyValue(others, new Random(at), 3)
    const again = new Random(7)
    const copies = Array.from({ length: 120 }, () => anyValue(others, again, 3))
    for (const [i, left] of some.entries())
      for (const [j, right] of some.entries()) {
        expect(copies[i] === copies[j]).toBe(left === right)
        expect(compareIrValues(left, right) === 0).toBe(left === right)
      }
  })

  test('have one order, whichever was made first', () => {
    const others = new Values()
    for (let at = 0; at < 50; at++) anyValue(others, new Random(at), 3)
    const again = new Random(7)
    const copies = Array.from({ length: 120 }, () => anyValue(others, again, 3))
    const shown = (list: readonly IrValue[]): readonly string[] =>
      list.toSorted(compareIrValues).map((one) => irText(one, ir))
    expect(shown(copies)).toEqual(shown(some))
    for (const a of some.slice(0, 30))
      for (const b of some.slice(0, 30)) {
        expect(Math.sign(compareIrValues(a, b))).toBe(-Math.sign(compareIrValues(b, a)) + 0)
        for (const c of some.slice(0, 30))
          if (compareIrValues(a, b) < 0 && compareIrValues(b, c) < 0) expect(compareIrValues(a, c)).toBeLessThan(0)
      }
  })
})

describe('lists', () => {
  const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at)

  test('that are equal are one, however they grew', () => {
    const values = new Values()
    let [up, down] = [values.emptySeq, values.emptySeq]
    for (const number of numbers(100)) {
      up = values.appended(up, number)
      down = values.prepended(down, 99 - number)
      expect(up).toBe(values.seq(numbers(number + 1)))
      expect(down).toBe(values.seq(numbers(100).slice(99 - number)))
      expect(values.appended(values.seq(numbers(number)), number)).toBe(up)
    }
    expect(down).toBe(up)
    expect(values.prepended(values.appended(values.seq(numbers(50)), 'b'), 'a').items).toEqual([
      'a',
      ...numbers(50),
      'b',
    ])
    expect(values.seq(numbers(100).with(50, 7))).not.toBe(up)
  })

  test('that grow at the front do not keep an array of each', () => {
    const values = new Values()
    let list = values.emptySeq
    for (const number of numbers(100_000)) list = values.prepended(list, number)
    expect(list.items).toEqual(numbers(100_000).toReversed())
  })
})

describe('sets and maps', () => {
  const values = new Values()

  test('do not remember who was inserted first', () => {
    const up = values.added(values.added(values.set([]), 1), 2)
    expect(values.added(values.added(values.set([]), 2), 1)).toBe(up)
    expect(values.set([2, 1, 2])).toBe(up)
    const one = values.put(values.put(values.map([]), 'b', 1), 'a', 2)
    expect(
      values.map([
        ['a', 2],
        ['b', 0],
        ['b', 1],
      ]),
    ).toBe(one)
    expect(one.keys).toEqual(['a', 'b'])
    expect(values.without(values.put(one, 'c', 3), 'c')).toBe(one)
    expect(values.dropped(values.added(up, 3), 3)).toBe(up)
  })

  test('go over numbers by size and over machines in the order of their creation', () => {
    expect(values.set([10, 9, -1]).items).toEqual([-1, 9, 10])
    const main = values.machine({ creator: undefined, name: 'Main', count: 1, machine: 0 })
    const clients = [12, 2, 1].map((count) => values.machine({ creator: main, name: 'Client', count, machine: 1 }))
    const first = clients[2]
    const timer = values.machine({ creator: first, name: 'Timer', count: 1, machine: 2 })
    const sorted = values.set([...clients, timer, main]).items.map((one) => irText(one, ir))
    expect(sorted).toEqual(['Main', 'Client', 'Client/Timer', 'Client#2', 'Client#12'])
  })
})

test('whole numbers and floats are told apart', () => {
  const values = new Values()
  expect(values.float(1)).not.toBe(1)
  expect(values.float(1)).toBe(values.float(1))
  expect(values.float(-0)).toBe(values.float(0))
  expect(values.float(Number.NaN)).toBe(values.float(Number.NaN))
  expect(values.set([1, values.float(1)]).items).toHaveLength(2)
})

test.each<[IrType, string]>([
  [bool, 'false'],
  [int, '0'],
  [float, '0.0'],
  [text, ''],
  [any, 'null'],
  [color, 'BLUE'],
  [seqOf(int), '[]'],
  [setOf(int), '{}'],
  [mapOf(int, int), '{}'],
  [{ kind: 'tuple', items: [int, text] }, '(0, "")'],
  [{ kind: 'tuple', items: [int] }, '(0,)'],
  [point, '(x = 0, c = BLUE)'],
])('variables of type %j begin with %s', (type, shown) => {
  const values = new Values()
  const value = defaultOf(type, values)
  expect(irText(value, ir, type)).toBe(shown)
  expect(isOfType(value, type, ir)).toBe(true)
})

test('a record is no tuple, and names count', () => {
  const values = new Values()
  const pair: IrType = { kind: 'tuple', items: [int, int] }
  expect(isOfType(values.tuple([1, 3], ['x', 'c']), point, ir)).toBe(true)
  expect(isOfType(values.tuple([1, 3], ['x', 'd']), point, ir)).toBe(false)
  expect(isOfType(values.tuple([1, 3]), point, ir)).toBe(false)
  expect(isOfType(values.tuple([1, 3], ['x', 'c']), pair, ir)).toBe(false)
  expect(isOfType(values.tuple([1, 3]), pair, ir)).toBe(true)
})

test('reports get values of all programs', () => {
  const values = new Values()
  const main = values.machine({ creator: undefined, name: 'Main', count: 1, machine: 0 })
  const record = values.tuple([values.seq([1]), values.set(['a']), main], ['list', 'names', 'by'])
  const shown: Value = { list: [1], names: new Set(['a']), by: Address.of('Main') }
  expect(encodeValue(toValue(record, ir))).toBe(encodeValue(shown))
  expect(encodeValue(messageValue(1, record, ir))).toBe(encodeValue({ kind: 'eGo', ...shown }))
  expect(messageValue(1, null, ir)).toEqual({ kind: 'eGo' })
  expect(messageValue(1, 5, ir)).toEqual({ kind: 'eGo', '': 5 })
  expect(irText(values.map([[1, record]]), ir)).toBe('{1: (list = [1], names = {"a"}, by = Main)}')
})
