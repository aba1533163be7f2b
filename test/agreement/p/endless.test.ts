/**
 * Handlers that choose again and again, on all engines and networks. One that has no way to its end is a violation, wherever it is looked at; one that has is none,
 * though it may go on for ever.
 */
// @module-tag cut
import { describe, expect, test, vi } from 'vitest'
import { Witness } from '../../../src/core/witness.ts'
import { statefulIr } from '../../../src/engines/stateful/ir/ir-search.ts'
import { symbolic } from '../../../src/engines/symbolic/symbolic.ts'
import { lower } from '../../../src/frontends/p/lower.ts'
import type { Ir } from '../../../src/ir/ir.ts'
import { Activity } from '../../../src/semantics/ir/activity.ts'
import { amount } from '../../amount.ts'
import { disagreement, newPTally } from './agreement.ts'
import { settingOf } from './explored.ts'
import { endlessProgram } from './generate-endless.ts'
import { exploredByDpor, foundByLocal } from './processes.ts'
import { foundBy, productPaths } from './product.ts'
import { readProgram } from './read.ts'
import { type Delivery, deliveries } from './world.ts'

const main = (rest: string, before = ''): string =>
  `event e; event done; ${before} machine Main { var x: int; ${rest} } test tc [main=Main]: { Main };`

const endless = [
  ['a loop', main('start state S { entry { while (true) { if ($) x = 1 - x; } } }')],
  ['a loop with fair choices', main('start state S { entry { while (true) { if ($$) x = 1 - x; } } }')],
  ['a loop in one way', main('start state S { entry { if ($) { while (true) { if ($) x = 1 - x; } } } }')],
  [
    'states',
    main('start state S { entry { if ($) goto S; else goto T; } } state T { entry { if ($) goto S; goto T; } }'),
  ],
  ['raised events', main('start state S { entry { raise e; } on e do { if ($) raise e; raise e; } }')],
  ['options', main('start state S { entry { while (x < 2) { x = choose(2); } } }')],
  ['calls', main('fun f(): int { return choose(2); } start state S { entry { while (f() < 2) { x = f(); } } }')],
  ['announcements', main('start state S { entry { while (true) { announce e; if ($) x = 1 - x; } } }')],
] as const

const ending = [
  ['a loop that a choice ends', main('start state S { entry { while ($) { x = 1 - x; } } }')],
  ['many choices', main('start state S { entry { while (x < 1500) { x = x + 1; if ($) { } } } }')],
] as const

function subjectOf(text: string, delivery: Delivery) {
  const read = readProgram(text)
  if ('problems' in read) throw new Error(read.problems.join())
  const { checked } = read
  const [declared] = checked.tests
  if (declared === undefined) throw new Error('the program has a test')
  return { checked, test: declared, delivery, paths: productPaths(checked, declared, delivery), announces: false }
}

function searched(
  engine: typeof statefulIr,
  ir: Ir,
  delivery: Delivery,
  options: { readonly [name: string]: string } = {},
): readonly string[] {
  const found: string[] = []
  for (const event of engine.explore({ program: ir, setting: settingOf(delivery) }, options)) {
    if (event.kind === 'diagnostic') found.push(event.diagnostic.code)
    if (event.kind === 'violation') found.push(event.violation.message)
  }
  return found
}

const message = 'Main: endless handler: it goes on for ever, whatever it chooses'

const options = [{}, { search: 'depth' }, { reduction: 'safe' }, { remember: 'fingerprints' }]

/** On causal states are searched along executions, as they are first met. */
function optionsOn(delivery: Delivery): typeof options {
  return delivery === 'causal' ? options.slice(0, 1) : options
}

describe.each(deliveries)('on %s', (delivery) => {
  test.each(endless)('%s without a way to the end', (_, text) => {
    const subject = subjectOf(text, delivery)
    const ir = lower(subject.checked, subject.test)
    for (const options of optionsOn(delivery)) expect(searched(statefulIr, ir, delivery, options)).toEqual([message])
    expect(foundBy('stateful', subject.paths)).toEqual(['endless: Main'])
    expect(foundBy('exhaustive', subject.paths)).toEqual(['endless: Main'])
    expect(exploredByDpor(subject, 100)?.violations).toEqual(['endless: Main'])
    if (delivery === 'bag' || delivery === 'fifo') expect(foundByLocal(subject, 100)).toEqual(['endless: Main'])
    if (delivery !== 'mailbox' && delivery !== 'causal')
      expect(searched(symbolic, ir, delivery, { mode: 'states', order: 'above' })).toEqual([message])
  })

  test.each(ending)('%s', (_, text) => {
    const subject = subjectOf(text, delivery)
    const ir = lower(subject.checked, subject.test)
    for (const options of optionsOn(delivery).slice(0, 2))
      expect(searched(statefulIr, ir, delivery, options)).toEqual([])
    expect(foundBy('stateful', subject.paths)).toEqual([])
    // It goes every way by itself.
    if (delivery === 'bag' || delivery === 'fifo')
      expect(() => foundByLocal(subject, 100)).toThrow(/a handler has too many$/u)
  })
})

