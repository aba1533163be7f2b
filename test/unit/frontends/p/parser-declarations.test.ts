import { describe, expect, test } from 'vitest'
import { parse } from '../../../../src/frontends/p/parser.ts'
import { read } from './read.ts'

const int = { kind: 'primitive', name: 'int' }
const bool = { kind: 'primitive', name: 'bool' }
const bind = (...names: readonly string[]) => ({
  kind: 'bind',
  bindings: names.map((name) => ({ machine: name, as: name })),
})

describe('declarations', () => {
  test.each([
    ['type T;', { kind: 'type', name: 'T' }],
    ['type T = int;', { kind: 'type', name: 'T', type: int }],
    ['enum E { A, B }', { kind: 'enum', name: 'E', elements: [{ name: 'A' }, { name: 'B' }] }],
    [
      'enum E { A = 1, B = 5 }',
      {
        kind: 'enum',
        name: 'E',
        elements: [
          { name: 'A', value: '1' },
          { name: 'B', value: '5' },
        ],
      },
    ],
    ['event e;', { kind: 'event', name: 'e' }],
    ['event e: int;', { kind: 'event', name: 'e', payload: int }],
    ['eventset s = { e, halt };', { kind: 'eventset', name: 's', events: ['e', 'halt'] }],
    ['interface I() receives;', { kind: 'interface', name: 'I', receives: [] }],
    ['interface I(int) receives e, f;', { kind: 'interface', name: 'I', payload: int, receives: ['e', 'f'] }],
    ['param a, b: int;', { kind: 'param', names: ['a', 'b'], type: int }],
    [
      'fun f(a: int, b: bool): int;',
      {
        kind: 'function',
        name: 'f',
        params: [
          { name: 'a', type: int },
          { name: 'b', type: bool },
        ],
        returns: int,
        creates: [],
      },
    ],
    ['fun f() creates I;', { kind: 'function', name: 'f', params: [], creates: ['I'] }],
    ['fun f() return (r: int);', { kind: 'function', name: 'f', params: [], returns: int, creates: [] }],
    ['machine M { }', { kind: 'machine', name: 'M', observes: [], items: [] }],
    [
      'machine M receives e; sends f, g; receives h; { }',
      { kind: 'machine', name: 'M', receives: ['e', 'h'], sends: ['f', 'g'], observes: [], items: [] },
    ],
    ['machine M sends; { }', { kind: 'machine', name: 'M', sends: [], observes: [], items: [] }],
    ['spec S observes e, f { }', { kind: 'spec', name: 'S', observes: ['e', 'f'], items: [] }],
    ['scenario S observes e { }', { kind: 'scenario', name: 'S', observes: ['e'], items: [] }],
  ])('%s', (text, expected) => {
    expect(read(text)).toEqual([expected])
  })
})

describe('types', () => {
  test.each([
    ['seq[int]', { kind: 'seq', of: int }],
    ['set[bool]', { kind: 'set', of: bool }],
    ['map[int, seq[bool]]', { kind: 'map', key: int, value: { kind: 'seq', of: bool } }],
    ['(int, bool)', { kind: 'tuple', items: [int, bool] }],
    ['(int)', { kind: 'tuple', items: [int] }],
    [
      '(a: int, b: bool)',
      {
        kind: 'record',
        fields: [
          { name: 'a', type: int },
          { name: 'b', type: bool },
        ],
      },
    ],
    ['(a: int)', { kind: 'record', fields: [{ name: 'a', type: int }] }],
    ['Client', { kind: 'named', name: 'Client' }],
  ])('%s', (text, type) => {
    expect(read(`type T = ${text};`)).toEqual([{ kind: 'type', name: 'T', type }])
  })
})

test.each(['bool', 'int', 'float', 'string', 'event', 'machine', 'any', 'data'])('%s is a type', (name) => {
  expect(read(`type T = ${name};`)).toEqual([{ kind: 'type', name: 'T', type: { kind: 'primitive', name } }])
})

describe('machines', () => {
  const written = (...params: readonly unknown[]) => ({ kind: 'written', body: { params, locals: [], body: [] } })
  test.each([
    ['entry f;', { kind: 'entry', function: { kind: 'named', name: 'f' } }],
    ['entry { }', { kind: 'entry', function: written() }],
    ['entry (x: int) { }', { kind: 'entry', function: written({ name: 'x', type: int }) }],
    ['exit f;', { kind: 'exit', function: { kind: 'named', name: 'f' } }],
    ['exit { }', { kind: 'exit', function: written() }],
    ['defer e, halt;', { kind: 'defer', events: ['e', 'halt'] }],
    ['ignore e;', { kind: 'ignore', events: ['e'] }],
    ['on e, null do f;', { kind: 'do', events: ['e', 'null'], function: { kind: 'named', name: 'f' } }],
    ['on e do (x: int) { }', { kind: 'do', events: ['e'], function: written({ name: 'x', type: int }) }],
    ['on e goto T;', { kind: 'goto', events: ['e'], state: 'T' }],
    ['on halt goto T with f;', { kind: 'goto', events: ['halt'], state: 'T', with: { kind: 'named', name: 'f' } }],
    ['on e goto T with { }', { kind: 'goto', events: ['e'], state: 'T', with: written() }],
  ])('%s', (text, item) => {
    const state = { kind: 'state', name: 'S', isStart: false, items: [item] }
    expect(read(`machine M { state S { ${text} } }`)).toMatchObject([{ items: [state] }])
  })

  test('variables, functions and states stand in them', () => {
    const text = 'machine M { var a, b: int; fun f() { } start hot state S { } cold state T { } start state U { } }'
    expect(read(text)).toMatchObject([
      {
        items: [
          { kind: 'variables', names: ['a', 'b'], type: int },
          { kind: 'function', name: 'f' },
          { kind: 'state', name: 'S', isStart: true, temperature: 'hot' },
          { kind: 'state', name: 'T', isStart: false, temperature: 'cold' },
          { kind: 'state', name: 'U', isStart: true },
        ],
      },
    ])
  })
})

