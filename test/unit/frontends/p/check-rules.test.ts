import { describe, expect, test } from 'vitest'
import { accepted, check, expectRefused, main, told } from './check-program.ts'

/** A machine with these items beside a start state, which it gets unless it has one. */
function machine(items: string): string {
  return `event eGo; event eInt: int; event ePair: (int, int); machine Main { ${items.includes('start') ? '' : 'start state Init { }'} ${items} }`
}

describe('the shape of a machine', () => {
  test.each([
    ['no start state', 'machine @Main { state S { } }', 'machine Main { start state S { } }'],
    ['no state', 'machine @Main { }', 'machine Main { start state S { } }'],
    ['two start states', machine('start state S { } start state @T { }'), machine('start state S { } state T { }')],
    ['two entries', machine('state S { entry { } @entry { } }'), machine('state S { entry { } exit { } }')],
    ['two exits', machine('state S { exit { } @exit { } }'), machine('state S { exit { } }')],
    [
      'handled and handled',
      machine('state S { on eGo do { } on @eGo do { } }'),
      machine('state S { on eGo do { } on eInt do { } }'),
    ],
    [
      'handled and deferred',
      machine('state S { on eGo do { } defer @eGo; }'),
      machine('state S { on eGo do { } defer eInt; }'),
    ],
    [
      'deferred and ignored',
      machine('state S { defer eGo; ignore @eGo; }'),
      machine('state S { defer eGo; ignore eInt; }'),
    ],
    [
      'handled and a transition',
      machine('state S { on eGo goto T; on eInt, @eGo do { } } state T { }'),
      machine('state S { on eGo goto T; on eInt do { } } state T { }'),
    ],
    ['ignored twice', machine('state S { ignore eGo, @eGo; }'), machine('state S { ignore eGo, halt; }')],
    [
      'exit with a parameter',
      machine('state S { exit f; } fun @f(x: int) { }'),
      machine('state S { exit f; } fun f() { }'),
    ],
    [
      'entry with two parameters',
      machine('state @S { entry f; } fun f(x: int, y: int) { }'),
      machine('state S { entry f; } fun f(x: int) { }'),
    ],
    [
      'handler with two parameters',
      machine('state S { on @ePair do f; } fun f(x: int, y: int) { }'),
      machine('state S { on ePair do f; } fun f(x: (int, int)) { }'),
    ],
    [
      'transition with two parameters',
      machine('state S { on @ePair goto S with f; } fun f(x: int, y: int) { }'),
      machine('state S { on ePair goto S with f; } fun f(x: any) { }'),
    ],
    [
      'global function as a handler',
      `fun f() { } ${machine('state S { on eGo do @f; }')}`,
      machine('state S { on eGo do f; } fun f() { }'),
    ],
    [
      'foreign function as an entry',
      machine('state S { entry @f; } fun f();'),
      machine('state S { entry { f(); } } fun f();'),
    ],
    [
      'monitor that begins with a value',
      `${machine('')} spec M observes eInt { start state S { entry (@x: int) { } } }`,
      `${machine('')} spec M observes eInt { start state S { on eInt goto T; } state T { entry (x: int) { } } }`,
    ],
    [
      'two cases',
      machine('fun f() { receive { case eGo: { } case @eGo: { } } }'),
      machine('fun f() { receive { case eGo: { } case halt: { } } }'),
    ],
  ])('%s', (_, refused, good) => {
    expectRefused('E714', refused)
    accepted(good)
  })
})

