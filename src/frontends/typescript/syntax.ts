/** Walking the syntax tree, and the few questions about nodes that every rewriting asks. */
import {
  type ArrowFunctionExpression,
  type Class,
  type Function as FunctionNode,
  type Node,
  visitorKeys,
} from 'oxc-parser'

export type FunctionLike = FunctionNode | ArrowFunctionExpression

export interface Visitor {
  /** Before the children. */
  enter?(node: Node, parent: Node | undefined): void
  /** After the children. */
  leave?(node: Node, parent: Node | undefined): void
}

export function walk(node: Node, visitor: Visitor, parent?: Node): void {
  visitor.enter?.(node, parent)
  for (const child of childrenOf(node)) walk(child, visitor, node)
  visitor.leave?.(node, parent)
}

export function isFunction(node: Node): node is FunctionLike {
  return (
    node.type === 'FunctionDeclaration' || node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression'
  )
}

export function isClass(node: Node): node is Class {
  return node.type === 'ClassDeclaration' || node.type === 'ClassExpression'
}

/** A place with a `this` of its own that is not a function: the value of a field, a static block. */
export function isInitializer(node: Node, parent: Node | undefined): boolean {
  if (node.type === 'StaticBlock') return true
  return (parent?.type === 'PropertyDefinition' || parent?.type === 'AccessorProperty') && parent.value === node
}

/** True if the identifier stands for a variable, not for a property of that name. */
export function isReference(node: Node, parent: Node | undefined): boolean {
  if (node.type !== 'Identifier') return false
  if (parent?.type === 'MemberExpression') return parent.computed || parent.object === node
  // In `{ v }` key and value are two nodes; a value in brackets or with a type is told by not being the key.
  if (parent?.type === 'Property') return parent.computed || parent.key !== node
  if (parent?.type === 'MethodDefinition' || parent?.type === 'PropertyDefinition') return parent.key !== node
  return true
}

export function* childrenOf(node: Node): Generator<Node> {
  for (const key of visitorKeys[node.type] ?? []) {
    const child = (node as unknown as { readonly [key: string]: unknown })[key]
    if (Array.isArray(child)) {
      for (const item of child) if (isNode(item)) yield item
    } else if (isNode(child)) yield child
  }
}

function isNode(candidate: unknown): candidate is Node {
  return typeof candidate === 'object' && candidate !== null
}
