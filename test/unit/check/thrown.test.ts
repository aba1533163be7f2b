/** Exceptions of user predicates are findings: with a counterexample that the judge has replayed, whatever engine meets them. */
import assert from 'node:assert/strict'
import { describe, expect, test } from 'vitest'
import { thrownBy } from '../../../src/core/thrown.ts'
import {
  type Address,
  announce,
  checkResult,
  final,
  invariant,
  liveness,
  machine,
  monitor,
  type Notification,
  type Outcome,
  type PropertyDeclaration,
  poll,
  program,
  type Receive,
  receive,
  self,
  send,
  spawn,
  system,
} from '../../../src/index.ts'

function* sender(to: Address<number>, value: number) {
  yield* send(to, value)
}

/** Two messages race; main returns them in the order in which they came. */
function racing(property: PropertyDeclaration) {
  return program('racing', { properties: [property] }, function* () {
    const own = yield* self<number>()
    for (const value of [1, 2]) yield* spawn(`sender ${value}`, sender, own, value)
    const received = [yield* receive<number>(), yield* receive<number>()]
    yield* announce({ kind: 'received', received })
    return received
  })
}

const firstOf = ({ returned }: Outcome) => (returned.get('main') as readonly number[])[0]

const byAssert = final('in order', ({ returned }) => {
  assert.deepEqual(returned.get('main'), [1, 2])
  return true
})
const byExpect = final('first', (outcome) => {
  expect(firstOf(outcome)).toBe(1)
  return true
})
const byMistake = final('typo', (outcome) => firstOf(outcome) === 1 || (undefined as unknown as { x: boolean }).x)
const byMonitor = monitor('watch', { observes: ['received'] }, function* () {
  const { message } = yield* receive<{ readonly message: { readonly received: readonly number[] } }>()
  assert.equal(message.received[0], 1)
})

const isRacing = (notification: Notification, kind: 'send' | 'receive') => {
  assert.notEqual(notification.kind === kind && notification.message, 2)
  return false
}
function* idle() {
  yield* receive()
}
const bySendFilter = monitor('watch', { observes: (one) => isRacing(one, 'send') }, idle)
const byReceiveFilter = monitor('watch', { observes: (one) => isRacing(one, 'receive') }, idle)
const byTypo = monitor('watch', { observes: ({ message }) => (message as { a: { b: boolean } }).a.b }, idle)

describe.each(['dpor', 'exhaustive', 'random', 'pct', 'stateful'])('under %s', (engine) => {
  test.each<readonly [string, PropertyDeclaration, string, RegExp]>([
    ['node:assert, with the difference', byAssert, 'final', /\+ {3}2,\n\+ {3}1\n- {3}1,\n- {3}2/],
    ['expect', byExpect, 'final', /expected 2 to be 1.*\n\+ actual: {3}2\n- expected: 1/],
    ['a TypeError', byMistake, 'final', /^exception in final "typo": TypeError: Cannot read properties of undefined/],
    ['an assertion in the filter of a monitor, about a send', bySendFilter, 'monitor', /strictly unequal/],
    ['an assertion in the filter of a monitor, about a receive', byReceiveFilter, 'monitor', /strictly unequal/],
    ['a filter with a typo', byTypo, 'monitor', /^exception in the filter of monitor "watch": TypeError/],
    ['an assertion of a monitor', byMonitor, 'monitor', /strictly equal:\n\n2 !== 1/],
  ])('%s', async (_, property, kind, message) => {
    const result = await checkResult(racing(property), { engine })
    const [found] = result.ok ? result.value.evidence : []
    expect(found).toMatchObject({
      kind: 'execution',
      violation: { kind, message: expect.stringMatching(message), stack: expect.stringContaining('thrown.test.ts') },
    })
  })
})

/** Of processes: whether the message on which it throws comes first depends on the execution. */
const refusing = (message: number) => {
  assert.notEqual(message, 2)
  return message === 1
}
const mistaken = (message: number) => message === 1 || (undefined as unknown as { x: boolean }).x

