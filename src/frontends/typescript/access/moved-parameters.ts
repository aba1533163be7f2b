/** Which parameters of a generator have to be evaluated in its body. */
import type { ParamPattern } from 'oxc-parser'
import type { Rewriter } from './rewriter.ts'
import { evaluatedWith } from './tree.ts'

export function isPlainName(parameter: ParamPattern): boolean {
  return (
    parameter.type === 'Identifier' || (parameter.type === 'RestElement' && parameter.argument.type === 'Identifier')
  )
}

export function mustMove(rewriter: Rewriter, parameter: ParamPattern): boolean {
  if (isPlainName(parameter)) return false
  if (parameter.type !== 'AssignmentPattern' || parameter.left.type !== 'Identifier') return true
  if (rewriter.suspensions.mayStop(parameter.right)) return true
  return [...evaluatedWith(parameter.right)].some((node) => makesObjects.has(node.type) || 'regex' in node)
}

const makesObjects: ReadonlySet<string> = new Set([
  'ArrayExpression',
  'ObjectExpression',
  'ArrowFunctionExpression',
  'FunctionExpression',
  'ClassExpression',
])
