import { describe, expect, test } from 'vitest'
import { accepted, check, expectRefused, main, told } from './check-program.ts'

describe('a name that nothing declares', () => {
  test.each([
    ['variable', main('@x = 1;'), main('var x: int; x = 1;')],
    ['value', main('var x: int; x = @y;'), main('var x, y: int; x = y;')],
    ['event that is sent', main('send this, @eGo;'), `event eGo; ${main('send this, eGo;')}`],
    [
      'event that is handled',
      'machine Main { start state S { on @eGo do { } } }',
      'event eGo; machine Main { start state S { on eGo do { } } }',
    ],
    [
      'event that is deferred',
      'machine Main { start state S { defer @eGo; } }',
      'event eGo; machine Main { start state S { defer eGo; } }',
    ],
    ['event of a set', `eventset es = { @eGo }; ${main('')}`, `event eGo; eventset es = { eGo }; ${main('')}`],
    [
      'event that is observed',
      `spec M observes @eGo { start state S { } } ${main('')}`,
      `event eGo; spec M observes eGo { start state S { } } ${main('')}`,
    ],
    ['type', main('var x: @tId;'), `type tId = int; ${main('var x: tId;')}`],
    [
      'monitor as a type',
      `event e; spec M observes e { start state S { } } ${main('var x: @M;')}`,
      main('var x: Main;'),
    ],
    ['event as a type', `event e; ${main('var x: @e;')}`, main('var x: event;')],
    ['machine', main('new @Client();'), `machine Client { start state S { } } ${main('new Client();')}`],
    [
      'monitor that is created',
      `event e; spec M observes e { start state S { } } ${main('new @M();')}`,
      `event e; spec M observes e { start state S { } } ${main('')}`,
    ],
    ['function', main('@f();'), `fun f() { } ${main('f();')}`],
    [
      'function of a handler',
      'machine Main { start state S { entry @f; } }',
      'machine Main { start state S { entry f; } fun f() { } }',
    ],
    ['state', main('goto @Other;'), 'machine Main { start state S { entry { goto Other; } } state Other { } }'],
    [
      'state of a transition',
      'event e; machine Main { start state S { on e goto @T; } }',
      'event e; machine Main { start state S { on e goto T; } state T { } }',
    ],
    ['field', main('var x: (a: int, b: int); x.@c = 1;'), main('var x: (a: int, b: int); x.b = 1;')],
    ['item', main('var x: (int, int); @x.2 = 1;'), main('var x: (int, int); x.1 = 1;')],
    ['module', `${main('')} test t [main=Main]: @m;`, `${main('')} module m = { Main }; test t [main=Main]: m;`],
    [
      'machine of a module',
      `${main('')} test t [main=Main]: { Main, @Client };`,
      `${main('')} test t [main=Main]: { Main };`,
    ],
    [
      'machine that is asserted',
      `${main('')} test t [main=Main]: assert @Main in { Main };`,
      `event e; spec M observes e { start state S { } } ${main('')} test t [main=Main]: assert M in { Main };`,
    ],
    [
      'parameter',
      `${main('')} test param (n in [1]) t [main=Main]: { Main };`.replace('n in', '@n in'),
      `param n: int; ${main('')} test param (n in [1]) t [main=Main]: { Main };`,
    ],
    [
      'created by a foreign function',
      `fun f() creates @C; ${main('')}`,
      `machine C { start state S { } } fun f() creates C; ${main('')}`,
    ],
  ])('%s', (_, refused, good) => {
    expectRefused('E710', refused)
    accepted(good)
  })

  test('the nearest name is suggested', () => {
    expect(told(main('var count: int; cuont = 1;'))).toBe('there is no variable "cuont"; did you mean "count"?')
    expect(told(`event eRequest; ${main('raise eReqest;')}`)).toContain('did you mean "eRequest"?')
    expect(told(`machine Client { start state S { } } ${main('new Cleint();')}`)).toContain('did you mean "Client"?')
  })

  test('once in each function', () => {
    expect(check([main('x = x; x = 2;')]).problems).toHaveLength(1)
  })

  test('an event set is no event', () => {
    expect(told(`event e; eventset es = { e }; machine Main receives es; { start state S { } }`)).toContain(
      'list its events here',
    )
  })
})