describe('payloads of handlers', () => {
  test.each([
    ['handler', machine('state S { on @eGo do (x: int) { } }'), machine('state S { on eInt do (x: int) { } }')],
    [
      'handler of several events',
      machine('state S { on eInt, @ePair do (x: int) { } }'),
      machine('state S { on eInt, ePair do (x: any) { } }'),
    ],
    [
      'function of a transition',
      machine('state S { on @eInt goto S with (x: bool) { } }'),
      machine('state S { on eInt goto S with (x: int) { } }'),
    ],
    [
      'entry behind a transition',
      machine('state S { on @eGo goto T; } state T { entry (x: int) { } }'),
      machine('state S { on eInt goto T; } state T { entry (x: int) { } }'),
    ],
    ['null has none', machine('state S { on @null do (x: int) { } }'), machine('state S { on null do { } }')],
    [
      'case without a parameter',
      machine('fun f() { receive { @case eInt: { } } }'),
      machine('fun f() { receive { case eInt: (x: int) { } } }'),
    ],
    [
      'case with another parameter',
      machine('fun f() { receive { case eInt: (@x: bool) { } } }'),
      machine('fun f() { receive { case eInt, eGo: (x: any) { } } }'),
    ],
    [
      'goto without',
      machine('start state S { entry { @goto T; } } state T { entry (x: int) { } }'),
      machine('start state S { entry { goto T, 1; } } state T { entry (x: int) { } }'),
    ],
    [
      'goto with',
      machine('start state S { entry { goto T, @1; } } state T { }'),
      machine('start state S { entry { goto T; } } state T { }'),
    ],
    [
      'goto with another',
      machine('start state S { entry { goto T, @true; } } state T { entry (x: int) { } }'),
      machine('start state S { entry { goto T, true; } } state T { entry (x: any) { } }'),
    ],
    [
      'goto with two',
      machine('start state S { entry { goto T, @1, 2; } } state T { entry (x: (int, int)) { } }'),
      machine('start state S { entry { goto T, (1, 2); } } state T { entry (x: (int, int)) { } }'),
    ],
  ])('%s', (_, refused, good) => {
    expectRefused('E713', refused)
    accepted(good)
  })

  test('a handler need not take the payload', () => {
    accepted(machine('state S { on eInt do { } on ePair goto T; } state T { entry { } }'))
  })
})

describe('statements where they cannot stand', () => {
  test.each([
    ['raise in a function with a value', machine('fun f(): int { @raise eGo; }'), machine('fun f() { raise eGo; }')],
    ['goto in a function with a value', machine('fun f(): int { @goto Init; }'), machine('fun f() { goto Init; }')],
    [
      'raise in a case of one',
      machine('fun f(): int { receive { case eGo: { @raise eGo; } } return 1; }'),
      machine('fun f() { receive { case eGo: { raise eGo; } } }'),
    ],
    ['goto in a global function', `event e; fun f() { @goto S; } ${main('')}`, machine('fun f() { goto Init; }')],
    [
      'raise in an exit function',
      machine('state S { exit { @raise eGo; } }'),
      machine('state S { exit { send this, eGo; } }'),
    ],
    [
      'goto in an exit function',
      machine('state S { exit f; } fun f() { @goto S; }'),
      machine('state S { entry f; } fun f() { goto S; }'),
    ],
    [
      'raise through a callee of an exit function',
      machine('state S { exit { @f(); } } fun f() { g(); } fun g() { raise eGo; }'),
      machine('state S { entry { f(); } } fun f() { g(); } fun g() { raise eGo; }'),
    ],
    [
      'goto in a transition',
      machine('state S { on eGo goto S with { @goto Init; } }'),
      machine('state S { on eGo do { goto Init; } }'),
    ],
    [
      'raise in a case of a transition',
      machine('state S { on eGo goto S with { receive { case eInt: (x: int) { @raise eGo; } } } }'),
      machine('state S { on eGo goto S with { receive { case eInt: (x: int) { } } } }'),
    ],
    ['break', main('@break;'), main('while (true) { if ($) break; }')],
    ['continue', main('@continue;'), main('while (true) { continue; }')],
    [
      'break in a case',
      `event e; ${main('while (true) { receive { case e: { @break; } } }')}`,
      `event e; ${main('receive { case e: { while (true) { break; } } }')}`,
    ],
    [
      'this in a global function',
      `fun f(): machine { return @this; } ${main('')}`,
      `fun f(m: machine): machine { return m; } ${main('f(this);')}`,
    ],
    [
      'assignment to a parameter of tests',
      `param n: int; ${main('@n = 1;')}`,
      `param n: int; ${main('var x: int; x = n;')}`,
    ],
    [
      'loop with a parameter of tests',
      `param n: int; ${main('foreach (@n in default(seq[int])) { }')}`,
      `param n: int; ${main('var x: int; foreach (x in default(seq[int])) { }')}`,
    ],
    ['element of a set', main('var s: set[int]; @s[0] = 1;'), main('var s: seq[int]; s[0] = 1;')],
  ])('%s', (_, refused, good) => {
    expectRefused('E716', refused)
    accepted(good)
  })

  test('a function that returns a value may call one that raises', () => {
    accepted(machine('fun f(): int { g(); return 1; } fun g() { raise eGo; }'))
  })
})

