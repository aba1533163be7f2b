/** Evaluation that depends on a condition, and what was read before it. */
import type { Node } from 'oxc-parser'
import { assignedBy, type Expression, partsOf, type Statement, statementsOf } from '../../../program/icet.ts'
import type { Meaning } from './meaning.ts'
import { asValue, expressionOf } from './names.ts'
import { either } from './terms.ts'
import type { Target, Translator } from './translator.ts'

export function expression(translator: Translator, node: Node, target?: Target): Expression {
  return expressionOf(translator, node, translator.value(node, target))
}

/** Whether evaluating it needs statements: operations, assignments, calls that are taken apart. */
export function hasOperation(translator: Translator, node: Node): boolean {
  return translator.writes(() => expression(translator, node))
}

/** Variables that the statements from there on set. */
export function assignedSince(out: readonly Statement[], from: number): ReadonlySet<string | undefined> {
  return new Set([...statementsOf(out.slice(from))].map(assignedBy))
}

export function mentions(expression: Expression, variables: ReadonlySet<string | undefined>): boolean {
  return [...partsOf(expression)].some((part) => part.kind === 'variable' && variables.has(part.name))
}

export type ShortCircuit = '&&' | '||' | '??'

/** The variable, unless it leaves the decision to the right side, which is then assigned to it. */
export function orElse(
  translator: Translator,
  node: Node & { readonly right: Node },
  operator: ShortCircuit,
  variable: string,
): Meaning {
  const { right } = node
  const value: Expression = { kind: 'variable', name: variable }
  const isDecided: Expression =
    operator === '&&' ? { kind: 'not', of: value } : operator === '||' ? value : { kind: 'not', of: isMissing(value) }
  const evaluate = () => translator.assign(right, variable, expression(translator, right, { hint: variable, variable }))
  const skip = () => undefined
  if (isDecided.kind === 'not') translator.branch(node, isDecided.of, evaluate, skip)
  else translator.branch(node, isDecided, skip, evaluate)
  return asValue(translator, value)
}

export function shortCircuit(operator: ShortCircuit, left: Expression, right: Expression): Expression {
  return operator === '??' ? either(isMissing(left), right, left) : { kind: 'binary', operator, left, right }
}

/** Null or undefined. */
export function isMissing(left: Expression): Expression {
  const is = (value: null | undefined): Expression => {
    return { kind: 'binary', operator: '===', left, right: { kind: 'literal', value } }
  }
  return { kind: 'binary', operator: '||', left: is(undefined), right: is(null) }
}
