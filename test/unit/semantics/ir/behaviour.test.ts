/** How machines go on: pauses in the middle of everything, and what states say about events. */
import { describe, expect, test } from 'vitest'
import type { NetworkName } from '../../../../src/core/operation.ts'
import { statefulPaths } from '../../../../src/engines/stateful/path-search.ts'
import {
  announce,
  assert,
  binary,
  bool,
  call,
  choose,
  create,
  does,
  equal,
  flag,
  giveBack,
  goto,
  int,
  loop,
  machine,
  not,
  nothing,
  number,
  program,
  raise,
  receive,
  type Statement,
  self,
  send,
  set,
  takes,
  the,
  when,
} from './build.ts'
import { messages, pathsIn, statesOf } from './explore.ts'

const networks = ['sender-queue', 'mailbox', 'fifo', 'bag', 'causal'] as const satisfies readonly NetworkName[]

const reached: Statement = assert(flag(false), 'reached')
const plus = (name: string, count: number): Statement => set(name, binary('add', the(name), number(count)))

/** A monitor that ends every execution whose announcements are not these, in this order. */
const announced = (...events: readonly string[]) => ({
  Order: {
    fields: { next: int },
    observes: [...new Set(events)],
    states: {
      S: {
        on: Object.fromEntries(
          [...new Set(events)].map((one) => {
            const places = events.flatMap((event, at) => (event === one ? [number(at)] : []))
            const isInPlace = places
              .map((place) => equal(the('next'), place))
              .reduce((left, right) => binary('or', left, right))
            return [one, does(assert(isInPlace, `${one} in order`), plus('next', 1))]
          }),
        ),
      },
    },
  },
})