describe.each(['dpor', 'exhaustive', 'random', 'pct', 'stateful'])('filters of processes under %s', (engine) => {
  test.each<readonly [string, () => Receive<number, number | undefined>, string, RegExp]>([
    ['an assertion in that of a receive', () => receive(refusing), 'assertion', /strictly unequal/],
    ['an assertion in that of a poll', () => poll(refusing), 'assertion', /strictly unequal/],
    ['a typo', () => receive(mistaken), 'exception', /^exception in the filter of a receive: TypeError: Cannot read/],
  ])('%s', async (_, waiting, kind, message) => {
    const subject = program('filtering', function* () {
      const own = yield* self<number>()
      for (const value of [1, 2]) yield* spawn(`sender ${value}`, sender, own, value)
      yield* waiting()
    })
    const result = await checkResult(subject, { engine })
    expect(result).toMatchObject({
      value: {
        kind: 'violated',
        evidence: [
          {
            kind: 'execution',
            violation: {
              kind,
              process: 'main',
              message: expect.stringMatching(message),
              stack: expect.stringContaining('thrown.test.ts'),
            },
          },
        ],
      },
    })
  })
})

const counter = machine('counter', {
  state: () => ({ count: 0 }),
  requests: {
    add(state: { count: number }) {
      state.count++
    },
  },
})

/** The invariant is asked about a state in which somebody has counted to two. */
function counting(holds: (count: number) => boolean) {
  const bounded = invariant<{ readonly count: number }>('bounded', ({ one }) => holds(one?.count ?? 0))
  return system('counting', () => ({
    machines: { one: counter.as() },
    requests: { one: [['add'], ['add']] },
    invariants: [bounded],
  }))
}

test.each(['local', 'stateful', 'dpor', 'exhaustive'])(
  'invariants that throw are violated under %s',
  async (engine) => {
    const failing = counting((count) => {
      assert.notEqual(count, 2)
      return true
    })
    const mistaken = counting((count) => count < 2 || (null as unknown as { x: boolean }).x)
    const expected = (message: string) => ({
      ok: true,
      value: {
        kind: 'violated',
        evidence: [
          { violation: { kind: 'invariant', property: 'bounded', message: expect.stringContaining(message) } },
        ],
      },
    })
    expect(await checkResult(failing, { engine })).toMatchObject(expected('strictly unequal'))
    expect(await checkResult(mistaken, { engine })).toMatchObject(
      expected('exception in invariant "bounded": TypeError'),
    )
  },
)

test('liveness that throws is violated, with the execution that leads there', async () => {
  const live = liveness<{ readonly count: number }>('again', ({ one }) => {
    assert.notEqual(one?.count, 2)
    return true
  })
  const counted = system('counting', () => ({
    machines: { one: counter.as() },
    requests: { one: [['add'], ['add']] },
    liveness: [live],
  }))
  const result = await checkResult(counted, { engine: 'stateful' })
  expect(result).toMatchObject({
    value: {
      kind: 'violated',
      evidence: [
        {
          kind: 'execution',
          violation: {
            kind: 'liveness',
            property: 'again',
            message: expect.stringContaining('strictly unequal'),
            stack: expect.stringContaining('thrown.test.ts'),
          },
        },
      ],
    },
  })
})

test('a filter of a monitor that answers with a promise is refused', async () => {
  const observes = (async () => true) as unknown as () => boolean
  const result = await checkResult(racing(monitor('watch', { observes }, idle)))
  expect(result).toMatchObject({
    diagnostics: [{ code: 'E214', message: expect.stringContaining('returned a promise') }],
  })
})

test('anything can be thrown', () => {
  const hostile = Object.defineProperty(new Error('x'), 'message', {
    get: () => {
      throw new Error('again')
    },
  })
  const circular: { self?: unknown } = {}
  circular.self = circular
  expect(
    [Object.create(null), 1n, Symbol('s'), circular, 'text', null, undefined, -0, { code: 1 }].map(
      (one) => thrownBy(one).message,
    ),
  ).toEqual([
    '{}',
    '1n',
    'Symbol(s)',
    'an object: a thing of type object',
    '"text"',
    'null',
    'undefined',
    '-0',
    '{code: 1}',
  ])
  expect([hostile, 5, class Odd {}, new Date(0), () => 5].map((one) => thrownBy(one).sentence)).toEqual([
    'Error: ',
    'threw 5',
    'threw a class',
    'threw an instance of Date: "1970-01-01T00:00:00.000Z"',
    'threw a function',
  ])
})
