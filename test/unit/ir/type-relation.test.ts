/** What a variable of a type may hold. */
import { describe, expect, it } from 'vitest'
import type { IrType } from '../../../src/ir/ir.ts'
import { accepts, acceptsExpression, isSameType, typeText } from '../../../src/ir/type-relation.ts'
import { any, event, int, ints, itself, machine, nothing, number, point, string, tuple } from './small-ir.ts'

const receiver: IrType = { kind: 'machine', receives: [1, 2] }
const pair = (left: IrType, right: IrType): IrType => ({ kind: 'tuple', items: [left, right] })
const seq = (of: IrType): IrType => ({ kind: 'seq', of })
const map = (key: IrType, value: IrType): IrType => ({ kind: 'map', key, value })

it.each<readonly [string, IrType]>([
  ['seq[(x: int, to: machine)]', seq(point)],
  ['map[int, set[any]]', map(int, { kind: 'set', of: any })],
  ['(int, string)', pair(int, string)],
  ['(int,)', { kind: 'tuple', items: [int] }],
  ['machine{1,2}', receiver],
  ['enum Color', { kind: 'enum', name: 'Color', elements: [] }],
  ['foreign Clock', { kind: 'foreign', name: 'Clock' }],
])('writes %s', (text, type) => {
  expect(typeText(type)).toBe(text)
})

describe('a type', () => {
  it('is told from others by its parts', () => {
    expect(isSameType(pair(int, string), pair(int, string))).toBe(true)
    expect(isSameType(pair(int, string), pair(string, int))).toBe(false)
    expect(isSameType(receiver, machine)).toBe(false)
  })

  it('takes itself, and any takes everything', () => {
    for (const type of [int, ints, point, receiver, event]) {
      expect(accepts(type, type)).toBe(true)
      expect(accepts(any, type)).toBe(true)
      expect(accepts(type, any)).toBe(false)
    }
  })

  it('is covariant in its parts', () => {
    expect(accepts(seq(any), ints)).toBe(true)
    expect(accepts(ints, seq(any))).toBe(false)
    expect(accepts(map(any, machine), map(int, receiver))).toBe(true)
    expect(accepts(pair(any, int), pair(string, int))).toBe(true)
    expect(accepts(pair(any, int), { kind: 'tuple', items: [string] })).toBe(false)
  })

  it('of a machine that may be sent less is no other', () => {
    expect(accepts(machine, receiver)).toBe(true)
    expect(accepts(receiver, machine)).toBe(false)
    expect(accepts(receiver, { kind: 'machine', receives: [1] })).toBe(false)
  })

  it('of a record has names that agree', () => {
    const renamed: IrType = {
      kind: 'record',
      fields: [
        { name: 'y', type: int },
        { name: 'to', type: machine },
      ],
    }
    expect(accepts(point, renamed)).toBe(false)
    expect(acceptsExpression(point, tuple(renamed, number(1), itself))).toBe(false)
    expect(accepts(point, pair(int, machine))).toBe(false)
  })

  it('takes null if it is of a machine, an event or anything', () => {
    for (const type of [machine, receiver, event, any]) expect(acceptsExpression(type, nothing)).toBe(true)
    for (const type of [int, string, ints, point]) expect(acceptsExpression(type, nothing)).toBe(false)
    expect(acceptsExpression(pair(int, receiver), tuple(pair(int, any), number(1), nothing))).toBe(true)
    expect(acceptsExpression(pair(int, string), tuple(pair(int, any), number(1), nothing))).toBe(false)
  })
})
