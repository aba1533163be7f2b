/** A whole program has no problems, and each way to break it has one of its own. */
import { describe, expect, it } from 'vitest'
import type { IrEnd, IrExpression, IrInstruction, IrType } from '../../../src/ir/ir.ts'
import { irProblems } from '../../../src/ir/validate.ts'
import {
  any,
  block,
  bool,
  branch,
  constant,
  event,
  eventNamed,
  field,
  float,
  int,
  ints,
  itself,
  jump,
  local,
  machine,
  machineNamed,
  nothing,
  number,
  ping,
  place,
  point,
  pong,
  returned,
  set,
  smallIr,
  state,
  string,
  text,
  truth,
  tuple,
  withFunction,
  withMachine,
} from './small-ir.ts'

const toPeer = tuple(point, number(1), itself)
const color: IrType = { kind: 'enum', name: 'Color', elements: [{ name: 'RED', value: 3 }] }

const send = (to: IrExpression, what: IrExpression, payload?: IrExpression): IrInstruction => ({
  kind: 'send',
  to,
  event: what,
  payload,
  place,
})
const call = (at: number, args: readonly IrExpression[], into?: number): IrInstruction => ({
  kind: 'call',
  function: at,
  args,
  into,
  place,
})
const create = (creates: string, into?: number): IrInstruction => ({
  kind: 'new',
  creates,
  payload: undefined,
  into,
  place,
})
const fail = (message: IrExpression): IrEnd => ({ kind: 'fail', message, place })
const less = (left: IrExpression, right: IrExpression): IrExpression => ({
  kind: 'binary',
  operator: 'less',
  left,
  right,
  type: bool,
  place,
})
const receive = (events: readonly number[], into: number | undefined, to: number): IrEnd => ({
  kind: 'receive',
  cases: [{ events, into, to }],
  place,
})

describe('a whole program', () => {
  it('has no problems', () => {
    const body = [
      create('Peer', 3),
      send(local(3, machine), eventNamed(ping), toPeer),
      call(4, [number(4)], 0),
      set(0, field(0, int)),
      set(4, tuple(point, number(1), constant({ kind: 'null' }, machine))),
      set(3, nothing),
    ]
    expect(irProblems(smallIr(body, fail(text('no'))))).toEqual([])
  })

  it('may say null where a machine or an event is asked for, in a tuple too', () => {
    const nullPoint = tuple(
      {
        kind: 'record',
        fields: [
          { name: 'x', type: int },
          { name: 'to', type: any },
        ],
      },
      number(1),
      nothing,
    )
    expect(irProblems(smallIr([set(4, nullPoint)]))).toEqual([])
  })
})

