/** Monitors that wait for something: no execution ends while one is hot, by every engine; and what they may not do. */
import {
  announce,
  assume,
  checkResult,
  choose,
  cold,
  eventually,
  hot,
  leadsTo,
  machine,
  monitor,
  type Notification,
  type Program,
  program,
  receive,
  spawn,
  system,
} from 'allways'
import { describe, expect, test } from 'vitest'

type Told = { readonly kind: 'asked' | 'answered' }

const byBody = monitor('answered', { observes: ['asked', 'answered'] }, function* () {
  for (;;) {
    const { message } = yield* receive<Notification<Told>>()
    if (message.kind === 'asked') yield* hot('a question is open')
    else yield* cold()
  }
})

const byState = monitor('answered', {
  state: () => ({ open: 0 }),
  on: {
    asked(state) {
      state.open++
    },
    answered: ({ open }) => ({ open: open - 1 }),
  },
  hot: ({ open }) => open > 0 && 'a question is open',
})

type Kind = Told['kind'] | 'stops'

function talk(kinds: readonly Kind[], by = byBody): Program {
  return program('talk', { properties: [by] }, function* () {
    for (const kind of kinds) {
      if (kind === 'stops') yield* assume(false)
      else yield* announce({ kind })
    }
  })
}

describe.each([
  ['a function', byBody],
  ['a state', byState],
])('a monitor with %s', (_, by) => {
  test.each(['dpor', 'exhaustive', 'random', 'pct', 'stateful'])('is not hot at the end, by %s', async (engine) => {
    const message = 'still hot when nothing more can happen: a question is open'
    const isSampling = engine === 'random' || engine === 'pct'
    const options = { engine, ...(isSampling ? { samples: 200 } : {}) }
    expect(await checkResult(talk(['asked'], by), options)).toMatchObject({
      value: {
        kind: 'violated',
        evidence: [{ violation: { kind: 'monitor', property: 'answered', process: 'answered', message } }],
      },
    })
    const held = isSampling ? 'passed' : 'verified'
    for (const kinds of [[], ['asked', 'answered'], ['answered', 'asked', 'answered', 'answered']] as const)
      expect(await checkResult(talk(kinds, by), options)).toMatchObject({ value: { kind: held } })
  })

  test('is not judged where the execution does not count', async () => {
    expect(await checkResult(talk(['asked', 'stops'], by))).toMatchObject({ value: { kind: 'verified' } })
  })

  test('is judged whatever some choice was', async () => {
    const chosen = program('chosen', { properties: [by] }, function* () {
      yield* announce({ kind: 'asked' })
      if (yield* choose([true, false])) yield* announce({ kind: 'answered' })
    })
    expect(await checkResult(chosen, { engine: 'dpor' })).toMatchObject({ value: { kind: 'violated' } })
  })
})

test('a monitor that returned while it was hot is hot', async () => {
  const early = monitor('early', { observes: ['asked'] }, function* () {
    yield* hot('the end')
  })
  const watched = program('watched', { properties: [early] }, function* () {})
  for (const engine of ['dpor', 'exhaustive'])
    expect(await checkResult(watched, { engine })).toMatchObject({ value: { kind: 'violated' } })
})

test('two hot monitors are two findings', async () => {
  const named = (name: string) =>
    monitor(name, { observes: ['asked'] }, function* () {
      yield* hot('more')
      yield* receive()
    })
  const watched = program('watched', { properties: [named('one'), named('two')] }, function* () {})
  const result = await checkResult(watched, { engine: 'dpor', keepGoing: true })
  expect(result).toMatchObject({
    value: { evidence: [{ violation: { property: 'one' } }, { violation: { property: 'two' } }] },
  })
})

/** Whatever its parts are. */
const anyMonitor = monitor as (name: string, parts: unknown) => typeof byBody

describe('what is refused', () => {
  test.each([
    ['hot', () => hot('x')],
    ['cold', () => cold()],
  ])('%s in a process', async (kind, operation) => {
    const acting = program('acting', function* () {
      yield* spawn('warm', function* () {
        yield* operation()
      })
    })
    expect(await checkResult(acting)).toMatchObject({
      diagnostics: [{ code: 'E218', message: `process "warm" performed ${kind}(…), which is for monitors` }],
    })
  })

  test.each([undefined, '', 3])('hot(%j)', async (reason) => {
    const vague = monitor('vague', { observes: ['asked'] }, function* () {
      yield* hot(reason as string)
    })
    const watched = program('watched', { properties: [vague] }, function* () {})
    expect(await checkResult(watched)).toMatchObject({ diagnostics: [{ code: 'E208' }] })
  })

  const noParts: readonly unknown[] = [
    { state: () => ({}), on: {} },
    { state: 1, on: {}, hot: () => false },
    { state: () => ({}), on: { asked: 1 }, hot: () => false },
    { state: () => ({}), on: {}, hot: () => false, colour: 'red' },
  ]
  test.each(noParts.map((parts) => [parts]))('parts of a monitor that are none: %j', (parts) => {
    const declared = () => anyMonitor('odd', parts)
    expect(declared).toThrow(expect.objectContaining({ diagnostic: expect.objectContaining({ code: 'E107' }) }))
  })

  const wrongFunctions: readonly (readonly [string, unknown])[] = [
    ['E227', { state: () => ({}), on: {}, hot: () => 3 }],
    ['E224', { state: () => ({ at: () => 1 }), on: {}, hot: () => true }],
    ['E227', { state: () => ({}), on: {}, hot: (state: { readonly a: { readonly b: boolean } }) => state.a.b }],
  ]
  test.each(wrongFunctions)('%s: a monitor of a system whose functions are wrong', async (code, parts) => {
    const still = machine<Record<never, never>>('still', { state: () => ({}) })
    const odd = system('odd', { faults: {} }, () => ({
      machines: { still: still.as() },
      monitors: [anyMonitor('odd', parts)],
    }))
    expect(await checkResult(odd, { engine: 'stateful' })).toMatchObject({ diagnostics: [{ code }] })
  })

  test('leadsTo and eventually without what they ask, or with more', () => {
    const wrong: readonly (() => unknown)[] = [
      () => leadsTo('x', () => true, undefined as unknown as () => boolean),
      () =>
        leadsTo(
          '',
          () => true,
          () => true,
        ),
      () =>
        (leadsTo as (...given: unknown[]) => unknown)(
          'x',
          () => true,
          () => true,
          1,
        ),
      () => eventually('x', 1 as unknown as () => boolean),
      () => (eventually as (...given: unknown[]) => unknown)('x', () => true, 1),
    ]
    for (const declared of wrong)
      expect(declared).toThrow(expect.objectContaining({ diagnostic: expect.objectContaining({ code: 'E222' }) }))
  })
})
