import { machine, type Program, system } from 'allways'
import { describe, expect, test } from 'vitest'
import { mistake } from '../../../../src/core/running.ts'
import { settingFrom } from '../../../../src/core/setting.ts'
import type { LocalState, MachineEvent, Machines, Outcome } from '../../../../src/program/machines.ts'
import { mistakeBehind } from '../../../../src/semantics/machines/mistakes.ts'

interface State {
  log: string[]
  term: number
  seen?: Map<string, Set<number>>
}

type Message = { kind: 'add'; item: string[] } | { kind: 'pick' } | { kind: 'fail'; how: string } | { kind: 'unknown' }

const outside = { calls: 0, kept: undefined as State | undefined }

const node = machine<State, Message, { term: number }>('node', {
  state: ({ args }) => ({ log: [], term: args.term }),
  on: {
    add(state, message, context) {
      state.log.push(...message.item)
      outside.kept = state
      const list = ['sent']
      context.send('b', { kind: 'add', item: list })
      list.push('after the send')
      context.setTimer('z', { milliseconds: 10 })
      context.setTimer('a', { milliseconds: 5 })
    },
    pick(state, _, { choose, send }) {
      const first = choose(['x', 'y'])
      if (first === 'x') state.log.push(choose(['1', '2', '3']))
      else send('a', { kind: 'pick' })
      state.log.push(first)
    },
    fail(state, message, context) {
      const { how } = message
      state.term = 99
      if (how === 'message') Object.assign(message, { how: 'changed' })
      if (how === 'wait') mistake({ code: 'E208', message: 'awaited a promise that is not an operation', hint: '' })
      if (how === 'throw') throw new TypeError('broken')
      if (how === 'caught') {
        try {
          context.assert(false, 'seen')
        } catch {}
      }
      if (how === 'nowhere') context.send('c', { kind: 'pick' })
      if (how === 'endless') context.setTimer('a', ...([] as never as [never]))
      if (how === 'timeless') context.setTimer('a', {} as never)
      if (how === 'promise') return Promise.resolve(state) as never
      if (how === 'function') return { log: [], term: (() => 1) as never }
      if (how === 'number') return state.log.push('x') as never
      if (how === 'map') return new Map([['x', 1]]) as never
      if (how === 'null') return null as never
      if (how === 'moody') state.term = outside.calls++
      return { log: ['new'], term: 7 }
    },
  },
  timers: { a: (state) => void state.log.push('a'), z: (_, { cancelTimer }) => cancelTimer('a') },
  requests: { go: (state, by: number) => ({ ...state, term: state.term + by }) },
  durable: ['term'],
})

function view(program: Program): Machines {
  const made = program.views.machines?.(settingFrom({ params: {}, network: 'bag', faults: program.faults ?? {} }))
  if (made === undefined) throw new Error('no machines')
  return made
}

const pair = () =>
  view(
    system('pair', { faults: { losses: 'any', crashes: 1, restarts: 1 } }, () => ({
      machines: { a: node.as({ term: 1 }), b: node.as({ term: 2 }) },
      requests: {
        a: [
          ['go', 3],
          ['go', 4],
        ],
      },
    })),
  )

function only(outcomes: readonly Outcome[]): Outcome {
  expect(outcomes).toHaveLength(1)
  return outcomes[0] as Outcome
}

const received = (message: Message): MachineEvent => ({ kind: 'message', from: 'b', message })
const start = (machines: Machines) => machines.start.states[0] as LocalState

