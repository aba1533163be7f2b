/** Small IR programs by hand: names instead of places, statements instead of blocks. */
import type {
  Ir,
  IrBinaryOperator,
  IrCase,
  IrEnd,
  IrExpression,
  IrFunction,
  IrHandler,
  IrInstruction,
  IrMachine,
  IrState,
  IrType,
  IrUnaryOperator,
} from '../../../../src/ir/ir.ts'

export const int: IrType = { kind: 'int' }
export const bool: IrType = { kind: 'bool' }
export const any: IrType = { kind: 'any' }
export const text: IrType = { kind: 'string' }
export const float: IrType = { kind: 'float' }
export const machine: IrType = { kind: 'machine', receives: undefined }
export const seqOf = (of: IrType): IrType => ({ kind: 'seq', of })
export const setOf = (of: IrType): IrType => ({ kind: 'set', of })
export const mapOf = (key: IrType, value: IrType): IrType => ({ kind: 'map', key, value })

const place = { file: 'test.p', line: 1, column: 1 }
let line = 1

interface Scope {
  readonly events: readonly string[]
  readonly fields: readonly string[]
  readonly locals: readonly string[]
  readonly functions: readonly string[]
  readonly states: readonly string[]
}

export type Expression = (scope: Scope) => IrExpression

type Shape<Each> = Each extends unknown ? Omit<Each, 'type' | 'place'> : never

function made(type: IrType, shape: (scope: Scope) => Shape<IrExpression>): Expression {
  const at = { ...place, line: line++ }
  return (scope) => ({ ...shape(scope), type, place: at }) as IrExpression
}

function placeIn(names: readonly string[], name: string): number {
  const found = names.indexOf(name)
  if (found < 0) throw new Error(`${name} is not among ${names.join()}`)
  return found
}

export const number = (value: number): Expression =>
  made(int, () => ({ kind: 'constant', value: { kind: 'int', value } }))
export const decimal = (value: number): Expression =>
  made(float, () => ({ kind: 'constant', value: { kind: 'float', value } }))
export const flag = (value: boolean): Expression =>
  made(bool, () => ({ kind: 'constant', value: { kind: 'bool', value } }))
export const words = (value: string): Expression =>
  made(text, () => ({ kind: 'constant', value: { kind: 'string', value } }))
export const event = (name: string): Expression =>
  made({ kind: 'event' }, ({ events }) => ({
    kind: 'constant',
    value: { kind: 'event', event: placeIn(events, name) },
  }))
export const nothing: Expression = made(any, () => ({ kind: 'constant', value: { kind: 'null' } }))
export const self: Expression = made(machine, () => ({ kind: 'this' }))
/** A local or a field. */
export const the = (name: string, type: IrType = any): Expression =>
  made(type, ({ locals, fields }) =>
    locals.includes(name)
      ? { kind: 'local', local: locals.indexOf(name) }
      : { kind: 'field', field: placeIn(fields, name) },
  )
export const initial = (type: IrType): Expression => made(type, () => ({ kind: 'default' }))
export const tuple = (...items: readonly Expression[]): Expression =>
  made({ kind: 'tuple', items: items.map(() => any) }, (scope) => ({
    kind: 'tuple',
    items: items.map((item) => item(scope)),
  }))
export const record = (fields: { readonly [name: string]: Expression }): Expression =>
  made({ kind: 'record', fields: Object.keys(fields).map((name) => ({ name, type: any })) }, (scope) => ({
    kind: 'tuple',
    items: Object.values(fields).map((item) => item(scope)),
  }))
export const item = (of: Expression, index: number): Expression =>
  made(any, (scope) => ({ kind: 'item', of: of(scope), index }))
export const binary = (operator: IrBinaryOperator, left: Expression, right: Expression): Expression =>
  made(any, (scope) => ({ kind: 'binary', operator, left: left(scope), right: right(scope) }))
export const equal = (left: Expression, right: Expression): Expression => binary('equal', left, right)
export const unary = (operator: IrUnaryOperator, of: Expression): Expression =>
  made(any, (scope) => ({ kind: 'unary', operator, of: of(scope) }))
