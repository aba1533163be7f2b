/** Machines that lie: what they can say, what they cannot, what is said of it, and what is refused. */
import { describe, expect, test } from 'vitest'
import { chosenSystem } from '../../../src/check/system.ts'
import { evidenceOf } from '../../../src/core/evidence.ts'
import { showValue } from '../../../src/core/value-text.ts'
import {
  byzantine,
  checkResult,
  eventually,
  invariant,
  isSigned,
  machine,
  monitor,
  type Program,
  type Signed,
  signed,
  system,
} from '../../../src/index.ts'
import { scopeSentence } from '../../../src/reports/scope.ts'

type Message =
  | { readonly kind: 'letter'; readonly order: Signed<string> }
  | { readonly kind: 'pair'; readonly orders: readonly Signed<string>[] }

interface State {
  orders: string[]
}

/** Signs one order and sends it to somebody; those who get letters keep them. */
const writer = machine<State, Message, { readonly order: string; readonly to: string }>('writer', {
  state: () => ({ orders: [] }),
  start(_, { self, send, args }) {
    send(args.to, { kind: 'letter', order: signed(self, args.order) })
  },
  on: { letter: keep },
})

const reader = machine<State, Message>('reader', {
  state: () => ({ orders: [] }),
  on: {
    letter: keep,
    pair(state, { orders }) {
      for (const order of orders) keep(state, { order })
    },
  },
})

function keep(state: State, { order }: { readonly order: Signed<string> }): void {
  state.orders = [...new Set([...state.orders, `${order.by} ${order.message}`])].sort()
}

const engines = ['stateful', 'dpor', 'exhaustive', 'random', 'pct'] as const

function never(text: string) {
  return invariant<State>('never', ({ c }) => !c?.orders.join().includes(text))
}

async function verdictOf(program: Program, engine?: string) {
  const samples = engine === 'random' || engine === 'pct' ? { options: { samples: 200 } } : {}
  const result = await checkResult(program, engine === undefined ? {} : { engine, ...samples })
  if (!result.ok) throw new Error(result.diagnostics.map(({ code, message }) => `${code} ${message}`).join())
  return result.value
}

describe.each(engines)('engine %s', (engine) => {
  const relay = (says: readonly Message[], forbidden: string, faults = {}) =>
    system('relay', { faults }, () => ({
      machines: {
        a: writer.as({ order: 'go', to: 'b' }),
        c: reader.as(),
        d: writer.as({ order: 'stay', to: 'a' }),
        b: byzantine(reader, { says }),
      },
      invariants: [never(forbidden)],
    }))
  const holds = engine === 'random' || engine === 'pct' ? 'passed' : 'verified'

  test('a liar passes on what was sent to it, and what was sent to others', async () => {
    const toItself = relay([{ kind: 'letter', order: signed('a', 'go') }], 'a go')
    expect(await verdictOf(toItself, engine)).toMatchObject({ kind: 'violated' })
    const toOthers = relay([{ kind: 'letter', order: signed('d', 'stay') }], 'd stay')
    expect(await verdictOf(toOthers, engine)).toMatchObject({ kind: 'violated' })
  })

  test('it does not say what others never signed, and signs for itself', async () => {
    const forged = relay([{ kind: 'letter', order: signed('a', 'stay') }], 'a stay')
    const vacuity = expect.arrayContaining([{ code: 'never-said', subject: 'b', count: 0 }])
    expect(await verdictOf(forged, engine)).toMatchObject({ kind: holds, vacuity })
    const own = relay([{ kind: 'letter', order: signed('b', 'stay') }], 'b stay')
    expect(await verdictOf(own, engine)).toMatchObject({ kind: 'violated' })
  })

  test('what several have signed is said when all of them have', async () => {
    const both = relay([{ kind: 'pair', orders: [signed('a', 'go'), signed('d', 'stay')] }], 'a go,d stay')
    expect(await verdictOf(both, engine)).toMatchObject({ kind: 'violated' })
    const half = relay([{ kind: 'pair', orders: [signed('a', 'go'), signed('d', 'go')] }], 'a go')
    expect(await verdictOf(half, engine)).toMatchObject({ kind: holds })
  })

  test('a signature that is sent again after a crash is seen once', async () => {
    const both = relay([{ kind: 'pair', orders: [signed('d', 'stay'), signed('a', 'go')] }], 'a go,d stay', {
      crashes: 1,
      restarts: 1,
    })
    expect(await verdictOf(both, engine)).toMatchObject({ kind: 'violated' })
  })
})

