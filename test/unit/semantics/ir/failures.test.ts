/** Every way to go wrong: its kind, who, in which words, and at which place. */
import { describe, expect, test } from 'vitest'
import type { IrType } from '../../../../src/ir/ir.ts'
import {
  added,
  any,
  assert,
  binary,
  bool,
  cast,
  changed,
  choose,
  create,
  decimal,
  does,
  type Expression,
  element,
  flag,
  format,
  initial,
  int,
  loop,
  mapOf,
  nothing,
  number,
  program,
  raise,
  receive,
  removed,
  type Statement,
  self,
  send,
  seqOf,
  set,
  setOf,
  takes,
  text,
  the,
  unary,
  words,
} from './build.ts'
import { type Asked, messages, statesOf } from './explore.ts'

function inEntry(...body: readonly Statement[]) {
  const locals = { x: any, n: int }
  return program({
    events: ['E'],
    machines: { Main: { sends: ['halt'], states: { S: { entry: { locals, body } } } }, Other: { states: { S: {} } } },
  })
}

const evaluated = (value: Expression): Statement => set('x', value)
const threeNumbers = changed(
  'inserted',
  changed('inserted', initial(seqOf(int)), number(0), number(7)),
  number(1),
  number(8),
)
const oneEntry = changed('inserted', initial(mapOf(int, int)), number(1), number(2))
const large = number(Number.MAX_SAFE_INTEGER)

/** For ever, from a first value on. */
function repeated(statement: Statement, first: Expression): Statement {
  return (body) => {
    set('x', first)(body)
    loop(flag(true), [statement])(body)
  }
}

const failures: readonly (readonly [message: string, statement: Statement, asked?: Asked])[] = [
  ['assertion: x is 1', assert(flag(false), format(['x is ', ''], number(1)))],
  ['exception: Main: unhandled event E in state S', raise('E')],
  ['exception: Main: null target: something is sent to null', send(nothing, 'E')],
  ['exception: Main: null event: null is sent to Main', send(self, nothing)],
  ['exception: Main: null event: null is no event', raise(nothing)],
  ['exception: Main: send not permitted: E to Main', send(self, 'E')],
  ['exception: Main: index out of range: index 2 of 2 elements', evaluated(element(threeNumbers, number(2)))],
  [
    'exception: Main: index out of range: index -1 of 2 elements',
    evaluated(changed('withElement', threeNumbers, number(-1), number(0))),
  ],
  [
    'exception: Main: index out of range: index 3 of 2 elements',
    evaluated(changed('inserted', threeNumbers, number(3), number(0))),
  ],
  ['exception: Main: index out of range: index 2 of 2 elements', evaluated(removed(threeNumbers, number(2)))],
  ['exception: Main: missing key: the map has no key 3', evaluated(element(oneEntry, number(3)))],
  [
    'exception: Main: duplicate key: the map has the key 1',
    evaluated(changed('inserted', oneEntry, number(1), number(0))),
  ],
  ['exception: Main: null element: null is put into a set', evaluated(added(initial(setOf(any)), nothing))],
  ['exception: Main: bad cast: null is not of type int', evaluated(cast(nothing, int))],
  ['exception: Main: bad cast: 1 is not of type float', evaluated(cast(number(1), { kind: 'float' }))],
  ['exception: Main: bad cast: 1.0 is not of type int', evaluated(cast(decimal(1), int))],
  ['exception: Main: bad cast: [7, 8] is not of type seq[bool]', evaluated(cast(threeNumbers, seqOf(bool)))],
  ['exception: Main: empty choice: the collection has no element', choose('x', 'element', initial(seqOf(int)))],
  ['exception: Main: empty choice: no number from 0 on is below -1', choose('x', 'below', number(-1))],
  ['exception: Main: too many choices: 10001 of at most 10000', choose('x', 'below', number(10_001))],
  ['exception: Main: division by zero: 4 by 0', evaluated(binary('divide', number(4), number(0)))],
  ['exception: Main: division by zero: 4 by 0', evaluated(binary('remainder', number(4), number(0)))],
  ['exception: Main: integer overflow: the result is beyond ±(2^53 − 1)', evaluated(binary('add', large, number(1)))],
  ['exception: Main: integer overflow: the result is beyond ±(2^53 − 1)', evaluated(binary('multiply', large, large))],
  [
    'exception: Main: value too large: it has more than 1,048,576 letters and items',
    repeated(set('x', binary('concat', the('x', text), the('x', text))), words('x')),
  ],
  [
    'exception: Main: value too large: it has more than 1,048,576 letters and items',
    repeated(set('x', format(['', '', ''], the('x', text), the('x', text))), words('x')),
  ],
  [
    'exception: Main: value too large: it has more than 1,048,576 letters and items',
    repeated(set('x', changed('inserted', the('x', seqOf(any)), number(0), the('x'))), threeNumbers),
  ],
  [
    'exception: Main: value too large: it is nested more than 500 deep',
    repeated(set('x', changed('inserted', initial(seqOf(any)), number(0), the('x'))), threeNumbers),
  ],
  ['exception: Main: endless handler: Main.S.entry comes back to where it was', loop(flag(true), []), { blocks: 50 }],
  [
    'exception: Main: endless handler: Main.S.entry comes back to where it was',
    loop(flag(true), [set('n', binary('remainder', binary('add', the('n', int), number(1)), number(1000)))]),
    { blocks: 50 },
  ],
]

