/** When an expression may be evaluated earlier or later than it was written, or not at all. */
import type { IrExpression } from './ir.ts'
import { operandsOf } from './visit.ts'

/** Whether evaluation can go wrong. Errs on the side of yes. */
export function mayFail(expression: IrExpression): boolean {
  return failsItself(expression) || operandsOf(expression).some(mayFail)
}

/** Neither fails nor reads what a called function could change: the same value a moment later. */
export function isStable(expression: IrExpression): boolean {
  return !mayFail(expression) && !readsField(expression)
}

function readsField(expression: IrExpression): boolean {
  return expression.kind === 'field' || operandsOf(expression).some(readsField)
}

function failsItself(expression: IrExpression): boolean {
  switch (expression.kind) {
    case 'element':
    case 'withElement':
    case 'inserted':
    case 'added':
    case 'removed':
    case 'cast':
    case 'convert':
      return true
    case 'binary':
      return ['add', 'subtract', 'multiply', 'divide', 'remainder', 'divideFloat', 'remainderFloat'].includes(
        expression.operator,
      )
    default:
      return false
  }
}
