import { conflict, invariant, machine, type NetworkName, type Program, system } from 'allways'
import { describe, expect, test } from 'vitest'
import { guardDeterminism } from '../../../src/check/guard.ts'
import { DiagnosticError } from '../../../src/core/diagnostic.ts'
import { settingFrom } from '../../../src/core/setting.ts'
import { mistakeBehind, mistakenViolation } from '../../../src/semantics/machines/mistakes.ts'

const node = machine<{ n: number }, { kind: 'x' }>('node', {
  state: () => ({ n: 0 }),
  requests: { go: (state) => void state.n++ },
})

/** The diagnostic of a declaration, which shows when it is made or when its views are. */
function mistakeOf(declare: () => Program | unknown, network: NetworkName = 'bag'): string {
  try {
    const made = declare() as Program
    made.views.machines?.(settingFrom({ params: made.params, network }))
  } catch (error) {
    if (error instanceof DiagnosticError) return `${error.diagnostic.code} ${error.diagnostic.message}`
    throw error
  }
  return 'none'
}

const parts = (given: object) => machine('node', given as never)
const made = (given: object) => system('s', () => given as never)

describe('mistakes in machines', () => {
  test.each([
    ['no name', () => machine('', { state: () => ({}) }), 'E221 a machine needs a name'],
    ['no state', () => parts({}), 'E221 the parts of machine "node" lack "state"'],
    ['a wrong part', () => parts({ state: () => 0, timer: {} }), 'E221 machine "node" has no part "timer"'],
    [
      'no handler',
      () => parts({ state: () => 0, on: { x: 1 } }),
      'E221 "x" in "on" of machine "node" is not a function',
    ],
    [
      'no handlers',
      () => parts({ state: () => 0, on: 1 }),
      'E221 "on" of machine "node" is 1, but it must be an object',
    ],
    [
      'durable',
      () => parts({ state: () => 0, durable: 'n' }),
      'E221 "durable" of machine "node" is "n", but it must be a list of texts',
    ],
    [
      'a durable field that the state does not have',
      () => made({ machines: { a: parts({ state: () => ({ term: 0 }), durable: ['trem'] }).as() } }),
      'E221 "durable" of machine "a" names "trem", which its state does not have at the beginning',
    ],
    [
      'a durable field of a state without fields',
      () => made({ machines: { a: parts({ state: () => [], durable: ['length'] }).as() } }),
      'E221 "durable" of machine "a" names "length", which its state does not have at the beginning',
    ],
    [
      'no durable field that has no value yet',
      () => made({ machines: { a: parts({ state: () => ({ vote: undefined }), durable: ['vote'] }).as() } }),
      'none',
    ],
    [
      'start',
      () => parts({ state: () => 0, start: 1 }),
      'E221 "start" of machine "node" is 1, but it must be a function',
    ],
    [
      'arguments that are no value',
      () => node.as({ f: () => 1 } as never),
      'E221 the arguments of machine "node" are not a value: args.f is a function (f)',
    ],
    [
      'a state that is no value',
      () => made({ machines: { a: parts({ state: () => ({ f: () => 1 }) }).as() } }),
      'E224 the state of machine "a" is not a value: state.f is a function (f)',
    ],
    [
      'a beginning that fails',
      () => {
        const state = () => {
          throw new Error('no')
        }
        return made({ machines: { a: parts({ state }).as() } })
      },
      'E221 machine "a" fails at the beginning: Error: no',
    ],
    [
      'a choice at the beginning',
      () =>
        made({
          machines: { a: machine('m', { state: () => ({}), start: (_, { choose }) => void choose([1, 2]) }).as() },
        }),
      'E221 machine "a" chooses at the beginning, where there is one state to begin with',
    ],
  ])('%s', (_, declare, message) => {
    expect(mistakeOf(declare)).toBe(message)
  })
})