describe('what may go on for ever by what it chooses is noted', () => {
  const notesOf = (text: string): readonly string[] => {
    const { checked, test: declared } = subjectOf(text, 'fifo')
    const witness = new Witness()
    for (const _event of statefulIr.explore(
      { program: lower(checked, declared), setting: settingOf('fifo'), witness },
      {},
    ));
    return witness
      .open()
      .filter(({ code }) => code === 'handler-may-go-on')
      .map(({ subject }) => subject)
  }
  const loop = (choice: string): string => `start state S { entry { while (${choice}) { x = 1 - x; } } }`
  const asked = 'spec Watch observes e { start hot state W { on e goto C; } cold state C { ignore e; } }'

  test.each([
    ['where no choice is fair', main(loop('$')), ['what begins in state "S" of Main']],
    [
      'in the state in which it begins',
      main('start state S { entry { send this, e; } on e goto T; } state T { entry { while ($) { } } }'),
      ['what begins in state "S" of Main'],
    ],
    ['not where a fair choice ends it', main(loop('$$')), []],
    ['not where it ends', main('start state S { entry { while (x < 3) { x = x + 1; if ($) { } } } }'), []],
    ['not where it is a question', `${main(loop('$'), asked).replace(': {', ': assert Watch in {')}`, []],
  ])('%s', (_, text, notes) => expect(notesOf(text)).toEqual(notes))
})

test('more choices than anybody waits for are no violation', () => {
  const counting = main('start state S { entry { while (true) { x = x + 1; if ($) { } } } }')
  const { checked, test: declared } = subjectOf(counting, 'fifo')
  const search = (): readonly string[] => searched(statefulIr, lower(checked, declared), 'fifo')
  expect(search).toThrow('Main.S.entry goes on after 5,000 choices, and nobody knows whether it ends')
})

const growing = [
  [
    'calls within calls',
    main('start state S { entry { x = f(0); } }', 'fun f(i: int): int { if ($) return i; return f(i + 1) + 1; }'),
    'f',
  ],
  [
    'a list',
    main('var s: seq[int]; start state S { entry { while (true) { s += (sizeof(s), choose(3)); } } }'),
    'Main.S.entry',
  ],
] as const

describe.each(growing)('choices with which %s grows', (_, text, name) => {
  test('are told to be too many before they take the square of their number, and meanwhile there are breaths', () => {
    const { checked, test: declared, paths } = subjectOf(text, 'fifo')
    const told = `${name} goes on after 1,001 choices, and nobody knows whether it ends`
    let breaths = 0
    const search = (): void => {
      const program = lower(checked, declared)
      for (const _event of statefulIr.explore({ program, setting: settingOf('fifo') }, {})) breaths++
    }
    expect(search).toThrow(told)
    expect(breaths).toBeGreaterThan(1000 / 20)
    const path = paths.begin()
    const choose = (): void => {
      for (let [first] = path.enabled(); first !== undefined; [first] = path.enabled()) path.take(first)
    }
    expect(choose).toThrow(told)
  })
})

test('an end is looked for far away as well: of what is ahead on one way nobody asks again', () => {
  const [, [, text]] = growing
  const { checked, test: declared } = subjectOf(text, 'fifo')
  const chosen = vi.spyOn(Activity.prototype, 'choose')
  try {
    const search = (): readonly string[] => searched(statefulIr, lower(checked, declared), 'fifo')
    expect(search).toThrow('1,001 choices')
    expect(chosen.mock.calls.length).toBeLessThan(20_000)
  } finally {
    chosen.mockRestore()
  }
})

describe('generated programs', { timeout: 3_600_000 }, () => {
  test('are what the interpreter says', () => {
    const programs = amount({ quick: 10, rest: 20, thorough: 60, all: 300 })
    const tally = newPTally()
    for (let seed = 0; seed < programs; seed++) {
      const text = endlessProgram(seed)
      const problem = disagreement(text, { tally, mostStates: 100, mostChoices: 12 })
      expect({ text, problem }).toEqual({ text, problem: undefined })
    }
    expect(tally.compared).toBeGreaterThan(2 * programs)
    expect(tally.violated).toBeGreaterThan(tally.compared / 5)
    expect(tally.violated).toBeLessThan(tally.compared)
  })
})