describe.each(['sender-queue', 'mailbox'] as const)('under %s', (network) => {
  test.each(failures.map(([message, statement, asked = {}]) => [message, statement, asked] as const))(
    '%s',
    (message, statement, asked) => {
      const found = statesOf(inEntry(statement), { network, ...asked })
      expect(messages(found)).toEqual([message])
      expect(found.violations[0]).toMatchObject({ process: 'Main', place: { file: 'test.p' } })
    },
  )
})

test('what is not wrong goes through', () => {
  const fine: readonly Statement[] = [
    evaluated(removed(oneEntry, number(5))),
    evaluated(removed(initial(setOf(int)), number(5))),
    evaluated(changed('withElement', oneEntry, number(5), number(5))),
    evaluated(cast(nothing, { kind: 'machine', receives: undefined })),
    evaluated(cast(oneEntry, mapOf(int, int))),
    evaluated(binary('divideFloat', decimal(1), decimal(0))),
    choose('x', 'below', number(0)),
    assert(binary('equal', the('x'), number(0)), 'nothing below 0 is 0'),
    choose('x', 'element', initial(seqOf(int) as IrType)),
  ]
  expect(messages(statesOf(inEntry(...fine.slice(0, -1))))).toEqual([])
  expect(messages(statesOf(inEntry(...fine)))).toHaveLength(1)
})

test.each([
  ['divide', -7, 2, -3],
  ['divide', 7, -2, -3],
  ['remainder', -7, 2, -1],
  ['remainder', 7, -2, 1],
  ['divide', Number.MAX_SAFE_INTEGER, 3, 3_002_399_751_580_330],
] as const)('%s %d by %d is %d', (operator, left, right, expected) => {
  const result = binary(operator, number(left), number(right))
  expect(messages(statesOf(inEntry(assert(binary('equal', result, number(expected))))))).toEqual([])
})

test('there is one zero', () => {
  const zeros = [
    unary('negate', number(0)),
    binary('divide', number(-1), number(2)),
    binary('remainder', number(-4), number(2)),
  ]
  const shown = zeros.map((zero) => assert(binary('equal', format(['', ''], zero), words('0')), 'it prints as 0'))
  const same = zeros.map((zero) =>
    assert(binary('in', zero, added(initial(setOf(int)), number(0))), 'it is in the set of 0'),
  )
  expect(messages(statesOf(inEntry(...shown, ...same)))).toEqual([])
})

describe('permissions', () => {
  const sending = (to: Expression): Statement => send(to, 'E')
  const between = (receives: readonly string[] | undefined, target: Expression) =>
    program({
      events: ['E', 'F'],
      machines: {
        Main: {
          states: { S: { entry: { locals: { t: any }, body: [create('T', undefined, 't'), sending(target)] } } },
        },
        T: { ...(receives === undefined ? {} : { receives }), states: { S: { on: { 'E F': 'ignore' } } } },
      },
    })

  test('a target takes what it says that it receives', () => {
    expect(messages(statesOf(between(['E'], the('t'))))).toEqual([])
    expect(messages(statesOf(between(['F'], the('t'))))).toEqual(['exception: Main: send not permitted: E to T'])
  })

  test('a reference permits what its type says', () => {
    const asType = (receives: readonly number[]): Expression => the('t', { kind: 'machine', receives })
    expect(messages(statesOf(between(undefined, asType([1]))))).toEqual([])
    expect(messages(statesOf(between(undefined, asType([2]))))).toEqual(['exception: Main: send not permitted: E to T'])
  })
})

