/**
 * Executions without end of generated programs with hot and cold monitors: the search that remembers handlers says what the search along paths says, and
 * the judge confirms every round of both. Messages are never more than there were at the beginning, so there are finitely many states.
 */
// @module-tag cut
import { describe, expect, test } from 'vitest'
import type { NetworkName } from '../../../../src/core/operation.ts'
import { Random } from '../../../../src/core/random.ts'
import type { EngineEvent } from '../../../../src/engines/engine.ts'
import { statefulIr } from '../../../../src/engines/stateful/ir/ir-search.ts'
import { statefulPaths } from '../../../../src/engines/stateful/path-search.ts'
import type { Ir } from '../../../../src/ir/ir.ts'
import { irPaths } from '../../../../src/semantics/ir/paths.ts'
import { replay, reproduced } from '../../../../src/semantics/replay.ts'
import { amount } from '../../../amount.ts'
import {
  announce,
  bool,
  choose,
  chooseFairly,
  create,
  type Fn,
  flag,
  goto,
  loop,
  type MachineText,
  machine,
  program,
  type Statement,
  self,
  send,
  set,
  takes,
  the,
  when,
} from '../../semantics/ir/build.ts'

const networks = ['sender-queue', 'fifo', 'bag'] as const satisfies readonly NetworkName[]

const told = ['ask', 'answer', 'rest'] as const
const passed = ['tick', 'tock'] as const

const monitors = {
  Answered: {
    observes: [...told],
    states: {
      Calm: { temperature: 'cold', on: { ask: { goto: 'Asked' }, 'answer rest': 'ignore' } },
      Asked: { temperature: 'hot', on: { answer: { goto: 'Calm' }, rest: { goto: 'Warm' }, ask: 'ignore' } },
      Warm: { on: { ask: { goto: 'Asked' }, answer: { goto: 'Calm' }, rest: 'ignore' } },
    },
  },
  Rested: {
    observes: ['rest', 'answer'],
    states: {
      Tired: { temperature: 'hot', on: { rest: { goto: 'Fresh' }, answer: 'ignore' } },
      Fresh: { temperature: 'cold', on: { answer: { goto: 'Tired' }, rest: 'ignore' } },
    },
  },
} as const

/** Two machines pass messages on for ever, and say something now and then. */
function ticking(seed: number): Ir {
  const random = new Random(seed)
  const saying = (): Statement => announce(random.pick(told))
  const passing = (): Statement => send(random.pick([self, the('other')]), random.pick(passed))
  const step = (): readonly Statement[] => {
    switch (random.below(10)) {
      case 0:
        return [saying()]
      case 1:
        return [choose('b'), when(the('b'), [saying()])]
      case 2:
        return [chooseFairly('b'), when(the('b'), [saying()])]
      case 3:
        return [chooseFairly('b'), chooseFairly('c'), when(the('c'), [saying()])]
      case 4:
        return [choose('c'), when(the('c'), [chooseFairly('b'), when(the('b'), [saying()])])]
      case 5:
        return [choose('b'), loop(the('b'), [choose('b')])]
      case 6:
        return [choose('b'), loop(the('b'), [chooseFairly('c'), random.pick([choose, chooseFairly])('b')])]
      default:
        return []
    }
  }
  const handler = (): Fn => ({
    locals: { b: bool, c: bool },
    body: [
      ...Array.from({ length: 1 + random.below(2) }, step).flat(),
      ...(random.below(12) === 0 ? [] : [passing()]),
      ...(random.below(3) === 0 ? [goto(random.pick(['A', 'B']))] : []),
    ],
  })
  const reactions = (): MachineText['states'][string]['on'] =>
    Object.fromEntries(passed.map((event) => [event, random.below(9) === 0 ? 'defer' : handler()]))
  const states = (entry: Fn): MachineText['states'] => ({
    A0: { entry, on: reactions() ?? {} },
    A: { on: reactions() ?? {} },
    B: { on: reactions() ?? {} },
  })
  const first: Fn = {
    locals: { p: machine },
    body: [create('Peer', self, 'p'), set('other', the('p')), saying(), send(self, 'tick'), send(the('p'), 'tock')],
  }
  return program({
    events: [...told, ...passed],
    machines: {
      Main: { fields: { other: machine }, states: states(first) },
      Peer: { fields: { other: machine }, states: states(takes('by', set('other', the('by')))) },
    },
    monitors,
  })
}

function settingOf(network: NetworkName) {
  return { params: {}, network, faults: {}, bounds: {}, options: { deadlock: 'error' }, start: 'initial' } as const
}

interface Found {
  readonly messages: readonly string[]
  readonly rounds: number
}

