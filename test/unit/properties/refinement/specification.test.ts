/** Specifications that steps are announced to: what they say, and what is wrong with them. */
import {
  type AbstractCall,
  announce,
  checkResult,
  machine,
  program,
  qtree,
  refines,
  refuse,
  spawn,
  specification,
  system,
} from 'allways'
import { describe, expect, test } from 'vitest'

const lock = specification('lock', {
  state: { holder: '' },
  operations: {
    take(state: { holder: string }, { by }: { readonly by: string }) {
      return state.holder === '' ? { holder: by } : refuse(`${state.holder} holds it`)
    },
    free(state: { holder: string }, { by }: { readonly by: string }) {
      return state.holder === by ? { holder: '' } : refuse(`${by} does not hold it`)
    },
  },
})

function calling(object: Parameters<typeof refines>[0], ...lists: readonly (readonly (() => never)[])[]) {
  return program('calls', { properties: [refines(object)] }, function* () {
    for (const [at, list] of lists.entries())
      yield* spawn(`p${at}`, function* () {
        for (const call of list) yield* announce(call())
      })
  })
}

const call = (made: unknown): (() => never) => (() => made) as () => never

test.each(['dpor', 'exhaustive', 'random'] as const)('%s: a call that is refused is a violation', async (engine) => {
  const both = ['ann', 'bob'].map((by) => [call(lock.take({ by })), call(lock.free({ by }))])
  const found = await checkResult(calling(lock, ...both), { engine })
  expect(found).toMatchObject({
    value: {
      kind: 'violated',
      evidence: [{ violation: { kind: 'refinement', property: 'lock', message: expect.stringMatching(/holds it/) } }],
    },
  })
})

test('calls of one process come in its order, and are allowed', async () => {
  const one = ['ann', 'bob'].flatMap((by) => [call(lock.take({ by })), call(lock.free({ by }))])
  expect(await checkResult(calling(lock, one), { engine: 'dpor' })).toMatchObject({ value: { kind: 'verified' } })
})

test('instances are apart, and what is idempotent may be repeated', async () => {
  const slots = specification('slots', {
    state: { value: '' },
    operations: {
      fill: (state: { value: string }, { value }: { readonly slot: number; readonly value: string }) =>
        state.value === '' ? { value } : refuse(`it holds ${state.value}`),
    },
    idempotent: ['fill'],
    instance: ({ slot }) => slot,
  })
  const [a, b, other] = [
    slots.fill({ slot: 1, value: 'a' }),
    slots.fill({ slot: 2, value: 'b' }),
    slots.fill({ slot: 1, value: 'b' }),
  ].map(call) as [() => never, () => never, () => never]
  const right = await checkResult(calling(slots, [a, b, a], [b]), { engine: 'dpor' })
  expect(right).toMatchObject({ value: { kind: 'verified' } })
  const wrong = await checkResult(calling(slots, [a], [other]), { engine: 'dpor' })
  expect(wrong).toMatchObject({ value: { kind: 'violated' } })
})

test('"conflicts" and "needs" that say something else than the operations are noticed', async () => {
  const parts = {
    state: { count: 0 },
    operations: { act: (state: { count: number }) => (state.count === 1 ? refuse('once') : { count: 1 }) },
  }
  const silent = specification('act', { ...parts, conflicts: () => undefined, needs: () => undefined })
  const loud = specification('act', { ...parts, conflicts: () => undefined, needs: () => 'a reason' })
  for (const object of [silent, loud])
    expect(
      await checkResult(calling(object, [call(object.act()), call(object.act())]), { engine: 'dpor' }),
    ).toMatchObject({
      ok: false,
      diagnostics: [{ code: 'E227' }],
    })
})

test('an operation that throws is a mistake, with its place', async () => {
  const broken = specification('broken', {
    state: 0,
    operations: {
      act(): number {
        throw new Error('oh')
      },
    },
  })
  const found = await checkResult(calling(broken, [call(broken.act())]), { engine: 'dpor' })
  expect(found).toMatchObject({ ok: false, diagnostics: [{ code: 'E227', message: expect.stringMatching(/oh/) }] })
})

test('a hint about what is missing says what it is', () => {
  expect(() => specification('a', { operations: { go: () => 0 } } as never)).toThrow(
    expect.objectContaining({
      diagnostic: expect.objectContaining({
        message: 'the parts of specification "a" lack "state"',
        hint: 'it must be plain data, the state before the first call, or a function that makes it',
      }),
    }),
  )
  const slot = expect.objectContaining({ hint: 'it must be plain data' })
  expect(() => qtree('t', { slots: true }).decided({ round: 1 })).toThrow(expect.objectContaining({ diagnostic: slot }))
})