describe.each(networks)('under %s', (network) => {
  const found = (...args: Parameters<typeof program>) => messages(statesOf(program(...args), { network }))

  test('a receive in a function that a loop calls keeps locals of all frames', () => {
    // Three numbers come, each in an iteration of its own; only messages from one machine have an order in all networks but bag.
    const sum: Statement = loop(binary('less', the('i'), number(3)), [call('next', [the('sum')], 'sum'), plus('i', 1)])
    const ir = {
      events: ['N'],
      functions: {
        next: {
          params: ['so'],
          locals: { got: int },
          body: [receive({ N: { into: 'got', after: [] } }), giveBack(binary('add', the('so'), the('got')))],
        },
      },
      machines: {
        Main: {
          states: {
            S: {
              entry: {
                locals: { i: int, sum: int },
                body: [
                  send(self, 'N', number(1)),
                  send(self, 'N', number(10)),
                  send(self, 'N', number(100)),
                  sum,
                  assert(equal(the('sum'), number(111)), 'all came'),
                  reached,
                ],
              },
            },
          },
        },
      },
    }
    expect(found(ir)).toEqual(['assertion: reached'])
  })

  test('a receive in an exit goes on to the transition and the entry', () => {
    expect(
      found({
        events: ['E', 'R', 'x', 'w', 'n'],
        monitors: announced('x', 'w', 'n'),
        machines: {
          Main: {
            states: {
              A: {
                entry: does(send(self, 'R'), raise('E')),
                exit: does(receive({ R: [announce('x')] })),
                on: { E: { goto: 'B', with: does(announce('w')) }, R: 'defer' },
              },
              B: { entry: does(announce('n'), reached) },
            },
          },
        },
      }),
    ).toEqual(['assertion: reached'])
  })

  test('a receive takes what the state defers or ignores, and leaves the rest', () => {
    expect(
      found({
        events: ['D', 'I', 'L', 'done'],
        machines: {
          Main: {
            fields: { count: int },
            states: {
              S: {
                entry: does(
                  send(self, 'L'),
                  send(self, 'D'),
                  send(self, 'I'),
                  receive({ D: [plus('count', 1)] }),
                  receive({ I: [plus('count', 1)] }),
                ),
                on: { D: 'defer', I: 'ignore', L: does(assert(not(equal(the('count'), number(2))), 'reached')) },
              },
            },
          },
        },
      }),
    ).toEqual(['assertion: reached'])
  })

  test('a machine that has not begun drops nothing that its start state ignores', () => {
    expect(
      found({
        events: ['E'],
        machines: {
          Main: {
            states: {
              S: { entry: { locals: { t: machine }, body: [create('T', undefined, 't'), send(the('t'), 'E')] } },
            },
          },
          T: { states: { S: { entry: does(receive({ E: [reached] })), on: { E: 'ignore' } } } },
        },
      }),
    ).toEqual(['assertion: reached'])
  })

  test('calls may be nested deeply where a machine pauses', () => {
    const deep = when(
      binary('less', number(0), the('n')),
      [call('dive', [binary('subtract', the('n'), number(1))])],
      [receive({ E: [] })],
    )
    expect(
      found({
        events: ['E'],
        functions: { dive: { params: ['n'], body: [deep] } },
        machines: {
          Main: { states: { S: { entry: does(send(self, 'E'), call('dive', [number(20_000)]), reached) } } },
        },
      }),
    ).toEqual(['assertion: reached'])
  })

  test('a receive accepts halt always, and the machine halts by the rules of its state', () => {
    expect(
      found({
        events: ['R', 'late'],
        machines: {
          Main: {
            states: {
              S: { entry: does(send(self, 'halt'), receive({ R: [] })), exit: does(reached) },
            },
          },
        },
      }),
    ).toEqual(['assertion: reached'])
  })

  test('an event that is unhandled lets exit run first', () => {
    expect(
      found({
        events: ['E', 'x'],
        monitors: announced('x', 'x'),
        machines: { Main: { states: { S: { entry: does(raise('E')), exit: does(announce('x')) } } } },
      }),
    ).toEqual(['exception: Main: unhandled event E in state S'])
  })

  test('an event that is raised where it is deferred or ignored is dropped', () => {
    const dropped = (reaction: 'defer' | 'ignore') =>
      found({
        events: ['E', 'go'],
        machines: {
          Main: {
            states: {
              S: { entry: does(send(self, 'go'), raise('E')), on: { E: reaction, go: { goto: 'T' } } },
              T: { on: { E: does(reached) } },
            },
          },
        },
      })
    expect(dropped('defer')).toEqual([])
    expect(dropped('ignore')).toEqual([])
  })

  test('halt can be handled, deferred and ignored', () => {
    const told = (reaction: 'defer' | 'ignore' | ReturnType<typeof does>) =>
      found({
        events: ['E'],
        machines: {
          Main: {
            states: {
              S: { entry: does(send(self, 'halt'), send(self, 'E')), on: { halt: reaction, E: { goto: 'T' } } },
              T: { on: { E: 'ignore', halt: does(reached) } },
            },
          },
        },
      })
    expect(told('defer')).toEqual(['assertion: reached'])
    expect(told(does(reached))).toEqual(['assertion: reached'])
    // With a bag the two messages may come in any order.
    expect(told('ignore')).toEqual(network === 'bag' ? ['assertion: reached'] : [])
  })

  test('raise and goto end all functions under way', () => {
    expect(
      found({
        events: ['E'],
        functions: { leave: { body: [call('leaveNow'), reached] }, leaveNow: { body: [raise('E')] } },
        machines: {
          Main: {
            states: {
              S: { entry: does(call('leave'), reached), on: { E: takes('p', goto('T', number(5))) } },
              T: { entry: takes('p', assert(not(equal(the('p'), number(5))), 'the payload came')) },
            },
          },
        },
      }),
    ).toEqual(['assertion: the payload came'])
  })

  test('a goto to the same state runs exit and entry', () => {
    expect(
      found({
        events: ['in', 'out'],
        monitors: announced('in', 'out', 'in', 'out'),
        machines: {
          Main: {
            fields: { rounds: int },
            states: {
              S: {
                entry: does(
                  announce('in'),
                  plus('rounds', 1),
                  when(binary('less', the('rounds'), number(3)), [goto('S')]),
                ),
                exit: does(announce('out')),
              },
            },
          },
        },
      }),
    ).toEqual(['monitor: in in order'])
  })

  test('on null fires when nothing can be taken, again and again', () => {
    const ir = program({
      events: ['E'],
      machines: {
        Main: {
          fields: { idle: int },
          states: {
            S: {
              entry: does(send(self, 'E')),
              on: { E: 'defer' },
              onNull: does(plus('idle', 1), when(equal(the('idle'), number(3)), [goto('T')])),
            },
            T: { on: { E: does(reached) } },
          },
        },
      },
    })
    expect(messages(statesOf(ir, { network }))).toEqual(['assertion: reached'])
  })

  test('choices in callees go on where they were', () => {
    const ir = program({
      functions: {
        bit: { locals: { b: bool }, body: [choose('b'), when(the('b'), [giveBack(number(1))]), giveBack(number(0))] },
      },
      machines: {
        Main: {
          states: {
            S: {
              entry: {
                locals: { x: int, y: int, z: int },
                body: [
                  call('bit', [], 'x'),
                  call('bit', [], 'y'),
                  choose('z', 'below', number(3)),
                  assert(not(equal(binary('add', binary('add', the('x'), the('y')), the('z')), number(4))), 'the most'),
                ],
              },
            },
          },
        },
      },
    })
    const { counts } = statesOf(ir, { network })
    expect(messages(statesOf(ir, { network }))).toEqual(['assertion: the most'])
    // Before anything; 1 + 2 + 4 states that choose; the failure, and one end in which all fields are the same.
    expect(counts).toMatchObject({ states: 1 + 7 + 2, finals: 2 })
  })

  test('what is sent to itself comes after what was deferred before', () => {
    const ir = program({
      events: ['A', 'B', 'go'],
      machines: {
        Main: {
          states: {
            S: {
              entry: does(send(self, 'A'), send(self, 'go')),
              on: { A: 'defer', go: takes('_', send(self, 'B'), goto('T')) },
            },
            T: { on: { A: { goto: 'U' }, B: does(reached) } },
            U: { on: { B: 'ignore' } },
          },
        },
      },
    })
    // With a bag `A` may arrive after `go`, and after `B`.
    expect(messages(statesOf(ir, { network }))).toEqual(network === 'bag' ? ['assertion: reached'] : [])
  })
})

