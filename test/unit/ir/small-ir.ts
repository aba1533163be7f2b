/** A small program in IR, put together by hand, that tests change in one place. */
import type {
  Ir,
  IrBlock,
  IrConstant,
  IrEnd,
  IrExpression,
  IrFunction,
  IrInstruction,
  IrMachine,
  IrState,
  IrType,
  IrVariable,
} from '../../../src/ir/ir.ts'

export const place = { file: 'small.p', line: 1, column: 1 }
export const int: IrType = { kind: 'int' }
export const bool: IrType = { kind: 'bool' }
export const float: IrType = { kind: 'float' }
export const string: IrType = { kind: 'string' }
export const event: IrType = { kind: 'event' }
export const any: IrType = { kind: 'any' }
export const machine: IrType = { kind: 'machine', receives: undefined }
export const ints: IrType = { kind: 'seq', of: int }
export const point: IrType = {
  kind: 'record',
  fields: [
    { name: 'x', type: int },
    { name: 'to', type: machine },
  ],
}

export const constant = (value: IrConstant, type: IrType): IrExpression => ({ kind: 'constant', value, type, place })
export const number = (value: number): IrExpression => constant({ kind: 'int', value }, int)
export const truth = (value: boolean): IrExpression => constant({ kind: 'bool', value }, bool)
export const text = (value: string): IrExpression => constant({ kind: 'string', value }, string)
export const nothing = constant({ kind: 'null' }, any)
export const eventNamed = (place: number): IrExpression => constant({ kind: 'event', event: place }, event)
export const local = (at: number, type: IrType): IrExpression => ({ kind: 'local', local: at, type, place })
export const field = (at: number, type: IrType): IrExpression => ({ kind: 'field', field: at, type, place })
export const itself: IrExpression = { kind: 'this', type: machine, place }
export const tuple = (type: IrType, ...items: readonly IrExpression[]): IrExpression => ({
  kind: 'tuple',
  items,
  type,
  place,
})

export const set = (at: number, value: IrExpression): IrInstruction => ({ kind: 'setLocal', local: at, value, place })
export const jump = (to: number): IrEnd => ({ kind: 'jump', to, place })
export const returned = (value?: IrExpression): IrEnd => ({ kind: 'return', value, place })
export const branch = (condition: IrExpression, then: number, otherwise: number): IrEnd => ({
  kind: 'branch',
  condition,
  then,
  otherwise,
  place,
})

export function block(instructions: readonly IrInstruction[], end: IrEnd, isLoop = false): IrBlock {
  return { instructions, end, isLoop }
}

interface Made {
  readonly locals?: readonly IrVariable[]
  readonly params?: number
  readonly returns?: IrType
}

export function made(
  name: string,
  blocks: readonly IrBlock[],
  { locals = [], params = 0, returns }: Made = {},
): IrFunction {
  return { name, locals, params, returns, blocks, place }
}

export function state(name: string, parts: Partial<IrState> = {}): IrState {
  const { entry, exit, onNull } = parts
  return { temperature: 'warm', handlers: new Map(), place, ...parts, name, entry, exit, onNull }
}

export function machineNamed(name: string, states: readonly IrState[], parts: Partial<IrMachine> = {}): IrMachine {
  const { sends, receives } = parts
  return {
    kind: 'machine',
    fields: [],
    start: 0,
    observes: [],
    creates: {},
    place,
    ...parts,
    name,
    states,
    sends,
    receives,
  }
}

/** Events of the small program, by their places. */
export const [halt, ping, pong] = [0, 1, 2]

const locals = [
  { name: 'n', type: int },
  { name: 'list', type: ints },
  { name: 'yes', type: bool },
  { name: 'm', type: machine },
  { name: 'p', type: point },
]

/** Main creates a peer, sends to it and waits; a monitor looks on. `body` is what Main's entry does first. */
export function smallIr(body: readonly IrInstruction[] = [], end: IrEnd = returned()): Ir {
  const main = machineNamed(
    'Main',
    [state('Init', { entry: 0, handlers: new Map([[pong, { kind: 'do', function: 1 }]]) }), state('Done', { exit: 2 })],
    { fields: [{ name: 'count', type: int }], creates: { Peer: 1 } },
  )
  const peer = machineNamed('Peer', [state('Only', { handlers: new Map([[ping, { kind: 'ignore' }]]) })])
  const watch = machineNamed(
    'Watch',
    [state('Cold', { temperature: 'cold', handlers: new Map([[ping, { kind: 'goto', state: 0, with: 3 }]]) })],
    { kind: 'monitor', observes: [ping] },
  )
  return {
    name: 'small',
    events: [
      { name: 'halt', payload: undefined },
      { name: 'ping', payload: point },
      { name: 'pong', payload: undefined },
    ],
    machines: [main, peer, watch],
    functions: [
      made('Main.Init.entry', [block(body, end)], { locals }),
      made('Main.Init.on pong', [block([], returned())]),
      made('Main.Done.exit', [block([], returned())]),
      made('Watch.Cold.on ping', [block([], returned())], { locals: [{ name: 'payload', type: point }], params: 1 }),
      made('half', [block([], returned(local(0, int)))], {
        locals: [{ name: 'of', type: int }],
        params: 1,
        returns: int,
      }),
    ],
    main: 0,
    monitors: [{ machine: 2, over: [0, 1] }],
  }
}

/** With one machine changed. */
export function withMachine(at: number, parts: Partial<IrMachine>): Ir {
  const ir = smallIr()
  return { ...ir, machines: ir.machines.map((one, place) => (place === at ? { ...one, ...parts } : one)) }
}

/** With one function changed. */
export function withFunction(at: number, parts: Partial<IrFunction>): Ir {
  const ir = smallIr()
  return { ...ir, functions: ir.functions.map((one, place) => (place === at ? { ...one, ...parts } : one)) }
}
