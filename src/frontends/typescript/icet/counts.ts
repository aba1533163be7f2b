/** How often something happens: a parameter or a number, possibly reached by adding and subtracting. */
import type { Node } from 'oxc-parser'
import type { Count, Expression } from '../../../program/icet.ts'
import type { Meaning } from './meaning.ts'
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

/** None where it would be less. */
export function countFrom({ parameter, number }: Linear): Count | undefined {
  if (!Number.isSafeInteger(number)) return undefined
  if (parameter === undefined) return { kind: 'number', value: Math.max(0, number) }
  return number === 0 ? { kind: 'parameter', name: parameter } : { kind: 'parameter', name: parameter, plus: number }
}

/** What a constant stands for, if that takes no variable. */
export function closedOf(translator: Translator, node: Node, meaning: Meaning): Expression {
  const closed = meaning.kind === 'value' ? meaning.closed : undefined
  return closed ?? expressionOf(translator, node, meaning)
}

/** For operations that take no number below 0. */
export function countOf(translator: Translator, node: Node): Count {
  const linear = linearOf(closedOf(translator, node, translator.value(node)))
  const count = linear === undefined ? undefined : countFrom(linear)
  if (linear === undefined || count === undefined) return refuseCount(translator, node)
  refuseNegative(translator, node, linear)
  return count
}

/** Of what has as many members as it says, and not none where it would be less. */
export function refuseNegative(translator: Translator, node: Node, { parameter, number }: Linear): void {
  const least = parameter === undefined ? 0 : (translator.program.least.get(parameter) ?? 0)
  if (least + number >= 0) return
  const text = translator.frame.module.line(node)
  const hint =
    parameter === undefined
      ? 'write a number from 0 on'
      : `let ${parameter} begin at ${-number}: every(…, { from: ${-number} })`
  translator.refuse(node, outside(`"${text}", which may be less than 0,`, hint))
}

export function refuseCount(translator: Translator, node: Node): never {
  const hint = 'count with a parameter declared with every(…), a number, or the .length of a set of processes'
  return translator.refuse(node, outside('a number of times that is neither a parameter nor a number', hint))
}
