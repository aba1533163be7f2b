/** Operators of P by those of IR. Operands are evaluated from left to right in both, and this order is kept, except by `isSwapped`. */
import type { Place } from '../../core/diagnostic.ts'
import { invariant, unreachable } from '../../core/invariant.ts'
import type { IrBinaryOperator, IrExpression } from '../../ir/ir.ts'
import type { BinaryOperator } from './ast.ts'

interface Operation {
  readonly operator: BinaryOperator
  readonly left: IrExpression
  readonly right: IrExpression
  readonly place: Place
}

/** Both operands are evaluated, except the right one of `&&`, `||` and `==>`, where it may not matter. */
export function lowerOperation(operation: Operation): IrExpression {
  const { operator, left, right, place } = operation
  const apply = (name: IrBinaryOperator): IrExpression => truth(name, left, right, place)
  switch (operator) {
    case '+':
    case '-':
    case '*':
    case '/':
    case '%':
      return { kind: 'binary', operator: arithmetic(operator, left), left, right, type: left.type, place }
    case '<':
      return apply('less')
    case '<=':
      return apply('lessOrEqual')
    case '>':
    case '>=':
      return greater(operation)
    case 'in':
      return apply('in')
    case '==':
    case '<==>':
      return apply('equal')
    case '!=':
      return not(apply('equal'))
    case '&&':
      return apply('and')
    case '||':
      return apply('or')
    case '==>':
      return truth('or', not(left), right, place)
    default:
      return unreachable(operator, 'operator of P')
  }
}

/** Whether the right side is evaluated first: greater floats are smaller ones the other way round. */
export function isSwapped(operator: BinaryOperator, isFloat: boolean): boolean {
  return isFloat && (operator === '>' || operator === '>=')
}

export function not(of: IrExpression): IrExpression {
  const { place } = of
  if (of.kind === 'unary' && of.operator === 'not') return of.of
  if (of.kind === 'constant' && of.value.kind === 'bool')
    return { ...of, value: { kind: 'bool', value: !of.value.value } }
  return { kind: 'unary', operator: 'not', of, type: { kind: 'bool' }, place }
}

function truth(operator: IrBinaryOperator, left: IrExpression, right: IrExpression, place: Place): IrExpression {
  return { kind: 'binary', operator, left, right, type: { kind: 'bool' }, place }
}

const wholeNumbers = { '+': 'add', '-': 'subtract', '*': 'multiply', '/': 'divide', '%': 'remainder' } as const
const floats = {
  '+': 'addFloat',
  '-': 'subtractFloat',
  '*': 'multiplyFloat',
  '/': 'divideFloat',
  '%': 'remainderFloat',
} as const

function arithmetic(operator: keyof typeof wholeNumbers, left: IrExpression): IrBinaryOperator {
  if (left.type.kind === 'float') return floats[operator]
  if (left.type.kind === 'int') return wholeNumbers[operator]
  invariant(left.type.kind === 'string' && operator === '+', `${operator} is of numbers, and + of strings`)
  return 'concat'
}

/** `a > b` as the contrary of `a <= b`, which evaluates `a` first. Of floats that is wrong, because of NaN, so these are `b < a`. */
function greater(operation: Operation): IrExpression {
  const { operator, left, right, place } = operation
  const [contrary, swapped] = operator === '>' ? (['lessOrEqual', 'less'] as const) : (['less', 'lessOrEqual'] as const)
  return left.type.kind === 'float' ? truth(swapped, right, left, place) : not(truth(contrary, left, right, place))
}
