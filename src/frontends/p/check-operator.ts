/** Operators and conversions. */
import type { BinaryOperator, ExpressionOf } from './ast.ts'
import { expectType, type FunctionContext, refuseType, typeOf } from './function-context.ts'
import { refuse } from './project.ts'
import type { Type } from './type.ts'
import { boolType, isAssignable, isSame, typeText, unknownType } from './type-relations.ts'

export function typeOfUnary(context: FunctionContext, expression: ExpressionOf<'unary'>): Type {
  const type = typeOf(context, expression.of)
  if (type.kind === 'unknown') return unknownType
  if (expression.operator === '!') {
    expectType(context, boolType, type, expression.of)
    return boolType
  }
  if (type.kind === 'int' || type.kind === 'float') return type
  refuseType(context, expression.of.at, '"int" or "float"', type)
  return unknownType
}

export function typeOfBinary(context: FunctionContext, expression: ExpressionOf<'binary'>): Type {
  const left = typeOf(context, expression.left)
  const right = typeOf(context, expression.right)
  switch (expression.operator) {
    case '&&':
    case '||':
    case '==>':
    case '<==>':
      expectType(context, boolType, left, expression.left)
      expectType(context, boolType, right, expression.right)
      return boolType
    case '==':
    case '!=':
      if (!isAssignable(left, right) && !isAssignable(right, left)) refuseOperands(context, expression, [left, right])
      return boolType
    case 'in':
      checkMembership(context, expression, [left, right])
      return boolType
    default:
      return typeOfArithmetic(context, expression, [left, right])
  }
}

type Operands = readonly [left: Type, right: Type]

const comparisons: ReadonlySet<BinaryOperator> = new Set(['<', '>', '<=', '>='])

/**
 * Both sides are of one kind. P also lets strings be compared and even subtracted; only what has a meaning is taken over: strings are
 * appended and compared.
 */
function typeOfArithmetic(context: FunctionContext, expression: ExpressionOf<'binary'>, operands: Operands): Type {
  const [left, right] = operands
  const isComparison = comparisons.has(expression.operator)
  if (left.kind === 'unknown' || right.kind === 'unknown') return isComparison ? boolType : unknownType
  const isNumber = left.kind === 'int' || left.kind === 'float'
  const isText = left.kind === 'string' && (isComparison || expression.operator === '+')
  if (left.kind === right.kind && (isNumber || isText)) return isComparison ? boolType : left
  refuseOperands(context, expression, operands)
  return isComparison ? boolType : unknownType
}

function checkMembership(context: FunctionContext, expression: ExpressionOf<'binary'>, [left, right]: Operands): void {
  if (right.kind === 'unknown') return
  if (right.kind === 'map') expectType(context, right.key, left, expression.left)
  else if (right.kind === 'seq' || right.kind === 'set') expectType(context, right.of, left, expression.left)
  else refuseType(context, expression.right.at, 'a seq, a set or a map', right)
}

function refuseOperands(context: FunctionContext, expression: ExpressionOf<'binary'>, [left, right]: Operands): void {
  const mixed = [left.kind, right.kind].sort().join(' ')
  const isNull = left.kind === 'null' || right.kind === 'null'
  refuse(context.project, {
    code: 'E712',
    message: `"${expression.operator}" does not take "${typeText(left)}" and "${typeText(right)}"`,
    hint:
      mixed === 'float int'
        ? 'convert one side: "… to float" or "… to int"'
        : mixed === 'enum int'
          ? 'convert the element: "… to int"'
          : isNull
            ? 'only a "machine", an "event" or an "any" can be "null"'
            : 'both sides must be of types that agree',
    at: expression.at,
  })
}

/** `as` says what a value is, `to` makes another value of it. */
export function checkConversion(
  context: FunctionContext,
  expression: ExpressionOf<'as' | 'to'>,
  from: Type,
  to: Type,
): Type {
  if (from.kind === 'unknown' || to.kind === 'unknown') return to
  const isPossible =
    expression.kind === 'as' ? isAssignable(to, from) || isAssignable(from, to) : isConvertible(from, to)
  if (isPossible) return to
  refuse(context.project, {
    code: 'E712',
    message: `"${typeText(from)}" is never "${typeText(to)}", so "${expression.kind}" cannot succeed`,
    hint:
      expression.kind === 'as'
        ? '"as" says which type of several a value has; numbers are converted by "to"'
        : '"to" converts between "int" and "float", an element of an enum to "int", a machine to an interface with fewer events',
    at: expression.at,
  })
  return unknownType
}

function isConvertible(from: Type, to: Type): boolean {
  if (to.kind === 'int') return from.kind === 'int' || from.kind === 'float' || from.kind === 'enum'
  if (to.kind === 'float') return from.kind === 'int' || from.kind === 'float'
  if (to.kind !== 'machine' || to.name === undefined || from.kind !== 'machine') return false
  if (from.name === undefined || isSame(from, to) || from.receives === undefined) return true
  // Permissions can be given up, not gained.
  return to.receives?.every((event) => from.receives?.includes(event)) ?? false
}
