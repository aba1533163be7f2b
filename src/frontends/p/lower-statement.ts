/** Statements of P as instructions and blocks. */
import { invariant, unreachable } from '../../core/invariant.ts'
import type { IrCase, IrExpression, IrType } from '../../ir/ir.ts'
import type { Expression, ReceiveCase, Statement, StatementOf } from './ast.ts'
import { lowerAll, lowerBranch, lowerEffect, lowerExpression, payloadOf } from './lower-expression.ts'
import { adapted, constant, type FunctionScope, missingValue, nodePlace, readVariable } from './lower-scope.ts'
import { lowerChange, write } from './lower-target.ts'
import { placeOfState } from './project.ts'

export function lowerStatements(statements: readonly Statement[], scope: FunctionScope): void {
  for (const statement of statements) scope.builder.statement(() => lowerStatement(statement, scope))
}

function lowerStatement(statement: Statement, scope: FunctionScope): void {
  switch (statement.kind) {
    case 'block':
      return lowerStatements(statement.body, scope)
    case 'assign':
    case 'insert':
    case 'add':
    case 'remove':
      return lowerChange(statement, scope)
    case 'new':
    case 'call':
      return lowerEffect(statement, undefined, scope)
    case 'assume':
      return invariant(false, 'programs with assumptions in functions are refused')
    case 'print': {
      const message = lowerExpression(statement.message, scope)
      return scope.builder.emit({ kind: 'print', message, place: nodePlace(statement, scope) })
    }
    case 'send':
      return lowerSend(statement, scope)
    case 'raise':
    case 'announce':
      return lowerRaise(statement, scope)
    case 'goto':
      return lowerGoto(statement, scope)
    case 'return':
      return lowerReturn(statement, scope)
    case 'break':
    case 'continue':
    case 'empty':
      return lowerJump(statement, scope)
    case 'assert':
      return lowerAssert(statement, scope)
    case 'if':
      return lowerIf(statement, scope)
    case 'while':
      return lowerWhile(statement, scope)
    case 'foreach':
      return lowerForeach(statement, scope)
    case 'receive':
      return lowerReceive(statement, scope)
    default:
      return unreachable(statement, 'statement of P')
  }
}

// Messages

/** Target, event, payload: in this order. */
function lowerSend(statement: StatementOf<'send'>, scope: FunctionScope): void {
  const [to, event, ...args] = lowerAll([statement.to, statement.event, ...statement.args], scope)
  invariant(to !== undefined && event !== undefined, 'a send has a target and an event')
  const payload = messagePayload(statement.event, args, scope)
  scope.builder.emit({ kind: 'send', to, event, payload, place: nodePlace(statement, scope) })
}

function lowerRaise(statement: StatementOf<'raise' | 'announce'>, scope: FunctionScope): void {
  const [event, ...args] = lowerAll([statement.event, ...statement.args], scope)
  invariant(event !== undefined, `${statement.kind} has an event`)
  const payload = messagePayload(statement.event, args, scope)
  const place = nodePlace(statement, scope)
  if (statement.kind === 'announce') scope.builder.emit({ kind: 'announce', event, payload, place })
  else scope.builder.end({ kind: 'raise', event, payload, place })
}

/** Its type is known if the event is named rather than computed. */
function messagePayload(
  event: Expression,
  args: readonly IrExpression[],
  scope: FunctionScope,
): IrExpression | undefined {
  const payload = payloadOf(args)
  const meaning = event.kind === 'name' ? scope.program.checked.meanings.get(event.name) : undefined
  if (payload === undefined || meaning?.kind !== 'event' || meaning.payload.kind === 'void') return payload
  return adapted(payload, scope.program.type(meaning.payload))
}

// Jumps

function lowerGoto(statement: StatementOf<'goto'>, scope: FunctionScope): void {
  const state = scope.machine === undefined ? -1 : placeOfState(scope.machine, statement.state.text)
  invariant(state >= 0, `the machine has a state ${statement.state.text}`)
  const payload = payloadOf(lowerAll(statement.args, scope))
  scope.builder.end({ kind: 'goto', state, payload, place: nodePlace(statement, scope) })
}

/**
 * In a case of `receive` it ends the function around it, as in P. A case returns no value, so where that function has one
 * to return, such an end is a failure.
 */
function lowerReturn(statement: StatementOf<'return'>, scope: FunctionScope): void {
  const { builder, returns } = scope
  const place = nodePlace(statement, scope)
  const value = statement.value && adapted(lowerExpression(statement.value, scope), returns)
  if (value === undefined && returns !== undefined) return builder.end(missingValue(place, scope))
  builder.end({ kind: 'return', value, place })
}

function lowerJump(statement: StatementOf<'break' | 'continue' | 'empty'>, scope: FunctionScope): void {
  if (statement.kind === 'empty') return
  const { loop } = scope
  invariant(loop !== undefined, `${statement.kind} stands in a loop`)
  const to = statement.kind === 'break' ? loop.after : loop.again
  scope.builder.end({ kind: 'jump', to, place: nodePlace(statement, scope) })
}

// Decisions and loops

/** The message is evaluated if it is needed. P says where an assertion stands if it has none. */
function lowerAssert(statement: StatementOf<'assert'>, scope: FunctionScope): void {
  const { builder } = scope
  const place = nodePlace(statement, scope)
  const [holds, fails] = [builder.block(), builder.block()]
  lowerBranch(statement.condition, { holds, fails }, scope)
  builder.enter(fails)
  const value = `Assertion Failed: ${place.file}:${place.line}:${place.column}`
  const message =
    statement.message === undefined
      ? constant({ kind: 'string', value }, { kind: 'string' }, place)
      : lowerExpression(statement.message, scope)
  builder.end({ kind: 'fail', message, place })
  builder.enter(holds)
}

