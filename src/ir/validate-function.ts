/** Whether a function can be run: blocks end somewhere, locals exist, calls fit what they call. */
import { unreachable } from '../core/invariant.ts'
import type { Ir, IrCase, IrEnd, IrExpression, IrFunction, IrInstruction, IrMachine, IrType } from './ir.ts'
import { accepts, typeText } from './type-relation.ts'
import { expect, type ValidateScope, validateExpression } from './validate-expression.ts'
import { expressionsOf, successorsOf } from './visit.ts'

export function functionProblems(one: IrFunction, machines: readonly IrMachine[], ir: Ir): readonly string[] {
  const problems: string[] = []
  const scopeAt = (where: string): ValidateScope => ({
    ir,
    locals: one.locals,
    machines,
    report: (problem) => problems.push(`${one.name}${where}: ${problem}`),
  })
  const { report } = scopeAt('')
  if (one.params > one.locals.length) report(`${one.params} parameters are more than ${one.locals.length} locals`)
  if (one.blocks.length === 0) report('there is no block')
  for (const [at, { instructions, end }] of one.blocks.entries()) {
    for (const [index, instruction] of instructions.entries()) {
      const scope = scopeAt(` b${at} ${index}`)
      for (const expression of expressionsOf(instruction)) validateExpression(expression, scope)
      validateInstruction(instruction, scope)
    }
    const scope = scopeAt(` b${at} end`)
    for (const expression of expressionsOf(end)) validateExpression(expression, scope)
    for (const to of successorsOf(end)) if (one.blocks[to] === undefined) scope.report(`there is no block ${to}`)
    validateEnd(end, one, scope)
  }
  if (hasUnmarkedLoop(one)) report('a loop has no block that is marked as its beginning')
  return problems
}

function validateInstruction(instruction: IrInstruction, scope: ValidateScope): void {
  switch (instruction.kind) {
    case 'setLocal':
      return expectLocal(instruction.local, (type) => expect(type, instruction.value, 'the value', scope), scope)
    case 'setField':
      for (const { name, fields } of scope.machines) {
        const field = fields[instruction.field]
        if (field === undefined) scope.report(`there is no field ${instruction.field} of ${name}`)
        else expect(field.type, instruction.value, 'the value', scope)
      }
      return
    case 'choose':
      forbidInMonitors('choose', scope)
      return validateChoice(instruction, scope)
    case 'new':
      forbidInMonitors('new', scope)
      for (const { name, creates } of scope.machines) {
        if (!Object.hasOwn(creates, instruction.creates)) scope.report(`${name} creates no ${instruction.creates}`)
      }
      return into({ kind: 'machine', receives: undefined }, instruction.into, scope)
    case 'send':
      forbidInMonitors('send', scope)
      expect({ kind: 'machine', receives: undefined }, instruction.to, 'the target', scope)
      return validateMessage(instruction.event, instruction.payload, scope)
    case 'announce':
      forbidInMonitors('announce', scope)
      return validateMessage(instruction.event, instruction.payload, scope)
    case 'call':
      return validateCall(instruction, scope)
    case 'foreign':
      return into(instruction.returns, instruction.into, scope)
    case 'print':
      return expect({ kind: 'string' }, instruction.message, 'the message', scope)
    default:
      return unreachable(instruction, 'instruction')
  }
}

type Of<K extends IrInstruction['kind']> = Extract<IrInstruction, { readonly kind: K }>

function validateChoice({ among, from, into: local, isFair }: Of<'choose'>, scope: ValidateScope): void {
  if (isFair && among !== 'boolean') scope.report(`${among} is chosen fairly, and its options are not always the same`)
  if (among === 'boolean') {
    if (from !== undefined) scope.report('a boolean is chosen from nothing')
    return into({ kind: 'bool' }, local, scope)
  }
  if (from === undefined) return scope.report(`${among} is chosen from something`)
  if (among === 'below') {
    expect({ kind: 'int' }, from, 'the limit', scope)
    return into({ kind: 'int' }, local, scope)
  }
  const { type } = from
  if (type.kind !== 'seq' && type.kind !== 'set' && type.kind !== 'map') {
    return scope.report(`an element of ${typeText(type)} is chosen`)
  }
  into(type.kind === 'map' ? type.key : type.of, local, scope)
}