describe('modules', () => {
  const m = { kind: 'name', name: 'm' }
  test.each([
    ['m', m],
    ['(m)', m],
    [
      '{ A, B -> I }',
      {
        kind: 'bind',
        bindings: [
          { machine: 'A', as: 'A' },
          { machine: 'B', as: 'I' },
        ],
      },
    ],
    ['union m, { A }, m', { kind: 'union', modules: [m, bind('A'), m] }],
    ['compose m, (union m, m), m', { kind: 'compose', modules: [m, { kind: 'union', modules: [m, m] }, m] }],
    ['assert S, T in m', { kind: 'assert', monitors: ['S', 'T'], in: m }],
    ['union assert S in m, m', { kind: 'union', modules: [{ kind: 'assert', monitors: ['S'], in: m }, m] }],
    ['assert S in union m, m', { kind: 'assert', monitors: ['S'], in: { kind: 'union', modules: [m, m] } }],
    ['hidee e, f in m', { kind: 'hideEvents', names: ['e', 'f'], in: m }],
    ['hidei I in m', { kind: 'hideInterfaces', names: ['I'], in: m }],
    ['rename I to J in m', { kind: 'rename', from: 'I', to: 'J', in: m }],
    ['main A in m', { kind: 'main', machine: 'A', in: m }],
  ])('%s', (text, module) => {
    expect(read(`module M = ${text};`)).toEqual([{ kind: 'module', name: 'M', module }])
  })

  test.each([
    ['test T [main=A]: { A };', { kind: 'test', name: 'T', main: 'A', module: bind('A'), params: [] }],
    [
      'test T [main=A]: m refines { A };',
      { kind: 'test', name: 'T', main: 'A', module: m, refines: bind('A'), params: [] },
    ],
    ['implementation T: m;', { kind: 'implementation', name: 'T', module: m, params: [] }],
    ['implementation T [main=A]: m;', { kind: 'implementation', name: 'T', main: 'A', module: m, params: [] }],
  ])('%s', (text, expected) => {
    expect(read(text)).toEqual([expected])
  })

  test('a test has parameters, an assumption and how many of them are combined', () => {
    const text = 'test param (n in [1, -2], b in [true, false]) assume (n > 0) (3 wise) T [main=A]: m;'
    const one = { kind: 'int', digits: '1' }
    expect(read(text)).toMatchObject([
      {
        params: [
          { name: 'n', values: [one, { kind: 'unary', operator: '-', of: { kind: 'int', digits: '2' } }] },
          {
            name: 'b',
            values: [
              { kind: 'bool', value: true },
              { kind: 'bool', value: false },
            ],
          },
        ],
        assume: { kind: 'binary', operator: '>' },
        wise: 3,
      },
    ])
    expect(read('test param (n in [1]) pairwise T [main=A]: m;')).toMatchObject([{ wise: 2 }])
    expect(read('test assume ok (2 wise) T [main=A]: m;')).toMatchObject([
      { assume: { kind: 'name', name: 'ok' }, wise: 2 },
    ])
  })
})

describe('text', () => {
  test('a byte-order mark, both kinds of line ends and comments are no part of the program', () => {
    const text = '\ufeff// one\r\nevent e; /* two\r\n * // */ event f;\n\n/**/event g;// three'
    expect(read(text)).toMatchObject([{ name: 'e' }, { name: 'f' }, { name: 'g' }])
    expect(read('')).toEqual([])
    expect(read('// nothing')).toEqual([])
  })

  test('spans are offsets in the text, with the index of the source', () => {
    const { declarations } = parse({ file: 'b.p', text: '\ufeff event e : int ; event f;' }, 3, { legacy: false })
    expect(declarations.map(({ at }) => at)).toEqual([
      { source: 3, start: 2, end: 17 },
      { source: 3, start: 18, end: 26 },
    ])
  })
})

describe('older P', () => {
  test('bounds of events are skipped', () => {
    expect(read('event e assert 1: int; event f assume 2; event g: int assert 3;', true)).toEqual([
      { kind: 'event', name: 'e', payload: int },
      { kind: 'event', name: 'f' },
      { kind: 'event', name: 'g', payload: int },
    ])
  })
  test('words of the verifier are names', () => {
    const words =
      'invariant axiom is inflight targets sent Proof prove using Lemma Theorem except requires ensures forall exists pure'
    for (const word of words.split(' ')) {
      expect(read(`fun ${word}(${word}: int) { ${word} = ${word}(${word}.${word}); }`, true)).toMatchObject([
        { name: word },
      ])
    }
    expect(read('fun f() { x = init-condition; }', true)).toMatchObject([
      { body: { body: [{ value: { kind: 'binary', operator: '-' } }] } },
    ])
  })
})