describe('mistakes in systems', () => {
  const machines = { a: node.as(), b: node.as() }

  test.each([
    ['no name', () => system('', () => ({ machines })), 'E222 a system needs a name'],
    [
      'nothing in it',
      () => system('s', {}, undefined as never),
      'E222 system "s" has no function that says what it consists of',
    ],
    [
      'an option',
      () => system('s', { crash: 1 } as never, () => ({ machines })),
      'E222 system "s" has no option "crash"',
    ],
    [
      'faults as they were once told',
      () => system('s', { crashes: 1 } as never, () => ({ machines })),
      'E222 system "s" has no option "crashes"',
    ],
    [
      'a budget of faults',
      () => system('s', { faults: { losses: 'some' as never } }, () => ({ machines })),
      'E217 system "s": "losses" must be a whole number from 0 or "any", and is "some"',
    ],
    [
      'a network',
      () => system('s', { network: 'tcp' as never }, () => ({ machines })),
      'E109 system "s" cannot have the network "tcp"',
    ],
    ['no machines', () => made({ machines: {} }), 'E222 system "s" has no machines'],
    ['no machine', () => made({ machines: { a: node } }), 'E222 "a" of system "s" is not a machine'],
    ['a name', () => made({ machines: { 'a/b': node.as() } }), 'E213 a machine cannot be named "a/b", in system "s"'],
    ['main', () => made({ machines: { main: node.as() } }), 'E213 a machine cannot be named "main", in system "s"'],
    [
      'a name that objects cannot hold',
      () => made({ machines: { ['__proto__']: node.as(), b: node.as() } }),
      'E213 a machine cannot be named "__proto__", in system "s"',
    ],
    [
      'requests for nobody',
      () => made({ machines, requests: { c: [] } }),
      'E222 requests are for "c", which is not a machine of the system',
    ],
    [
      'an unknown request',
      () => made({ machines, requests: { a: [['come']] } }),
      'E222 machine "a" has no request "come"',
    ],
    [
      'a request that is a name alone',
      () => made({ machines, requests: { a: ['go'] } }),
      'E222 a request of "a" is not a name with its argument',
    ],
    [
      'a request with two arguments',
      () => made({ machines, requests: { a: [['go', 1, 2]] } }),
      'E222 a request of "a" is not a name with its argument',
    ],
    ['a misspelt part', () => made({ machines, invariant: [] }), 'E222 system "s" has no part "invariant"'],
    [
      'an async function',
      () => system('s', (async () => ({ machines })) as never),
      'E222 the function of system "s" is async',
    ],
    [
      'a function that throws',
      () =>
        system('s', () => {
          throw new RangeError('no')
        }),
      'E222 the function that says what system "s" consists of threw RangeError: no',
    ],
    [
      'a request with a function',
      () => made({ machines, requests: { a: [['go', () => 1]] } }),
      'E222 the argument of request "go" of "a" is not a value: argument is a function',
    ],
    [
      'a function as invariant',
      () => made({ machines, invariants: [() => true] }),
      'E222 system "s" has an invariant that invariant(…) or conflict(…) did not make',
    ],
    [
      'two invariants of one name',
      () => made({ machines, invariants: [invariant('i', () => true), conflict('i', { each: () => 1 })] }),
      'E222 system "s" has two invariants "i"',
    ],
    [
      'an invariant without function',
      () => invariant('i', 1 as never),
      'E222 invariant "i" has no function to ask, but 1',
    ],
    ['a conflict without facts', () => conflict('i', {} as never), 'E222 the parts of conflict "i" lack "each"'],
  ])('%s', (_, declare, message) => {
    expect(mistakeOf(declare)).toBe(message)
  })

  test('a network that the setting asks for and systems do not have', () => {
    expect(mistakeOf(() => made({ machines }), 'tcp' as never)).toBe('E109 system "s" cannot have the network "tcp"')
  })
})

describe('conflict', () => {
  const facts = (values: readonly (number | undefined)[], clash?: (left: number, right: number) => boolean) => {
    const one = conflict<{ n: number | undefined }, number>('c', {
      each: ({ n }) => n,
      ...(clash === undefined ? {} : { conflict: clash }),
    })
    const program = system('s', () => ({
      machines: Object.fromEntries(values.map((n, at) => [`m${at}`, machine('m', { state: () => ({ n }) }).as()])),
      invariants: [one],
    }))
    const machines = program.views.machines?.(settingFrom({ params: {}, network: 'bag' }))
    return machines?.invariants[0]?.violation(machines.start.states)?.message
  }

  test('compares facts of different machines, and those alone', () => {
    expect(facts([1, 2])).toBe('m0 says 1, m1 says 2')
    expect(facts([1, 1, undefined])).toBeUndefined()
    expect(facts([undefined, 3, undefined, 4])).toBe('m1 says 3, m3 says 4')
  })

  test('holds in whichever order two machines were declared', () => {
    expect(facts([2, 1], (left, right) => left < right)).toBe('m0 says 2, m1 says 1')
  })

  test.each([
    ['a promise', () => conflict('c', { each: () => 1, conflict: (() => Promise.resolve(true)) as never }), 'E227'],
    ['a fact that is no value', () => conflict('c', { each: (() => () => 1) as never }), 'E227'],
  ])('takes no %s for an answer', (_, declare, code) => {
    const program = system('s', () => ({ machines: { a: node.as(), b: node.as() }, invariants: [declare()] }))
    const machines = program.views.machines?.(settingFrom({ params: {}, network: 'bag' }))
    const violation = machines?.invariants[0]?.violation(machines.start.states)
    expect(violation && mistakeBehind(violation)?.code).toBe(code)
  })
})

test.each([
  ['invariant', () => invariant('punctual', () => Date.now() > 0)],
  ['conflict', () => conflict('punctual', { each: () => Date.now() })],
])('an %s that reads the clock is named', (_, declare) => {
  const program = system('s', () => ({ machines: { a: node.as(), b: node.as() }, invariants: [declare()] }))
  const machines = program.views.machines?.(settingFrom({ params: {}, network: 'bag' }))
  const release = guardDeterminism()
  const violation = machines?.invariants[0]?.violation(machines.start.states)
  release()
  expect(violation && mistakeBehind(violation)).toMatchObject({
    code: 'E209',
    message: 'Date.now() was called, in invariant "punctual"',
    hint: 'an invariant may depend on the states it is given, and on nothing else',
  })
})

test('what processes and machines do wrong alike is told in words of machines', () => {
  const told = (code: 'E202' | 'E209' | 'E205', message: string) => {
    const diagnostic = mistakeBehind(mistakenViolation('exception', { code, message, hint: 'as for processes' }, 'a'))
    return [diagnostic?.message, diagnostic?.hint]
  }
  expect(told('E202', 'process "a" went on')).toEqual([
    'machine "a" went on',
    'a handler runs to its end: what comes later is a message or a timer',
  ])
  expect(told('E209', 'Math.random() was called')[1]).toBe(
    'let context.choose([…]) pick the value: every option is explored',
  )
  expect(told('E209', 'Date.now() was called')[1]).toContain('context.setTimer')
  expect(told('E205', 'message.f is a function')).toEqual(['message.f is a function', 'as for processes'])
})