test.each<[string, () => unknown, RegExp]>([
  ['a name with a dot', () => specification('a.b', { state: 0, operations: {} }), /cannot be named/],
  ['no operations', () => specification('a', { state: 0, operations: {} }), /no operations/],
  ['a misspelt part', () => specification('a', { stat: 0, operations: {} } as never), /no part "stat"/],
  ['no reason', () => refuse(''), /needs a reason/],
  ['no specification', () => refines(undefined as never), /not a specification/],
  ['the root as a round', () => qtree('t').add({ round: 0, value: 1, parent: 0 }), /"round"/],
  ['a text as a round', () => qtree('t').commit({ round: 'one' as never }), /"round"/],
  ['no parent', () => qtree('t').add({ round: 1, value: 1 } as never), /lack "parent"/],
  ['a misspelt option', () => qtree('t', { decre: 'log' } as never), /no option "decre"/],
  ['no slot', () => qtree('t', { slots: true }).decided({ round: 1 }), /lack "slot"/],
  ['a function as a value', () => qtree('t').add({ round: 1, value: (() => 1) as never, parent: 0 }), /no value/],
])('%s is refused where it stands', (_, declare, message) => {
  expect(declare).toThrow(message)
})

const held = specification('held', {
  state: { held: false },
  operations: {
    take: (state: { held: boolean }) => (state.held ? refuse('it is held') : { held: true }),
    give: () => ({ held: false }),
    look: (state: { held: boolean }) => (state.held ? refuse('somebody holds it') : state),
  },
})

const timed = (name: string, calls: readonly AbstractCall[], start: readonly AbstractCall[] = []) =>
  machine<object, { readonly kind: 'x' }>(name, {
    state: () => ({}),
    start(_, context) {
      for (const one of start) context.announce(one as never)
      context.setTimer('t', { milliseconds: 1 })
    },
    timers: {
      t(_, context) {
        for (const one of calls) context.announce(one as never)
      },
    },
  }).as()

test.each(['dpor', 'stateful', 'exhaustive'] as const)(
  '%s: nothing comes between calls of a handler',
  async (engine) => {
    const both = () => ({
      machines: { b: timed('b', [held.look()]), c: timed('c', [held.take(), held.give()]) },
      properties: [refines(held)],
    })
    expect(await checkResult(system('atomic', { faults: {} }, both), { engine })).toMatchObject({
      value: { kind: 'verified' },
    })
  },
)

test.each(['dpor', 'stateful', 'exhaustive'] as const)('%s: a machine announces when it starts', async (engine) => {
  const alone = () => ({
    machines: { b: timed('b', [held.take()], [held.look()]) },
    properties: [refines(held)],
  })
  expect(await checkResult(system('starts', { faults: {} }, alone), { engine })).toMatchObject({
    value: { kind: 'verified' },
  })
})

test.each(['dpor', 'stateful', 'exhaustive'] as const)(
  '%s: calls of a machine and of one that it creates take effect together',
  async (engine) => {
    const creating = (calls: readonly AbstractCall[], created: readonly AbstractCall[]) => {
      const child = timed('child', [], created)
      return machine<object, { readonly kind: 'x' }>('creator', {
        state: () => ({}),
        requests: {
          go(_, __: undefined, context) {
            context.create('child', child)
            for (const one of calls) context.announce(one as never)
          },
        },
      }).as()
    }
    const whole = (calls: readonly AbstractCall[], created: readonly AbstractCall[]) =>
      system('creating', { faults: {} }, () => ({
        machines: { a: creating(calls, created), b: timed('b', [held.look()]) },
        requests: { a: [['go', undefined]] },
        properties: [refines(held)],
      }))
    expect(await checkResult(whole([held.take()], [held.give()]), { engine })).toMatchObject({
      value: { kind: 'verified' },
    })
    expect(await checkResult(whole([held.give()], [held.take()]), { engine })).toMatchObject({
      value: { kind: 'violated' },
    })
  },
)

/** By machine: what it announces when it starts, and later. */
type Starts = { readonly [machine: string]: readonly [start: readonly AbstractCall[], later: readonly AbstractCall[]] }

const starting = (starts: Starts, more: object = {}) =>
  system('starts', { faults: {} }, () => ({
    machines: Object.fromEntries(
      Object.entries(starts).map(([name, [start, later]]) => [name, timed(name, later, start)]),
    ),
    properties: [refines(held)],
    ...more,
  }))

