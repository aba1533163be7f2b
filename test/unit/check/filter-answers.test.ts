/** What filters and conditions answer that are asked for a yes or no: what would always be true is no answer. */
import { describe, expect, test } from 'vitest'
import {
  announce,
  assert,
  type CheckOptions,
  checkResult,
  conflict,
  eventually,
  type Invariant,
  invariant,
  machine,
  monitor,
  type Program,
  poll,
  program,
  receive,
  self,
  send,
  spawn,
  system,
} from '../../../src/index.ts'
import { found } from '../model/services/checked.ts'

type Filter = (message: number) => boolean

function taking(operation: 'receive' | 'poll', filter: (message: number) => unknown): Program {
  return program('taking', function* () {
    const own = yield* self<number>()
    yield* spawn('sender', function* () {
      for (const value of [1, 2]) yield* send(own, value)
    })
    const got = operation === 'receive' ? yield* receive(filter as Filter) : yield* poll(filter as Filter)
    yield* assert(got === 2 || (operation === 'poll' && got === undefined), `got ${got}`)
  })
}

const refused: readonly (readonly [words: string, filter: (message: number) => unknown])[] = [
  ['a promise', async (message) => message === 2],
  ['a promise', async () => Promise.reject(new Error('not to be heard'))],
  // biome-ignore lint/suspicious/noThenProperty: it is like a promise
  ['a promise', () => ({ then: () => undefined })],
  ['an object', (message) => ({ is: message === 2 })],
  ['a list', () => []],
  ['a function', (message) => () => message === 2],
  [
    'a generator',
    function* (message) {
      yield message === 2
    },
  ],
  ['Symbol(2)', () => Symbol('2')],
]

describe.each(['receive', 'poll'] as const)('the filter of a %s', (operation) => {
  test.each(refused)('that returns %s is refused at its line', async (words, filter) => {
    expect(await checkResult(taking(operation, filter))).toMatchObject({
      ok: false,
      diagnostics: [
        {
          code: 'E214',
          message: `a filter returned ${words} in a ${operation} of process "main", for 1`,
          place: { file: expect.stringContaining('filter-answers.test.ts') },
        },
      ],
    })
  })

  test.each([
    ['a number', (message: number) => message - 1],
    ['a text', (message: number) => (message === 2 ? 'yes' : '')],
    ['nothing', (message: number) => (message === 2 ? 2n : undefined)],
  ])('that returns %s counts as it does in JavaScript', async (_, filter) => {
    expect(await checkResult(taking(operation, filter))).toMatchObject({ ok: true, value: { kind: 'verified' } })
  })
})

test('of several receives of an async process the one is named whose filter has no answer', async () => {
  const { verdict, told, line } = await found(`  const main = await self()
  await spawn('sender', async () => { await send(main, 1) })
  await Promise.race([
    receive((message) => message === 2),
    receive(async (message) => message === 1),
  ])`)
  expect({ verdict, line, told }).toEqual({
    verdict: 'E214',
    line: 8,
    told: 'a filter returned a promise in a receive of process "main", for 1',
  })
})

test('the function of a scan is refused where it is given', async () => {
  const { verdict, told, line } =
    await found(`  const db = await database({ isolation: 'snapshot', tables: { seats: { rows: { a: { n: 1 } } } } })
  await db.transaction(async (tx) => {
    await tx.scan('seats', async (row) => row.n === 2)
  })`)
  expect({ verdict, line, told }).toEqual({
    verdict: 'E214',
    line: 6,
    told: 'the function of scan() returned a promise, in process "main"',
  })
})

interface Open {
  readonly open: number
}

const parts = {
  state: () => ({ open: 0 }),
  on: { asked: () => ({ open: 1 }) },
  hot: (state: Open) => state.open === 1,
}

test.each([
  ['"state"', { ...parts, state: async () => ({ open: 1 }) }],
  ['"asked" in "on"', { ...parts, on: { asked: async () => ({ open: 1 }) } }],
  ['"hot"', { ...parts, hot: async (state: Open) => state.open === 1 }],
])('%s of a monitor with a state cannot be async', async (part, given) => {
  const watch = monitor('watch', given as unknown as typeof parts)
  const asking = program('asking', { properties: [watch] }, function* () {
    yield* announce({ kind: 'asked' })
  })
  expect(await checkResult(asking)).toMatchObject({
    ok: false,
    diagnostics: [{ code: 'E214', message: `${part} of monitor "watch" returned a promise` }],
  })
})

interface Count {
  count: number
}

function counting(invariants: readonly Invariant[], liveness: ReturnType<typeof eventually>[] = []): Program {
  const counter = () =>
    machine('counter', {
      state: (): Count => ({ count: 0 }),
      requests: {
        go(state) {
          state.count++
        },
      },
    })
  return system('counting', () => ({
    machines: { a: counter().as(), b: counter().as() },
    requests: { a: [['go']], b: [['go']] },
    invariants,
    liveness,
  })) as Program
}

const later = (async () => Promise.reject(new Error('not to be heard'))) as unknown as () => boolean

const conditions: readonly (readonly [told: string, program: Program, options: CheckOptions])[] = [
  ['invariant "same" returned a promise', counting([invariant('same', later)]), { engine: 'stateful' }],
  ['invariant "same" returned a promise', counting([invariant('same', later)]), { engine: 'local' }],
  [
    '"conflict" of "same" returned a promise',
    counting([conflict<Count, number>('same', { each: ({ count }) => count, conflict: later })]),
    { engine: 'stateful' },
  ],
  [
    '"each" of "same" returned a promise',
    counting([conflict<Count, number>('same', { each: later as unknown as () => number })]),
    { engine: 'stateful' },
  ],
  ['eventually "same" returned a promise', counting([], [eventually('same', later)]), { engine: 'stateful' }],
]

test.each(conditions)('%s', async (told, system, options) => {
  const result = await checkResult(system, options)
  expect(result).toMatchObject({ ok: false, diagnostics: [{ code: 'E227', message: told }] })
})