function confirmed(ir: Ir, network: NetworkName, events: Iterable<EngineEvent>): Found {
  const messages = new Set<string>()
  let rounds = 0
  for (const event of events) {
    if (event.kind !== 'violation') continue
    const { violation, decisions, repeatsFrom } = event
    const replayed = replay(irPaths(ir, settingOf(network)), decisions, { places: false, repeatsFrom })
    expect(reproduced(replayed, violation)?.message).toBe(violation.message)
    messages.add(violation.message)
    if (repeatsFrom !== undefined) rounds++
  }
  return { messages: [...messages].sort(), rounds }
}

describe.each(networks)('under %s', (network) => {
  test('the same monitors are hot for ever', () => {
    const seen = { rounds: 0, without: 0, ends: 0 }
    for (let seed = 0; seed < amount({ quick: 20, thorough: 80, all: 3_000 }); seed++) {
      const ir = ticking(seed)
      const setting = settingOf(network)
      const fast = confirmed(ir, network, statefulIr.explore({ program: ir, setting }, {}))
      const slow = confirmed(ir, network, statefulPaths.explore(irPaths(ir, setting), {}))
      expect({ seed, ...fast }).toEqual({ seed, ...slow })
      if (fast.rounds > 0) seen.rounds++
      else seen.without++
      if (fast.messages.length > fast.rounds) seen.ends++
    }
    expect(Math.min(seen.rounds, seen.without, seen.ends)).toBeGreaterThan(amount({ quick: 2, thorough: 10, all: 10 }))
  })

  /** It ticks for ever after it has tocked. */
  const alone = (entry: readonly Statement[], tock: readonly Statement[], tick: readonly Statement[]): Found => {
    const locals = { b: bool, c: bool, d: bool }
    const then = (...body: readonly Statement[]): Fn => ({ locals, body: [...body, send(self, 'tick')] })
    const on = { tick: then(...tick), tock: then(...tock) }
    const S = { entry: { locals, body: [...entry, send(self, 'tock')] }, on }
    const ir = program({ events: [...told, ...passed], machines: { Main: { states: { S } } }, monitors })
    return confirmed(ir, network, statefulIr.explore({ program: ir, setting: settingOf(network) }, {}))
  }
  const asked = 'Answered: hot again and again for ever, and never cold'
  const tired = 'Rested: hot again and again for ever, and never cold'

  test('ways to choose fairly that come to the same are all gone', () => {
    const forgotten = [chooseFairly('b'), chooseFairly('c'), set('b', flag(false)), set('c', flag(false)), choose('d')]
    expect(alone([announce('ask')], [], forgotten).messages).toContain(asked)
  })

  test('a handler that goes on for ever by what it chooses leaves its monitor hot, unless others have something to do', () => {
    const goesOn = [choose('b'), loop(the('b'), [choose('b')])]
    const endless = (entry: readonly Statement[]): Found => {
      const S = { entry: { locals: { b: bool }, body: entry }, on: { 'tick tock': 'ignore' } } as const
      const ir = program({ events: [...told, ...passed], machines: { Main: { states: { S } } }, monitors })
      return confirmed(ir, network, statefulIr.explore({ program: ir, setting: settingOf(network) }, {}))
    }
    expect(endless([announce('ask'), ...goesOn, announce('answer'), announce('rest')])).toEqual({
      messages: [asked, tired],
      rounds: 2,
    })
    expect(endless([announce('rest'), ...goesOn, announce('ask'), announce('answer')]).rounds).toBe(0)
    const fairly = [chooseFairly('b'), loop(the('b'), [chooseFairly('b')])]
    expect(endless([announce('ask'), ...fairly, announce('answer'), announce('rest')]).rounds).toBe(0)
    // What it sends to itself cannot come as long as it goes on.
    const sends = send(self, 'tick')
    expect(endless([announce('ask'), sends, ...goesOn, announce('answer'), announce('rest')]).rounds).toBe(2)
    expect(alone([announce('ask')], [], goesOn).messages).toContain(asked)
  })

  test('a message to another machine waits for no handler that goes on for ever', () => {
    const body = [create('Peer', self, 'p'), announce('ask'), choose('b'), loop(the('b'), [choose('b')])]
    const entry = { locals: { b: bool, p: machine }, body: [...body, announce('answer'), announce('rest')] }
    const S = { entry, on: { 'tick tock': 'ignore' } } as const
    const Peer = { states: { P: {} } }
    const ir = program({ events: [...told, ...passed], machines: { Main: { states: { S } }, Peer }, monitors })
    const search = statefulIr.explore({ program: ir, setting: settingOf(network) }, {})
    expect(confirmed(ir, network, search).rounds).toBe(0)
  })

  test('a round begins as it ends, whenever in a step its monitor was hot', () => {
    const passing = [announce('ask'), announce('rest')]
    expect(alone(passing, [...passing, choose('b')], [choose('b'), ...passing]).messages).toContain(asked)
  })
})
