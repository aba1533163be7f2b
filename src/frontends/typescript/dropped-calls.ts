/**
 * Calls whose value nobody uses are looked at when they have returned: a generator that is dropped there never runs, and what it
 * would have sent, received or asserted silently does not happen. So are callbacks of methods that drop what callbacks give, such as
 * `forEach`.
 *
 * Async functions are left alone: they look after the calls that they do not await by themselves (E211).
 */
import type { CallExpression, Node } from 'oxc-parser'
import type { Edits } from './edits.ts'
import { isFunction } from './syntax.ts'

/** Expressions whose value may be that of a call. */
const mayCall: ReadonlySet<Node['type']> = new Set([
  'CallExpression',
  'ChainExpression',
  'LogicalExpression',
  'ConditionalExpression',
])

/** Methods of arrays, maps and sets that ask a callback for a truth value or for nothing. */
const dropping: ReadonlySet<string> = new Set([
  'forEach',
  'filter',
  'find',
  'findIndex',
  'findLast',
  'findLastIndex',
  'some',
  'every',
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
    if (node.type === 'CallExpression') this.#watchCallback(node)
    if (node.type !== 'ExpressionStatement' || this.#around.at(-1) !== false) return
    const { expression } = node
    if (!mayCall.has(expression.type) || isSuperCall(expression)) return
    this.#watch('dropped', expression)
  }

  /** In a process, which is in a function; elsewhere nothing is dropped that would have done anything. */
  #watchCallback({ callee, arguments: [callback] }: CallExpression): void {
    if (this.#around.length === 0 || callback === undefined || callback.type === 'SpreadElement') return
    if (callee.type !== 'MemberExpression' || callee.computed || callee.property.type !== 'Identifier') return
    if (dropping.has(callee.property.name)) this.#watch('callback', callback)
  }

  #watch(helper: 'dropped' | 'callback', { start, end }: Node): void {
    this.#edits.before(start, `${this.#edits.helper(helper)}(`)
    const { file, line, column } = this.#edits.placeOf(start)
    this.#edits.after(end, `, ${JSON.stringify(file)}, ${line}, ${column})`)
  }
}

function isSuperCall(node: Node): boolean {
  return node.type === 'CallExpression' && node.callee.type === 'Super'
}
