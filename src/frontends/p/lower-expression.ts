/**
 * Expressions of P: what calls, chooses or creates becomes an instruction into a temporary, and the rest an expression of IR. Operands are
 * evaluated from left to right: what stands before an effect is saved if it could fail or change, so `x + f()` adds the `x` of before the
 * call. P's own compiler reads a plain variable after it; the meaning that is documented is kept here.
 */
import { InternalError, invariant, unreachable } from '../../core/invariant.ts'
import { isStable, mayFail } from '../../ir/failure.ts'
import { haltEvent, type IrExpression, type IrType, type IrUnaryOperator } from '../../ir/ir.ts'
import type { Expression, ExpressionOf } from './ast.ts'
import { formatted, plainText } from './lower-format.ts'
import { isSwapped, lowerOperation, not } from './lower-operator.ts'
import { adapted, constant, type FunctionScope, nodePlace, readVariable, saved, typeOf } from './lower-scope.ts'

const bool: IrType = { kind: 'bool' }

/** The value, after instructions for its effects. */
export function lowerExpression(expression: Expression, scope: FunctionScope): IrExpression {
  const place = nodePlace(expression, scope)
  switch (expression.kind) {
    case 'int':
    case 'float':
      return constant({ kind: expression.kind, value: Number(expression.digits) }, { kind: expression.kind }, place)
    case 'bool':
      return constant({ kind: 'bool', value: expression.value }, bool, place)
    case 'string':
      return constant({ kind: 'string', value: plainText(expression.text) }, { kind: 'string' }, place)
    case 'null':
      return constant({ kind: 'null' }, { kind: 'any' }, place)
    case 'halt':
      return constant({ kind: 'event', event: haltEvent }, { kind: 'event' }, place)
    case 'this':
    case 'default':
      return { kind: expression.kind, type: typeOf(expression, scope), place }
    case 'name':
      return lowerName(expression, scope)
    case 'nondet':
    case 'choose':
    case 'new':
    case 'call': {
      const type = typeOf(expression, scope)
      const local = scope.builder.temporary(type)
      lowerEffect(expression, local, scope)
      return { kind: 'local', local, type, place }
    }
    case 'binary':
      return lowerBinary(expression, scope)
    case 'unary':
      return lowerUnary(expression, scope)
    default:
      return lowerCompound(expression, scope)
  }
}

/** Expressions that are one operation on their operands. */
function lowerCompound(
  expression: ExpressionOf<
    'format' | 'sizeof' | 'keys' | 'values' | 'item' | 'field' | 'element' | 'as' | 'to' | 'tuple' | 'record'
  >,
  scope: FunctionScope,
): IrExpression {
  const type = typeOf(expression, scope)
  const place = nodePlace(expression, scope)
  switch (expression.kind) {
    case 'format':
      return formatted(expression.template.text, lowerAll(expression.args, scope), place, scope)
    case 'sizeof':
    case 'keys':
    case 'values': {
      const operator: IrUnaryOperator = expression.kind === 'sizeof' ? 'size' : expression.kind
      return { kind: 'unary', operator, of: lowerExpression(expression.of, scope), type, place }
    }
    case 'item':
    case 'field': {
      const of = lowerExpression(expression.of, scope)
      return { kind: 'item', of, index: itemIndex(expression, of.type), type, place }
    }
    case 'element': {
      const [of, key] = lowerPair(expression.of, expression.index, scope)
      return { kind: 'element', of, key, type, place }
    }
    case 'as':
    case 'to': {
      const kind = expression.kind === 'as' ? 'cast' : 'convert'
      return { kind, of: lowerExpression(expression.of, scope), type, place }
    }
    case 'tuple':
      return { kind: 'tuple', items: lowerAll(expression.items, scope), type, place }
    case 'record': {
      const values = expression.fields.map(({ value }) => value)
      return { kind: 'tuple', items: lowerAll(values, scope), type, place }
    }
    default:
      return unreachable(expression, 'expression of P')
  }
}

/** The place of what `.0` or `.name` names. */
export function itemIndex(expression: ExpressionOf<'item' | 'field'>, of: IrType): number {
  if (expression.kind === 'item') return expression.index
  const { text } = expression.name
  const index = of.kind === 'record' ? of.fields.findIndex((field) => field.name === text) : -1
  invariant(index >= 0, `the record has a field ${text}`)
  return index
}