describe.each(['dpor', 'stateful', 'exhaustive'] as const)(
  '%s: several machines announce when they start',
  (engine) => {
    test('all of them start before anything else', async () => {
      const late = starting({ a: [[], [held.take()]], b: [[held.look()], []] })
      expect(await checkResult(late, { engine })).toMatchObject({ value: { kind: 'verified' } })
      const early = starting({ a: [[], [held.look()]], b: [[held.take()], []] })
      expect(await checkResult(early, { engine })).toMatchObject({
        value: { kind: 'violated', evidence: [{ violation: { calls: [{ words: 'take' }, { words: 'look' }] } }] },
      })
    })

    test('an order that is refused can happen', async () => {
      for (const order of ['ab', 'ba']) {
        const calls = { a: [[held.take()], []], b: [[held.look()], []] } as const
        const one = starting(Object.fromEntries([...order].map((name) => [name, calls[name as 'a' | 'b']])))
        expect(await checkResult(one, { engine })).toMatchObject({
          value: { kind: 'violated', evidence: [{ violation: { message: 'look: somebody holds it' } }] },
        })
      }
    })

    test('orders that leave different states are refused', async () => {
      const differing = starting({ a: [[held.take(), held.give()], []], b: [[held.give(), held.take()], []] })
      expect(await checkResult(differing, { engine })).toMatchObject({
        value: { kind: 'violated' },
      })
      const given = starting({ a: [[held.give(), held.take(), held.give()], []], b: [[held.give()], []] })
      expect(await checkResult(given, { engine })).toMatchObject({ value: { kind: 'verified' } })
      const last = starting({ a: [[held.give()], []], b: [[held.give(), held.take()], []] })
      expect(await checkResult(last, { engine })).toMatchObject({
        diagnostics: [
          { code: 'E222', message: expect.stringContaining('lead to different states in different orders') },
        ],
      })
    })
  },
)

const ordered = {
  state: { list: [] as string[] },
  operations: {
    a: (state: { list: string[] }) => (state.list.includes('b') ? refuse('a after b') : { list: [...state.list, 'a'] }),
    b: (state: { list: string[] }) => ({ list: [...state.list, 'b'] }),
  },
}

test.each<[string, () => { a(): unknown; b(): unknown } & Parameters<typeof refines>[0]]>([
  ['calls that are said to commute', () => specification('ab', { ...ordered, commutes: () => true })],
  [
    'calls that are said not to conflict',
    () => specification('ab', { ...ordered, conflicts: () => undefined, needs: () => undefined }),
  ],
  [
    'a condition that throws',
    () =>
      specification('ab', {
        ...ordered,
        commutes: () => {
          throw new Error('oh')
        },
      }),
  ],
  [
    'a refusal that is not returned',
    () =>
      specification('ab', {
        ...ordered,
        operations: {
          a(_state: { list: string[] }) {
            refuse('lost')
          },
          b: ordered.operations.b,
        },
      }),
  ],
  [
    'a state of another sort',
    () => specification('ab', { ...ordered, operations: { ...ordered.operations, a: (() => false) as never } }),
  ],
])('%s is noticed', async (_, made) => {
  const object = made()
  const found = await checkResult(calling(object, [call(object.a())], [call(object.b())]), { engine: 'dpor' })
  expect(found).toMatchObject({ ok: false, diagnostics: [{ code: 'E227' }] })
})

test('a round has a value, or is open', () => {
  const tree = qtree('t')
  expect(() => tree.add({ round: 1, parent: 0 })).toThrow(/needs a value/)
  expect(() => tree.add({ round: 1, value: 'a', open: true, parent: 0 })).toThrow(/not both/)
  expect(() => specification('one', { ...ordered, conflicts: () => undefined })).toThrow(/without the other/)
})

test('votes of one round that ask for different quorums are refused where they are told', async () => {
  const tree = qtree('votes')
  const vote = (by: string, quorum: number) => tree.vote({ phase: 'add', round: 1, value: 'a', parent: 0, by, quorum })
  const voting = program('votes', { properties: [refines(tree)] }, function* () {
    yield* announce(vote('ann', 2))
    yield* announce(vote('bob', 3))
  })
  const message = expect.stringContaining('with a quorum of 3, and of another one with 2')
  for (const engine of ['dpor', 'exhaustive'] as const)
    expect(await checkResult(voting, { engine })).toMatchObject({ ok: false, diagnostics: [{ code: 'E107', message }] })
})

test.each([
  [
    'asks a clock',
    () => Date.now() as never,
    'E209',
    /, in "write" of specification "register"$/,
    /as a field of the call/,
  ],
] as const)('an operation that %s is told as one of a specification', async (_, write, code, message, hint) => {
  const register = specification('register', { state: {}, operations: { write } })
  const result = await checkResult(calling(register, [() => (register.write as () => never)()]))
  expect(result).toMatchObject({
    ok: false,
    diagnostics: [{ code, message: expect.stringMatching(message), hint: expect.stringMatching(hint) }],
  })
})

test('state and instance have hints of their own', async () => {
  const write = () => {}
  const state = () => {
    throw new Error('no')
  }
  expect(() => specification('register', { state, operations: { write } })).toThrow(
    /"state" of specification "register" threw/,
  )
  const register = specification('register', { state: {}, operations: { write }, instance: (() => write) as never })
  expect(await checkResult(calling(register, [() => register.write() as never]))).toMatchObject({
    ok: false,
    diagnostics: [
      { message: '"instance" returns what is not a value: it is a function (write), in specification "register"' },
    ],
  })
})
