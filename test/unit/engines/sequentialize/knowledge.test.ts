/** Entailment answers "unknown" to everything that is not spelled out. */
import { describe, expect, test } from 'vitest'
import { decide, evaluate, type Knowledge } from '../../../../src/engines/sequentialize/knowledge.ts'
import { Refusal } from '../../../../src/engines/sequentialize/refusal.ts'
import { constant, keyOf, perhapsUnset, processValue, type Value } from '../../../../src/engines/sequentialize/value.ts'
import type { Expression } from '../../../../src/program/icet.ts'
import {
  binary,
  either,
  equals,
  field,
  literal,
  message,
  not,
  opaque,
  self,
  size,
  the,
  variable,
} from '../../../agreement/icet-build.ts'

const nothing: Knowledge = { truths: new Map(), domains: new Map() }
const symbol = (id: number): Value => ({ kind: 'symbol', id })
const store = new Map<string, Value>([
  ['u', symbol(1)],
  ['v', symbol(2)],
  ['q', processValue('q#')],
  ['choice', symbol(3)],
  ['perhaps', perhapsUnset(symbol(4))],
])
const knowing: Knowledge = { truths: new Map(), domains: new Map([[3, ['yes', 'no']]]) }

function truth(condition: Expression, knowledge = nothing): boolean | undefined {
  return decide(evaluate(condition, { self: 'p', store }, knowledge), knowledge)
}

describe('equality', () => {
  test.each<readonly [string, Expression, Expression, boolean | undefined]>([
    ['equal constants', literal('a'), literal('a'), true],
    ['a number and a text', literal(1), literal('1'), false],
    ['not a number and itself', literal(Number.NaN), literal(Number.NaN), false],
    ['zero and minus zero', literal(0), literal(-0), true],
    ['an unknown value and a constant', variable('u'), literal('bad'), undefined],
    ['an unknown value and itself, which may be no number', variable('u'), variable('u'), undefined],
    ['two unknown values', variable('u'), variable('v'), undefined],
    ['a process and itself', the('p'), self, true],
    ['different processes', the('p'), the('m'), false],
    ['a member and a process that is none', variable('q'), the('p'), false],
    ['a process and an unknown value', the('p'), variable('u'), undefined],
    ['a process and a text', the('p'), literal('p'), false],
    ['two messages, which are compared by identity', message('a'), message('a'), undefined],
    ['a message and a constant', message('a'), literal(undefined), false],
    ['a size and a number', size('n'), literal(2), undefined],
  ])('%s', (_title, left, right, expected) => {
    expect(truth(equals(left, right))).toBe(expected)
    expect(truth(binary(left, '!==', right))).toBe(expected === undefined ? undefined : !expected)
  })

  test('a choice is none of what it cannot be', () => {
    expect(truth(equals(variable('choice'), literal('perhaps')), knowing)).toBe(false)
    expect(truth(equals(variable('choice'), literal('yes')), knowing)).toBeUndefined()
  })
})

describe('conditions', () => {
  test.each<readonly [string, Expression, boolean | undefined]>([
    ['what is false and anything', binary(literal(false), '&&', variable('u')), false],
    ['anything and what is false', binary(variable('u'), '&&', literal(false)), false],
    ['anything or what is true', binary(variable('u'), '||', literal(true)), true],
    ['anything or what is false', binary(variable('u'), '||', literal(false)), undefined],
    ['the contrary of anything', not(variable('u')), undefined],
    ['a process', the('p'), true],
    ['a variable that was never set', variable('nowhere'), false],
    ['a function nobody knows', opaque('f(x)', literal(1)), undefined],
    ['a case of an unknown condition', either(variable('u'), literal(true), literal(false)), undefined],
    ['a sum of constants', binary(binary(literal(1), '+', literal(2)), '>', literal(2)), true],
    ['a sum of unknown values', binary(binary(variable('u'), '+', literal(2)), '>', literal(2)), undefined],
  ])('%s', (_title, condition, expected) => {
    expect(truth(condition)).toBe(expected)
  })

  test('equal terms have equal truths', () => {
    const condition = opaque('isReady', variable('u'))
    const value = evaluate(condition, { self: 'p', store }, nothing)
    const known: Knowledge = { ...nothing, truths: new Map([[keyOf(value), { condition: value, holds: false }]]) }
    expect(truth(not(condition), known)).toBe(true)
    expect(truth(opaque('isReady', variable('v')), known)).toBeUndefined()
  })
})

describe('fields', () => {
  test('of what is spelled out are known, also those it does not have', () => {
    expect(evaluate(field(message('a', { x: literal(1) }), 'x'), { self: 'p', store }, nothing)).toEqual(constant(1))
    expect(evaluate(field(message('a'), 'x'), { self: 'p', store }, nothing)).toEqual(constant(undefined))
  })

  test.each(['nowhere', 'perhaps'])('of %s are refused: it may not have been set', (name) => {
    expect(() => evaluate(field(variable(name), 'x'), { self: 'p', store }, nothing)).toThrow(Refusal)
  })
})
