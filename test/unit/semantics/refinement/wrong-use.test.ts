/** Quorum trees and specifications that are used wrongly: each is a mistake at its line, and none makes a protocol right. */
import { describe, expect, test } from 'vitest'
import {
  announce,
  byzantine,
  checkResult,
  invariant,
  machine,
  program,
  qtree,
  refines,
  refuse,
  spawn,
  specification,
  system,
} from '../../../../src/index.ts'

const tree = qtree('paxos')
const namesake = qtree('paxos')
const lock = specification('lock', {
  state: { isHeld: false },
  operations: { take: ({ isHeld }: { isHeld: boolean }) => (isHeld ? refuse('it is held') : { isHeld: true }) },
})

type Act = (announced: (event: never) => void) => void

function acting(act: Act) {
  return machine<object>('node', {
    state: () => ({}),
    requests: { act: (_state, _: undefined, context) => act(context.announce as never) },
  })
}

function declared(act: Act, more: object = {}) {
  return system('declared', { faults: {} }, () => ({
    machines: { ann: acting(act).as() },
    requests: { ann: [['act', undefined]] },
    properties: [refines(tree)],
    ...more,
  }))
}

const announcing = (made: () => unknown) => declared((announced) => announced(made() as never))
const anything = tree as unknown as Record<string, (call: object) => unknown>
const right = { round: 1, value: 'a', parent: 0 }

const mistakes: readonly (readonly [what: string, program: () => object, code: string, message: RegExp])[] = [
  ['a field that there is not', () => announcing(() => anything.add?.({ ...right, rnd: 1 })), 'E107', /no part "rnd"/],
  ['a field that is missing', () => announcing(() => anything.add?.({ round: 1, parent: 0 })), 'E107', /needs a value/],
  ['a wrong field, by hand', () => announcing(() => ({ kind: 'paxos.add', rnd: 1 })), 'E107', /no part "rnd"/],
  ['a round below the root', () => announcing(() => tree.add({ ...right, round: -1 })), 'E107', /"round" .* is -1/],
  ['the root itself', () => announcing(() => tree.commit({ round: 0 })), 'E107', /"round" .* is 0/],
  ['a list of calls', () => announcing(() => [tree.add(right)]), 'E107', /a list of calls is announced/],
  [
    'a call of the namesake',
    () => announcing(() => namesake.add(right)),
    'E107',
    /two specifications are named "paxos"/,
  ],
  [
    'two of a name',
    () => declared(() => {}, { properties: [refines(tree), refines(namesake)] }),
    'E222',
    /two specifications/,
  ],
  [
    'a handler that announces as processes do',
    () => declared(() => announce(tree.add(right))),
    'E225',
    /"ann" calls announce\(…\), which is for processes/,
  ],
  [
    'an invariant that announces',
    () => declared(() => {}, { invariants: [invariant('quiet', () => announce(tree.add(right)) !== undefined)] }),
    'E227',
    /announce\(…\) does nothing in invariant quiet/,
  ],
]

describe('is a mistake, and the line is told', () => {
  test.each(mistakes)('%s', async (_, program, code, message) => {
    const result = await checkResult(program() as never, { engine: 'stateful' })
    expect(result).toMatchObject({ ok: false, diagnostics: [{ code, message: expect.stringMatching(message) }] })
    expect(JSON.stringify(result)).toContain('wrong-use.test.ts')
  })
})

type Parts = Parameters<typeof specification<{ items: object[] }, { put: () => undefined }>>[1]

/** Whatever its operation does, it is called twice with the same item. */
function putting(parts: object) {
  const items = specification('items', { state: { items: [] }, ...parts } as unknown as Parts)
  const put = items.put as unknown as (call: object) => never
  return declared(() => {}, {
    machines: { ann: acting((announced) => announced(put({ item: { id: 1 } }))).as() },
    requests: {
      ann: [
        ['act', undefined],
        ['act', undefined],
      ],
    },
    properties: [refines(items)],
  })
}

type State = { items: { id: number }[] }
type Call = { readonly item: { readonly id: number } }
const kept = (state: State, { item }: Call) => ({ items: [...state.items, item] })

