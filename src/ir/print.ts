/** A program in IR as text for people: machines with their states, then functions with their blocks. The same program gives the same text. */
import { unreachable } from '../core/invariant.ts'
import type {
  Ir,
  IrBlock,
  IrCase,
  IrEnd,
  IrExpression,
  IrFunction,
  IrHandler,
  IrInstruction,
  IrMachine,
  IrState,
  IrVariable,
} from './ir.ts'
import { eventText, expressionText, fieldText, localText, type PrintScope } from './print-expression.ts'
import { machinesByFunction } from './reach.ts'
import { typeText } from './type-relation.ts'

export function printIr(ir: Ir): string {
  const owners = machinesByFunction(ir)
  const functions = ir.functions.map((one, place) => functionLines(one, place, ir, owners[place] ?? new Set()))
  const parts = [headLines(ir), ...ir.machines.map((machine, place) => machineLines(machine, place, ir)), ...functions]
  return `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`
}

function headLines(ir: Ir): readonly string[] {
  const events = ir.events.map(
    ({ name, payload }) => `event ${name}${payload === undefined ? '' : `: ${typeText(payload)}`}`,
  )
  return [`test ${ir.name}`, ...events]
}

// Machines

function machineLines(machine: IrMachine, place: number, ir: Ir): readonly string[] {
  const { kind, name, fields, states, creates } = machine
  const monitor = ir.monitors.find((one) => one.machine === place)
  const names = (machines: readonly number[]): string => machines.map((at) => ir.machines[at]?.name ?? at).join(', ')
  const events = (what: string, places: readonly number[] | undefined): readonly string[] =>
    places === undefined
      ? []
      : [`  ${what} ${places.map((event) => eventText(event, ir.events)).join(', ') || 'nothing'}`]
  return [
    `${ir.main === place ? 'main ' : ''}${kind} ${name}`,
    ...(kind === 'machine'
      ? [...events('receives', machine.receives), ...events('sends', machine.sends)]
      : events('observes', machine.observes)),
    ...(monitor === undefined ? [] : [`  over ${names(monitor.over)}`]),
    ...Object.entries(creates).map(([creation, at]) => `  creates ${creation}: ${names([at])}`),
    ...fields.map((field) => `  var ${variableText(field)}`),
    ...states.flatMap((state, at) => stateLines(state, at === machine.start, machine, ir)),
  ]
}

function stateLines(state: IrState, isStart: boolean, machine: IrMachine, ir: Ir): readonly string[] {
  const { name, temperature, entry, exit, handlers, onNull } = state
  const words = [isStart ? 'start ' : '', temperature === 'warm' ? '' : `${temperature} `, 'state ', name]
  const called = (place: number): string => ir.functions[place]?.name ?? `function ${place}`
  const handled = (handler: IrHandler): string => handlerText(handler, machine, called)
  return [
    `  ${words.join('')}`,
    ...(entry === undefined ? [] : [`    entry ${called(entry)}`]),
    ...(exit === undefined ? [] : [`    exit ${called(exit)}`]),
    ...[...handlers].map(([event, handler]) => `    on ${eventText(event, ir.events)} ${handled(handler)}`),
    ...(onNull === undefined ? [] : [`    on null ${handled(onNull)}`]),
  ]
}

function handlerText(handler: IrHandler, machine: IrMachine, called: (place: number) => string): string {
  switch (handler.kind) {
    case 'do':
      return `do ${called(handler.function)}`
    case 'goto': {
      const state = machine.states[handler.state]?.name ?? `state ${handler.state}`
      return `goto ${state}${handler.with === undefined ? '' : ` with ${called(handler.with)}`}`
    }
    case 'defer':
    case 'ignore':
      return handler.kind
    default:
      return unreachable(handler, 'handler')
  }
}

// Functions

interface BlockScope extends PrintScope {
  readonly ir: Ir
  /** Undefined where several machines run the function. */
  readonly machine: IrMachine | undefined
}