/** Puts the value into a local, without a detour if an instruction can do so. */
export function lowerInto(expression: Expression, local: number, scope: FunctionScope): void {
  if (isEffect(expression)) return lowerEffect(expression, local, scope)
  const value = adapted(lowerExpression(expression, scope), scope.builder.typeOf(local))
  scope.builder.emit({ kind: 'setLocal', local, value, place: value.place })
}

type EffectExpression = ExpressionOf<'nondet' | 'choose' | 'new' | 'call'>

export function isEffect(expression: Expression): expression is EffectExpression {
  return ['nondet', 'choose', 'new', 'call'].includes(expression.kind)
}

/** Of a statement too. Operands come before the instruction, so the local may be one that they read. */
export function lowerEffect(expression: EffectExpression, into: number | undefined, scope: FunctionScope): void {
  const { builder, program } = scope
  const place = nodePlace(expression, scope)
  switch (expression.kind) {
    case 'nondet':
      invariant(into !== undefined, 'a choice has a variable')
      return builder.emit({ kind: 'choose', among: 'boolean', from: undefined, isFair: expression.isFair, into, place })
    case 'choose': {
      invariant(into !== undefined, 'a choice has a variable')
      const from = lowerExpression(expression.from, scope)
      const among = from.type.kind === 'int' ? 'below' : 'element'
      return builder.emit({ kind: 'choose', among, from, isFair: false, into, place })
    }
    case 'new': {
      const payload = payloadOf(lowerAll(expression.args, scope))
      return builder.emit({ kind: 'new', creates: expression.creates.text, payload, into, place })
    }
    case 'call': {
      const callee = program.checked.callees.get(expression.callee)
      invariant(callee !== undefined, `it is known what ${expression.callee.text} calls`)
      const lowered = lowerAll(expression.args, scope)
      const args = lowered.map((value, index) => {
        const param = callee.params[index]
        return param === undefined ? value : adapted(value, program.type(param.type))
      })
      if (callee.body !== undefined) {
        return builder.emit({ kind: 'call', function: program.function(callee), args, into, place })
      }
      const returns = callee.returns.kind === 'void' ? undefined : program.type(callee.returns)
      return builder.emit({ kind: 'foreign', name: callee.name, args, returns, into, place })
    }
    default:
      return unreachable(expression, 'effect of P')
  }
}

/** Several arguments are a tuple. */
export function payloadOf(args: readonly IrExpression[]): IrExpression | undefined {
  const [first, ...others] = args
  if (first === undefined || others.length === 0) return first
  return {
    kind: 'tuple',
    items: args,
    type: { kind: 'tuple', items: args.map(({ type }) => type) },
    place: first.place,
  }
}

/** All of them, from left to right. */
export function lowerAll(expressions: readonly Expression[], scope: FunctionScope): readonly IrExpression[] {
  let lastEffect = expressions.length - 1
  for (; lastEffect >= 0; lastEffect--) {
    const expression = expressions[lastEffect]
    if (expression !== undefined && scope.program.hasEffect(expression)) break
  }
  return expressions.map((expression, index) => {
    const value = lowerExpression(expression, scope)
    return index < lastEffect ? settled(value, scope) : value
  })
}

function lowerPair(left: Expression, right: Expression, scope: FunctionScope): readonly [IrExpression, IrExpression] {
  const [first, second] = lowerAll([left, right], scope)
  invariant(first !== undefined && second !== undefined, 'two expressions have two values')
  return [first, second]
}

/** What an effect may come after. */
export function settled(value: IrExpression, scope: FunctionScope): IrExpression {
  return isStable(value) ? value : saved(value, scope)
}

function lowerName(expression: ExpressionOf<'name'>, scope: FunctionScope): IrExpression {
  const { program } = scope
  const place = nodePlace(expression, scope)
  const meaning = program.checked.meanings.get(expression.name)
  invariant(meaning !== undefined, `it is known what ${expression.name.text} means`)
  switch (meaning.kind) {
    case 'event':
      return constant({ kind: 'event', event: program.event(meaning.name) }, { kind: 'event' }, place)
    case 'element':
      return constant({ kind: 'int', value: meaning.value }, typeOf(expression, scope), place)
    case 'local':
    case 'field':
    case 'parameter':
      return readVariable(meaning, place, scope)
    default:
      return unreachable(meaning, 'meaning of a name')
  }
}