function lowerIf(statement: StatementOf<'if'>, scope: FunctionScope): void {
  const { builder } = scope
  const place = nodePlace(statement, scope)
  const [then, otherwise, after] = [builder.block(), builder.block(), builder.block()]
  lowerBranch(statement.condition, { holds: then, fails: otherwise }, scope)
  builder.enter(then)
  lowerStatements([statement.then], scope)
  builder.end({ kind: 'jump', to: after, place })
  builder.enter(otherwise)
  if (statement.otherwise !== undefined) lowerStatements([statement.otherwise], scope)
  builder.end({ kind: 'jump', to: after, place })
  builder.enter(after)
}

function lowerWhile(statement: StatementOf<'while'>, scope: FunctionScope): void {
  const { builder } = scope
  const place = nodePlace(statement, scope)
  const [again, body, after] = [builder.block(true), builder.block(), builder.block()]
  builder.end({ kind: 'jump', to: again, place })
  builder.enter(again)
  lowerBranch(statement.condition, { holds: body, fails: after }, scope)
  builder.enter(body)
  lowerStatements([statement.body], { ...scope, loop: { again, after } })
  builder.end({ kind: 'jump', to: again, place })
  builder.enter(after)
}

/**
 * Over a copy of the elements, which assignments in the body do not change. The position moves on before the body runs, so that `continue`
 * goes to the same place as the end of the body.
 */
function lowerForeach(statement: StatementOf<'foreach'>, scope: FunctionScope): void {
  const { builder, program } = scope
  const place = nodePlace(statement, scope)
  const int: IrType = { kind: 'int' }
  const variable = program.checked.meanings.get(statement.variable)
  invariant(variable?.kind === 'local' || variable?.kind === 'field', 'foreach has a variable')
  const root = readVariable(variable, nodePlace(statement.variable, scope), scope)
  const collection = lowerExpression(statement.over, scope)
  const type: IrType = { kind: 'seq', of: elementType(collection.type) }
  const elements: IrExpression = { kind: 'unary', operator: 'elements', of: collection, type, place }
  const over: IrExpression = { kind: 'local', local: builder.temporary(type), type, place }
  const at: IrExpression = { kind: 'local', local: builder.temporary(int), type: int, place }
  const number = (value: number): IrExpression => constant({ kind: 'int', value }, int, place)
  write(over, collection.type.kind === 'seq' ? collection : elements, scope, place)
  write(at, number(0), scope, place)
  const [again, body, after] = [builder.block(true), builder.block(), builder.block()]
  builder.end({ kind: 'jump', to: again, place })
  builder.enter(again)
  const size: IrExpression = { kind: 'unary', operator: 'size', of: over, type: int, place }
  const condition: IrExpression = {
    kind: 'binary',
    operator: 'less',
    left: at,
    right: size,
    type: { kind: 'bool' },
    place,
  }
  builder.end({ kind: 'branch', condition, then: body, otherwise: after, place })
  builder.enter(body)
  write(root, { kind: 'element', of: over, key: at, type: type.of, place }, scope, place)
  write(at, { kind: 'binary', operator: 'add', left: at, right: number(1), type: int, place }, scope, place)
  lowerStatements([statement.body], { ...scope, loop: { again, after } })
  builder.end({ kind: 'jump', to: again, place })
  builder.enter(after)
}

/** What `foreach` goes over: of a map the keys. */
function elementType(type: IrType): IrType {
  if (type.kind === 'map') return type.key
  invariant(type.kind === 'seq' || type.kind === 'set', 'foreach goes over a collection')
  return type.of
}

// Waiting for messages

/** Cases become blocks of the function. `case null` never happens: nothing is ever sent as `null`. */
function lowerReceive(statement: StatementOf<'receive'>, scope: FunctionScope): void {
  const { builder, program } = scope
  const place = nodePlace(statement, scope)
  const after = builder.block()
  const cases = statement.cases.flatMap((one) => {
    const symbols = program.checked.caseEvents.get(one)
    invariant(symbols !== undefined, 'it is known which events a case is for')
    const events = symbols.filter(({ name }) => name !== 'null').map(({ name }) => program.event(name))
    return events.length === 0 ? [] : [{ one, events, to: builder.block() }]
  })
  const lowered = cases.map(({ one, events, to }): IrCase & { readonly fill: () => void } => {
    const { into, fill } = declareCase(one, scope)
    return { events, into, to, fill }
  })
  builder.end({ kind: 'receive', cases: lowered.map(({ events, into, to }) => ({ events, into, to })), place })
  for (const { to, fill } of lowered) {
    builder.enter(to)
    fill()
    builder.end({ kind: 'jump', to: after, place })
  }
  builder.enter(after)
}

/** Locals of a case are locals of the function, which begin with their defaults each time the case is entered. */
function declareCase(
  one: ReceiveCase,
  scope: FunctionScope,
): { readonly into: number | undefined; readonly fill: () => void } {
  const { builder, program, variables } = scope
  const symbol = program.checked.bodies.get(one.handler)
  invariant(symbol !== undefined, 'it is known what function a case is')
  for (const variable of [...symbol.params, ...symbol.locals]) {
    variables.set(variable, builder.local(variable.name, program.type(variable.type)))
  }
  const [param] = symbol.params
  const fill = (): void => {
    for (const variable of symbol.locals) {
      const type = program.type(variable.type)
      const place = program.place(variable.at)
      write(readVariable(variable, place, scope), { kind: 'default', type, place }, scope, place)
    }
    lowerStatements(symbol.body ?? [], scope)
  }
  return { into: param && variables.get(param), fill }
}
