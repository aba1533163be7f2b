/** Names and parameters of functions, so that a rewritten function still shows what the user wrote. */
import type { Function as FunctionNode, Node } from 'oxc-parser'
import { type FunctionLike, isReference, walk } from './syntax.ts'

/** The name JavaScript would give to an anonymous function from what it is assigned to. */
export function inferredName(node: FunctionLike, parent: Node | undefined): string | undefined {
  switch (parent?.type) {
    case 'VariableDeclarator':
      return identifierName(parent.id)
    case 'AssignmentPattern':
      return identifierName(parent.left)
    case 'AssignmentExpression':
      return parent.right === node ? identifierName(parent.left) : undefined
    case 'Property':
    case 'PropertyDefinition':
      return parent.computed ? undefined : keyName(parent.key)
    case 'ExportDefaultDeclaration':
      return 'default'
    default:
      return undefined
  }
}

/** What a key that is not computed is called. */
export function keyName(key: Node): string | undefined {
  if (key.type === 'Literal') return String(key.value)
  if (key.type === 'PrivateIdentifier') return `#${key.name}`
  return identifierName(key)
}

/** As many parameters as the function's `length` says. */
export function stubParameters(node: FunctionNode): string {
  const parameters = node.params.filter((parameter) => identifierName(parameter) !== 'this')
  const optional = parameters.findIndex(({ type }) => type === 'AssignmentPattern' || type === 'RestElement')
  const count = optional < 0 ? parameters.length : optional
  return Array.from({ length: count }, (_, index) => `$${index}`).join(', ')
}

/** True if the function refers to the name anywhere inside, be it only to a variable that hides it. */
export function mentions(node: FunctionNode, name: string): boolean {
  let found = false
  walk(node, {
    enter(inner, parent) {
      if (inner !== node.id && inner.type === 'Identifier' && inner.name === name && isReference(inner, parent))
        found = true
    },
  })
  return found
}

function identifierName(node: Node): string | undefined {
  return node.type === 'Identifier' ? node.name : undefined
}
