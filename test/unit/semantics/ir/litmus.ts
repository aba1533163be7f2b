/** Programs that tell ways to deliver messages apart: each reaches its assertion, or never does. */
import type { Ir } from '../../../../src/ir/ir.ts'
import {
  announce,
  any,
  assert,
  binary,
  bool,
  create,
  does,
  equal,
  event,
  flag,
  int,
  item,
  type MachineText,
  machine,
  not,
  number,
  program,
  raise,
  type Statement,
  self,
  send,
  set,
  takes,
  the,
  tuple,
  when,
} from './build.ts'

const never = (message = 'reached'): Statement => assert(flag(false), message)

/** A message overtakes one that its sender's sender sent before. */
export const overtaking: Ir = program({
  events: ['m1', 'm2', 'm3'],
  machines: {
    Main: {
      states: {
        S: {
          entry: {
            locals: { c: machine, b: machine },
            body: [create('C', undefined, 'c'), create('B', the('c'), 'b'), send(the('c'), 'm1'), send(the('b'), 'm2')],
          },
        },
      },
    },
    B: {
      fields: { c: machine },
      states: { S: { entry: takes('to', set('c', the('to'))), on: { m2: does(send(the('c'), 'm3')) } } },
    },
    C: {
      fields: { got: bool },
      states: { S: { on: { m1: does(set('got', flag(true))), m3: does(assert(the('got'), 'reached')) } } },
    },
  },
})

/** Two senders, two receivers, each sender sends to both; which sender each receiver hears first. */
function crossing(isForbidden: (isFirstFromA: [Statement, string, string]) => Statement): Ir {
  const sender = (first: readonly [string, number], second: readonly [string, number]): MachineText => ({
    states: {
      S: {
        entry: takes(
          'both',
          send(item(the('both'), first[1]), first[0]),
          send(item(the('both'), second[1]), second[0]),
        ),
      },
    },
  })
  const report = (isFromA: boolean): Statement =>
    when(not(the('told')), [set('told', flag(true)), send(the('main'), 'report', tuple(the('index'), flag(isFromA)))])
  return program({
    events: ['m1', 'm2', 'm3', 'm4', 'report'],
    machines: {
      Main: {
        fields: { c: bool, d: bool, count: int },
        states: {
          S: {
            entry: {
              locals: { x: machine, y: machine },
              body: [
                create('R', tuple(self, number(0)), 'x'),
                create('R', tuple(self, number(1)), 'y'),
                create('A', tuple(the('x'), the('y'))),
                create('B', tuple(the('x'), the('y'))),
              ],
            },
            on: {
              report: takes(
                'told',
                when(
                  equal(item(the('told'), 0), number(0)),
                  [set('c', item(the('told'), 1))],
                  [set('d', item(the('told'), 1))],
                ),
                set('count', binary('add', the('count'), number(1))),
                isForbidden([never(), 'c', 'd']),
              ),
            },
          },
        },
      },
      R: {
        fields: { main: machine, index: int, told: bool },
        states: {
          S: {
            entry: takes('told', set('main', item(the('told'), 0)), set('index', item(the('told'), 1))),
            on: { 'm1 m2': does(report(true)), 'm3 m4': does(report(false)) },
          },
        },
      },
      A: sender(['m1', 0], ['m2', 1]),
      B: sender(['m3', 1], ['m4', 0]),
    },
  })
}

const bothIn = equal(the('count'), number(2))

export const notCausalQueue: Ir = crossing(([wrong, c, d]) =>
  when(binary('and', bothIn, binary('and', not(the(c)), the(d))), [wrong]),
)

export const interleavedHandlers: Ir = crossing(([wrong, c, d]) =>
  when(binary('and', bothIn, binary('and', the(c), not(the(d)))), [wrong]),
)

/** What is sent to a halted machine does not hold up what is sent after it. */
export const halted: Ir = program({
  events: ['die', 'dead', 'x', 'y'],
  machines: {
    Main: {
      fields: { h: machine },
      states: {
        S: {
          entry: {
            locals: { made: machine },
            body: [create('H', self, 'made'), set('h', the('made')), send(the('h'), 'die')],
          },
          on: {
            dead: {
              locals: { c: machine },
              body: [create('C', undefined, 'c'), send(the('h'), 'x'), send(the('c'), 'y')],
            },
          },
        },
      },
    },
    H: {
      fields: { main: machine },
      states: {
        S: {
          entry: takes('by', set('main', the('by'))),
          on: { die: does(send(the('main'), 'dead'), raise('halt')) },
        },
      },
    },
    C: { states: { S: { on: { y: does(never()) } } } },
  },
})