describe('a handler', () => {
  test('works on a copy: the state before stays, and what user code keeps is frozen', () => {
    const machines = pair()
    const before = start(machines)
    const { state } = only(machines.handle(0, before, received({ kind: 'add', item: ['i'] })))
    expect(before.data).toEqual({ log: [], term: 1 })
    expect(state.data).toEqual({ log: ['i'], term: 1 })
    expect(() => outside.kept?.log.push('later')).toThrow(TypeError)
  })

  test('sends what the message was when it was sent', () => {
    const machines = pair()
    const { sent } = only(machines.handle(0, start(machines), received({ kind: 'add', item: [] })))
    expect(sent).toEqual([{ from: 'a', to: 'b', message: { kind: 'add', item: ['sent'] } }])
  })

  test('has one outcome for each combination of choices, in the order of the options', () => {
    const machines = pair()
    const outcomes = machines.handle(0, start(machines), received({ kind: 'pick' }))
    expect(outcomes.map(({ choices, state }) => [choices, (state.data as unknown as State).log])).toEqual([
      [
        [0, 0],
        ['1', 'x'],
      ],
      [
        [0, 1],
        ['2', 'x'],
      ],
      [
        [0, 2],
        ['3', 'x'],
      ],
      [[1], ['y']],
    ])
    expect(outcomes.map(({ sent }) => sent.length)).toEqual([0, 0, 0, 1])
  })

  test('that returns a state has that state, whatever it did to its copy', () => {
    const machines = pair()
    const { state, violation } = only(machines.handle(0, start(machines), received({ kind: 'fail', how: '' })))
    expect(violation).toBeUndefined()
    expect(state.data).toEqual({ log: ['new'], term: 7 })
  })

  test.each([
    ['throw', { kind: 'exception', message: 'TypeError: broken', process: 'a' }],
    ['caught', { kind: 'assertion', message: 'seen', property: 'seen', process: 'a' }],
  ])('that fails (%s) has a violation and changes nothing', (how, violation) => {
    const machines = pair()
    const outcome = only(machines.handle(0, start(machines), received({ kind: 'fail', how })))
    expect(outcome.violation).toMatchObject(violation)
    expect(outcome.violation && mistakeBehind(outcome.violation)).toBeUndefined()
    expect(outcome.state.data).toEqual({ log: [], term: 1 })
  })

  test.each([
    ['nowhere', 'E223', 'send() needs the name of a machine and got "c", in machine "a"'],
    [
      'message',
      'E230',
      "machine \"a\" changes what is not its own: Cannot assign to read only property 'how' of object '#<Object>'",
    ],
    ['endless', 'E226', 'timer "a" is set without saying for how long'],
    ['timeless', 'E226', 'timer "a" is set without saying for how long'],
    ['wait', 'E225', 'a handler cannot wait: awaited a promise that is not an operation, in machine "a"'],
    ['promise', 'E225', 'on.fail of machine "node" returned a promise'],
    ['function', 'E224', 'the state of machine "a" is not a value: state.term is a function (term), after on.fail'],
    ['number', 'E224', 'the state of machine "a" was an object, and on.fail returned the number 1'],
    ['map', 'E224', 'the state of machine "a" was an object, and on.fail returned a Map'],
    ['null', 'E224', 'the state of machine "a" was an object, and on.fail returned null'],
  ])('with a mistake (%s) has a violation that stands for the diagnostic %s', (how, code, message) => {
    const machines = pair()
    const { violation } = only(machines.handle(0, start(machines), received(Object.freeze({ kind: 'fail', how }))))
    expect(violation && mistakeBehind(violation)).toMatchObject({ code, message })
  })

  test('that does another thing the second time is found', () => {
    const machines = pair()
    const moody: MachineEvent = received({ kind: 'fail', how: 'moody' })
    // The returned state does not show it; the state it changed would.
    expect(only(machines.handle(0, start(machines), moody)).violation).toBeUndefined()
    const drifting = machine<{ n: number }, { kind: 'x' }>('drifting', {
      state: () => ({ n: 0 }),
      on: { x: () => ({ n: outside.calls++ }) },
    })
    const other = view(system('drifting', () => ({ machines: { d: drifting.as() } })))
    const event: MachineEvent = { kind: 'message', from: 'd', message: { kind: 'x' } }
    const { violation } = only(other.handle(0, start(other), event))
    expect(violation && mistakeBehind(violation)).toMatchObject({
      code: 'E201',
      message:
        'machine "d" is not deterministic: on.x, called with the same message in the same state, first did one thing and then another',
    })
  })

  test('is named as it stands in the declaration', () => {
    const promising = () => Promise.resolve() as never
    const slow = machine<{ n: number }, { kind: string }>('slow', {
      state: () => ({ n: 0 }),
      on: { 'a b': promising, '*': promising },
      timers: { retry: promising },
      requests: { go: promising },
    } as never)
    const machines = view(system('slow', () => ({ machines: { s: slow.as() } })))
    const nameIn = (event: MachineEvent) => {
      const { violation } = only(machines.handle(0, start(machines), event))
      return violation?.message.replace(' of machine "slow" returned a promise', '')
    }
    expect(nameIn({ kind: 'message', from: 's', message: { kind: 'a b' } })).toBe('on["a b"]')
    expect(nameIn({ kind: 'message', from: 's', message: { kind: 'else' } })).toBe('on["*"]')
    expect(nameIn({ kind: 'timer', name: 'retry' })).toBe('timers.retry')
    expect(nameIn({ kind: 'request', name: 'go', argument: null })).toBe('requests.go')
  })

  test('may keep a state that is no object', () => {
    const counter = machine<number, { kind: 'x' }>('counter', { state: () => 0, on: { x: (state) => state + 1 } })
    const machines = view(system('counter', () => ({ machines: { c: counter.as() } })))
    const event: MachineEvent = { kind: 'message', from: 'c', message: { kind: 'x' } }
    expect(only(machines.handle(0, start(machines), event)).state.data).toBe(1)
  })

  test('that is nearly named as the message has the message say so', () => {
    const slip = machine<{ n: number }>('slip', { state: () => ({ n: 0 }), on: { chagre: () => undefined } })
    const machines = view(system('slip', () => ({ machines: { s: slip.as() } })))
    const { violation } = only(
      machines.handle(0, start(machines), { kind: 'message', from: 's', message: { kind: 'charge' } }),
    )
    expect(violation?.message).toBe(
      'machine "slip" received a message of kind "charge", for which it has no handler; did you mean "chagre", which it has?',
    )
  })

  test('for a kind that has none is a violation, and no mistake', () => {
    const machines = pair()
    const { violation } = only(machines.handle(0, start(machines), received({ kind: 'unknown' })))
    expect(violation?.message).toBe('machine "node" received a message of kind "unknown", for which it has no handler')
    expect(violation && mistakeBehind(violation)).toBeUndefined()
  })
})

