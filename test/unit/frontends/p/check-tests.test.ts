import { describe, expect, test } from 'vitest'
import type { TestCase } from '../../../../src/frontends/p/symbols.ts'
import { accepted, check, expectRefused, main } from './check-program.ts'

const machines = `
event eOne; event eTwo;
interface IServer() receives eOne;
interface IOther() receives eOne;
machine Main sends eOne; { start state S { entry { new Client(); } } }
machine Client sends eTwo; { start state S { entry { f(); } } fun f() { new IServer(); } }
machine Server receives eOne; sends ; { start state S { } }
machine Second receives eOne, eTwo; sends ; { start state S { } }
machine Twin sends eOne; { start state S { } }
machine Needy { start state S { entry (x: int) { } } }
spec SeesOne observes eOne { start state S { ignore eOne; } }
spec SeesTwo observes eTwo { start state S { ignore eTwo; } }
`

function summary({ name, main: begin, machines: all, creates, monitors }: TestCase): unknown {
  return {
    name,
    main: begin.name,
    machines: all.map((machine) => machine.name),
    creates: [...creates].flatMap(([machine, made]) =>
      [...made].map(([by, is]) => `${machine.name}: ${by} is ${is.name}`),
    ),
    monitors: monitors.map(
      ({ monitor, over }) => `${monitor.name} over ${[...over].map((machine) => machine.name).join()}`,
    ),
  }
}

describe('modules', () => {
  test('bindings, links and monitors of a test', () => {
    const { tests } = accepted(`${machines}
      module clients = { Main, Client };
      module whole = union clients, { Second -> IServer };
      test tcBoth [main=Main]: assert SeesOne in (union (assert SeesTwo in clients), { Server -> IServer });
      test tcSecond [main=Main]: whole;
      implementation impl: main Main in hidei IServer in whole;`)
    expect(tests.map(summary)).toEqual([
      {
        name: 'tcBoth',
        main: 'Main',
        machines: ['Main', 'Client', 'Server'],
        creates: ['Main: Client is Client', 'Client: IServer is Server'],
        monitors: ['SeesTwo over Main,Client', 'SeesOne over Main,Client,Server'],
      },
      {
        name: 'tcSecond',
        main: 'Main',
        machines: ['Main', 'Client', 'Second'],
        creates: ['Main: Client is Client', 'Client: IServer is Second'],
        monitors: [],
      },
      {
        name: 'impl',
        main: 'Main',
        machines: ['Main', 'Client', 'Second'],
        creates: ['Main: Client is Client', 'Client: IServer is Second'],
        monitors: [],
      },
    ])
  })

  test('a renamed interface is created under its old name', () => {
    const { tests } = accepted(
      `${machines} test t [main=Main]: rename IServer to IOther in { Main, Client, Server -> IServer };`,
    )
    expect(tests.map(summary)).toMatchObject([{ creates: ['Main: Client is Client', 'Client: IServer is Server'] }])
  })

  test('events that stay inside can be hidden', () => {
    const inside = `event eGo; event eIn;
      machine Main receives eGo; sends eGo; { start state S { entry { new A(); } } }
      machine A receives eIn; sends eIn; { start state S { } }`
    accepted(`${inside} test t [main=Main]: hidee eIn in { Main, A };`)
    expectRefused('E720', `${inside} test t [main=Main]: hidee @eGo in { Main, A };`)
    expectRefused('E720', `${inside} test t [main=Main]: hidee @halt in { Main, A };`)
  })

  test.each([
    ['something is created that is not bound', 'test @t [main=Main]: { Main, Client };'],
    ['an interface is bound twice', 'test t [main=Main]: { Main, Client, Server -> IServer, @Second -> IServer };'],
    [
      'a machine does not receive what its interface promises',
      'test t [main=Main]: { Main, Client, Server -> IServer, Server -> @Second };',
    ],
    [
      'a machine needs a payload that its interface does not have',
      'test t [main=Main]: { Main, Client, Needy -> @IServer };',
    ],
    ['modules bind the same', 'test t [main=Main]: @union { Main, Client }, { Client, Server -> IServer };'],
    [
      'modules assert the same',
      'test t [main=Main]: @union (assert SeesOne in { Main }), (assert SeesOne in { Twin });',
    ],
    [
      'a monitor is asserted twice',
      'test t [main=Main]: assert @SeesOne in assert SeesOne in { Main, Client, Server -> IServer };',
    ],
    ['a monitor observes what is not sent', 'module m = assert @SeesTwo in { Main };'],
    ['composed modules send the same', 'module m = @compose { Main }, { Twin };'],
    ['a module contains itself', 'module m = union { Main }, n; module n = @m;'],
    ['renamed to what is used', 'module m = rename IServer to @Client in { Main, Client };'],
    ['renamed from what is not used', 'module m = rename IOther to @IServer in { Main };'],
    ['renamed to other events', 'module m = rename IServer to @Second in { Client };'],
    ['a hidden interface is not bound', 'module m = hidei @IServer in { Client };'],
  ])('%s', (_, declaration) => {
    const { problems } = check([machines + declaration.replace('@', '')])
    expect(problems.map(({ code, at }) => `${code} ${at.start - machines.length}`)).toContain(
      `E720 ${declaration.indexOf('@')}`,
    )
  })

  test('a composition of modules that have nothing in common', () => {
    accepted(
      `event e; machine Main sends ; { start state S { } } machine A sends e; { start state S { } } test t [main=Main]: compose { Main }, { A };`,
    )
  })

  test('a machine under two names that creates two different machines by one name is refused', () => {
    const text = `event e; interface I() receives e; interface J() receives e; interface K() receives e;
      machine Main { start state S { entry { new A(); new K(); new J(); } } }
      machine A receives e; { start state S { entry { new I(); } } }
      machine B receives e; { start state S { } } machine C receives e; { start state S { } }
      test @t [main=Main]: union { Main, C -> I, A }, (rename I to J in { B -> I, A -> K });`
    expectRefused('E720', text)
  })
})

