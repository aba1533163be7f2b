/** What never happened in what was explored is told with the verdict, and changes it only if that is asked for. */
import assertStrictly from 'node:assert'
import { describe, expect, test } from 'vitest'
import {
  assume,
  check,
  checkResult,
  choose,
  conflict,
  eventually,
  final,
  invariant,
  leadsTo,
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
import { cut, oneIn } from '../../amount.ts'

async function vacuityOf(checked: Program, engine: string): Promise<unknown> {
  const result = await checkResult(checked, { engine })
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics))
  if (result.value.kind === 'violated') throw new Error(JSON.stringify(result.value.evidence))
  return ('vacuity' in result.value && result.value.vacuity) || []
}

const empty = program(
  'empty',
  {
    properties: [
      final('asked', () => true),
      monitor('watch', { observes: ['other'] }, function* () {
        yield* receive()
      }),
    ],
  },
  function* () {
    const own = yield* self<{ readonly kind: string }>()
    yield* spawn('idle', { daemon: true }, function* () {
      yield* receive('never')
    })
    yield* send(own, { kind: 'lost' })
    yield* choose([1])
    yield* assume(false)
  },
)

/** The same, but everything happens in one of its executions at least. */
const full = program(
  'full',
  {
    properties: [
      final('asked', () => true),
      monitor('watch', { observes: ['go'] }, function* () {
        yield* receive()
      }),
    ],
  },
  function* () {
    const idle = yield* spawn('idle', { daemon: true }, function* () {
      yield* receive('go')
    })
    const options = (yield* choose([1, 2])) === 1 ? [1] : [1, 2]
    if ((yield* choose(options)) === 2) yield* send(idle, { kind: 'go' } as never)
  },
)

/** Sends `undefined` to itself, and takes it or not. */
const nothing = (how: 'receive' | 'poll', taken: 0 | 1) =>
  program(`nothing by ${how}`, function* () {
    yield* send(yield* self<undefined>(), undefined)
    if (taken === 1) yield* how === 'receive' ? receive() : poll()
  })

describe.each(oneIn(4, ['dpor', 'exhaustive', 'random', 'pct', 'stateful']))('processes under %s', cut, (engine) => {
  test('what never happens is told', async () => {
    expect(await vacuityOf(empty, engine)).toMatchObject([
      { code: 'property-never-evaluated', subject: 'final "asked"', count: 0 },
      { code: 'monitor-saw-nothing', subject: 'watch' },
      { code: 'process-never-ran', subject: 'idle' },
      { code: 'message-never-received', subject: 'lost' },
      { code: 'choice-of-one', subject: 'main' },
    ])
  })

  test('what happens once is not', async () => {
    expect(await vacuityOf(full, engine)).toEqual([])
  })

  test.each(['receive', 'poll'] as const)(
    'a message that is undefined is received by a %s as any other',
    async (how) => {
      expect(await vacuityOf(nothing(how, 1), engine)).toEqual([])
      expect(await vacuityOf(nothing(how, 0), engine)).toMatchObject([{ code: 'message-never-received' }])
    },
  )
})

const pinged = () => undefined
const node = machine('node', {
  state: () => ({}),
  on: { ping: pinged, pong: () => undefined, '*': () => undefined, alike: pinged },
  timers: { 'retry 0': () => undefined },
  requests: {
    go(_state: object, _argument: unknown, context) {
      context.send('right', { kind: 'ping' })
      context.send('right', { kind: 'pomg' })
      context.send('right', { kind: 'other' })
    },
  },
})
const pair = system('pair', () => ({ machines: { left: node.as(), right: node.as() }, requests: { left: [['go']] } }))

test.each(['local', 'stateful', 'dpor', 'exhaustive'])('handlers that never run under %s', async (engine) => {
  expect(await vacuityOf(pair, engine)).toEqual([
    { code: 'handler-never-run', subject: 'timer "retry 0" of machine "node"', count: 0 },
    {
      code: 'handler-never-run',
      subject: 'handler "pong" of machine "node", whose name is like "pomg", which its handler "*" takes,',
      count: 0,
    },
  ])
})

test.each(['local', 'stateful', 'dpor', 'exhaustive'])('a conflict without facts under %s', async (engine) => {
  const counter = machine('counter', {
    state: () => ({ count: 0 }),
    requests: {
      add(state: { count: number }) {
        state.count++
      },
    },
  })
  const comparing = (least: number) =>
    system('comparing', () => ({
      machines: { a: counter.as(), b: counter.as() },
      requests: { a: [['add']], b: [['add']] },
      invariants: [conflict('same', { each: ({ count }: { count: number }) => (count < least ? undefined : count) })],
    }))
  expect(await vacuityOf(comparing(1), engine)).toEqual([])
  expect(await vacuityOf(comparing(2), engine)).toEqual([
    { code: 'property-never-evaluated', subject: 'conflict "same"', count: 0 },
  ])
})

test('a strict check fails, and says why', async () => {
  await expect(check(full, { strict: true })).resolves.toMatchObject({ kind: 'verified' })
  await expect(check(empty)).resolves.toMatchObject({ kind: 'verified' })
  await expect(check(empty, { strict: true })).rejects.toThrow(/note: monitor "watch" is never told anything/)
})

const bank = machine('bank', {
  state: (): { ledger: number[]; closed?: boolean; at: { [teller: string]: { sum: number } } } => ({
    ledger: [],
    at: { anna: { sum: 0 } },
  }),
  requests: {
    pay(state, amount: number) {
      state.ledger.push(amount)
      if (state.ledger.length === 2) state.closed = true
    },
  },
})
type Books = { readonly [field: string]: never }