describe('local states', () => {
  test('have the events that are due: timers by name, the next request, a crash', () => {
    const machines = pair()
    const { state } = only(machines.handle(0, start(machines), received({ kind: 'add', item: [] })))
    expect(state.timers).toEqual(['a', 'z'])
    expect(machines.internal(0, state)).toEqual([
      { kind: 'timer', name: 'a' },
      { kind: 'timer', name: 'z' },
      { kind: 'request', name: 'go', argument: 3 },
      { kind: 'crash' },
    ])
    expect(machines.internal(1, start(machines))).toEqual([{ kind: 'crash' }])
  })

  test('a timer that fires is not set any more, and its handler may cancel others', () => {
    const machines = pair()
    const { state } = only(machines.handle(0, start(machines), received({ kind: 'add', item: [] })))
    expect(only(machines.handle(0, state, { kind: 'timer', name: 'a' })).state.timers).toEqual(['z'])
    expect(only(machines.handle(0, state, { kind: 'timer', name: 'z' })).state.timers).toEqual([])
  })

  test('requests come in order, and no more than the driver has', () => {
    const machines = pair()
    const first = machines.internal(0, start(machines))[0] as MachineEvent
    const once = only(machines.handle(0, start(machines), first)).state
    expect(once).toMatchObject({ data: { term: 4 }, requests: 1 })
    const second = machines.internal(0, once)[0] as MachineEvent
    const twice = only(machines.handle(0, once, second)).state
    expect(twice).toMatchObject({ data: { term: 8 }, requests: 2 })
    expect(machines.internal(0, twice)).toEqual([{ kind: 'crash' }])
  })

  test('a crash keeps durable fields and what the driver has asked, nothing else', () => {
    const machines = pair()
    const asked = only(machines.handle(0, start(machines), { kind: 'request', name: 'go', argument: 3 })).state
    const busy = only(machines.handle(0, asked, received({ kind: 'add', item: ['i'] }))).state
    const { state } = only(machines.handle(0, busy, { kind: 'crash' }))
    expect(state).toEqual({ data: { log: [], term: 4 }, timers: [], requests: 1, crashes: 1 })
    expect(machines.internal(0, state)).toEqual([{ kind: 'request', name: 'go', argument: 4 }])
  })

  test('have equal keys exactly if no handler can tell them apart', () => {
    const { key } = { key: (state: LocalState) => pair().key(state) }
    const state: LocalState = { data: { x: 1, y: new Map([['k', 1]]) }, timers: ['t'], requests: 0, crashes: 0 }
    expect(key(state)).toBe(key({ ...state, data: { x: 1, y: new Map([['k', 1]]) } }))
    // A handler that goes through the fields sees them in their order.
    expect(key(state)).not.toBe(key({ ...state, data: { y: new Map([['k', 1]]), x: 1 } }))
    const others = [{ data: { x: 2 } }, { timers: [] }, { requests: 1 }, { crashes: 1 }].map((one) => ({
      ...state,
      ...one,
    }))
    expect(new Set([state, ...others].map(key)).size).toBe(5)
  })
})