const twoSenders = (a: readonly string[], b: readonly string[], target: MachineText) => ({
  Main: {
    states: {
      S: {
        entry: {
          locals: { k: machine },
          body: [create('K', undefined, 'k'), create('A', the('k')), create('B', the('k'))],
        },
      },
    },
  },
  K: target,
  A: { states: { S: { entry: takes('k', ...a.map((one) => send(the('k'), one))) } } },
  B: { states: { S: { entry: takes('k', ...b.map((one) => send(the('k'), one))) } } },
})

/** A monitor sees what another machine sends in the middle of a handler. */
export const insideHandler: Ir = program({
  events: ['a1', 'a2', 'b1', 'b2'],
  machines: twoSenders(['a1', 'a2'], ['b1', 'b2'], { states: { S: { on: { 'a1 a2 b1 b2': 'ignore' } } } }),
  monitors: {
    Watch: {
      fields: { up: bool },
      observes: ['a1', 'a2', 'b1', 'b2'],
      states: {
        S: {
          on: {
            a1: does(set('up', flag(true))),
            a2: does(set('up', flag(false))),
            b1: does(assert(not(the('up')), 'reached')),
            b2: 'ignore',
          },
        },
      },
    },
  },
})

/** A monitor sees two sends in one order, and the target takes the messages in the other. */
export const otherOrder: Ir = program({
  events: ['e1', 'e2', 'first1', 'first2'],
  machines: twoSenders(['e1'], ['e2'], {
    fields: { told: bool },
    states: {
      S: {
        on: {
          e1: does(when(not(the('told')), [set('told', flag(true)), announce('first1')])),
          e2: does(when(not(the('told')), [set('told', flag(true)), announce('first2')])),
        },
      },
    },
  }),
  monitors: {
    Watch: {
      fields: { first: any },
      observes: ['e1', 'e2', 'first1', 'first2'],
      states: {
        S: {
          on: {
            e1: does(when(equal(the('first'), number(0)), [set('first', number(1))])),
            e2: does(when(equal(the('first'), number(0)), [set('first', number(2))])),
            first1: does(assert(equal(the('first'), number(1)), 'reached')),
            first2: does(assert(equal(the('first'), number(2)), 'reached')),
          },
          entry: does(set('first', number(0))),
        },
      },
    },
  },
})

/** What was deferred twice is handled after the second change of state. */
export const deferredTwice: Ir = program({
  events: ['e1', 'e2', 'go'],
  machines: {
    Main: {
      states: {
        S: {
          entry: {
            locals: { t: machine },
            body: [create('T', undefined, 't'), send(the('t'), 'e1'), send(the('t'), 'e2'), send(the('t'), 'go')],
          },
        },
      },
    },
    T: {
      states: {
        S0: { on: { 'e1 e2': 'defer', go: { goto: 'S1' } } },
        S1: { on: { e1: 'defer', e2: { goto: 'S2' } } },
        S2: { on: { e1: does(never()) } },
      },
    },
  },
})

/** Exit runs when a machine halts. */
export const exitOnHalt: Ir = program({
  machines: { Main: { states: { S: { entry: does(raise('halt')), exit: does(never()) } } } },
})

/** Exit, then the function of the transition, then entry. */
export const exitFirst: Ir = program({
  events: ['E'],
  machines: {
    Main: {
      fields: { x: int },
      states: {
        A: {
          entry: does(raise(event('E'))),
          exit: does(assert(equal(the('x'), number(0)), 'exit first'), set('x', number(1))),
          on: { E: { goto: 'B', with: does(assert(equal(the('x'), number(1)), 'then with'), set('x', number(2))) } },
        },
        B: { entry: does(assert(equal(the('x'), number(2)), 'then entry')) },
      },
    },
  },
})

/** A created machine begins when its turn comes: what a third one does may be seen before. */
export const creationFirst: Ir = program({
  events: ['ping', 'started', 'served'],
  machines: {
    Main: {
      states: {
        S: {
          entry: {
            locals: { k: machine },
            body: [create('K', undefined, 'k'), create('P', the('k')), create('A')],
          },
        },
      },
    },
    K: { states: { S: { on: { ping: does(announce('served')) } } } },
    P: { states: { S: { entry: takes('k', send(the('k'), 'ping')) } } },
    A: { states: { S: { entry: does(announce('started')) } } },
  },
  monitors: {
    Watch: {
      fields: { isStarted: bool },
      observes: ['started', 'served'],
      states: {
        S: {
          on: {
            started: does(set('isStarted', flag(true))),
            served: does(assert(the('isStarted'), 'reached')),
          },
        },
      },
    },
  },
})