describe('paths that return', () => {
  test.each([
    ['none', 'fun @f(): int { }', 'fun f(): int { return 1; }'],
    ['one of two', 'fun @f(b: bool): int { if (b) return 1; }', 'fun f(b: bool): int { if (b) return 1; return 2; }'],
    [
      'branches',
      'fun @f(b: bool): int { if (b) { return 1; } else { b = false; } }',
      'fun f(b: bool): int { if (b) { return 1; } else { { return 2; } } }',
    ],
    ['loop', 'fun @f(): int { while (true) { return 1; } }', 'fun f(): int { while (true) { return 1; } return 2; }'],
    ['assertion', 'fun @f(b: bool): int { assert b; }', 'fun f(b: bool): int { assert false; }'],
    [
      'case',
      'event e; fun @f(): int { receive { case e: { return; } } }',
      'event e; fun f(): int { receive { case e: { } } return 1; }',
    ],
  ])('%s', (_, refused, good) => {
    expectRefused('E717', `${refused} ${main('')}`)
    accepted(`${good} ${main('')}`)
  })
})

describe('what monitors do not do', () => {
  const monitor = (items: string): string =>
    `event e; machine C { start state S { } } ${main('')} spec M observes e { var m: machine; var b: bool; ${items} }`
  test.each([
    ['send', 'entry { @send m, e; }'],
    ['announce', 'entry { @announce e; }'],
    ['receive', 'entry { @receive { case e: { } } }'],
    ['new', 'entry { @new C(); }'],
    ['new as a value', 'entry { m = @new C(); }'],
    ['this', 'entry { m = @this; }'],
    ['$', 'entry { b = @$; }'],
    ['choose', 'entry { b = @choose(2) == 1; }'],
    ['defer', '@defer e;'],
    ['on null', 'on @null do { }'],
  ])('%s', (_, item) => {
    expectRefused('E715', monitor(`start state S { ${item} }`))
  })

  test.each([
    ['of its own', monitor('start state S { entry f; } fun f() { @send m, e; }')],
    ['global', `fun f(m: machine) { send m, e; } ${monitor('start state S { entry { @f(m); } }')}`],
    [
      'global, through another',
      `fun f(): bool { return g(); } fun g(): bool { return $; } ${monitor('start state S { entry { b = @f(); } }')}`,
    ],
    ['in a scenario', monitor('start cold state S { entry { b = @$; } }').replace('spec', 'scenario')],
  ])('through functions: %s', (_, refused) => {
    expectRefused('E715', refused)
  })

  test('they raise, change states, assert and call', () => {
    accepted(
      `fun f(x: bool): bool { return !x; } ${monitor('start state S { on e do { b = f(b); assert b; raise e; } on halt goto T; } state T { entry { goto S; } }')}`,
    )
  })
})

describe('warnings', () => {
  test('a monitor handles what it does not observe', () => {
    const { problems, warnings } = check([
      `event e; event f; spec M observes e { start state S { on e, f do { } } } ${main('')}`,
    ])
    expect(problems).toEqual([])
    expect(warnings.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'E730 "M" handles "f", which it does not observe',
    ])
  })

  test('a scenario that nothing covers, and one that is covered at once', () => {
    const scenario = (states: string) =>
      check([`event e; scenario M observes e { ${states} } ${main('')}`]).warnings.map(({ code }) => code)
    expect(scenario('start state S { }')).toEqual(['E731'])
    expect(scenario('start cold state S { }')).toEqual(['E731'])
    expect(scenario('start state S { on e goto T; } cold state T { }')).toEqual([])
  })
})

test('mistakes are told together, in the order of the sources', () => {
  const { problems } = check([main('x = 1; assert 1;'), 'event e: t; fun f(): int { }'])
  expect(problems.map(({ code, at }) => `${code} ${at.source}`)).toEqual(['E710 0', 'E712 0', 'E710 1', 'E717 1'])
})

test('a monitor is told at its call where the mistake is', () => {
  const text = `fun f(m: machine) { send m, e; } event e; ${main('')} spec M observes e { start state S { entry { f(null); } } }`
  const [problem] = check([text]).problems
  expect(problem?.second?.at.start).toBe(text.indexOf('send'))
  expect(told(text)).toContain('the monitor "M" cannot use "send"')
})

test('an assumption in a function is for the verifier', () => {
  expectRefused('E706', main('var i: int; @assume i < 2;'))
})
