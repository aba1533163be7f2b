/** An expression of the same kind with other operands, in the order of their evaluation. */
import { unreachable } from '../../core/invariant.ts'
import type { IrExpression, IrType } from '../ir.ts'

export function withOperands(expression: IrExpression, operands: readonly IrExpression[], type: IrType): IrExpression {
  const [first, second, third] = operands as readonly [IrExpression, IrExpression, IrExpression]
  switch (expression.kind) {
    case 'constant':
    case 'local':
    case 'field':
    case 'this':
    case 'default':
      return { ...expression, type }
    case 'tuple':
      return { ...expression, items: operands, type }
    case 'format':
      return { ...expression, args: operands, type }
    case 'item':
    case 'unary':
    case 'cast':
    case 'convert':
      return { ...expression, of: first, type }
    case 'withItem':
    case 'added':
      return { ...expression, of: first, value: second, type }
    case 'element':
    case 'removed':
      return { ...expression, of: first, key: second, type }
    case 'withElement':
    case 'inserted':
      return { ...expression, of: first, key: second, value: third, type }
    case 'binary':
      return { ...expression, left: first, right: second, type }
    default:
      return unreachable(expression, 'expression')
  }
}
