/** What must hold of a system again and again: what is fair, what an end is, and what is refused. */
import { checkResult, liveness, machine, type Program, program, type SystemOptions, system } from 'allways'
import { describe, expect, test } from 'vitest'
import { evidenceOf } from '../../../../src/core/evidence.ts'

interface Asked {
  answered: boolean
}
type Message = { readonly kind: 'ask' | 'answer' }

interface Behaviour {
  /** Whether the client begins anew after an answer. */
  readonly asksAgain?: boolean
  /** Whether the server has a timer that is set anew whenever it fires. */
  readonly ticks?: boolean
  readonly options?: SystemOptions<Record<never, never>>
}

/** A client asks, a server answers. */
function service({ asksAgain = false, ticks = false, options = { faults: {} } }: Behaviour): Program {
  const client = machine<Asked, Message>('client', {
    state: () => ({ answered: false }),
    start: (_, { send }) => send('server', { kind: 'ask' }),
    on: {
      answer(state, _, { send }) {
        state.answered = !state.answered
        if (asksAgain) send('server', { kind: 'ask' })
      },
    },
  })
  const server = machine<Record<never, never>, Message>('server', {
    state: () => ({}),
    start(_, { setTimer }) {
      if (ticks) setTimer('tick', { milliseconds: 10 })
    },
    timers: { tick: (_, { setTimer }) => setTimer('tick', { milliseconds: 10 }) },
    on: { ask: (_state, _message, { from, send }) => send(from, { kind: 'answer' }) },
  })
  return system('service', options, () => ({
    machines: { client: client.as(), server: server.as() },
    liveness: [liveness<Asked>('answered', ({ client: { answered } = { answered: true } }) => answered)],
  }))
}

async function found(subject: Program) {
  const result = await checkResult(subject, { engine: 'stateful' })
  if (!result.ok) return { code: result.diagnostics[0]?.code }
  const [one] = evidenceOf(result.value.evidence, 'execution')
  return { kind: result.value.kind, round: one && one.decisions.length - (one.repeatsFrom ?? 0) }
}

describe('liveness of a system', () => {
  test('holds if messages arrive', async () => {
    expect((await found(service({}))).kind).toBe('verified')
    expect((await found(service({ asksAgain: true }))).kind).toBe('verified')
  })

  test('holds if a message has to compete with a timer that is always set', async () => {
    expect((await found(service({ ticks: true }))).kind).toBe('verified')
  })

  test('is broken where messages get lost: nothing more has to happen', async () => {
    expect(await found(service({ options: { faults: { losses: 'any' } } }))).toEqual({ kind: 'violated', round: 0 })
  })

  test('is broken where messages get lost, while a timer goes on for ever', async () => {
    // The timer fires, and is set anew.
    expect(await found(service({ ticks: true, options: { faults: { losses: 'any' } } }))).toEqual({
      kind: 'violated',
      round: 1,
    })
  })

  test.each([
    { network: 'mailbox', faults: {} },
    { network: 'fifo', faults: { losses: 'any' } },
    { faults: { losses: 1 } },
    { faults: { duplicates: 1 } },
    { faults: { crashes: 1, restarts: 1 } },
    { faults: { partitions: 1 } },
  ] as const)('is refused where traces decide in advance what arrives, or faults end duties: %j', async (options) => {
    expect((await found(service({ options }))).code).toBe('E309')
  })

  test('holds of what a machine sends to itself, which is never lost', async () => {
    const lonely = machine<Asked, Message>('lonely', {
      state: () => ({ answered: false }),
      start: (_, { self, send }) => send(self, { kind: 'answer' }),
      on: {
        answer: (state) => {
          state.answered = true
        },
      },
    })
    const alone = system('alone', () => ({
      machines: { lonely: lonely.as() },
      liveness: [liveness<Asked>('answered', (states) => states.lonely?.answered === true)],
    }))
    expect((await found(alone)).kind).toBe('verified')
  })

  test('is decided without an engine being named', async () => {
    const result = await checkResult(service({}))
    expect(result).toMatchObject({ ok: true, value: { kind: 'verified', scope: { engine: 'stateful' } } })
  })

  test('is refused of a system whose handlers create machines', async () => {
    const quiet = machine<Record<never, never>>('quiet', { state: () => ({}) })
    const boss = machine<Record<never, never>>('boss', {
      state: () => ({}),
      requests: { hire: (_state, _argument, { create }) => void create('quiet', quiet.as()) },
    })
    const hiring = system('hiring', { faults: {} }, () => ({
      machines: { boss: boss.as() },
      requests: { boss: [['hire']] },
      liveness: [liveness('hired', () => true)],
    }))
    expect((await found(hiring)).code).toBe('E309')
  })

  test.each(['fifo', 'causal', 'sender-queue'] as const)('is decided on network %s', async (network) => {
    expect((await found(service({ asksAgain: true, options: { network, faults: {} } }))).kind).toBe('verified')
  })

  test.each([true, false])(
    'is broken in a system with endlessly many states if one of them lasts: %s',
    async (stops) => {
      const counter = machine<{ count: number }>('counter', {
        state: () => ({ count: 0 }),
        start: (_, { setTimer }) => setTimer('tick', { milliseconds: 10 }),
        timers: {
          tick(state, { setTimer, choose }) {
            state.count++
            if (!stops || choose([true, false])) setTimer('tick', { milliseconds: 10 })
          },
        },
      })
      const counted = system('counted', () => ({
        machines: { counter: counter.as() },
        liveness: [liveness<{ count: number }>('at 0', (states) => states.counter?.count === 0)],
      }))
      // A counter that goes on never comes back to a state, and the search has no end.
      const result = await checkResult(counted, { engine: 'stateful', ...(stops ? {} : { time: 300 }) })
      expect(result.ok && result.value.kind).toBe(stops ? 'violated' : 'incomplete')
    },
  )

  test.each(['dpor', 'local', 'exhaustive'])('is refused by %s, which names stateful', async (engine) => {
    const result = await checkResult(service({}), { engine })
    expect(result).toMatchObject({ diagnostics: [{ code: 'E302', hint: 'engines that can: stateful' }] })
  })

  test('says so if what it asks is not answered with true or false', async () => {
    const lamp = machine<{ on: boolean }>('lamp', { state: () => ({ on: false }) })
    const answering = (answer: () => boolean): Program =>
      system('odd', () => ({ machines: { lamp: lamp.as() }, liveness: [liveness('odd', answer)] }))
    expect((await found(answering(() => 'yes' as unknown as boolean))).code).toBe('E227')
    const thrown = answering(() => {
      throw new Error('no')
    })
    expect(await checkResult(thrown, { engine: 'stateful' })).toMatchObject({
      value: { kind: 'violated', evidence: [{ violation: { message: 'exception in liveness "odd": Error: no' } }] },
    })
  })

  test('is nothing that processes can have', () => {
    const properties = [liveness('x', () => true)] as unknown as []
    const declared = () => program('x', { properties }, function* () {})
    expect(declared).toThrow(expect.objectContaining({ diagnostic: expect.objectContaining({ code: 'E302' }) }))
  })
})
