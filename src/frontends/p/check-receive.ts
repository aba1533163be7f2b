/** `receive`: each case is a function of its own that sees the variables of the one that waits. */
import type { ReceiveCase, Span, StatementOf } from './ast.ts'
import { eventNamed } from './check-state.ts'
import { refuseUnknownEvent } from './declare.ts'
import { declareBody } from './declare-function.ts'
import { act, checkStatements, contextInside, type FunctionContext, machineOf } from './function-context.ts'
import { refuse } from './project.ts'
import type { EventSymbol, FunctionSymbol } from './symbols.ts'
import { isAssignable, typeText, voidType } from './type-relations.ts'

export function checkReceive(context: FunctionContext, statement: StatementOf<'receive'>): void {
  act(context, 'receive', statement.at)
  const first = new Map<string, Span>()
  for (const one of statement.cases) {
    const events = eventsOf(context, one, first)
    context.project.caseEvents.set(one, events)
    const symbol = declareBody(context.project, machineOf(context), nameOf(context, one), one.handler)
    for (const event of events) checkCasePayload(context, one, symbol, event)
    context.deeds.calls.push({ callee: symbol, at: undefined })
    checkStatements(contextInside(context, symbol), one.handler.body)
  }
}

/** Two cases of one function may be for the same event. */
function nameOf(context: FunctionContext, one: ReceiveCase): string {
  context.cases++
  return `${context.symbol?.name}.case ${context.cases} ${one.events.map((event) => event.text).join(', ')}`
}

function eventsOf(context: FunctionContext, one: ReceiveCase, first: Map<string, Span>): readonly EventSymbol[] {
  const events: EventSymbol[] = []
  for (const name of one.events) {
    const event = eventNamed(context.project, name)
    const other = first.get(name.text)
    if (event === undefined) {
      refuseUnknownEvent(context.project, name)
    } else if (other !== undefined) {
      refuse(context.project, {
        code: 'E714',
        message: `"receive" has two cases for "${name.text}"`,
        hint: 'make one case of them',
        at: name.at,
        second: { at: other, label: 'the first of them' },
      })
    } else {
      first.set(name.text, name.at)
      events.push(event)
    }
  }
  return events
}

/** Unlike a handler, a case names the payload if there is one. */
function checkCasePayload(
  context: FunctionContext,
  one: ReceiveCase,
  symbol: FunctionSymbol,
  event: EventSymbol,
): void {
  const [param] = symbol.params
  if (isAssignable(param?.type ?? voidType, event.payload)) return
  const carried = event.payload.kind === 'void' ? 'nothing' : `"${typeText(event.payload)}"`
  refuse(context.project, {
    code: 'E713',
    message: `the case takes ${param === undefined ? 'nothing' : `"${typeText(param.type)}"`}, but "${event.name}" carries ${carried}`,
    hint:
      param === undefined
        ? `name the payload: "case ${event.name}: (payload: ${typeText(event.payload)}) { … }"`
        : 'the parameter must accept the payload of every event of the case',
    at: param?.at ?? one.at,
  })
}
