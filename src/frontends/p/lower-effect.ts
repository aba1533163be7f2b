/** Expressions of P that need instructions: they call, choose or create, or evaluate their parts in another order than IR would. */
import { unreachable } from '../../core/invariant.ts'
import type { Expression } from './ast.ts'
import { isInOrder } from './lower-format.ts'
import { isSwapped } from './lower-operator.ts'

/** Answers are kept: the same part of an expression is asked about at every level above it. */
export function effectFinder(isFloat: (expression: Expression) => boolean): (expression: Expression) => boolean {
  const known = new Map<Expression, boolean>()
  const hasEffect = (expression: Expression): boolean => {
    const before = known.get(expression)
    if (before !== undefined) return before
    const found = needsInstruction(expression, isFloat) || partsOf(expression).some(hasEffect)
    known.set(expression, found)
    return found
  }
  return hasEffect
}

function needsInstruction(expression: Expression, isFloat: (expression: Expression) => boolean): boolean {
  if (expression.kind === 'format') return !isInOrder(expression.template.text, expression.args.length)
  if (expression.kind === 'binary' && isSwapped(expression.operator, isFloat(expression.left))) {
    return !isSimple(expression.left) && !isSimple(expression.right)
  }
  return ['nondet', 'choose', 'new', 'call'].includes(expression.kind)
}

/** What cannot fail, whatever it is. */
function isSimple({ kind }: Expression): boolean {
  return kind === 'name' || kind === 'float'
}

function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'int':
    case 'float':
    case 'bool':
    case 'string':
    case 'null':
    case 'halt':
    case 'this':
    case 'nondet':
    case 'name':
    case 'default':
      return []
    case 'choose':
      return [expression.from]
    case 'format':
    case 'new':
    case 'call':
      return expression.args
    case 'sizeof':
    case 'keys':
    case 'values':
    case 'item':
    case 'field':
    case 'unary':
    case 'as':
    case 'to':
      return [expression.of]
    case 'element':
      return [expression.of, expression.index]
    case 'binary':
      return [expression.left, expression.right]
    case 'tuple':
      return expression.items
    case 'record':
      return expression.fields.map(({ value }) => value)
    default:
      return unreachable(expression, 'expression of P')
  }
}
