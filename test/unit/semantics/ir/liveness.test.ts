/** Monitors with hot states: at the end of an execution, and in executions without end. */
import { describe, expect, test } from 'vitest'
import type { NetworkName } from '../../../../src/core/operation.ts'
import { statefulPaths } from '../../../../src/engines/stateful/path-search.ts'
import { replay, reproduced } from '../../../../src/semantics/replay.ts'
import {
  announce,
  assert,
  bool,
  choose,
  chooseFairly,
  create,
  does,
  flag,
  goto,
  type MachineText,
  machine,
  program,
  type Statement,
  self,
  send,
  takes,
  the,
  when,
} from './build.ts'
import { messages, pathsIn, statesOf } from './explore.ts'

const networks = ['sender-queue', 'mailbox', 'fifo', 'bag', 'causal'] as const satisfies readonly NetworkName[]

/** Hot from `ask` to `answer`; `rest` leads to a state that is neither. */
const answered = (options: { readonly isCold?: boolean } = {}): { readonly [name: string]: MachineText } => ({
  Answered: {
    observes: ['ask', 'answer', 'rest'],
    states: {
      Calm: {
        ...(options.isCold === false ? {} : { temperature: 'cold' }),
        on: { ask: { goto: 'Asked' }, 'answer rest': 'ignore' },
      },
      Asked: { temperature: 'hot', on: { answer: { goto: 'Calm' }, rest: { goto: 'Warm' }, ask: 'ignore' } },
      Warm: { on: { ask: { goto: 'Asked' }, answer: { goto: 'Calm' }, rest: 'ignore' } },
    },
  },
})

const events = ['ask', 'answer', 'rest', 'tick', 'tock']

const forEver = 'liveness: Answered: hot again and again for ever, and never cold'
const atTheEnd = 'liveness: Answered: in hot state Asked when nothing more can happen'

/** A machine that sends itself `tick` for ever, and does something each time. */
const ticking = (...body: readonly Statement[]): MachineText => ({
  states: { S: { entry: does(send(self, 'tick')), on: { tick: does(...body, send(self, 'tick')) } } },
})

