/** Quorum trees and specifications that are used wrongly: each is a mistake at its line, and none makes a protocol right. */
import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { vacuityIn } from '../../../../src/core/verdict.ts'
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
  ['an operation that is not called', () => announcing(() => tree.add), 'E205', /operation paxos.add itself/],
  ['a specification in the place of a call', () => announcing(() => tree), 'E205', /"paxos" itself/],
  [
    'two calls as one',
    () => announcing(() => (anything.add as (...calls: object[]) => unknown)(right, right)),
    'E107',
    /paxos.add\(.*\) takes no further argument/,
  ],
  ['an item below the root', () => announcing(() => tree.add({ ...right, round: [-1, 1] })), 'E107', /item 1 is -1/],
  ['a round without items', () => announcing(() => tree.add({ ...right, round: [] })), 'E107', /is an empty list/],
  [
    'lists of two lengths in one call',
    () => announcing(() => tree.add({ ...right, round: [2, 1], parent: [1, 1, 1] })),
    'E107',
    /which have no order/,
  ],
  [
    'lists of two lengths in one tree',
    () =>
      declared((announced) => {
        announced(tree.add({ ...right, round: [1, 1] }) as never)
        announced(tree.add({ ...right, round: 5 }) as never)
      }),
    'E107',
    /round 5 and of round \(1, 1\), which have no order/,
  ],
  [
    'a specification that is named twice',
    () => declared(() => {}, { properties: [refines(tree), refines(tree)] }),
    'E222',
    /"paxos" is named twice/,
  ],
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
    'a call of a specification that no property names',
    () => announcing(() => lock.take({})),
    'E107',
    /no property asks about specification "lock": refines\(…\) names "paxos"/,
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

test('an operation that there is not is a mistake, with the right name beside it', async () => {
  const told = (message: string, hint: string) => ({ ok: false, diagnostics: [{ code: 'E107', message, hint }] })
  const missing = announcing(() => (anything.propose as () => unknown)())
  expect(await checkResult(missing)).toMatchObject(
    told(
      'specification "paxos" has no operation "propose", in machine "ann"',
      'operations: add, commit, decided, vote',
    ),
  )
  const misspelt = system('misspelt', { faults: {} }, () => ({
    machines: {
      ann: machine<{ n: number }>('node', {
        state: () => ({ n: 0 }),
        requests: { act: (_state, _: undefined, context) => (context as never as { chose(): never }).chose() },
      }).as(),
    },
    requests: { ann: [['act', undefined]] },
  }))
  expect(await checkResult(misspelt)).toMatchObject(
    told('the context of a handler has no field "chose", in machine "ann"', 'did you mean "choose"?'),
  )
})

test('a specification that is awaited, printed or searched is as any object', async () => {
  expect(await Promise.resolve(tree)).toBe(tree)
  expect(JSON.stringify(tree)).toBe('{}')
  expect(inspect(tree)).toContain('add: [Function')
  expect([`${Object.keys(tree)}`, 'chose' in tree, tree instanceof Object]).toEqual([
    'add,commit,decided,vote',
    false,
    true,
  ])
  expect((tree as never as { readonly decided: unknown; readonly somethingElse: unknown }).somethingElse).toBe(
    undefined,
  )
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

test('fields of what a liar says that no handler reads, and those that handlers read and it never says, are noted at its line', async () => {
  type Message = { readonly kind: 'val'; readonly value: string; readonly hint?: string }
  const hearer = machine<{ got: string[] }, Message>('hearer', {
    state: () => ({ got: [] }),
    on: {
      val(state, { value, hint = '' }) {
        state.got = [...state.got, value, hint]
      },
    },
  })
  const lying = (...says: readonly object[]) =>
    system('lying', { faults: {} }, () => ({
      machines: { ann: hearer.as(), bob: byzantine(hearer, { says: says as never }) },
    }))
  const notes = async (...says: readonly object[]) => {
    const result = await checkResult(lying(...says))
    if (!result.ok) throw new Error(JSON.stringify(result.diagnostics))
    return vacuityIn(result.value)
  }
  const of = 'of messages "val" of Byzantine machine "bob"'
  const place = { file: expect.stringContaining('wrong-use.test.ts') }
  expect(await notes({ kind: 'val', value: 'x', hint: 'y' })).toEqual([])
  expect(await notes({ kind: 'val', vlue: 'x', hint: 'y' }, { kind: 'val', vlue: 'z' })).toMatchObject([
    { code: 'field-never-there', subject: `field "value" ${of}`, place },
    { code: 'field-never-read', subject: `field "vlue" ${of}`, place },
  ])
  // One of two has the field, as a field that may be left out.
  expect(await notes({ kind: 'val', value: 'x', hint: 'y' }, { kind: 'val', value: 'z' })).toEqual([])
})

test('a call of an operation that there is not, by hand, is noted: it may be an event for monitors', async () => {
  expect(JSON.stringify(await checkResult(announcing(() => ({ kind: 'paxos.propose', round: 1 }))))).toContain(
    '"code":"call-not-asked-about","subject":"paxos.propose"',
  )
})