function lowerUnary(expression: ExpressionOf<'unary'>, scope: FunctionScope): IrExpression {
  const of = lowerExpression(expression.of, scope)
  if (expression.operator === '!') return not(of)
  const place = nodePlace(expression, scope)
  // A subtraction, because -0 is not 0 to everybody.
  if (of.kind === 'constant' && of.value.kind === 'int') {
    return constant({ kind: 'int', value: 0 - of.value.value }, of.type, place)
  }
  const operator = of.type.kind === 'float' ? 'negateFloat' : 'negate'
  return { kind: 'unary', operator, of, type: of.type, place }
}

function lowerBinary(expression: ExpressionOf<'binary'>, scope: FunctionScope): IrExpression {
  if (isDecision(expression, scope)) return lowerDecision(expression, scope)
  const { operator } = expression
  const [left, right] = lowerPair(expression.left, expression.right, scope)
  // If both sides may fail, the left one does so first.
  const isLate = isSwapped(operator, left.type.kind === 'float') && mayFail(left) && mayFail(right)
  const first = isLate ? saved(left, scope) : left
  return lowerOperation({ operator, left: first, right, place: nodePlace(expression, scope) })
}

/** Whether the left side decides if the right side has its effect. */
function isDecision(expression: ExpressionOf<'binary'>, scope: FunctionScope): boolean {
  return ['&&', '||', '==>'].includes(expression.operator) && scope.program.hasEffect(expression.right)
}

/** By branches, into a temporary that nobody reads before they have met again. */
function lowerDecision(expression: ExpressionOf<'binary'>, scope: FunctionScope): IrExpression {
  const { builder } = scope
  const place = nodePlace(expression, scope)
  const local = builder.temporary(bool)
  const [right, short, after] = [builder.block(), builder.block(), builder.block()]
  const goesOn = expression.operator !== '||'
  lowerBranch(expression.left, goesOn ? { holds: right, fails: short } : { holds: short, fails: right }, scope)
  builder.enter(right)
  lowerInto(expression.right, local, scope)
  builder.end({ kind: 'jump', to: after, place })
  builder.enter(short)
  const value = constant({ kind: 'bool', value: expression.operator !== '&&' }, bool, place)
  builder.emit({ kind: 'setLocal', local, value, place })
  builder.end({ kind: 'jump', to: after, place })
  builder.enter(after)
  return { kind: 'local', local, type: bool, place }
}

/** Blocks to go on in. */
interface Ways {
  readonly holds: number
  readonly fails: number
}

/** Ends the current block by what a condition decides; decisions within it become branches of their own. */
export function lowerBranch(condition: Expression, ways: Ways, scope: FunctionScope): void {
  const { builder } = scope
  const place = nodePlace(condition, scope)
  const { holds, fails } = ways
  if (condition.kind === 'unary' && condition.operator === '!') {
    return lowerBranch(condition.of, { holds: fails, fails: holds }, scope)
  }
  if (condition.kind === 'binary' && isDecision(condition, scope)) {
    const right = builder.block()
    lowerBranch(condition.left, leftWays(condition, ways, right), scope)
    builder.enter(right)
    return lowerBranch(condition.right, ways, scope)
  }
  const value = lowerExpression(condition, scope)
  if (value.kind === 'constant' && value.value.kind === 'bool') {
    return builder.end({ kind: 'jump', to: value.value.value ? holds : fails, place })
  }
  builder.end({ kind: 'branch', condition: value, then: holds, otherwise: fails, place })
}

function leftWays({ operator }: ExpressionOf<'binary'>, { holds, fails }: Ways, right: number): Ways {
  switch (operator) {
    case '&&':
      return { holds: right, fails }
    case '||':
      return { holds, fails: right }
    case '==>':
      return { holds: right, fails: holds }
    default:
      throw new InternalError(`${operator} evaluates both sides`)
  }
}
