/** Handlers that take long, or for ever, in some executions: what is wrong in others is found nevertheless, and what is endless is what it is step by step. */
import { expect, test } from 'vitest'
import type { Engine } from '../../../src/engines/engine.ts'
import { statefulIr } from '../../../src/engines/stateful/ir/ir-search.ts'
import { symbolic } from '../../../src/engines/symbolic/symbolic.ts'
import { lower } from '../../../src/frontends/p/lower.ts'
import type { Ir } from '../../../src/ir/ir.ts'
import { expectRetaken, settingOf } from './explored.ts'
import { readProgram } from './read.ts'

/** Machine B goes on in some executions, and fails in others. */
const twoWays = (loop: string, helpers = ''): string => `
${helpers}
machine Main { start state S { entry { new A(); new B(); } } }
machine A { var n: int; start state S { entry { while (n < 5) { n = n + 1; } } } }
machine B { var n: int; start state S { entry { if ($) { ${loop} } assert n > 0, "other path"; } } }
test tc [main=Main]: { Main, A, B };`

const endless = [
  ['a loop with a counter', twoWays('while (true) { n = n + 1; }')],
  ['a loop without one', twoWays('while (true) { n = 1; }')],
  ['calls', twoWays('n = f(0);', 'fun f(n: int): int { return f(n + 1); }')],
] as const

interface Told {
  readonly violations: readonly string[]
  readonly diagnostics: readonly string[]
}

function programOf(source: string): Ir {
  const read = readProgram(source)
  if ('problems' in read) throw new Error(read.problems.join())
  const [test] = read.checked.tests
  if (test === undefined) throw new Error('the program has a test')
  return lower(read.checked, test)
}

function told(engine: Engine<'ir'>, source: string, options: { readonly [name: string]: string } = {}): Told {
  const ir = programOf(source)
  const violations = new Set<string>()
  const diagnostics: string[] = []
  for (const event of engine.explore({ program: ir, setting: settingOf('sender-queue') }, options)) {
    if (event.kind === 'diagnostic') diagnostics.push(event.diagnostic.code)
    if (event.kind !== 'violation') continue
    if (!event.violation.message.includes('10,000,000')) expectRetaken(ir, 'sender-queue', event)
    violations.add(event.violation.message)
  }
  return { violations: [...violations].sort(), diagnostics }
}

test.each(endless)('%s without end in some executions', (what, source) => {
  const expected = told(statefulIr, source)
  expect(expected.violations).toEqual(['other path', expect.stringMatching(/endless handler/u)].sort())
  // Each mode counts, and so does who confirms what was found.
  for (const mode of what.includes('counter') ? ['states'] : ['states', 'steps', 'rounds'])
    expect(told(symbolic, source, { mode, order: 'above' })).toEqual(expected)
})

test('what comes after a handler that takes long is left out, and that is said unless something else is found', () => {
  const options = { mode: 'states', order: 'above' }
  const long = 'while (n < 60000) { n = n + 1; }'
  expect(told(symbolic, twoWays(long), options)).toEqual({ violations: ['other path'], diagnostics: [] })
  const isRight = twoWays(long).replace('n > 0', 'n >= 0')
  expect(told(symbolic, isRight, options)).toEqual({ violations: [], diagnostics: ['E309'] })
  expect(told(statefulIr, isRight)).toEqual({ violations: [], diagnostics: [] })
})
