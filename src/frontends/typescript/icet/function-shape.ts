/** Questions about the body of a function before it is translated: its returns, its calls of itself, and what is its last act. */
import type { Node } from 'oxc-parser'
import { evaluatedWith, unwrapped } from '../access/tree.ts'
import type { FunctionLike } from '../syntax.ts'
import type { MeaningOf } from './meaning.ts'
import type { Module } from './modules.ts'

type Call = Extract<Node, { type: 'CallExpression' }>
type Return = Extract<Node, { type: 'ReturnStatement' }>

export function returnsOf({ body }: FunctionLike): readonly Return[] {
  return body === null ? [] : [...evaluatedWith(body)].filter((node): node is Return => node.type === 'ReturnStatement')
}

/** Whether it returns a value anywhere. */
export function hasReturn(node: FunctionLike): boolean {
  return returnsOf(node).some(({ argument }) => argument !== null)
}

/** Calls of the function in its own body, not in functions inside it. */
export function selfCalls({ node, frame }: MeaningOf<'function'>): readonly Call[] {
  if (node.body === null || (!node.generator && !node.async)) return []
  return [...evaluatedWith(node.body)].filter(
    (inner): inner is Call => inner.type === 'CallExpression' && isSelfCall(frame.module, node, inner),
  )
}

export function isSelfCall(module: Module, node: FunctionLike, call: Call): boolean {
  return module.bindingOf(unwrapped(call.callee))?.own === node
}

/** Statements after which the function is over, if they complete at all. */
export function tailsOf({ body }: FunctionLike): ReadonlySet<Node> {
  const tails = new Set<Node>()
  if (body?.type !== 'BlockStatement') return tails
  markList(tails, body.body)
  for (const node of evaluatedWith(body)) {
    const list = listOf(node)
    for (const [index, statement] of list.entries()) {
      const next = list[index + 1]
      if (next?.type === 'ReturnStatement' && next.argument === null) mark(tails, statement)
    }
  }
  return tails
}

function listOf(node: Node): readonly Node[] {
  if (node.type === 'BlockStatement') return node.body
  return node.type === 'SwitchCase' ? node.consequent : []
}

function markList(tails: Set<Node>, list: readonly Node[]): void {
  const last = list.at(-1)
  if (last !== undefined) mark(tails, last)
}

function mark(tails: Set<Node>, node: Node): void {
  tails.add(node)
  switch (node.type) {
    case 'BlockStatement':
      markList(tails, node.body)
      break
    case 'IfStatement':
      mark(tails, node.consequent)
      if (node.alternate !== null) mark(tails, node.alternate)
      break
    case 'SwitchStatement':
      for (const { consequent } of node.cases) markCase(tails, consequent)
      break
  }
}

/** What stands before the `break` of a case comes last. */
function markCase(tails: Set<Node>, consequent: readonly Node[]): void {
  const [only] = consequent
  const list = consequent.length === 1 && only?.type === 'BlockStatement' ? only.body : consequent
  markList(tails, list.at(-1)?.type === 'BreakStatement' ? list.slice(0, -1) : list)
}

/** Whether a `break` inside leaves this loop. */
export function hasBreak(loop: Node & { readonly body: Node }): boolean {
  const search = (node: Node): boolean => {
    if (node.type === 'BreakStatement') return true
    for (const child of partsThatBreak(node)) if (search(child)) return true
    return false
  }
  return search(loop.body)
}

function* partsThatBreak(node: Node): Generator<Node> {
  switch (node.type) {
    case 'BlockStatement':
      yield* node.body
      return
    case 'IfStatement':
      yield node.consequent
      if (node.alternate !== null) yield node.alternate
      return
    case 'LabeledStatement':
      yield node.body
      return
    default:
      return
  }
}