test.each([
  ['an operation is async', { operations: { put: async () => {} } }, /^"put" returns a promise/],
  ['an operation is a generator', { operations: { *put() {} } }, /^"put" returns a generator/],
  [
    '"instance" is async',
    { operations: { put: kept }, instance: async (): Promise<number> => 1 },
    /^"instance" returns a promise/,
  ],
  [
    '"instance" names nothing',
    { operations: { put: kept }, instance: (): undefined => undefined },
    /^"instance" returns undefined/,
  ],
  [
    'an operation compares identities',
    {
      operations: {
        put: (state: State, call: Call) =>
          state.items.includes(call.item) ? refuse('it is there') : kept(state, call),
      },
    },
    /^"put" asks whether parts of its state and of the call are one object/,
  ],
  [
    'an operation that changes the state in place compares identities',
    {
      operations: {
        put({ items }: State, { item }: Call) {
          if (!items.some((one) => one === item)) items.push(item)
        },
      },
    },
    /^"put" asks whether parts of its state and of the call are one object/,
  ],
] as const)('%s: a mistake in the specification', async (_, parts, message) => {
  for (const engine of ['stateful', 'dpor', 'exhaustive'])
    expect(await checkResult(putting(parts), { engine }), engine).toMatchObject({
      ok: false,
      diagnostics: [{ code: 'E227', message: expect.stringMatching(message) }],
    })
})

test('identities within a state may be compared: each part of it is one object', async () => {
  const first = {
    operations: {
      put(state: State, { item }: Call) {
        const found = state.items.find(({ id }) => id === item.id)
        return { items: [...state.items.filter((one) => one !== found), item, { id: item.id }] }
      },
    },
  }
  expect(await checkResult(putting(first), { engine: 'stateful' })).toMatchObject({ value: { kind: 'verified' } })
})

test('a specification is nothing that a process is given', async () => {
  const given = (...rest: readonly unknown[]) =>
    program('given', function* () {
      yield* (spawn as (...all: readonly unknown[]) => ReturnType<typeof spawn>)('other', ...rest)
    })
  for (const rest of [[lock], [function* () {}, lock]])
    expect(await checkResult(given(...rest))).toMatchObject({
      diagnostics: [{ code: 'E212', message: expect.stringContaining('is given specification "lock"') }],
    })
})

test('what is no specification cannot be refined', () => {
  expect(() => refines('paxos' as never)).toThrow('E107: refines(…) is given "paxos", and not a specification')
})

test('an operation that there is not fails where it is called', async () => {
  const result = await checkResult(announcing(() => (anything.propose as (call: object) => unknown)(right)))
  expect(result).toMatchObject({
    ok: true,
    value: { kind: 'violated', evidence: [{ violation: { kind: 'exception' } }] },
  })
})

test('votes of one round ask for one quorum', async () => {
  const voter = machine<object>('voter', {
    state: () => ({}),
    requests: {
      vote: (_, quorum: number, { self, announce: tell }) =>
        tell(tree.vote({ phase: 'add', ...right, by: self, quorum })),
    },
  })
  const differing = system('differing', { faults: {} }, () => ({
    machines: { ann: voter.as(), bob: voter.as() },
    requests: { ann: [['vote', 2]], bob: [['vote', 3]] },
    properties: [refines(tree)],
  }))
  for (const engine of ['stateful', 'dpor'])
    expect(await checkResult(differing, { engine }), engine).toMatchObject({
      ok: false,
      diagnostics: [
        { code: 'E107', message: expect.stringMatching(/with a quorum of \d, and of another one with \d/) },
      ],
    })
})

test('a liar says what machines take', async () => {
  const hearer = machine<object, { readonly kind: 'hello' }>('hearer', { state: () => ({}), on: { hello() {} } })
  const lying = system('lying', { faults: {} }, () => ({
    machines: { ann: hearer.as(), bob: byzantine(hearer, { says: [{ kind: 'helo' } as never] }) },
  }))
  expect(await checkResult(lying)).toMatchObject({
    diagnostics: [{ code: 'E236', message: expect.stringContaining('"helo", which no machine takes') }],
  })
})

test.each([
  ['of a specification that no property names', () => lock.take({}), 'lock.take'],
  ['of an operation that there is not, by hand', () => ({ kind: 'paxos.propose', round: 1 }), 'paxos.propose'],
  ['of a name that is nearly right, by hand', () => ({ ...right, kind: 'paxo.add' }), 'paxo.add'],
] as const)('a call %s is noted, as events of other names are for whoever observes them', async (_, call, subject) => {
  expect(JSON.stringify(await checkResult(announcing(call)))).toContain(
    `"code":"call-not-asked-about","subject":"${subject}"`,
  )
})
