/** What the runtime is told about functions. */
import type { ArrowFunctionExpression, Function as FunctionNode } from 'oxc-parser'
import { isFunction, walk } from '../syntax.ts'
import type { Rewriter } from './rewriter.ts'

export type AnyFunction = FunctionNode | ArrowFunctionExpression

/**
 * Whether it is async, and whether promises are spoken of in it, as in one that returns
 * what an async function gives. One that refuses gives what it gives.
 */
export function flagsOf(rewriter: Rewriter, node: AnyFunction): number {
  const isAsync = node.async && !rewriter.refusals.functions.has(node)
  return (isAsync ? 1 : 0) + (speaksOfPromises(node) ? 2 : 0)
}

function speaksOfPromises(node: AnyFunction): boolean {
  let found = node.async
  walk(node, {
    enter: (inner) => {
      found ||= (isFunction(inner) && inner.async) || (inner.type === 'Identifier' && inner.name === 'Promise')
    },
  })
  return found
}