/** It signs again when it comes back, and only then is it told something. */
test('the steps of a counterexample with a restart are those of its processes', async () => {
  const counting = machine<{ starts: number }, Message>('counting', {
    state: () => ({ starts: 0 }),
    start(state, { self, send }) {
      state.starts++
      send('c', { kind: 'letter', order: signed(self, 'go') })
    },
    on: {
      pair(state) {
        state.starts += 10
      },
    },
    durable: ['starts'],
  })
  const restarted = system('restarted', { faults: { crashes: 1, restarts: 1 } }, () => ({
    machines: {
      a: counting.as(),
      c: reader.as(),
      b: byzantine(reader, { says: [{ kind: 'pair', orders: [signed('a', 'go'), signed('b', 'x')] }] }),
    },
    invariants: [
      invariant<State | { starts: number }>('never', (states) => {
        const { orders } = states.c as State
        return !(orders.includes('b x') && (states.a as { starts: number }).starts === 12)
      }),
    ],
  }))
  for (const engine of ['stateful', 'dpor']) {
    expect(await verdictOf(restarted, engine)).toMatchObject({ kind: 'violated' })
  }
})

const liar = system('liar', { faults: {} }, () => ({
  machines: {
    a: reader.as(),
    b: byzantine(reader, { says: ({ self }) => [{ kind: 'letter', order: signed(self, 'x') }] }),
    c: reader.as(),
  },
  invariants: [never('b x')],
}))

describe('what is said of it', () => {
  test('the scope names who lies and how much may be said', async () => {
    const verdict = await verdictOf(liar)
    expect(verdict.scope.byzantine).toEqual([{ machine: 'b', messages: 1 }])
    expect(scopeSentence(verdict)).toMatch(/no faults, b Byzantine: 1 message, each to anyone at most once$/)
  })

  test('a counterexample shows its messages under its name, and nothing of what it had to see', async () => {
    const seen = system('seen', { faults: {} }, () => ({
      machines: {
        a: writer.as({ order: 'go', to: 'b' }),
        b: byzantine(reader, { says: [{ kind: 'letter', order: signed('a', 'go') }] }),
        c: reader.as(),
      },
      invariants: [never('a go')],
    }))
    const [found] = evidenceOf((await verdictOf(seen)).evidence, 'execution')
    const told = found?.events.flatMap((event) =>
      event.kind === 'send' ? [`${event.process} > ${event.to}: ${showValue(event.value)}`] : [],
    )
    const letter = 'letter{order: signed(a, "go")}'
    expect(told).toEqual([`a > b (Byzantine): ${letter}`, `b (Byzantine) > c: ${letter}`])
    // What it had to see is a message as well, and leaves no gap.
    const numbers = found?.events.flatMap((event) => ('message' in event ? [`${event.kind} ${event.message}`] : []))
    expect(numbers).toEqual(['send 0', 'send 1', 'receive 1'])
  })

  test('local takes liars that say nothing others have signed, on a bag', async () => {
    expect(await verdictOf(liar, 'local')).toMatchObject({ kind: 'violated' })
    const onFifo = await checkResult(liar, { engine: 'local', network: 'fifo' })
    expect(onFifo).toMatchObject({ ok: false, diagnostics: [{ code: 'E309' }] })
    expect(await checkResult(liar, { network: 'fifo' })).toMatchObject({ ok: true, value: { kind: 'violated' } })
  })

  test('it is not run', () => {
    expect(chosenSystem(liar, {})).toMatchObject({ ok: false, diagnostics: [{ code: 'E606' }] })
  })
})

