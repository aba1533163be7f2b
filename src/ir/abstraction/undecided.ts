/** Operations that classes do not decide: two values of a class that stands for many are equal or not, and a key of such a class is in a map or not. */
import type { IrExpression, IrFunction } from '../ir.ts'
import { expressionsOf, operandsOf } from '../visit.ts'
import type { Classes } from './classes.ts'

/** Whether the operation itself, its operands aside, may have several results. */
export function isUndecided(expression: IrExpression, classes: Classes): boolean {
  switch (expression.kind) {
    case 'binary': {
      const { operator, left } = expression
      if (operator === 'equal') return classes.isManyIn(left.type)
      return operator === 'in' && classes.isManyIn(left.type)
    }
    case 'element':
    case 'withElement':
    case 'inserted':
      return expression.of.type.kind === 'map' && classes.isManyKeyed(expression.of.type)
    case 'removed':
      return classes.isManyKeyed(expression.of.type)
    default:
      return false
  }
}

export function hasUndecided(expression: IrExpression, classes: Classes): boolean {
  return isUndecided(expression, classes) || operandsOf(expression).some((one) => hasUndecided(one, classes))
}

/** The first expression of a function that may have several results. */
export function firstUndecided({ blocks }: IrFunction, classes: Classes): IrExpression | undefined {
  const find = (expression: IrExpression): IrExpression | undefined => {
    if (isUndecided(expression, classes)) return expression
    for (const operand of operandsOf(expression)) {
      const found = find(operand)
      if (found !== undefined) return found
    }
    return undefined
  }
  for (const { instructions, end } of blocks)
    for (const part of [...instructions, end])
      for (const expression of expressionsOf(part)) {
        const found = find(expression)
        if (found !== undefined) return found
      }
  return undefined
}
