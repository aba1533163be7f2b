/** How often something happens: a parameter or a number, possibly reached by adding and subtracting. */
import type { Node } from 'oxc-parser'
import type { Count, Expression } from '../../../program/icet.ts'
import { expressionOf } from './names.ts'
import { outside } from './refusal.ts'
import type { Translator } from './translator.ts'

/** A parameter, or 0, plus a number. */
interface Linear {
  readonly parameter: string | undefined
  readonly number: number
}

export function linearOf(expression: Expression): Linear | undefined {
  switch (expression.kind) {
    case 'literal':
      return typeof expression.value === 'number' ? { parameter: undefined, number: expression.value } : undefined
    case 'parameter':
      return { parameter: expression.name, number: 0 }
    case 'binary': {
      const left = linearOf(expression.left)
      const right = linearOf(expression.right)
      if (left === undefined || right === undefined) return undefined
      if (expression.operator === '+') return sum(left, right)
      return expression.operator === '-' ? difference(left, right) : undefined
    }
    default:
      return undefined
  }
}

function sum(left: Linear, right: Linear): Linear | undefined {
  if (left.parameter !== undefined && right.parameter !== undefined) return undefined
  return { parameter: left.parameter ?? right.parameter, number: left.number + right.number }
}

/** `n - n` is 0; the difference of two parameters is not a count. */
export function difference(left: Linear, right: Linear): Linear | undefined {
  const number = left.number - right.number
  if (right.parameter === undefined) return { parameter: left.parameter, number }
  return left.parameter === right.parameter ? { parameter: undefined, number } : undefined
}

/** A parameter plus a number other than 0 is refused: the prover compares counts by name. */
export function countFrom({ parameter, number }: Linear): Count | undefined {
  if (parameter !== undefined) return number === 0 ? { kind: 'parameter', name: parameter } : undefined
  return Number.isSafeInteger(number) ? { kind: 'number', value: Math.max(0, number) } : undefined
}

export function countOf(translator: Translator, node: Node): Count {
  const linear = linearOf(expressionOf(translator, node, translator.value(node)))
  const count = linear === undefined ? undefined : countFrom(linear)
  return count ?? refuseCount(translator, node)
}

export function refuseCount(translator: Translator, node: Node): never {
  const hint = 'count with a parameter declared with every(…), a number, or the .length of a set of processes'
  return translator.refuse(node, outside('a number of times that is neither a parameter nor a number', hint))
}