function validateCall(call: Of<'call'>, scope: ValidateScope): void {
  const callee = scope.ir.functions[call.function]
  if (callee === undefined) return scope.report(`there is no function ${call.function}`)
  if (callee.params !== call.args.length) {
    scope.report(`${callee.name} has ${callee.params} parameters and is given ${call.args.length}`)
  }
  for (const [index, arg] of call.args.entries()) {
    const param = callee.locals[index]
    if (param !== undefined) expect(param.type, arg, `the argument ${param.name}`, scope)
  }
  into(callee.returns, call.into, scope)
}

/** The payload of an event that is named is of the type that the event carries. */
function validateMessage(event: IrExpression, payload: IrExpression | undefined, scope: ValidateScope): void {
  expect({ kind: 'event' }, event, 'the event', scope)
  if (event.kind !== 'constant' || event.value.kind !== 'event') return
  const declared = scope.ir.events[event.value.event]
  if (declared === undefined) return
  if ((payload === undefined) !== (declared.payload === undefined)) {
    return scope.report(`${declared.name} carries ${declared.payload === undefined ? 'nothing' : 'something'}`)
  }
  if (payload !== undefined && declared.payload !== undefined) expect(declared.payload, payload, 'the payload', scope)
}

function validateEnd(end: IrEnd, one: IrFunction, scope: ValidateScope): void {
  switch (end.kind) {
    case 'jump':
      return
    case 'branch':
      return expect({ kind: 'bool' }, end.condition, 'the condition', scope)
    case 'return':
      if ((end.value === undefined) !== (one.returns === undefined)) return scope.report('a value is returned, or none')
      if (end.value !== undefined && one.returns !== undefined) expect(one.returns, end.value, 'the value', scope)
      return
    case 'raise':
      return validateMessage(end.event, end.payload, scope)
    case 'goto':
      for (const { name, states } of scope.machines) {
        if (states[end.state] === undefined) scope.report(`there is no state ${end.state} of ${name}`)
      }
      return
    case 'receive':
      forbidInMonitors('receive', scope)
      for (const one of end.cases) validateCase(one, scope)
      return
    case 'fail':
      return expect({ kind: 'string' }, end.message, 'the message', scope)
    default:
      return unreachable(end, 'end of a block')
  }
}

function validateCase({ events, into: local }: IrCase, scope: ValidateScope): void {
  for (const place of events) {
    const event = scope.ir.events[place]
    if (event === undefined) scope.report(`there is no event ${place}`)
    else if (event.payload !== undefined) into(event.payload, local, scope)
  }
  if (local !== undefined && scope.locals[local] === undefined) scope.report(`there is no local ${local}`)
}

/** Whether a value of this type can go into the local, if it goes anywhere. */
function into(type: IrType | undefined, local: number | undefined, scope: ValidateScope): void {
  if (local === undefined) return
  if (type === undefined) return scope.report('the result of what returns nothing is kept')
  expectLocal(
    local,
    (declared) => {
      const isMachine = type.kind === 'machine' && declared.kind === 'machine'
      if (!isMachine && !accepts(declared, type)) scope.report(`${typeText(type)} goes into ${typeText(declared)}`)
    },
    scope,
  )
}

function expectLocal(local: number, check: (type: IrType) => void, scope: ValidateScope): void {
  const declared = scope.locals[local]
  if (declared === undefined) scope.report(`there is no local ${local}`)
  else check(declared.type)
}

function forbidInMonitors(what: string, scope: ValidateScope): void {
  for (const { kind, name } of scope.machines)
    if (kind !== 'machine') scope.report(`${name} is a ${kind}, and ${what} is not for it`)
}

/** Whether there is a way round that passes no marked block: whoever counts rounds would miss it. */
function hasUnmarkedLoop({ blocks }: IrFunction): boolean {
  const waiting = blocks.map(() => 0)
  const waysOut = blocks.map(({ end }) => successorsOf(end).filter((to) => blocks[to]?.isLoop === false))
  for (const to of waysOut.flat()) waiting[to] = (waiting[to] ?? 0) + 1
  const ready = [...waiting.keys()].filter((block) => waiting[block] === 0)
  let sorted = 0
  for (let block = ready.pop(); block !== undefined; block = ready.pop()) {
    sorted++
    for (const to of waysOut[block] ?? []) {
      const left = (waiting[to] ?? 0) - 1
      waiting[to] = left
      if (left === 0) ready.push(to)
    }
  }
  return sorted < blocks.length
}
