/** Questions about the syntax tree: which parts have values, what stands behind parentheses and types, what a pattern binds. */
import type { BindingIdentifier, IdentifierReference, Node } from 'oxc-parser'
import { childrenOf, isClass, isFunction } from '../syntax.ts'

export type Identifier = BindingIdentifier | IdentifierReference

/** Children that are evaluated, or hold something that is; no types. */
export function* valueChildren(node: Node): Generator<Node> {
  for (const child of childrenOf(node)) if (!isTypeOnly(child)) yield child
}

const typesWithValues: ReadonlySet<string> = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSTypeAssertion',
  'TSNonNullExpression',
  'TSInstantiationExpression',
  'TSParameterProperty',
  'TSEnumDeclaration',
  'TSEnumBody',
  'TSEnumMember',
  'TSExportAssignment',
  'TSModuleDeclaration',
  'TSModuleBlock',
])

/** Leaves nothing behind when types are stripped. */
export function isTypeOnly(node: Node): boolean {
  if ('declare' in node && node.declare === true) return true
  return node.type.startsWith('TS') && !typesWithValues.has(node.type)
}

/** The expression without parentheses and type annotations around it. */
export function unwrapped(node: Node): Node {
  switch (node.type) {
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSTypeAssertion':
    case 'TSNonNullExpression':
    case 'TSInstantiationExpression':
      return unwrapped(node.expression)
    default:
      return node
  }
}

/** Every node that is evaluated together with this one: functions and what runs with instances are left out. */
export function* evaluatedWith(node: Node): Generator<Node> {
  yield node
  if (isFunction(node)) return
  if (isClass(node)) {
    if (node.superClass !== null) yield* evaluatedWith(node.superClass)
    for (const member of node.body.body) {
      if ('key' in member && member.computed) yield* evaluatedWith(member.key)
    }
    return
  }
  for (const child of valueChildren(node)) yield* evaluatedWith(child)
}

/** The names that a pattern declares. */
export function* declaredNames(pattern: Node): Generator<Identifier> {
  switch (pattern.type) {
    case 'Identifier':
      yield pattern as Identifier
      return
    case 'TSParameterProperty':
      yield* declaredNames(pattern.parameter)
      return
    case 'AssignmentPattern':
      yield* declaredNames(pattern.left)
      return
    case 'RestElement':
      yield* declaredNames(pattern.argument)
      return
    case 'Property':
      yield* declaredNames(pattern.value)
      return
    case 'ObjectPattern':
      for (const property of pattern.properties) yield* declaredNames(property)
      return
    case 'ArrayPattern':
      for (const element of pattern.elements) if (element !== null) yield* declaredNames(element)
      return
    default:
      return
  }
}

/** The variables and members that a pattern assigns. */
export function* assignedTargets(pattern: Node): Generator<Node> {
  const target = unwrapped(pattern)
  switch (target.type) {
    case 'Identifier':
    case 'MemberExpression':
      yield target
      return
    case 'AssignmentPattern':
      yield* assignedTargets(target.left)
      return
    case 'RestElement':
      yield* assignedTargets(target.argument)
      return
    case 'Property':
      yield* assignedTargets(target.value)
      return
    case 'ObjectPattern':
      for (const property of target.properties) yield* assignedTargets(property)
      return
    case 'ArrayPattern':
      for (const element of target.elements) if (element !== null) yield* assignedTargets(element)
      return
    default:
      return
  }
}

export function isPattern(node: Node): boolean {
  return node.type === 'ObjectPattern' || node.type === 'ArrayPattern'
}

/** Where the name of an identifier ends; its node goes on to the end of a type annotation. */
export function nameEnd(node: Identifier): number {
  return node.start + node.name.length
}
