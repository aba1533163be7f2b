import { describe, expect, test } from 'vitest'
import { expression, mistakes, shape, written } from './read.ts'

const int = '{"kind":"primitive","name":"int"}'

describe('precedence', () => {
  test.each([
    ['a + b * c', '(a + (b * c))'],
    ['a * b + c', '((a * b) + c)'],
    ['a - b - c', '((a - b) - c)'],
    ['a / b % c', '((a / b) % c)'],
    ['-a * b', '((-a) * b)'],
    ['- - a', '(-(-a))'],
    ['!x in s', '((!x) in s)'],
    ['!a && b', '((!a) && b)'],
    ['-a.b[c].0', '(-a.b[c].0)'],
    ['a + b as int', `((a + b) as ${int})`],
    ['a as int + b', `((a as ${int}) + b)`],
    ['a < b to int', `(a < (b to ${int}))`],
    ['a as int < b', `((a as ${int}) < b)`],
    ['a == b < c', '(a == (b < c))'],
    ['a in s == b in t', '((a in s) == (b in t))'],
    ['a && b == c', '(a && (b == c))'],
    ['a || b && c', '(a || (b && c))'],
    ['a ==> b || c', '(a ==> (b || c))'],
    ['a ==> b ==> c', '((a ==> b) ==> c)'],
    ['a <==> b ==> c', '(a <==> (b ==> c))'],
    ['(a + b) * c', '((a + b) * c)'],
    ['a != b && c >= d || e <= f', '(((a != b) && (c >= d)) || (e <= f))'],
  ])('%s', (text, expected) => {
    expect(written(expression(text))).toBe(expected)
  })
})

describe('numbers and parts', () => {
  test.each([
    ['t.0.1', 't.0.1'],
    ['1.05', '1.05'],
    ['.5', '0.5'],
    ['1 . 5 + 2', '(1.5 + 2)'],
    ['f(1.5, t.1)', 'f(1.5, t.1)'],
    ['s[1.5]', 's[1.5]'],
    ['(1, 2).0', '<1, 2>.0'],
    ['00012345678901234567890', '00012345678901234567890'],
  ])('%s', (text, expected) => {
    expect(written(expression(text))).toBe(expected)
  })
  test('a float is not two accesses, nor the other way round', () => {
    expect(expression('t.0.1')).toMatchObject({ kind: 'item', index: 1, of: { kind: 'item', index: 0 } })
    expect(expression('0.1')).toMatchObject({ kind: 'float', digits: '0.1' })
    expect(expression('0.1.2')).toMatchObject({ kind: 'item', index: 2, of: { kind: 'float', digits: '0.1' } })
  })
})

describe('what has no operators', () => {
  const one = { kind: 'int', digits: '1' }
  const a = { kind: 'name', name: 'a' }
  test.each([
    ['true', { kind: 'bool', value: true }],
    ['false', { kind: 'bool', value: false }],
    ['null', { kind: 'null' }],
    ['halt', { kind: 'halt' }],
    ['this', { kind: 'this' }],
    ['$', { kind: 'nondet', isFair: false }],
    ['$$', { kind: 'nondet', isFair: true }],
    ['choose()', { kind: 'nondet', isFair: false }],
    ['choose(a)', { kind: 'choose', from: a }],
    ['sizeof(a)', { kind: 'sizeof', of: a }],
    ['keys(a)', { kind: 'keys', of: a }],
    ['values(a)', { kind: 'values', of: a }],
    ['default(int)', { kind: 'default', type: { kind: 'primitive', name: 'int' } }],
    ['new M()', { kind: 'new', creates: 'M', args: [] }],
    ['new M(a, 1)', { kind: 'new', creates: 'M', args: [a, one] }],
    ['f()', { kind: 'call', callee: 'f', args: [] }],
    ['f(a)', { kind: 'call', callee: 'f', args: [a] }],
    ['(a,)', { kind: 'tuple', items: [a] }],
    ['(a, 1)', { kind: 'tuple', items: [a, one] }],
    ['(b = a,)', { kind: 'record', fields: [{ name: 'b', value: a }] }],
    [
      '(b = a, c = 1)',
      {
        kind: 'record',
        fields: [
          { name: 'b', value: a },
          { name: 'c', value: one },
        ],
      },
    ],
    ['((a))', a],
    ['format("{0}", a)', { kind: 'format', template: '{0}', args: [a] }],
    ['format("plain")', { kind: 'format', template: 'plain', args: [] }],
  ])('%s', (text, expected) => {
    expect(shape(expression(text))).toEqual(expected)
  })
  test('a string has its escapes resolved and may have several lines', () => {
    expect(expression('"a\\n\\"\\\\\nb // no comment"')).toMatchObject({
      kind: 'string',
      text: 'a\n"\\\nb // no comment',
    })
  })
})

test('every expression knows where it stands', () => {
  const text = 'x = (a + b) * c.d;'
  const value = expression('(a + b) * c.d')
  const from = 'fun f() { '.length
  expect([value.at.start - from, value.at.end - from]).toEqual([text.indexOf('('), text.indexOf(';')])
})

describe('mistakes', () => {
  test.each([
    ['(b = a)', 'E709 a record with one field is written with a comma'],
    ['(a, b,)', 'E709 only a tuple with one part ends in a comma'],
    ['(a = 1, b = 2,)', 'E709 only a tuple with one part ends in a comma'],
    ['()', 'E702 an expression is expected between the parentheses, and ")" stands here | there is no empty tuple'],
    ['float(1, 2)', 'E709 float(…) is not a way to write a number'],
    ['a +', 'E702 an expression is expected, and ";" stands here'],
    ['keys', 'E702 "(" is expected after "keys", and ";" stands here | "keys" is a word of the language'],
    ['a.type', 'E704 "type" is a word of the language'],
    ['(data = 1, b = 2)', 'E704 "data" is a word of the language'],
    ['format(a)', 'E702 a string between quotes is expected first in "format"'],
    ['exists(a)', 'E706 "exists" is a word of P\'s verifier'],
    ['a & b', 'E701 & is not a part of any P program | write && for "and"'],
    ['a as 3', 'E702 a type is expected, and "3" stands here'],
    ['s[1', 'E702 "]" is expected after the index, and ";" stands here'],
    ['a swap', 'E705 "swap" is gone from the language'],
  ])('%s', (text, expected) => {
    const found = mistakes(`fun f() { x = ${text}; }`)
    expect(found).toHaveLength(1)
    expect(found[0]).toContain(expected)
  })
})
