/** What never happened in what was explored is told with the verdict, and changes it only if that is asked for. */
import { describe, expect, test } from 'vitest'
import {
  assume,
  check,
  checkResult,
  choose,
  conflict,
  final,
  machine,
  monitor,
  type Program,
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
  return result.ok && 'vacuity' in result.value ? result.value.vacuity : []
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