/** What is broken, and what is said of it. */
const instructions: readonly (readonly [string, IrInstruction, string])[] = [
  ['a local that is not there', set(9, number(1)), 'there is no local 9'],
  ['a value of another type', set(2, number(1)), 'the value is int, and bool is asked for'],
  ['a read of a local that is not there', set(0, local(9, int)), 'there is no local 9'],
  ['a local read as another type', set(2, local(0, bool)), 'local 0 is int and not bool'],
  ['a field that the machine does not have', set(0, field(1, int)), 'there is no field 1 of Main'],
  [
    'a write to a field of another type',
    { kind: 'setField', field: 0, value: truth(true), place },
    'the value is bool, and int is asked for',
  ],
  ['null for a number', set(0, nothing), 'the value is any, and int is asked for'],
  ['a comparison of different kinds', set(2, less(number(1), text('a'))), 'less of int and string'],
  ['a comparison of truths', set(2, less(truth(true), truth(true))), 'the left side of less is bool'],
  ['an inexact number', set(0, number(2 ** 53)), 'is not exact'],
  ['a number that is no element', set(0, constant({ kind: 'int', value: 4 }, color)), '4 is no element of enum Color'],
  [
    'a constant of another type',
    set(0, constant({ kind: 'float', value: 1 }, int)),
    'the constant 1 is int and not float',
  ],
  ['an event that is not there', send(itself, eventNamed(7)), 'there is no event 7'],
  ['a payload that is missing', send(itself, eventNamed(ping)), 'ping carries something'],
  ['a payload that nobody wants', send(itself, eventNamed(pong), number(1)), 'pong carries nothing'],
  ['a payload of another type', send(itself, eventNamed(ping), number(1)), 'the payload is int'],
  ['a target that is no machine', send(number(1), eventNamed(pong)), 'the target is int, and machine is asked for'],
  ['an event that is a number', send(itself, number(1)), 'the event is int, and event is asked for'],
  ['a creation that has no link', create('Ghost'), 'Main creates no Ghost'],
  ['a creation by an inherited name', create('toString'), 'Main creates no toString'],
  ['a function that is not there', call(9, []), 'there is no function 9'],
  ['too few arguments', call(4, []), 'half has 1 parameters and is given 0'],
  ['an argument of another type', call(4, [truth(true)]), 'the argument of is bool, and int is asked for'],
  ['a result that does not fit', call(4, [number(1)], 2), 'int goes into bool'],
  ['a result of what has none', call(1, [], 0), 'the result of what returns nothing is kept'],
  [
    'a choice from nothing',
    { kind: 'choose', among: 'below', from: undefined, isFair: false, into: 0, place },
    'below is chosen from something',
  ],
  [
    'a choice of an element of a number',
    { kind: 'choose', among: 'element', from: number(3), isFair: false, into: 0, place },
    'an element of int is chosen',
  ],
  [
    'a choice that does not fit',
    { kind: 'choose', among: 'element', from: local(1, ints), isFair: false, into: 2, place },
    'int goes into bool',
  ],
  [
    'a fair choice of a number',
    { kind: 'choose', among: 'below', from: number(3), isFair: true, into: 0, place },
    'below is chosen fairly, and its options are not always the same',
  ],
  ['a printed number', { kind: 'print', message: number(1), place }, 'the message is int, and string is asked for'],
  ['a tuple with too few items', set(4, tuple(point, number(1))), '1 items are not (x: int, to: machine)'],
  [
    'an item that is not there',
    set(0, { kind: 'item', of: local(4, point), index: 2, type: int, place }),
    'there is no item 2',
  ],
  [
    'a key that is no index',
    set(0, { kind: 'element', of: local(1, ints), key: truth(true), type: int, place }),
    'the key is bool, and int is asked for',
  ],
  [
    'an element of a number',
    set(0, { kind: 'element', of: number(1), key: number(1), type: int, place }),
    'element of int, which is not a collection',
  ],
  [
    'something added to a list',
    set(1, { kind: 'added', of: local(1, ints), value: number(1), type: ints, place }),
    'which is not a set',
  ],
  [
    'a changed list that has become a number',
    set(0, { kind: 'removed', of: local(1, ints), key: number(1), type: int, place }),
    'removed of seq[int] is int',
  ],
  [
    'keys of a list',
    set(1, { kind: 'unary', operator: 'keys', of: local(1, ints), type: ints, place }),
    'keys of seq[int]',
  ],
  [
    'a format with too few texts',
    { kind: 'print', message: { kind: 'format', texts: ['a'], args: [number(1)], type: string, place }, place },
    'a format has one text more than arguments',
  ],
  [
    'an equation of what is never equal',
    set(2, { kind: 'binary', operator: 'equal', left: number(1), right: text(''), type: bool, place }),
    'int and string are never equal',
  ],
  [
    'a sum of floats that is whole',
    set(0, { kind: 'binary', operator: 'addFloat', left: number(1), right: number(1), type: float, place }),
    'the left side of addFloat is int and not float',
  ],
]

describe('an instruction', () => {
  it.each(instructions)('is refused: %s', (_, instruction, problem) => {
    const problems = irProblems(smallIr([instruction]))
    expect(problems[0]).toMatch(/^Main\.Init\.entry b0 0: /)
    expect(problems.join('\n')).toContain(problem)
  })

  it('that sends is not for monitors', () => {
    const ir = withFunction(3, { blocks: [block([send(itself, eventNamed(pong))], returned())] })
    expect(irProblems(ir)).toEqual(['Watch.Cold.on ping b0 0: Watch is a monitor, and send is not for it'])
  })

  it('of a function that several machines run fits all of them', () => {
    const shared = { entry: 0 }
    const ir = withMachine(1, { states: [state('Only', shared)] })
    const broken = {
      ...ir,
      functions: ir.functions.map((one, at) =>
        at === 0 ? { ...one, blocks: [block([set(0, field(0, int))], returned())] } : one,
      ),
    }
    expect(irProblems(broken)).toEqual(['Main.Init.entry b0 0: there is no field 0 of Peer'])
  })
})

const ends: readonly (readonly [string, IrEnd, string])[] = [
  ['a jump to nowhere', jump(3), 'there is no block 3'],
  ['a branch on a number', branch(number(1), 0, 0), 'the condition is int, and bool is asked for'],
  ['a value that nobody asked for', returned(number(1)), 'a value is returned, or none'],
  ['a state that is not there', { kind: 'goto', state: 2, payload: undefined, place }, 'there is no state 2 of Main'],
  ['a message that is a number', fail(number(1)), 'the message is int'],
  ['a case for an event that is not there', receive([7], undefined, 0), 'there is no event 7'],
  ['a case into a local that is not there', receive([pong], 9, 0), 'there is no local 9'],
  ['a case into a local of another type', receive([ping], 0, 0), '(x: int, to: machine) goes into int'],
  ['a case that goes nowhere', receive([pong], undefined, 5), 'there is no block 5'],
  ['a raise of a machine', { kind: 'raise', event: itself, payload: undefined, place }, 'the event is machine'],
]