describe('a name that is declared twice', () => {
  test.each([
    ['event', `event e; event @e; ${main('')}`],
    ['event and element of an enum', `enum E { e } event @e; ${main('')}`],
    ['element of two enums', `enum E { a } enum F { @a } ${main('')}`],
    ['type and machine', `type Main = int; ${main('').replace('Main', '@Main')}`],
    ['interface and machine', `interface Main() receives halt; ${main('').replace('Main', '@Main')}`],
    ['monitor and machine', `event e; ${main('')} spec @Main observes e { start state S { } }`],
    ['event set and machine', `event e; ${main('')} eventset @Main = { e };`],
    ['function', `fun f() { } fun @f() { } ${main('')}`],
    ['function and state', 'machine Main { start state S { } fun @S() { } }'],
    ['state', 'machine Main { start state S { } state @S { } }'],
    ['variable of a machine', 'machine Main { var x: int; var @x: bool; start state S { } }'],
    ['variable of a function', main('var x: int; var @x: bool;')],
    ['variable and argument', `fun f(x: int) { var @x: int; } ${main('')}`],
    ['argument', `fun f(x: int, @x: int) { } ${main('')}`],
    ['variable and parameter of tests', `param n: int; ${main('var @n: int;')}`],
    ['field and parameter of tests', 'param n: int; machine Main { var @n: int; start state S { } }'],
    ['parameter of tests', `param n: int; param @n: int; ${main('')}`],
    ['module', `module m = { Main }; module @m = { Main }; ${main('')}`],
    ['test and implementation', `test t [main=Main]: { Main }; implementation @t [main=Main]: { Main }; ${main('')}`],
    ['number of an enum', `enum E { a = 1, @b = 1 } ${main('')}`],
    ['field of a type', `type t = (a: int, @a: int); ${main('')}`],
    ['field of a value', main('var x: any; x = (a = 1, @a = 2);')],
    ['values of a parameter', `param n: int; ${main('')} test param (n in [1], @n in [2]) t [main=Main]: { Main };`],
  ])('%s', (_, refused) => {
    expectRefused('E711', refused)
  })

  test('the first place is told, also in another file', () => {
    const { problems } = check(['event e;', `event e; ${main('')}`])
    expect(problems.map(({ at, second }) => [at.source, second?.at.source, second?.at.start])).toEqual([[1, 0, 6]])
  })

  test.each([
    [
      'a variable of a function hides one of the machine',
      'machine Main { var x: int; start state S { entry { var x: bool; x = true; } } }',
    ],
    [
      'a function of a machine hides a global one',
      'fun f(): int { return 1; } machine Main { start state S { entry { assert f(); } } fun f(): bool { return true; } }',
    ],
    [
      'an argument of a case hides a variable of the function',
      `event e: int; ${main('var x: bool; receive { case e: (x: int) { x = 1; } }')}`,
    ],
    [
      'an interface takes the name of an event set',
      `event e; eventset x = { e }; interface x() receives e; ${main('')}`,
    ],
    ['a state takes the name of a function', 'machine Main { fun S() { } start state S { } }'],
    ['an event takes the name of a type', `type x = int; event x; ${main('')}`],
  ])('%s', (_, text) => {
    accepted(text)
  })
})

describe('aliases', () => {
  test.each([
    ['of itself', `type t = seq[@t]; ${main('')}`],
    ['in a circle', `type t = u; type u = (int, @t); ${main('')}`],
  ])('%s', (_, refused) => {
    expectRefused('E712', refused)
  })

  test('stand for what they are', () => {
    const { types } = accepted(`type t = seq[u]; type u = int; ${main('var x: t; x[0] = 1; assert sizeof(x) == 1;')}`)
    expect([...types.values()].map((type) => type.kind)).toContain('seq')
  })

  test('a type that grows beyond measure is refused', () => {
    const levels = Array.from({ length: 40 }, (_, level) => `type t${level + 1} = (t${level}, t${level});`)
    const { problems } = check([`type t0 = int; ${levels.join(' ')} ${main('')}`])
    expect(problems.map((problem) => problem.code)).toContain('E708')
    const chain = Array.from({ length: 5000 }, (_, level) => `type t${level} = t${level + 1};`)
    expect(
      check([`${chain.join(' ')} type t5000 = int; ${main('')}`]).problems.map((problem) => problem.code),
    ).toContain('E708')
  })
})