export const not = (of: Expression): Expression => unary('not', of)
export const element = (of: Expression, key: Expression): Expression =>
  made(any, (scope) => ({ kind: 'element', of: of(scope), key: key(scope) }))
export const changed = (
  kind: 'withElement' | 'inserted',
  of: Expression,
  key: Expression,
  value: Expression,
): Expression => made(any, (scope) => ({ kind, of: of(scope), key: key(scope), value: value(scope) }))
export const added = (of: Expression, value: Expression): Expression =>
  made(any, (scope) => ({ kind: 'added', of: of(scope), value: value(scope) }))
export const removed = (of: Expression, key: Expression): Expression =>
  made(any, (scope) => ({ kind: 'removed', of: of(scope), key: key(scope) }))
export const cast = (of: Expression, type: IrType): Expression =>
  made(type, (scope) => ({ kind: 'cast', of: of(scope) }))
export const format = (texts: readonly string[], ...args: readonly Expression[]): Expression =>
  made(text, (scope) => ({ kind: 'format', texts, args: args.map((arg) => arg(scope)) }))

type Instruction<Each> = Each extends unknown ? Omit<Each, 'place'> : never

/** Puts instructions into blocks. */
class Body {
  readonly scope: Scope
  readonly blocks: { instructions: IrInstruction[]; end: IrEnd | undefined; isLoop: boolean }[] = []
  #at = 0

  constructor(scope: Scope) {
    this.scope = scope
    this.block()
  }

  block(): number {
    return this.blocks.push({ instructions: [], end: undefined, isLoop: false }) - 1
  }

