/** What the runtime is told about functions. */
import type { ArrowFunctionExpression, Function as FunctionNode } from 'oxc-parser'
import { isFunction, walk } from '../syntax.ts'
import { mustMove } from './moved-parameters.ts'
import type { Rewriter } from './rewriter.ts'

export type AnyFunction = FunctionNode | ArrowFunctionExpression

/**
 * Whether it is async, whether it is a generator and of what kind, whether `new` refuses it, and whether promises are spoken of in it, as in
 * one that returns what an async function gives. One that refuses gives what it gives.
 */
export function flagsOf(rewriter: Rewriter, node: AnyFunction): number {
  const isRefused = rewriter.refusals.functions.has(node)
  const promises = speaksOfPromises(node) ? 2 : 0
  const plain = node.type === 'ArrowFunctionExpression' || isMethod(rewriter, node) ? 32 : 0
  if (!node.generator) return (node.async && !isRefused ? 1 : 0) + promises + plain
  if (isRefused) return promises
  return 4 + (node.async ? 8 : 0) + (takesSteps(rewriter, node) ? 16 : 0) + promises
}

/** Methods begin with their parameters. */
function isMethod({ source }: Rewriter, { start }: AnyFunction): boolean {
  return !/^(?:async|function)\b/.test(source.text.slice(start, start + 'function '.length))
}

/** Whether parameters do more than take what they are given: for a generator, the call does so. */
export function takesSteps(rewriter: Rewriter, { params }: AnyFunction): boolean {
  return params.some((parameter) => mustMove(rewriter, parameter))
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
