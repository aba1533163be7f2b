/**
 * Calls whose value nobody uses are looked at when they have returned: a generator that is dropped there never runs, and what it
 * would have sent, received or asserted silently does not happen.
 *
 * Async functions are left alone: they look after the calls that they do not await by themselves (E211).
 */
import type { Node } from 'oxc-parser'
import type { Edits } from './edits.ts'
import { isFunction } from './syntax.ts'

/** Expressions whose value may be that of a call. */
const mayCall: ReadonlySet<Node['type']> = new Set([
  'CallExpression',
  'ChainExpression',
  'LogicalExpression',
  'ConditionalExpression',
])

export class DroppedCalls {
  readonly #edits: Edits
  /** Of the functions around the current node, whether each is async. */
  readonly #around: boolean[] = []

  constructor(edits: Edits) {
    this.#edits = edits
  }

  enter(node: Node): void {
    if (isFunction(node)) this.#around.push(node.async)
  }

  leave(node: Node): void {
    if (isFunction(node)) this.#around.pop()
    if (node.type !== 'ExpressionStatement' || this.#around.at(-1) !== false) return
    const { expression } = node
    if (!mayCall.has(expression.type) || isSuperCall(expression)) return
    this.#edits.before(expression.start, `${this.#edits.helper('dropped')}(`)
    const { file, line, column } = this.#edits.placeOf(expression.start)
    this.#edits.after(expression.end, `, ${JSON.stringify(file)}, ${line}, ${column})`)
  }
}

function isSuperCall(node: Node): boolean {
  return node.type === 'CallExpression' && node.callee.type === 'Super'
}