describe('tests', () => {
  test.each([
    [
      'the first machine is not in the module',
      `${machines} test t [main=@Server]: { Main, Client, Second -> IServer };`,
    ],
    ['the first machine needs a payload', `${machines} test t [main=@Needy]: { Needy };`],
    ['refinement', `${main('')} test t [main=Main]: { Main } refines @{ Main };`],
    ['nothing to check', 'machine @Other { start state S { } }'],
    ['an implementation from nowhere', 'machine Other { start state S { } } implementation @i: { Other };'],
    ['Main needs a payload', 'machine @Main { start state S { entry (x: int) { } } }'],
  ])('%s', (_, refused) => {
    expectRefused('E721', refused)
  })

  test('no declaration at all', () => {
    expect(check(['']).problems.map(({ code }) => code)).toEqual(['E721'])
  })

  test('a program without tests begins with Main, and monitors are attached when asked for', () => {
    const text = `event e; spec M observes e { start state S { ignore e; } } machine A { start state S { } } ${main('new A();')}`
    expect(accepted(text).tests.map(summary)).toEqual([
      { name: 'DefaultImpl', main: 'Main', machines: ['A', 'Main'], creates: ['Main: A is A'], monitors: [] },
    ])
    const attached = check([text], { allMonitors: true }).checked?.tests ?? []
    expect(attached.map(summary)).toMatchObject([{ monitors: ['M over A,Main'] }])
  })
})

describe('parameters of tests', () => {
  const declared = `param n, k: int; param fair: bool; ${main('')}`
  const names = (test: string): readonly string[] =>
    accepted(`${declared} test ${test}: { Main };`).tests.map(({ name }) => name)

  test('all combinations, the first parameter fastest', () => {
    expect(names('param (n in [-1, 2], fair in [true, false]) tc [main=Main]')).toEqual([
      'tc___n_neg1__fair_true',
      'tc___n_2__fair_true',
      'tc___n_neg1__fair_false',
      'tc___n_2__fair_false',
    ])
  })

  test('those that the assumption allows', () => {
    expect(
      names('param (n in [1, 2, 3], k in [1, 2, 3]) assume (n + k == 4 && !(n > 2) && k * 2 != 5) tc [main=Main]'),
    ).toEqual(['tc___n_2__k_2', 'tc___n_1__k_3'])
    expect(names('param (fair in [true, false], n in [4, -7]) assume (fair ==> n / 2 == -3) tc [main=Main]')).toEqual([
      'tc___fair_false__n_4',
      'tc___fair_true__n_neg7',
      'tc___fair_false__n_neg7',
    ])
  })

  test('pairs of values are covered by fewer combinations', () => {
    const chosen = accepted(
      `${declared} test param (n in [1, 2, 3], k in [1, 2, 3], fair in [true, false]) pairwise tc [main=Main]: { Main };`,
    ).tests
    expect(chosen.length).toBeLessThan(18)
    const pair = ({ params }: TestCase, ...two: readonly string[]): string =>
      two.map((name) => `${name}=${params.get(name)}`).join()
    const pairs = chosen.flatMap((one) => [pair(one, 'n', 'k'), pair(one, 'n', 'fair'), pair(one, 'k', 'fair')])
    expect(new Set(pairs).size).toBe(9 + 6 + 6)
  })

  test('one parameter at a time', () => {
    expect(names('param (n in [1, 2], k in [3, 4]) (1 wise) tc [main=Main]')).toEqual([
      'tc___n_1__k_3',
      'tc___n_2__k_4',
    ])
  })

  test('parameters that a test does not name are 0 and false', () => {
    const [first] = accepted(`${declared} test param (k in [5]) tc [main=Main]: { Main };`).tests
    expect(first?.params).toEqual(
      new Map<string, number | boolean>([
        ['n', 0],
        ['k', 5],
        ['fair', false],
      ]),
    )
  })

  test.each([
    ['value of another type', 'param (n in [@true]) tc [main=Main]'],
    ['values of two types', 'param (fair in [true, @1]) tc [main=Main]'],
    ['value twice', 'param (n in [1, 2, @1]) tc [main=Main]'],
    ['too large', 'param (n in [@2147483648]) tc [main=Main]'],
    ['more at a time than there are', 'param (n in [1, 2]) pairwise @tc [main=Main]'],
    ['none at a time', 'param (n in [1, 2]) (0 wise) @tc [main=Main]'],
    ['assumption that is a number', 'param (n in [1]) assume (@n) tc [main=Main]'],
    ['assumption that chooses', 'param (n in [1]) assume (@$) tc [main=Main]'],
    ['assumption that divides by zero', 'param (n in [0]) assume (@1 / n == 1) tc [main=Main]'],
    ['assumption that never holds', 'param (n in [1]) assume (@n > 1) tc [main=Main]'],
  ])('%s', (_, refused) => {
    expectRefused('E722', `${declared} test ${refused}: { Main };`)
  })

  test('of other types', () => {
    expectRefused('E722', `param s: @string; ${main('')}`)
  })

  test('too many combinations', () => {
    const values = Array.from({ length: 300 }, (_, value) => value).join()
    expectRefused('E722', `${declared} test param (n in [${values}], k in [${values}]) @tc [main=Main]: { Main };`)
  })
})