function functionLines(one: IrFunction, place: number, ir: Ir, owners: ReadonlySet<number>): readonly string[] {
  const [owner, ...others] = owners
  const machine = owner === undefined || others.length > 0 ? undefined : ir.machines[owner]
  const scope: BlockScope = { ir, machine, events: ir.events, locals: one.locals, fields: machine?.fields }
  const params = one.locals.slice(0, one.params).map(variableText).join(', ')
  return [
    `function ${place} ${one.name}(${params})${one.returns === undefined ? '' : `: ${typeText(one.returns)}`}`,
    ...one.locals.slice(one.params).map((local) => `  var ${variableText(local)}`),
    ...one.blocks.flatMap((block, at) => blockLines(block, at, scope)),
  ]
}

function blockLines({ instructions, end, isLoop }: IrBlock, at: number, scope: BlockScope): readonly string[] {
  const inside = [...instructions.map((one) => instructionText(one, scope)), ...endLines(end, scope)]
  return [`  ${isLoop ? 'loop ' : ''}b${at}:`, ...inside.map((line) => `    ${line}`)]
}

function instructionText(instruction: IrInstruction, scope: BlockScope): string {
  const text = (expression: IrExpression): string => expressionText(expression, scope)
  const payload = (value: IrExpression | undefined): string => (value === undefined ? '' : `, ${text(value)}`)
  const result = (local: number | undefined): string => (local === undefined ? '' : `${localText(local, scope)} = `)
  switch (instruction.kind) {
    case 'setLocal':
      return `${localText(instruction.local, scope)} = ${text(instruction.value)}`
    case 'setField':
      return `${fieldText(instruction.field, scope)} = ${text(instruction.value)}`
    case 'choose': {
      const { among, from, into, isFair } = instruction
      return `${result(into)}choose ${isFair ? 'fair ' : ''}${among}${from === undefined ? '' : ` ${text(from)}`}`
    }
    case 'new': {
      const { payload: value } = instruction
      return `${result(instruction.into)}new ${instruction.creates}(${value === undefined ? '' : text(value)})`
    }
    case 'send':
      return `send ${text(instruction.to)}, ${text(instruction.event)}${payload(instruction.payload)}`
    case 'announce':
      return `announce ${text(instruction.event)}${payload(instruction.payload)}`
    case 'call': {
      const name = scope.ir.functions[instruction.function]?.name ?? `function ${instruction.function}`
      return `${result(instruction.into)}call ${name}(${instruction.args.map(text).join(', ')})`
    }
    case 'foreign':
      return `${result(instruction.into)}foreign ${instruction.name}(${instruction.args.map(text).join(', ')})`
    case 'print':
      return `print ${text(instruction.message)}`
    default:
      return unreachable(instruction, 'instruction')
  }
}

function endLines(end: IrEnd, scope: BlockScope): readonly string[] {
  const text = (expression: IrExpression): string => expressionText(expression, scope)
  const payload = (value: IrExpression | undefined): string => (value === undefined ? '' : `, ${text(value)}`)
  switch (end.kind) {
    case 'jump':
      return [`jump b${end.to}`]
    case 'branch':
      return [`branch ${text(end.condition)} ? b${end.then} : b${end.otherwise}`]
    case 'return':
      return [`return${end.value === undefined ? '' : ` ${text(end.value)}`}`]
    case 'raise':
      return [`raise ${text(end.event)}${payload(end.payload)}`]
    case 'goto':
      return [`goto ${scope.machine?.states[end.state]?.name ?? `state ${end.state}`}${payload(end.payload)}`]
    case 'receive':
      return ['receive', ...end.cases.map((one) => `  case ${caseText(one, scope)}`)]
    case 'fail':
      return [`fail ${text(end.message)}`]
    default:
      return unreachable(end, 'end of a block')
  }
}

function caseText(one: IrCase, scope: BlockScope): string {
  const events = one.events.map((event) => eventText(event, scope.events)).join(', ')
  return `${events}${one.into === undefined ? '' : ` into ${localText(one.into, scope)}`}: b${one.to}`
}

function variableText({ name, type }: IrVariable): string {
  return `${name}: ${typeText(type)}`
}
