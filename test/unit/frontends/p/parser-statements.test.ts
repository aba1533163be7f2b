import { describe, expect, test } from 'vitest'
import { read, statements } from './read.ts'

const name = (text: string) => ({ kind: 'name', name: text })
const [a, b, x] = [name('a'), name('b'), name('x')]
const int = { kind: 'primitive', name: 'int' }
const empty = { kind: 'block', body: [] }
const choice = (condition: unknown, then: unknown, otherwise?: unknown) => ({ kind: 'if', condition, then, otherwise })

describe('statements', () => {
  test.each([
    ['{ ; }', { kind: 'block', body: [{ kind: 'empty' }] }],
    ['x = a;', { kind: 'assign', target: x, value: a }],
    ['x.f = a;', { kind: 'assign', target: { kind: 'field', of: x, name: 'f' }, value: a }],
    [
      'x[a].0 = b;',
      { kind: 'assign', target: { kind: 'item', of: { kind: 'element', of: x, index: a }, index: 0 }, value: b },
    ],
    ['x += (a, b);', { kind: 'insert', target: x, key: a, value: b }],
    ['x += (a);', { kind: 'add', target: x, value: a }],
    ['x += ((a, b));', { kind: 'add', target: x, value: { kind: 'tuple', items: [a, b] } }],
    ['x -= a;', { kind: 'remove', target: x, key: a }],
    ['x -= (a);', { kind: 'remove', target: x, key: a }],
    ['assert a;', { kind: 'assert', condition: a }],
    ['assert a, "no";', { kind: 'assert', condition: a, message: { kind: 'string', text: 'no' } }],
    ['assume a;', { kind: 'assume', condition: a }],
    ['print "p";', { kind: 'print', message: { kind: 'string', text: 'p' } }],
    ['while (a) { }', { kind: 'while', condition: a, body: empty }],
    ['while (a) break;', { kind: 'while', condition: a, body: { kind: 'break' } }],
    [
      'foreach (x in a) { continue; }',
      { kind: 'foreach', variable: 'x', over: a, body: { kind: 'block', body: [{ kind: 'continue' }] } },
    ],
    ['if (a) { }', choice(a, empty)],
    ['if (a) { } else { }', choice(a, empty, empty)],
    [
      'if (a) return; else if (b) return x; else ;',
      choice(a, { kind: 'return' }, choice(b, { kind: 'return', value: x }, { kind: 'empty' })),
    ],
    ['if (a) if (b) ; else return;', choice(a, choice(b, { kind: 'empty' }, { kind: 'return' }))],
    ['new M(a);', { kind: 'new', creates: 'M', args: [a] }],
    ['g(a, b);', { kind: 'call', callee: 'g', args: [a, b] }],
    ['send a, b;', { kind: 'send', to: a, event: b, args: [] }],
    ['send a, b, x, a;', { kind: 'send', to: a, event: b, args: [x, a] }],
    ['raise a;', { kind: 'raise', event: a, args: [] }],
    ['raise halt;', { kind: 'raise', event: { kind: 'halt' }, args: [] }],
    ['announce a, b;', { kind: 'announce', event: a, args: [b] }],
    ['goto S;', { kind: 'goto', state: 'S', args: [] }],
    ['goto S, a;', { kind: 'goto', state: 'S', args: [a] }],
  ])('%s', (text, expected) => {
    expect(statements(text)).toEqual([expected])
  })

  test('receive has cases with handlers', () => {
    expect(statements('receive { case e1, null: (p: int) { x = a; } case halt: { } }')).toEqual([
      {
        kind: 'receive',
        cases: [
          {
            events: ['e1', 'null'],
            handler: {
              params: [{ name: 'p', type: int }],
              locals: [],
              body: [{ kind: 'assign', target: x, value: a }],
            },
          },
          { events: ['halt'], handler: { params: [], locals: [], body: [] } },
        ],
      },
    ])
  })
})

test('locals stand at the head of the body', () => {
  expect(read('fun f() { var a, b: int; var c: bool; return; }')).toEqual([
    {
      kind: 'function',
      name: 'f',
      params: [],
      creates: [],
      body: {
        params: [],
        locals: [
          { name: 'a', type: int },
          { name: 'b', type: int },
          { name: 'c', type: { kind: 'primitive', name: 'bool' } },
        ],
        body: [{ kind: 'return' }],
      },
    },
  ])
})

test('words of older P are names where they are used as such', () => {
  expect(statements('pop = a; push(a); model.f = b;')).toMatchObject([
    { kind: 'assign' },
    { kind: 'call', callee: 'push' },
    { kind: 'assign' },
  ])
})
