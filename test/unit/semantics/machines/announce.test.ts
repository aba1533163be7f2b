/** What handlers announce, and the monitors of a system that are told. */
import {
  assert,
  checkResult,
  machine,
  monitor,
  type Notification,
  program,
  receive,
  system,
  announce as tell,
} from 'allways'
import { describe, expect, test } from 'vitest'

type Told = Notification<{ readonly kind: string; readonly number?: number }>

/** Each announces and sends when it is asked; the counter announces what it counts. */
const asking = machine<object, { kind: string; number?: number }>('asking', {
  state: () => ({}),
  start: (_state, { announce, self }) => announce({ kind: 'begun', by: self }),
  requests: {
    ask(_state, number: number, { announce, send }) {
      announce({ kind: 'asked', number })
      send('counter', { kind: 'count', number })
      announce({ kind: 'sent', number })
    },
  },
})

const counter = machine<{ counted: number }, { kind: string; number?: number }>('counter', {
  state: () => ({ counted: 0 }),
  on: {
    count(state, { number }, { announce }) {
      state.counted++
      announce({ kind: 'counted', number, so: state.counted })
    },
  },
})

/** A monitor that is told these kinds, and what it makes of them. */
function watched(
  kinds: readonly string[],
  body: (told: readonly Told[]) => boolean,
  network: 'bag' | 'mailbox' = 'bag',
) {
  const watching = monitor('watching', { observes: kinds }, function* () {
    const told: Told[] = []
    for (;;) {
      told.push((yield* receive()) as Told)
      yield* assert(body(told), 'as it should be')
    }
  })
  return system('watched', { network, faults: {} }, () => ({
    machines: { left: asking.as(), right: asking.as(), counter: counter.as() },
    requests: { left: [['ask', 1]], right: [['ask', 2]] },
    monitors: [watching],
  }))
}

const kindsOf = (told: readonly Told[]) => told.map(({ message }) => message.kind)
const of = (told: readonly Told[], number: number) => told.filter(({ message }) => message.number === number)

describe('monitors of a system', () => {
  async function verdict(program: ReturnType<typeof watched>, engine = 'dpor'): Promise<string> {
    const result = await checkResult(program, { engine })
    if (!result.ok) throw new Error(`${result.diagnostics[0]?.code} ${result.diagnostics[0]?.message}`)
    return result.value.kind
  }

  test('announcements of one handler come in their order', async () => {
    const isInOrder = (told: readonly Told[]) => kindsOf(of(told, 1)).join() !== 'sent'
    expect(await verdict(watched(['asked', 'sent'], isInOrder))).toBe('verified')
  })

  test('those of different machines come in any order that causality leaves', async () => {
    const isFirst = (told: readonly Told[]) => told[0]?.message.number === 1
    expect(await verdict(watched(['asked'], isFirst))).toBe('violated')
    const isCaused = (told: readonly Told[]) => kindsOf(of(told, 1))[0] !== 'counted'
    expect(await verdict(watched(['asked', 'counted'], isCaused))).toBe('verified')
  })

  test('beginnings are told as well', async () => {
    expect(await verdict(watched(['begun'], (told) => told.length < 2))).toBe('violated')
    expect(await verdict(watched(['begun'], (told) => told.length < 3))).toBe('verified')
  })

  test('messages are told as they were written', async () => {
    const fields = ({ message }: Told) => Object.keys(message).join()
    expect(await verdict(watched(['count'], (told) => told.every((one) => fields(one) === 'kind,number')))).toBe(
      'verified',
    )
  })

  test('the order in which sends were observed need not be that of their receipt', async () => {
    const isSame = (told: readonly Told[]) => {
      const sent = told.filter(({ message }) => message.kind === 'count')
      const counted = told.filter(({ message }) => message.kind === 'counted')
      return counted.length === 0 || counted[0]?.message.number === sent[0]?.message.number
    }
    expect(await verdict(watched(['count', 'counted'], isSame, 'mailbox'))).toBe('violated')
  })
})

test.each(['local', 'stateful'])('%s cannot decide monitors, and says who can', async (engine) => {
  const result = await checkResult(
    watched(['asked'], () => true),
    { engine },
  )
  expect(result).toMatchObject({ ok: false, diagnostics: [{ code: 'E302', hint: expect.stringContaining('dpor') }] })
})

test('what is announced is a value', async () => {
  const wrong = machine<object>('wrong', {
    state: () => ({}),
    requests: { go: (_state, _argument, { announce }) => announce((() => 1) as never) },
  })
  const result = await checkResult(
    system('wrong', () => ({ machines: { one: wrong.as() }, requests: { one: [['go']] } })),
    {},
  )
  expect(result).toMatchObject({ ok: false, diagnostics: [{ code: 'E205' }] })
})

test.each([null, undefined])('%s is nothing to announce', async (nothing) => {
  const wrong = machine<object>('wrong', {
    state: () => ({}),
    requests: { go: (_state, _argument, { announce }) => announce(nothing as never) },
  })
  const ofMachines = system('wrong', () => ({ machines: { one: wrong.as() }, requests: { one: [['go']] } }))
  const message = `announce() needs an event or a call of a specification and got ${nothing}`
  expect(await checkResult(ofMachines)).toMatchObject({
    ok: false,
    diagnostics: [{ code: 'E228', message: `${message}, in machine "one"` }],
  })
  const ofProcesses = program('wrong', function* () {
    yield* tell(nothing)
  })
  expect(await checkResult(ofProcesses)).toMatchObject({
    ok: false,
    diagnostics: [{ code: 'E208', message: `${message}, in process "main"` }],
  })
})

test('a monitor cannot have the name of a machine', async () => {
  const named = monitor('one', { observes: [] }, function* () {
    yield* receive()
  })
  const idle = machine<object>('idle', { state: () => ({}) })
  const result = await checkResult(
    system('named', () => ({ machines: { one: idle.as() }, monitors: [named] })),
    {},
  )
  expect(result).toMatchObject({ ok: false, diagnostics: [{ code: 'E213' }] })
})
