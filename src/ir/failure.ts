/** When an expression may be evaluated earlier or later than it was written, or not at all. */
import type { IrBinaryOperator, IrExpression, IrType } from './ir.ts'
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
    case 'tuple':
      return expression.items.some(mayBeLarge)
    case 'withItem':
      return mayBeLarge(expression.value)
    case 'format':
    case 'element':
    case 'withElement':
    case 'inserted':
    case 'added':
    case 'removed':
    case 'cast':
    case 'convert':
      return true
    case 'binary':
      return failingOperators.has(expression.operator)
    default:
      return false
  }
}

/** Whether a value that it is put into may become too large. */
function mayBeLarge({ kind, type }: IrExpression): boolean {
  return kind !== 'constant' && !smallTypes.has(type.kind)
}

const smallTypes: ReadonlySet<IrType['kind']> = new Set(['bool', 'int', 'float', 'enum', 'event', 'machine'])

/** Numbers that are not exact, divisors that are 0, texts that are too long. */
const failingOperators: ReadonlySet<IrBinaryOperator> = new Set([
  'add',
  'subtract',
  'multiply',
  'divide',
  'remainder',
  'divideFloat',
  'remainderFloat',
  'concat',
])
