/** What filters refuse: ways of searching that they have nothing to say about, and programs that they do not fit. */
import { expect, test } from 'vitest'
import type { Diagnostic } from '../../../../src/core/diagnostic.ts'
import { symbolic } from '../../../../src/engines/symbolic/symbolic.ts'
import { settingOf } from '../../../agreement/p/explored.ts'
import { programsIn } from '../../../agreement/p/symbolic-filters.ts'

const alike = [
  'event hello: machine;',
  'machine Main { var seen: set[machine]; start state S { entry { new Worker(this); new Worker(this); }',
  '  on hello do (who: machine) { seen += (who); } } }',
  'machine Worker { start state S { entry (m: machine) { send m, hello, this; } } }',
  'test tc [main=Main]: { Main, Worker };',
].join('\n')

function refusalOf(text: string, options: { readonly [name: string]: string }): Diagnostic | undefined {
  for (const program of programsIn(text))
    for (const event of symbolic.explore({ program, setting: settingOf('sender-queue') }, options))
      if (event.kind === 'diagnostic') return event.diagnostic
  return undefined
}

test.each(['creations', 'sole', 'sleep', 'symmetry'])('rounds are not filtered by %s', (filter) => {
  expect(refusalOf(alike, { mode: 'rounds', filter })).toMatchObject({
    code: 'E107',
    message: `filter "${filter}" says who moves next, and in rounds several machines move at a time`,
  })
})

test.each([
  { mode: 'states', filter: 'sleep', message: 'remembers what was explored before' },
  { mode: 'steps', filter: 'symmetry', message: 'takes states for one' },
])('filter $filter is refused with mode $mode', ({ mode, filter, message }) => {
  const refused = refusalOf(alike, { mode, filter })
  expect(refused?.code).toBe('E107')
  expect(refused?.message).toContain(message)
})

test.each([
  { mode: 'states', filter: 'creations' },
  { mode: 'steps', filter: 'creations' },
  { mode: 'states', filter: 'sole' },
  { mode: 'steps', filter: 'sole' },
  { mode: 'steps', filter: 'sleep' },
  { mode: 'states', filter: 'symmetry' },
  { mode: 'auto', filter: 'sleep' },
  { mode: 'auto', filter: 'symmetry' },
])('filter $filter is taken with mode $mode', (options) => {
  expect(refusalOf(alike, options)).toBeUndefined()
})

test.each([
  ['foreach (one in seen) { send one, hello, this; }', 'goes over machines of a set or a map'],
  ['one = choose(seen);', 'chooses among machines of a set or a map'],
  ['one = seen[0];', 'takes a machine of a set by its place'],
])('machines cannot change places in a program that depends on their order: %s', (statement, what) => {
  const text = alike
    .replace('{ seen += (who); }', `{\n  var one: machine; seen += (who); ${statement} }`)
    .replace('send m, hello, this; }', 'send m, hello, this; } ignore hello;')
  expect(refusalOf(text, { mode: 'states', filter: 'symmetry' })).toMatchObject({
    code: 'E107',
    message: `machines cannot change places: the program ${what}`,
    place: { line: 4 },
  })
})

test('machines that were given different numbers cannot change places', () => {
  const text = alike
    .replace('new Worker(this); new Worker(this);', 'new Worker((this, 1));\n  new Worker((this, 2));')
    .replace('entry (m: machine) { send m, hello, this; }', 'entry (m: (machine, int)) { send m.0, hello, this; }')
  expect(refusalOf(text, { filter: 'symmetry' })).toMatchObject({
    code: 'E107',
    message: 'no machines can change places: those of "Worker" are created with different data',
    place: { line: 2 },
  })
})

test('but others can, and references are no data', () => {
  const text = alike
    .replace('new Worker(this);', 'new Worker(this); new Numbered(1); new Numbered(2); new Worker(new Main2());')
    .replace('test tc [main=Main]: { Main, Worker };', '')
  const rest = [
    'machine Numbered { var n: int; start state S { entry (m: int) { n = m; } } }',
    'machine Main2 { start state S { ignore hello; } }',
    'test tc [main=Main]: { Main, Worker, Numbered, Main2 };',
  ]
  expect(refusalOf([text, ...rest].join('\n'), { filter: 'symmetry' })).toBeUndefined()
})