describe.each(networks)('under %s', (network) => {
  const found = (machines: Parameters<typeof program>[0]['machines'], monitors = answered()) =>
    messages(statesOf(program({ events, machines, monitors }), { network }))

  test('a monitor that is hot when nothing more can happen', () => {
    expect(found({ Main: { states: { S: { entry: does(announce('ask')) } } } })).toEqual([atTheEnd])
    expect(found({ Main: { states: { S: { entry: does(announce('ask'), announce('rest')) } } } })).toEqual([])
    expect(found({ Main: { states: { S: { entry: does(announce('ask'), announce('answer')) } } } })).toEqual([])
  })

  test('a monitor that is hot for ever', () => {
    const asking: MachineText = {
      states: { S: { entry: does(announce('ask'), send(self, 'tick')), on: { tick: does(send(self, 'tick')) } } },
    }
    expect(found({ Main: asking })).toEqual([forEver])
  })

  test('one that is cold in the middle of each handler is not', () => {
    expect(found({ Main: ticking(announce('answer'), announce('ask')) })).toEqual([])
  })

  test('one that is hot in the middle of each handler, and warm in between, is', () => {
    expect(found({ Main: ticking(announce('ask'), announce('rest')) }, answered({ isCold: false }))).toEqual([forEver])
  })

  test('one that is warm for ever is not, though it was hot', () => {
    const once: MachineText = {
      states: {
        S: {
          entry: does(announce('ask'), announce('rest'), send(self, 'tick')),
          on: { tick: does(send(self, 'tick')) },
        },
      },
    }
    expect(found({ Main: once }, answered({ isCold: false }))).toEqual([])
  })

  test('a choice is not assumed to be fair', () => {
    const lazy: MachineText = {
      states: {
        S: {
          entry: does(announce('ask'), send(self, 'tick')),
          on: {
            tick: {
              locals: { b: bool },
              body: [choose('b'), when(the('b'), [announce('answer'), announce('ask')]), send(self, 'tick')],
            },
          },
        },
      },
    }
    expect(found({ Main: lazy })).toEqual([forEver])
  })

  const chancy = (...decide: readonly Statement[]): MachineText => ({
    states: {
      S: {
        entry: does(announce('ask'), send(self, 'tick')),
        on: { tick: { locals: { b: bool, c: bool }, body: [...decide, send(self, 'tick')] } },
      },
    },
  })

  test('unless it says so', () => {
    expect(found({ Main: chancy(chooseFairly('b'), when(the('b'), [announce('answer'), announce('ask')])) })).toEqual(
      [],
    )
  })

  test('and the judge does not take a round for fair that never goes one way', () => {
    const deciding = (decide: Statement) =>
      program({
        events,
        machines: { Main: chancy(decide, when(the('b'), [announce('answer'), announce('ask')])) },
        monitors: answered(),
      })
    const rounds = [...statefulPaths.explore(pathsIn(deciding(choose('b')), { network }), {})].flatMap((event) =>
      event.kind === 'violation' ? [event] : [],
    )
    expect(rounds).toHaveLength(1)
    for (const { violation, decisions, repeatsFrom } of rounds) {
      const again = (decide: Statement) =>
        reproduced(replay(pathsIn(deciding(decide), { network }), decisions, { places: false, repeatsFrom }), violation)
      expect(again(choose('b'))?.message).toBe(violation.message)
      expect(again(chooseFairly('b'))).toBeUndefined()
    }
  })

  test('fairness of a choice says nothing about one that is made no more, or beside another', () => {
    const once = chancy(choose('c'), when(the('c'), [chooseFairly('b'), when(the('b'), [announce('answer')])]))
    expect(found({ Main: once })).toEqual([forEver])
    const both = chancy(chooseFairly('b'), chooseFairly('c'), when(the('b'), [when(the('c'), [announce('answer')])]))
    expect(found({ Main: both })).toEqual([forEver])
  })

  test('each machine has its fair choices to itself', () => {
    // Two machines choose: one answering now and then is enough, whichever it is, and neither can avoid it for ever.
    const Other = chancy(chooseFairly('b'), when(the('b'), [announce('answer'), announce('ask')]))
    const Main: MachineText = { states: { S: { entry: does(create('Other'), create('Other')) } } }
    expect(found({ Main, Other })).toEqual([])
  })

  test('a machine that can go on does so some time', () => {
    // Main ticks for ever and asks once; a second machine answers once, which fairness brings about, and nobody asks again.
    const both = {
      Main: {
        states: {
          S: {
            entry: {
              locals: { other: machine },
              body: [
                announce('ask'),
                create('Other', undefined, 'other'),
                send(the('other'), 'tock'),
                send(self, 'tick'),
              ],
            },
            on: { tick: does(send(self, 'tick')) },
          },
        },
      },
      Other: { states: { S: { on: { tock: does(announce('answer')) } } } },
    }
    expect(found(both)).toEqual([])
  })

  test('what is deferred for ever is owed to nobody', () => {
    const deferring = {
      Main: {
        states: {
          S: {
            entry: does(announce('ask'), send(self, 'tock'), send(self, 'tick')),
            on: { tock: 'defer', tick: does(send(self, 'tick')) },
          },
          T: { on: { tock: takes('_', announce('answer'), goto('S')) } },
        },
      },
    } as const
    expect(found(deferring)).toEqual([forEver])
  })

  test('a scenario is hot as long as it likes', () => {
    const { Answered } = answered()
    const scenario = { Answered: { ...(Answered as MachineText), kind: 'scenario' as const } }
    expect(found({ Main: { states: { S: { entry: does(announce('ask')) } } } }, scenario)).toEqual([])
    expect(found({ Main: ticking(announce('ask')) }, scenario)).toEqual([])
  })

  test('an execution that failed is not judged for what it did not do', () => {
    const failing = { Main: { states: { S: { entry: does(announce('ask'), assert(flag(false), 'wrong')) } } } }
    expect(found(failing)).toEqual(['assertion: wrong'])
  })
})