function audited(holds: (states: { readonly [machine: string]: Books }) => boolean): Program {
  return system('audited', () => ({
    machines: { head: bank.as(), branch: bank.as() },
    requests: {
      head: [['pay', 1]],
      branch: [
        ['pay', 2],
        ['pay', 3],
      ],
    },
    invariants: [invariant('all is well', holds as never)],
  }))
}

function nothingAt(states: { readonly [machine: string]: Books }, read: (books: any) => unknown): boolean {
  return Object.values(states).every((books) => read(books) === undefined)
}

describe.each(['local', 'stateful', 'dpor', 'exhaustive'])('fields that no state has, under %s', (engine) => {
  const notes = (holds: Parameters<typeof audited>[0]) => vacuityOf(audited(holds), engine)

  test('a misspelt one is told with the name it is like', async () => {
    const subject = 'field "ledgr" of machine "head", whose name is like "ledger", in invariant "all is well"'
    expect(await notes((states) => nothingAt(states, (books) => books.ledgr?.length))).toEqual([
      { code: 'field-never-there', subject, count: 0 },
    ])
  })

  test('one that is like no other is told as well', async () => {
    const subject = 'field "total" of machine "head" in invariant "all is well"'
    expect(await notes((states) => nothingAt(states, (books) => books.total))).toEqual([
      { code: 'field-never-there', subject, count: 0 },
    ])
  })

  test('further within, only what is like another name', async () => {
    const [note] = (await notes((states) => nothingAt(states, ({ at }) => at.anna.sums))) as { subject: string }[]
    expect(note?.subject).toBe('field "sums" of machine "head", whose name is like "sum", in invariant "all is well"')
    expect(await notes((states) => nothingAt(states, ({ at }) => at.bert))).toEqual([])
  })

  test('one that another machine has is not told', async () => {
    expect(await notes(({ branch, head }) => head?.owner === undefined && branch?.closed !== 1)).toEqual([
      { code: 'field-never-there', subject: 'field "owner" of machine "head" in invariant "all is well"', count: 0 },
    ])
    expect(await notes(({ head }) => head?.closed === undefined)).toEqual([])
  })

  test('one that comes later is not told, nor what every object has, nor what printers ask for', async () => {
    expect(await notes((states) => Object.values(states).every(({ closed }) => closed !== 1))).toEqual([])
    expect(
      await notes((states) => Object.values(states).every((books) => 'toString' in books && `${books}` !== '')),
    ).toEqual([])
    expect(await notes((states) => JSON.stringify(states) !== '')).toEqual([])
  })
})

test.each(['eventually', 'leadsTo'] as const)('fields that no state has are told of %s', async (form) => {
  const isDone = ({ head }: { readonly [machine: string]: any }) => head.ledger.length === 1 || head.leger === 1
  const property = form === 'eventually' ? eventually('done', isDone) : leadsTo('done', () => true, isDone)
  const lively = system('lively', () => ({
    machines: { head: bank.as() },
    requests: { head: [['pay', 1]] },
    liveness: [property],
  }))
  expect(await vacuityOf(lively, 'stateful')).toEqual([
    {
      code: 'field-never-there',
      subject: `field "leger" of machine "head", whose name is like "ledger", in ${form} "done"`,
      count: 0,
    },
  ])
})

describe('processes that a final condition asks for', () => {
  const asking = (name: string, condition: Parameters<typeof final>[1]) =>
    program('asking', { properties: [final('same', condition)] }, function* () {
      yield* spawn('ann', function* () {
        return 1
      })
      if ((yield* choose(['alone', 'together'])) === 'together') yield* spawn('ben', function* () {})
      return name
    })

  test.each(['dpor', 'exhaustive'])('one that no execution has is told by %s, with the nearest', async (engine) => {
    const misspelt = asking('misspelt', ({ returned }) => returned.get('anne') === undefined || returned.has('carl'))
    expect(await vacuityOf(misspelt, engine)).toEqual([
      { code: 'process-never-there', subject: 'process "anne", whose name is like "ann", in final "same"', count: 0 },
    ])
  })

  test('one that some execution has is not', async () => {
    const right = asking('right', ({ returned }) => returned.get('ann') === 1 && returned.get('ben') === undefined)
    expect(await vacuityOf(right, 'dpor')).toEqual([])
  })

  test.each(['ann', 'anne'])('a field "%s" of the map is a mistake', async (field) => {
    const wrong = asking(
      'wrong',
      ({ returned }) => (returned as unknown as { readonly [id: string]: number })[field] !== 2,
    )
    expect(await checkResult(wrong)).toMatchObject({
      ok: false,
      diagnostics: [
        {
          code: 'E214',
          message: expect.stringContaining(`reads returned.${field}, and "returned" is a Map`),
          hint: 'write returned.get("ann")',
          place: { file: expect.stringContaining('vacuity.test.ts') },
        },
      ],
    })
  })

  test('what they returned is compared as any map', async () => {
    const compared = asking('main', ({ returned }) => {
      if (returned.has('ben')) return true
      assertStrictly.deepStrictEqual(
        returned,
        new Map<string, unknown>([
          ['ann', 1],
          ['main', 'main'],
        ]),
      )
      expect(returned).toStrictEqual(
        new Map<string, unknown>([
          ['ann', 1],
          ['main', 'main'],
        ]),
      )
      return returned instanceof Map && structuredClone(returned).size === 2
    })
    expect(await vacuityOf(compared, 'dpor')).toEqual([])
  })
})