test('machines are named by who created them, and namesakes are counted', () => {
  const ir = program({
    events: ['go'],
    machines: {
      Main: {
        states: {
          S: {
            entry: {
              locals: { again: bool },
              body: [create('Client'), create('Client'), choose('again'), when(the('again'), [create('Main2')])],
            },
          },
        },
      },
      Client: { states: { S: { entry: does(create('Timer'), create('Timer')) } } },
      Timer: { states: { S: {} } },
      Main2: { states: { S: {} } },
    },
  })
  const path = pathsIn(ir).begin()
  for (let [first] = path.enabled(); first !== undefined; [first] = path.enabled()) path.take(first)
  expect(path.shown().map(({ process }) => process)).toEqual([
    'Main',
    'Client',
    'Client#2',
    'Client/Timer',
    'Client/Timer#2',
    'Client#2/Timer',
    'Client#2/Timer#2',
  ])
})

test('a machine that the first one creates under its own name is the second one', () => {
  const entry = takes('isFirst', when(equal(the('isFirst'), nothing), [create('Main', number(2))]))
  const path = pathsIn(program({ machines: { Main: { states: { S: { entry } } } } })).begin()
  path.take({ kind: 'step', process: 'Main' })
  expect(path.enabled()).toEqual([{ kind: 'step', process: 'Main#2' }])
})

test('a function that is written elsewhere is refused when it is called', () => {
  const { functions, ...ir } = program({ machines: { Main: { states: { S: { entry: does() } } } } })
  const place = { file: 'test.p', line: 7, column: 3 }
  const foreign = { kind: 'foreign', name: 'hash', args: [], returns: undefined, into: undefined, place } as const
  const calling = functions.map((one) => ({
    ...one,
    blocks: one.blocks.map((block) => ({ ...block, instructions: [foreign] })),
  }))
  const told = [...statefulPaths.explore(pathsIn({ ...ir, functions: calling }), {})]
  expect(told.at(-1)).toMatchObject({ kind: 'diagnostic', diagnostic: { code: 'E231', place } })
})