describe('what is refused', () => {
  const one = { kind: 'letter', order: signed('b', 'x') } as const
  const inItself: { kind: string; order?: unknown } = { kind: 'letter' }
  inItself.order = inItself
  const bottomless = Array.from({ length: 100_000 }).reduce((inner) => [inner], 'x')
  const throwing = {
    kind: 'letter',
    get order(): never {
      throw new Error('not this one')
    },
  }
  const of = (says: unknown, parts: object = {}, options: object = {}) =>
    system('refused', { faults: {}, ...options }, () => ({
      machines: { a: reader.as(), b: byzantine(reader, { says: says as [] }) },
      ...parts,
    }))

  test.each([
    ['a kind that nobody takes', of([{ kind: 'lettr' }]), 'E236', /"lettr", which no machine takes/],
    ['no message', of([1]), 'E236', /says 1, which has no kind/],
    ['no value', of([{ kind: 'letter', order: () => 1 }]), 'E236', /message\.order is a function/],
    ['a place that was left out', of(Array(1)), 'E236', /undefined/],
    ['a message in itself', of([inItself]), 'E236', /message\.order is a cycle/],
    ['a message without a bottom', of([{ kind: 'letter', order: bottomless }]), 'E236', /more than 500 levels/],
    ['a field that throws', of([throwing]), 'E236', /message\.order is a field with a getter/],
    ['the same twice', of([one, { ...one }]), 'E236', /twice/],
    ['a signature of nobody', of([{ kind: 'letter', order: signed('z', 'x') }]), 'E236', /"z" is no machine/],
    ['no list', of(() => 'letter'), 'E236', /returns no list/],
    ['what throws', of(() => Reflect.get(undefined as never, 'x')), 'E236', /threw/],
    ['a clock', of(() => [{ ...one, at: Date.now() }]), 'E209', /Date.now/],
    ['liveness', of([one], { liveness: [eventually('some time', () => true)] }), 'E236', /liveness/],
    ['monitors', of([one], { monitors: [monitor('m', { observes: [] }, function* () {})] }), 'E236', /monitors/],
    ['another network', of([one], {}, { network: 'causal' }), 'E236', /"causal"/],
    ['requests', of([one], { requests: { b: [['go']] } }), 'E222', /"b", which is Byzantine/],
    ['its state', of([one], { invariants: [invariant('b', ({ b }) => b === undefined)] }), 'E223', /Byzantine/],
    ['nobody else', system('alone', () => ({ machines: { b: byzantine(reader, { says: [] }) } })), 'E222', /all/],
  ])('%s', async (_, program, code, message) => {
    const result = await checkResult(program as Program)
    expect(result).toMatchObject({
      ok: false,
      diagnostics: [{ code, message: expect.stringMatching(message as RegExp) }],
    })
  })

  test.each([
    ['a machine with its arguments', () => byzantine(reader.as() as never, { says: [] }), /"as" has made/],
    ['something else', () => byzantine({ name: 'reader' } as never, { says: [] }), /needs a kind of machine/],
    ['another option', () => byzantine(reader, { say: [] } as never), /has no option "say"/],
    ['no option', () => byzantine(reader, undefined as never), /are undefined/],
    ['one argument more', () => Reflect.apply(byzantine, undefined, [reader, { says: [] }, 1]), /no further argument/],
  ])('at the call: %s', (_, call, message) => {
    expect(call).toThrowError(
      expect.objectContaining({
        diagnostic: expect.objectContaining({ code: 'E236', message: expect.stringMatching(message) }),
      }),
    )
  })

  test.each([
    ['no name', () => signed('', 1)],
    ['no value', () => signed('a', () => 1)],
    ['nothing', () => signed('a', undefined)],
  ])('signed: %s', (_, call) => {
    expect(call).toThrowError(expect.objectContaining({ diagnostic: expect.objectContaining({ code: 'E237' }) }))
  })
})

describe('nobody signs for another', () => {
  const outside = signed('c', 'go')
  const handled = (
    letter: (state: State, message: Message, context: { send(to: string, message: Message): void }) => void,
  ) => machine<State, Message>('forging', { state: () => ({ orders: [] }), on: { letter, pair() {} } })
  const forging = (kind: ReturnType<typeof handled>) =>
    system('forging', { faults: {} }, () => ({
      machines: { a: kind.as(), c: reader.as(), d: writer.as({ order: 'go', to: 'a' }) },
    }))

  test.each([
    [
      'in a handler',
      handled((_, __, { send }) => send('c', { kind: 'letter', order: signed('c', 'go') })),
      /"a" signs for "c"/,
    ],
    [
      'from outside',
      handled((_, __, { send }) => send('c', { kind: 'letter', order: outside })),
      /signed\(c, "go"\), which it was never sent/,
    ],
    [
      'by hand',
      handled((_, __, { send }) => send('c', { kind: 'letter', order: { signed: true, by: 'd', message: 'x' } })),
      /never sent/,
    ],
    [
      'in its state',
      handled((state) => {
        state.orders.push(outside as never)
      }),
      /after on\.letter/,
    ],
  ])('%s', async (_, kind, message) => {
    const result = await checkResult(forging(kind))
    expect(result).toMatchObject({
      ok: false,
      diagnostics: [{ code: 'E237', message: expect.stringMatching(message) }],
    })
  })

  test('at the beginning', async () => {
    const kind = machine<{ letter: Signed<string> }, Message>('early', { state: () => ({ letter: outside }), on: {} })
    const result = await checkResult(system('early', () => ({ machines: { a: kind.as(), c: reader.as() } })))
    expect(result).toMatchObject({ ok: false, diagnostics: [{ code: 'E237' }] })
  })

  test('what came in a message may be kept and passed on, within something of its own as well', async () => {
    const kind = handled((state, message, { send }) => {
      if (message.kind !== 'letter') return
      state.orders.push(message.order as never)
      send('c', { kind: 'letter', order: signed('a', [message.order]) as never })
    })
    expect(await checkResult(forging(kind))).toMatchObject({ ok: true, value: { kind: 'verified' } })
  })

  test('isSigned tells by whom', () => {
    expect([isSigned(outside), isSigned(outside, 'c'), isSigned(outside, 'a'), isSigned({ by: 'c' })]).toEqual([
      true,
      true,
      false,
      false,
    ])
  })
})

test('machines are not created beside liars', async () => {
  const boss = machine<State, Message>('boss', {
    state: () => ({ orders: [] }),
    on: {
      letter(_, __, { create }) {
        create('worker', reader.as())
      },
    },
  })
  const crew = system('crew', { faults: {} }, () => ({
    machines: { a: boss.as(), b: byzantine(boss, { says: [{ kind: 'letter', order: signed('b', 'x') }] }) },
  }))
  expect(await checkResult(crew)).toMatchObject({ ok: false, diagnostics: [{ code: 'E229' }] })
})
