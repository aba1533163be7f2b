/** IR as text: every kind of expression, instruction and end, and the shape of the whole. */
import { expect, it } from 'vitest'
import type { IrEnd, IrExpression, IrInstruction, IrType } from '../../../src/ir/ir.ts'
import { printIr } from '../../../src/ir/print.ts'
import { expressionText } from '../../../src/ir/print-expression.ts'
import {
  any,
  bool,
  branch,
  constant,
  eventNamed,
  field,
  float,
  int,
  ints,
  itself,
  jump,
  local,
  machine,
  nothing,
  number,
  ping,
  place,
  point,
  pong,
  returned,
  set,
  smallIr,
  string,
  text,
  truth,
  tuple,
} from './small-ir.ts'

const names: IrType = { kind: 'map', key: int, value: string }
const color: IrType = { kind: 'enum', name: 'Color', elements: [{ name: 'RED', value: 3 }] }
const [n, list, map, p] = [local(0, int), local(1, ints), local(2, names), local(3, point)]
const scope = {
  events: smallIr().events,
  locals: ['n', 'list', 'map', 'p'].map((name) => ({ name, type: any })),
  fields: [{ name: 'count', type: int }],
}
const shown = (expression: IrExpression): string => expressionText(expression, scope)
const sum = (left: IrExpression, right: IrExpression): IrExpression => ({
  kind: 'binary',
  operator: 'add',
  left,
  right,
  type: int,
  place,
})

it.each<readonly [string, IrExpression]>([
  ['n', n],
  ['this.count', field(0, int)],
  ['this', itself],
  ['-3', number(-3)],
  ['2.0', constant({ kind: 'float', value: 2 }, float)],
  ['0.5', constant({ kind: 'float', value: 0.5 }, float)],
  ['RED', constant({ kind: 'int', value: 3 }, color)],
  ['"a \\"b\\""', text('a "b"')],
  ['pong', eventNamed(pong)],
  ['null', nothing],
  ['default(seq[int])', { kind: 'default', type: ints, place }],
  ['(x = 1, to = null)', tuple(point, number(1), nothing)],
  ['(1,)', tuple({ kind: 'tuple', items: [int] }, number(1))],
  ['(1, true)', tuple({ kind: 'tuple', items: [int, bool] }, number(1), truth(true))],
  ['p.to', { kind: 'item', of: p, index: 1, type: machine, place }],
  ['p with .x = 1', { kind: 'withItem', of: p, index: 0, value: number(1), type: point, place }],
  ['list[n]', { kind: 'element', of: list, key: n, type: int, place }],
  ['list with [n] = 1', { kind: 'withElement', of: list, key: n, value: number(1), type: ints, place }],
  ['map with new [n] = ""', { kind: 'inserted', of: map, key: n, value: text(''), type: names, place }],
  ['list with n', { kind: 'added', of: list, value: n, type: ints, place }],
  ['map without n', { kind: 'removed', of: map, key: n, type: names, place }],
  ['(n + 1) + (n + 2)', sum(sum(n, number(1)), sum(n, number(2)))],
  ['size(list) + 1', sum({ kind: 'unary', operator: 'size', of: list, type: int, place }, number(1))],
  ['!(n + 1)', { kind: 'unary', operator: 'not', of: sum(n, number(1)), type: bool, place }],
  ['-n', { kind: 'unary', operator: 'negate', of: n, type: int, place }],
  ['(n as any) to int', { kind: 'convert', of: { kind: 'cast', of: n, type: any, place }, type: int, place }],
  [
    'format("{0} of {1}", n, 3)',
    { kind: 'format', texts: ['', ' of ', ''], args: [n, number(3)], type: string, place },
  ],
])('writes %s', (written, expression) => {
  expect(shown(expression)).toBe(written)
})

it('writes a program the same way each time, whole', () => {
  const body: readonly IrInstruction[] = [
    { kind: 'new', creates: 'Peer', payload: undefined, into: 3, place },
    { kind: 'choose', among: 'boolean', from: undefined, isFair: false, into: 2, place },
    { kind: 'choose', among: 'boolean', from: undefined, isFair: true, into: 2, place },
    { kind: 'choose', among: 'below', from: number(3), isFair: false, into: 0, place },
    { kind: 'choose', among: 'element', from: local(1, ints), isFair: false, into: 0, place },
    { kind: 'send', to: local(3, machine), event: eventNamed(ping), payload: local(4, point), place },
    { kind: 'announce', event: eventNamed(pong), payload: undefined, place },
    { kind: 'call', function: 4, args: [number(8)], into: 0, place },
    { kind: 'foreign', name: 'clock', args: [], returns: int, into: 0, place },
    { kind: 'print', message: text('hello'), place },
    { kind: 'setField', field: 0, value: number(2), place },
    set(0, number(1)),
  ]
  const receive: IrEnd = {
    kind: 'receive',
    cases: [
      { events: [ping], into: 4, to: 0 },
      { events: [pong, 0], into: undefined, to: 0 },
    ],
    place,
  }
  const ir = smallIr(body, receive)
  expect(printIr(ir)).toBe(printIr(ir))
  expect(printIr(ir)).toMatchInlineSnapshot(`
    "test small
    event halt
    event ping: (x: int, to: machine)
    event pong

    main machine Main
      creates Peer: Peer
      var count: int
      start state Init
        entry Main.Init.entry
        on pong do Main.Init.on pong
      state Done
        exit Main.Done.exit

    machine Peer
      start state Only
        on ping ignore

    monitor Watch
      observes ping
      over Main, Peer
      start cold state Cold
        on ping goto Cold with Watch.Cold.on ping

    function 0 Main.Init.entry()
      var n: int
      var list: seq[int]
      var yes: bool
      var m: machine
      var p: (x: int, to: machine)
      b0:
        m = new Peer()
        yes = choose boolean
        yes = choose fair boolean
        n = choose below 3
        n = choose element list
        send m, ping, p
        announce pong
        n = call half(8)
        n = foreign clock()
        print "hello"
        this.count = 2
        n = 1
        receive
          case ping into p: b0
          case pong, halt: b0

    function 1 Main.Init.on pong()
      b0:
        return

    function 2 Main.Done.exit()
      b0:
        return

    function 3 Watch.Cold.on ping(payload: (x: int, to: machine))
      b0:
        return

    function 4 half(of: int): int
      b0:
        return of
    "
  `)
})

it.each<readonly [string, IrEnd]>([
  ['jump b0', jump(0)],
  ['branch true ? b1 : b2', branch(truth(true), 1, 2)],
  ['return', returned()],
  ['return 1', returned(number(1))],
  ['raise ping, 1', { kind: 'raise', event: eventNamed(ping), payload: number(1), place }],
  ['goto Done', { kind: 'goto', state: 1, payload: undefined, place }],
  ['goto Done, 1', { kind: 'goto', state: 1, payload: number(1), place }],
  ['fail "no"', { kind: 'fail', message: text('no'), place }],
])('ends a block with %s', (written, end) => {
  expect(printIr(smallIr([], end)).split('\n')).toContain(`    ${written}`)
})