describe('a machine that waits for ever in the middle of a handler', () => {
  const ir = program({
    events: ['A', 'B', 'C'],
    machines: {
      Main: { states: { S: { entry: does(send(self, 'C', number(3)), receive({ 'A B': [] })) } } },
    },
  })

  test.each(['sender-queue', 'mailbox', 'fifo', 'bag', 'causal'] as const)('is a deadlock under %s', (network) => {
    const { violations } = statesOf(ir, { network })
    expect(violations).toMatchObject([
      {
        kind: 'deadlock',
        message: 'Main waits for A or B in state S',
        waiting: [{ process: 'Main', forWhat: 'A or B', inbox: ['C(3)'] }],
      },
    ])
  })

  test('is none if somebody could go on after the bound', () => {
    expect(statesOf(ir, { bounds: { maxSteps: 1 } }).violations).toEqual([])
  })
})

test('a machine that waits with deferred events only is none', () => {
  const ir = program({
    events: ['A'],
    machines: { Main: { states: { S: { entry: does(send(self, 'A')), on: { A: 'defer' } } } } },
  })
  expect(statesOf(ir).violations).toEqual([])
})

describe('monitors', () => {
  const watching = (on: Parameters<typeof program>[0]['monitors']) =>
    program({
      events: ['E', 'F'],
      machines: { Main: { states: { S: { entry: does(send(self, 'E', number(1))), on: { E: does() } } } } },
      ...(on === undefined ? {} : { monitors: on }),
    })

  test('an observed event that is neither handled nor ignored', () => {
    const found = statesOf(watching({ Watch: { observes: ['E'], states: { S: {} } } }))
    expect(messages(found)).toEqual(['monitor: Watch: unhandled event E in state S'])
    expect(found.violations[0]).toMatchObject({ process: 'Watch', property: 'Watch', isUnhandled: true })
  })

  test('an assertion before the first machine begins', () => {
    const ir = watching({ Watch: { states: { S: { entry: does(assert(flag(false), 'too early')) } } } })
    expect(messages(statesOf(ir))).toEqual(['monitor: too early'])
  })

  test('raise and goto go on before the send does', () => {
    const states = {
      S: { on: { E: takes('x', raise('F', the('x'))), F: { goto: 'T' } } },
      T: { entry: takes('x', assert(binary('equal', the('x'), number(2)), 'the payload came along')) },
    }
    expect(messages(statesOf(watching({ Watch: { observes: ['E'], states } })))).toEqual([
      'monitor: the payload came along',
    ])
  })

  test('what is not observed is not told', () => {
    expect(messages(statesOf(watching({ Watch: { observes: ['F'], states: { S: {} } } })))).toEqual([])
  })

  test('a scenario may be hot at the end, and fails like a monitor', () => {
    const seen = (...on: readonly ReturnType<typeof assert>[]) => {
      const states = { S: { temperature: 'hot', entry: does(), on: { E: does(...on) } } } as const
      return messages(statesOf(watching({ Seen: { kind: 'scenario', observes: ['E'], states } })))
    }
    expect(seen()).toEqual([])
    expect(seen(assert(flag(false), 'wrong'))).toEqual(['monitor: wrong'])
    const unhandled = watching({ Seen: { kind: 'scenario', observes: ['E'], states: { S: {} } } })
    expect(messages(statesOf(unhandled))).toEqual(['monitor: Seen: unhandled event E in state S'])
  })
})

test('a message that a program makes is cut', () => {
  const [message = ''] = messages(statesOf(inEntry(assert(flag(false), words('x'.repeat(100_000))))))
  expect(message).toBe(`assertion: ${'x'.repeat(10_000)}… (90000 more characters)`)
})

test('a handler that is nowhere twice is endless if it takes too long', () => {
  const counting = (most: number) =>
    inEntry(loop(binary('less', the('n', int), number(most)), [set('n', binary('add', the('n', int), number(1)))]))
  expect(messages(statesOf(counting(1000), { blocks: 50 }))).toEqual([])
  expect(messages(statesOf(counting(1_000_000), { blocks: 50 }))).toEqual([
    'exception: Main: endless handler: Main.S.entry goes on after 5,000 blocks of code',
  ])
})