test('start runs at the beginning and after a crash', () => {
  const beating = machine<{ beats: number }, { kind: 'beat' }>('beating', {
    state: () => ({ beats: 0 }),
    start(_, { peers, send, setTimer }) {
      for (const peer of peers) send(peer, { kind: 'beat' })
      setTimer('beat', { milliseconds: 10 })
    },
    on: { beat: (state) => void state.beats++ },
    timers: { beat: (state) => void state.beats++ },
  })
  const machines = view(
    system('beats', { faults: { losses: 'any', crashes: 1, restarts: 1 } }, () => ({
      machines: { a: beating.as(), b: beating.as() },
    })),
  )
  expect(machines.start.states.map(({ timers }) => timers)).toEqual([['beat'], ['beat']])
  expect(machines.start.underWay.map(({ from, to }) => [from, to])).toEqual([
    ['a', 'b'],
    ['b', 'a'],
  ])
  const { state, sent } = only(machines.handle(0, start(machines), { kind: 'crash' }))
  expect(state.timers).toEqual(['beat'])
  expect(sent).toHaveLength(1)
})

test('the context of an event that is over is of no use to a later one', () => {
  let kept: ((to: string, message: { kind: 'late' }) => void) | undefined
  const keeping = machine<{ n: number }, { kind: 'late' }>('keeping', {
    state: () => ({ n: 0 }),
    requests: {
      keep: (_state, _argument, { send }) => {
        kept = send
      },
      use: () => kept?.('a', { kind: 'late' }),
    },
    on: { '*': () => undefined },
  })
  const machines = view(system('kept', {}, () => ({ machines: { a: keeping.as() } })))
  only(machines.handle(0, start(machines), { kind: 'request', name: 'keep', argument: null }))
  const { violation, sent } = only(
    machines.handle(0, start(machines), { kind: 'request', name: 'use', argument: null }),
  )
  expect(violation?.message).toBe('send() belongs to the context of an event that is over, in machine "a"')
  expect(sent).toEqual([])
})
