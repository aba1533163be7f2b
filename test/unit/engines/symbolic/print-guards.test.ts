/** Guards as people read them: they are those of the search, and what is left out is said. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type Diagram, Diagrams } from '../../../../src/bdd/diagrams.ts'
import { DiagnosticError } from '../../../../src/core/diagnostic.ts'
import { Random } from '../../../../src/core/random.ts'
import { VariableNames } from '../../../../src/engines/symbolic/guard-text.ts'
import { printedGuards } from '../../../../src/engines/symbolic/print-guards.ts'
import { lower } from '../../../../src/frontends/p/lower.ts'
import { settingOf } from '../../../agreement/p/explored.ts'
import { readProgram } from '../../../agreement/p/read.ts'

/** The guard that a text stands for. */
function guardOf(ways: readonly string[], diagrams: Diagrams): Diagram {
  const literal = (text: string): Diagram => diagrams.literal(Number(text.replace(/^¬?v/, '')), !text.startsWith('¬'))
  return ways.reduce<Diagram>((all, way) => {
    const literals = way === 'always' ? [] : way === 'never' ? undefined : way.split(' ∧ ')
    const cube = literals?.reduce<Diagram>((some, one) => diagrams.and(some, literal(one)), diagrams.always)
    return diagrams.or(all, cube ?? diagrams.never)
  }, diagrams.never)
}

test('a guard is all that its ways say, and as many are told to be missing as are', () => {
  const random = new Random(5)
  let missing = 0
  for (let time = 0; time < 200; time++) {
    const diagrams = new Diagrams()
    for (let at = 0; at < 5; at++) diagrams.variable()
    const table = Array.from({ length: 32 }, () => (random.below(2 + (time % 5)) === 0 ? 1 : 0))
    const guard = diagrams.fromTable([4, 3, 2, 1, 0], table, 0)
    const names = new VariableNames(diagrams, 'step')
    const ways = names.ways(guard)
    const more = Number(/^… (\d+) more$/.exec(ways.at(-1) ?? '')?.[1] ?? 0)
    const told = more === 0 ? ways : ways.slice(0, -1)
    const { first, count } = diagrams.ways(guard, 100)
    expect(BigInt(told.length + more)).toBe(guard === diagrams.always || guard === diagrams.never ? 1n : count)
    expect(diagrams.covers(guard, guardOf(told, diagrams))).toBe(true)
    if (more > 0) missing++
    else expect(guardOf(told, diagrams)).toBe(guard)
    const whole = first.map((way) => [...way].map(([at, value]) => `${value ? '' : '¬'}v${at}`).join(' ∧ ') || 'always')
    expect(guardOf(whole, diagrams)).toBe(guard)
  }
  expect(missing).toBeGreaterThan(20)
})

function printed(text: string, options: { readonly [name: string]: string } = {}): readonly string[] {
  const read = readProgram(text)
  if ('problems' in read) throw new Error(read.problems.join('; '))
  const [first] = read.checked.tests
  if (first === undefined) throw new Error('the program has a test')
  const subject = { program: lower(read.checked, first), setting: settingOf('sender-queue') }
  return [...printedGuards(subject, { mode: 'auto', order: 'auto', filter: 'none', ...options })]
}

const chooser = `
machine Main { var n: int; var b: bool; start state S { entry { b = $; if (b) n = choose(3); goto T; } } state T { } }
test tc [main=Main]: { Main };
`

test('what a machine chooses is told by variables that say so', () => {
  expect(printed(chooser)).toEqual([
    'after 0 steps: 1 execution',
    '  D: always',
    'after 1 step: 4 executions',
    '  v0: step 1, what Main chooses, bit 0',
    '  v1: step 1, what Main chooses, bit 0',
    '  v2: step 1, what Main chooses, bit 1',
    '  D: v0 ∧ v1 ∧ ¬v2 ∨ v0 ∧ ¬v1 ∨ ¬v0 ∧ ¬v1 ∧ ¬v2',
    '  Main.n',
    '    0 if v0 ∧ ¬v1 ∧ ¬v2 ∨ ¬v0',
    '    1 if v0 ∧ v1',
    '    2 if v0 ∧ ¬v1 ∧ v2',
    '  Main.b',
    '    false if ¬v0',
    '    true if v0',
    '  all else, 2 of these, is the same in all',
    'nothing more can happen',
  ])
})

test('by states, variables are numbers of states', () => {
  const lines = printed(chooser, { mode: 'states' })
  expect(lines).toContain('after 1 step: 4 states')
  expect(lines.filter((line) => /which state, bit [01]$/.test(line))).toHaveLength(2)
})

test('a search that goes on for long is printed as far as anybody reads', () => {
  const lines = printed(`
    machine Main { var n: int; start state S { on null do { n = n + 1; } } }
    test tc [main=Main]: { Main };
  `)
  expect(lines.at(-1)).toBe('… steps after number 40 are not printed')
})

test('what the engine refuses is not printed', () => {
  const text = readFileSync(new URL('../../../../examples/tickets.p', import.meta.url), 'utf8')
  expect(() => printed(text, { mode: 'rounds' })).toThrow(DiagnosticError)
})
