/** What is passed along: to functions, to new machines, with events. */
import type { Expression, ExpressionOf, Span, StatementOf } from './ast.ts'
import { functionNamed } from './check-state.ts'
import { act, expectType, type FunctionContext, machineOf, refuseType, typeOf } from './function-context.ts'
import { interfaceOf, refuse, refuseUnknown, refuseUnknownInterface } from './project.ts'
import { type EventSymbol, haltEvent } from './symbols.ts'
import type { Type } from './type.ts'
import { eventType, isAssignable, typeText, unknownType } from './type-relations.ts'

interface Passed {
  /** Who gets it, for messages: `the event \`ePing\` carries`. */
  readonly taker: string
  readonly payload: Type
  readonly args: readonly Expression[]
  readonly at: Span
  readonly declared: Span | undefined
  /** What to do if it gets something and takes nothing. */
  readonly remedy: string
}

/** One value, or the items of an unnamed tuple one by one. */
function checkPayload(context: FunctionContext, { taker, payload, args, at, declared, remedy }: Passed): void {
  const types = args.map((arg) => typeOf(context, arg))
  if (payload.kind === 'unknown') return
  const mismatch = (message: string, hint: string, place = at): void =>
    refuse(context.project, {
      code: 'E713',
      message,
      hint,
      at: place,
      second: declared === undefined ? undefined : { at: declared, label: 'declared' },
    })
  const [first] = args
  const [firstType = unknownType] = types
  if (first === undefined) {
    if (payload.kind === 'void') return
    mismatch(`${taker} "${typeText(payload)}", found nothing`, 'give it as the last argument')
  } else if (args.length === 1) {
    if (isAssignable(payload, firstType)) return
    if (payload.kind === 'void')
      mismatch(`${taker} nothing, found "${typeText(firstType)}"`, `leave the payload out, or ${remedy}`, first.at)
    else
      mismatch(`${taker} "${typeText(payload)}", found "${typeText(firstType)}"`, fittingFor(payload, first), first.at)
  } else if (payload.kind !== 'tuple' || payload.items.length !== args.length) {
    mismatch(
      `${taker} ${payload.kind === 'void' ? 'nothing' : `"${typeText(payload)}"`}, found ${args.length} values`,
      payload.kind === 'record'
        ? 'write the named tuple: "(name = value, …)"'
        : 'several values make an unnamed tuple of that length',
    )
  } else {
    args.forEach((arg, index) => {
      const expected = payload.items[index] ?? unknownType
      const found = types[index] ?? unknownType
      if (isAssignable(expected, found)) return
      mismatch(`${taker} "${typeText(payload)}", found "${typeText(found)}" as item ${index}`, fitting, arg.at)
    })
  }
}

const fitting = 'the payload must fit the type that is declared for it'

/** Of a named tuple, how it is written: one item ends in a comma. */
function fittingFor(payload: Type, given: Expression): string {
  if (payload.kind !== 'record') return fitting
  const [only, ...others] = payload.fields
  if (only === undefined) return fitting
  if (others.length > 0) return `write the named tuple: (${payload.fields.map(({ name }) => `${name} = …`).join(', ')})`
  return `write the named tuple, with a comma behind its only item: (${only.name} = ${given.kind === 'name' ? given.name.text : '…'},)`
}

/** `new M(…)`, as an expression or a statement. */
export function checkCreation(context: FunctionContext, node: ExpressionOf<'new'> | StatementOf<'new'>): Type {
  context.deeds.acts.push({ what: 'new', creates: node.creates.text, at: node.at })
  const target = interfaceOf(context.project, node.creates.text)
  if (target === undefined) {
    for (const arg of node.args) typeOf(context, arg)
    refuseUnknownInterface(context.project, node.creates)
    return unknownType
  }
  const { name, payload, receives, at } = target
  const remedy = 'give the entry of its start state a parameter'
  checkPayload(context, {
    taker: `"${name}" is created with`,
    payload,
    args: node.args,
    at: node.at,
    declared: at,
    remedy,
  })
  return { kind: 'machine', name, receives }
}

export function checkCall(context: FunctionContext, node: ExpressionOf<'call'> | StatementOf<'call'>): Type {
  const types = node.args.map((arg) => typeOf(context, arg))
  const machine = machineOf(context)
  const callee = functionNamed(context.project, machine, node.callee)
  if (callee === undefined) {
    const own = machine?.functions.map((symbol) => symbol.name.slice(machine.name.length + 1)) ?? []
    refuseUnknown(context.project, node.callee, {
      what: 'function',
      names: [...own, ...context.project.globals.functions.keys()],
      otherwise: `declare it: "fun ${node.callee.text}(…) { … }"`,
    })
    return unknownType
  }
  context.project.callees.set(node.callee, callee)
  context.deeds.calls.push({ callee, at: node.callee.at })
  if (callee.params.length !== types.length) {
    refuse(context.project, {
      code: 'E713',
      message: `"${node.callee.text}" takes ${count(callee.params.length)}, found ${types.length}`,
      hint: callee.params.map((param) => `${param.name}: ${typeText(param.type)}`).join(', ') || 'it takes nothing',
      at: node.callee.at,
      second: { at: callee.at, label: 'declared' },
    })
    return callee.returns
  }
  node.args.forEach((arg, index) => {
    expectType(context, callee.params[index]?.type ?? unknownType, types[index] ?? unknownType, arg)
  })
  return callee.returns
}

function count(args: number): string {
  return args === 1 ? '1 argument' : `${args} arguments`
}

/** An event, by name or as a value, and what goes with it. Of an event that is a value nobody knows the payload. */
export function checkEvent(context: FunctionContext, node: StatementOf<'send' | 'raise' | 'announce'>): void {
  const { event, args } = node
  act(context, node.kind, node.at)
  const type = typeOf(context, event)
  if (type.kind === 'null') {
    refuse(context.project, {
      code: 'E713',
      message: `"${node.kind}" of "null"`,
      hint: 'there is nothing to handle: name an event',
      at: event.at,
    })
  } else if (!isAssignable(eventType, type)) {
    refuseType(context, event.at, eventType, type)
  }
  const known = knownEvent(context, event)
  if (known === undefined) {
    for (const arg of args) typeOf(context, arg)
    return
  }
  const { name, payload, at } = known
  const remedy = 'declare its type with the event'
  checkPayload(context, { taker: `the event "${name}" carries`, payload, args, at: event.at, declared: at, remedy })
}

function knownEvent(context: FunctionContext, event: Expression): EventSymbol | undefined {
  if (event.kind === 'halt') return haltEvent
  if (event.kind !== 'name') return undefined
  const meaning = context.project.meanings.get(event.name)
  return meaning?.kind === 'event' ? meaning : undefined
}