  add(instruction: Instruction<IrInstruction>): void {
    this.blocks[this.#at]?.instructions.push({ ...instruction, place: { ...place, line: line++ } } as IrInstruction)
  }

  end(end: Instruction<IrEnd>): void {
    const block = this.blocks[this.#at]
    if (block !== undefined) block.end ??= { ...end, place: { ...place, line: line++ } } as IrEnd
  }

  branch(condition: Expression, yes: number, no: number): void {
    this.end({ kind: 'branch', condition: condition(this.scope), then: yes, otherwise: no })
  }

  goOnIn(block: number): void {
    this.#at = block
  }

  local(name: string | undefined): number | undefined {
    return name === undefined ? undefined : placeIn(this.scope.locals, name)
  }
}

export type Statement = (body: Body) => void

export function set(name: string, value: Expression): Statement {
  return (body) => {
    const { locals, fields } = body.scope
    if (locals.includes(name)) body.add({ kind: 'setLocal', local: locals.indexOf(name), value: value(body.scope) })
    else body.add({ kind: 'setField', field: placeIn(fields, name), value: value(body.scope) })
  }
}

export function choose(into: string, among: 'boolean' | 'below' | 'element' = 'boolean', from?: Expression): Statement {
  return (body) =>
    body.add({ kind: 'choose', among, from: from?.(body.scope), isFair: false, into: body.local(into) as number })
}

export function chooseFairly(into: string): Statement {
  return (body) =>
    body.add({ kind: 'choose', among: 'boolean', from: undefined, isFair: true, into: body.local(into) as number })
}

export function create(creates: string, payload?: Expression, into?: string): Statement {
  return (body) => body.add({ kind: 'new', creates, payload: payload?.(body.scope), into: body.local(into) })
}

export function send(to: Expression, what: string | Expression, payload?: Expression): Statement {
  const named = typeof what === 'string' ? event(what) : what
  return (body) => {
    const { scope } = body
    body.add({ kind: 'send', to: to(scope), event: named(scope), payload: payload?.(scope) })
  }
}

export function announce(what: string, payload?: Expression): Statement {
  return (body) => body.add({ kind: 'announce', event: event(what)(body.scope), payload: payload?.(body.scope) })
}

export function call(name: string, args: readonly Expression[] = [], into?: string): Statement {
  return (body) =>
    body.add({
      kind: 'call',
      function: placeIn(body.scope.functions, name),
      args: args.map((arg) => arg(body.scope)),
      into: body.local(into),
    })
}

export function raise(what: string | Expression, payload?: Expression): Statement {
  const named = typeof what === 'string' ? event(what) : what
  return (body) => body.end({ kind: 'raise', event: named(body.scope), payload: payload?.(body.scope) })
}

export function goto(state: string, payload?: Expression): Statement {
  return (body) => body.end({ kind: 'goto', state: placeIn(body.scope.states, state), payload: payload?.(body.scope) })
}

export function giveBack(value?: Expression): Statement {
  return (body) => body.end({ kind: 'return', value: value?.(body.scope) })
}

export function when(
  condition: Expression,
  then: readonly Statement[],
  otherwise: readonly Statement[] = [],
): Statement {
  return (body) => {
    const [first, second, after] = [body.block(), body.block(), body.block()]
    body.branch(condition, first, second)
    inBlock(body, first, then, after)
    inBlock(body, second, otherwise, after)
    body.goOnIn(after)
  }
}

function inBlock(body: Body, block: number, statements: readonly Statement[], after: number): void {
  body.goOnIn(block)
  for (const statement of statements) statement(body)
  body.end({ kind: 'jump', to: after })
}

export function loop(condition: Expression, statements: readonly Statement[]): Statement {
  return (body) => {
    const [head, inner, after] = [body.block(), body.block(), body.block()]
    body.end({ kind: 'jump', to: head })
    body.goOnIn(head)
    body.branch(condition, inner, after)
    inBlock(body, inner, statements, head)
    body.goOnIn(after)
  }
}

export function assert(condition: Expression, message: string | Expression = 'it holds'): Statement {
  const said = typeof message === 'string' ? words(message) : message
  return (body) => {
    const [wrong, after] = [body.block(), body.block()]
    body.branch(condition, after, wrong)
    body.goOnIn(wrong)
    body.end({ kind: 'fail', message: said(body.scope) })
    body.goOnIn(after)
  }
}

export function receive(cases: {
  readonly [events: string]: readonly Statement[] | { readonly into: string; readonly after: readonly Statement[] }
}): Statement {
  return (body) => {
    const after = body.block()
    const made: IrCase[] = Object.entries(cases).map(([events, what]) => ({
      events: events.split(' ').map((name) => placeIn(body.scope.events, name)),
      into: 'into' in what ? body.local(what.into) : undefined,
      to: body.block(),
    }))
    body.end({ kind: 'receive', cases: made })
    for (const [at, what] of Object.values(cases).entries())
      inBlock(body, made[at]?.to as number, 'after' in what ? what.after : what, after)
    body.goOnIn(after)
  }
}

export interface Fn {
  readonly param?: string | undefined
  /** Beside the parameters. */
  readonly locals?: { readonly [name: string]: IrType } | undefined
  readonly params?: readonly string[] | undefined
  readonly body: readonly Statement[]
}

/** A function without parameters and with any number of locals, which begin with null. */
export function does(...body: readonly Statement[]): Fn {
  return { body }
}

export function takes(param: string, ...body: readonly Statement[]): Fn {
  return { param, body }
}

type Reaction = Fn | { readonly goto: string; readonly with?: Fn } | 'defer' | 'ignore'

export interface StateText {
  readonly entry?: Fn
  readonly exit?: Fn
  readonly on?: { readonly [events: string]: Reaction }
  readonly onNull?: Reaction
  readonly temperature?: 'hot' | 'cold'
}

export interface MachineText {
  readonly fields?: { readonly [name: string]: IrType }
  /** The first one is where it starts. */
  readonly states: { readonly [name: string]: StateText }
  readonly sends?: readonly string[]
  readonly receives?: readonly string[]
  /** Of monitors. */
  readonly observes?: readonly string[]
  readonly kind?: 'scenario'
}

export interface ProgramText {
  readonly events?: readonly string[]
  readonly machines: { readonly [name: string]: MachineText }
  readonly monitors?: { readonly [name: string]: MachineText }
  readonly functions?: { readonly [name: string]: Fn }
}

export function program({ events = [], machines, monitors = {}, functions = {} }: ProgramText): Ir {
  const made: (IrFunction | undefined)[] = Object.keys(functions).map(() => undefined)
  const names = { events: ['halt', ...events], functions: Object.keys(functions) }
  const addFunction = (fn: Fn, name: string, of: MachineText): number => {
    const scope = { ...names, fields: Object.keys(of.fields ?? {}), states: Object.keys(of.states) }
    return made.push(functionOf(fn, name, scope)) - 1
  }
  const all = Object.entries({ ...machines, ...monitors })
  const creates = Object.fromEntries(Object.keys(machines).map((name, at) => [name, at]))
  const built = all.map(([name, of]): IrMachine => {
    const states = Object.entries(of.states).map(([state, said]) =>
      stateOf(state, said, {
        names,
        states: Object.keys(of.states),
        add: (fn, what) => addFunction(fn, `${name}.${state}.${what}`, of),
      }),
    )
    const numbers = (list: readonly string[] | undefined) => list?.map((one) => placeIn(names.events, one))
    return {
      name,
      kind: name in machines ? 'machine' : (of.kind ?? 'monitor'),
      fields: Object.entries(of.fields ?? {}).map(([field, type]) => ({ name: field, type })),
      states,
      start: 0,
      sends: numbers(of.sends),
      receives: numbers(of.receives),
      observes: numbers(of.observes) ?? [],
      creates,
      place: { ...place, line: line++ },
    }
  })
  for (const [at, [name, fn]] of Object.entries(functions).entries())
    made[at] = functionOf(fn, name, { ...names, fields: [], states: [] })
  return {
    name: 'test',
    events: names.events.map((name) => ({ name, payload: any })),
    machines: built,
    functions: made as IrFunction[],
    main: 0,
    monitors: Object.keys(monitors).map((_, at) => ({
      machine: Object.keys(machines).length + at,
      over: Object.keys(machines).map((_name, machineAt) => machineAt),
    })),
  }
}

interface StateScope {
  readonly names: { readonly events: readonly string[] }
  readonly states: readonly string[]
  add(fn: Fn, what: string): number
}

function stateOf(name: string, said: StateText, { names, states, add }: StateScope): IrState {
  const handler = (reaction: Reaction, what: string): IrHandler => {
    if (typeof reaction === 'string') return { kind: reaction }
    if (!('goto' in reaction)) return { kind: 'do', function: add(reaction, what) }
    const between = reaction.with && add(reaction.with, `${what} with`)
    return { kind: 'goto', state: placeIn(states, reaction.goto), with: between }
  }
  const handlers = Object.entries(said.on ?? {}).flatMap(([events, reaction]) =>
    events.split(' ').map((one): [number, IrHandler] => [placeIn(names.events, one), handler(reaction, `on ${one}`)]),
  )
  return {
    name,
    temperature: said.temperature ?? 'warm',
    entry: said.entry && add(said.entry, 'entry'),
    exit: said.exit && add(said.exit, 'exit'),
    handlers: new Map(handlers),
    onNull: said.onNull && handler(said.onNull, 'on null'),
    place: { ...place, line: line++ },
  }
}

function functionOf(fn: Fn, name: string, scope: Omit<Scope, 'locals'>): IrFunction {
  const params = fn.params ?? (fn.param === undefined ? [] : [fn.param])
  const locals = [
    ...params.map((param) => ({ name: param, type: any })),
    ...Object.entries(fn.locals ?? {}).map(([local, type]) => ({ name: local, type })),
  ]
  const body = new Body({ ...scope, locals: locals.map((local) => local.name) })
  for (const statement of fn.body) statement(body)
  const end: IrEnd = { kind: 'return', value: undefined, place }
  return {
    name,
    locals,
    params: params.length,
    returns: undefined,
    blocks: body.blocks.map((block) => ({ ...block, end: block.end ?? end })),
    place: { ...place, line: line++ },
  }
}