describe('an end', () => {
  it.each(ends)('is refused: %s', (_, end, problem) => {
    const problems = irProblems(smallIr([], end)).filter((one) => !one.includes('a loop has no block'))
    expect(problems[0]).toMatch(/^Main\.Init\.entry b0 end: /)
    expect(problems.join('\n')).toContain(problem)
  })

  it('returns what the function promises', () => {
    expect(irProblems(withFunction(4, { blocks: [block([], returned(truth(true)))] }))).toEqual([
      'half b0 end: the value is bool, and int is asked for',
    ])
    expect(irProblems(withFunction(4, { blocks: [block([], returned())] }))).toEqual([
      'half b0 end: a value is returned, or none',
    ])
  })
})

describe('a function', () => {
  it('has a block', () => {
    expect(irProblems(withFunction(0, { blocks: [] }))).toEqual(['Main.Init.entry: there is no block'])
  })

  it('has its parameters among its locals', () => {
    expect(irProblems(withFunction(1, { params: 1 }))).toContain(
      'Main.Init.on pong: 1 parameters are more than 0 locals',
    )
  })

  it('marks where loops begin', () => {
    const round = (isLoop: boolean) => [
      block([], jump(1)),
      block([], branch(local(2, bool), 2, 3), isLoop),
      block([], jump(1)),
      block([], returned()),
    ]
    expect(irProblems(withFunction(0, { blocks: round(true) }))).toEqual([])
    expect(irProblems(withFunction(0, { blocks: round(false) }))).toEqual([
      'Main.Init.entry: a loop has no block that is marked as its beginning',
    ])
  })
})

describe('a machine', () => {
  const broken: readonly (readonly [string, Parameters<typeof withMachine>, string])[] = [
    ['a start that is no state', [0, { start: 5 }], 'Main: there is no state 5 to start in'],
    ['events that it cannot send', [0, { sends: [9] }], 'Main: there is no event 9'],
    ['events that it cannot receive', [0, { receives: [9] }], 'Main: there is no event 9'],
    ['observations', [1, { observes: [ping] }], 'Peer: a machine observes nothing'],
    [
      'a link to nowhere',
      [0, { creates: { Peer: 9 } }],
      'Main: what new Peer creates is machine 9, which is not there',
    ],
    ['a link to a monitor', [0, { creates: { Peer: 2 } }], 'Main: what new Peer creates is Watch, a monitor'],
    ['two states of one name', [1, { states: [state('A'), state('A')] }], 'Peer: the state A is there twice'],
    [
      'an entry that is not there',
      [1, { states: [state('A', { entry: 9 })] }],
      'Peer: A: entry is function 9, which is not there',
    ],
    ['an entry with a result', [1, { states: [state('A', { entry: 4 })] }], 'Peer: A: entry returns a value'],
    ['an exit with a parameter', [2, { states: [state('A', { exit: 3 })] }], 'Watch: A: exit has 1 parameters'],
    [
      'a handler of an event that is not there',
      [1, { states: [state('A', { handlers: new Map([[9, { kind: 'ignore' }]]) })] }],
      'Peer: A: there is no event 9',
    ],
    [
      'a way to a state that is not there',
      [1, { states: [state('A', { onNull: { kind: 'goto', state: 3, with: undefined } })] }],
      'Peer: A: there is no state 3 to go to',
    ],
    [
      'a monitor that defers',
      [2, { states: [state('A', { handlers: new Map([[ping, { kind: 'defer' }]]) })] }],
      'Watch: A: a monitor defers nothing',
    ],
    [
      'a monitor that waits',
      [2, { states: [state('A', { onNull: { kind: 'goto', state: 0, with: undefined } })] }],
      'Watch: A: a monitor does not wait',
    ],
  ]

  it.each(broken)('is refused: %s', (_, change, problem) => {
    expect(irProblems(withMachine(...change))).toContain(problem)
  })
})

describe('a program', () => {
  it('has halt as its first event', () => {
    const ir = smallIr()
    expect(irProblems({ ...ir, events: [...ir.events].reverse() })).toContain('the first event is not halt')
  })

  it('has each event once', () => {
    const ir = smallIr()
    const again = { name: 'pong', payload: event }
    expect(irProblems({ ...ir, events: [...ir.events, again] })).toEqual(['the event pong is there twice'])
  })

  it('begins with a machine', () => {
    expect(irProblems({ ...smallIr(), main: 2 })).toEqual(['main is Watch, a monitor'])
    expect(irProblems({ ...smallIr(), main: 3 })).toEqual(['main is machine 3, which is not there'])
  })

  it('has monitors that are told of machines', () => {
    const ir = smallIr()
    expect(irProblems({ ...ir, monitors: [{ machine: 0, over: [1] }] })).toEqual(['a monitor is Main, a machine'])
    expect(irProblems({ ...ir, monitors: [{ machine: 2, over: [2, 7] }] })).toEqual([
      'what a monitor is told of is Watch, a monitor',
      'what a monitor is told of is machine 7, which is not there',
    ])
  })

  it('may have a scenario', () => {
    const ir = smallIr()
    const scenario = machineNamed('Seen', [state('Only')], { kind: 'scenario', observes: [ping] })
    const machines = [...ir.machines, scenario]
    expect(irProblems({ ...ir, machines, monitors: [...ir.monitors, { machine: 3, over: [0] }] })).toEqual([])
  })
})
