/**
 * Names of properties that are assigned after construction somewhere in a file. All others never change, so reading them
 * commutes with everything. `*` stands for a computed name.
 */
import type { MemberExpression, Node, Program } from 'oxc-parser'
import { isFunction } from '../syntax.ts'
import type { PrivateMember } from './private-names.ts'
import { assignedTargets, valueChildren } from './tree.ts'

type Privates = ReadonlyMap<Node, PrivateMember>

export function assignedNames(program: Program, privates: Privates): readonly string[] {
  const names = new Set<string>()
  const visit = (node: Node, constructs: boolean): void => {
    for (const target of targetsOf(node)) {
      if (target.type !== 'MemberExpression') continue
      if (constructs && target.object.type === 'ThisExpression') continue
      names.add(nameOf(target, privates))
    }
    for (const child of valueChildren(node)) visit(child, constructsIn(child, node, constructs))
  }
  visit(program, false)
  return [...names].sort()
}

function targetsOf(node: Node): Iterable<Node> {
  switch (node.type) {
    case 'AssignmentExpression':
      return assignedTargets(node.left)
    case 'UpdateExpression':
      return assignedTargets(node.argument)
    case 'ForInStatement':
    case 'ForOfStatement':
      return node.left.type === 'VariableDeclaration' ? [] : assignedTargets(node.left)
    case 'UnaryExpression':
      return node.operator === 'delete' ? assignedTargets(deleted(node.argument)) : []
    default:
      return []
  }
}

function deleted(argument: Node): Node {
  return argument.type === 'ChainExpression' ? argument.expression : argument
}

/** `this` means an object under construction. */
function constructsIn(node: Node, parent: Node, constructs: boolean): boolean {
  if (parent.type === 'MethodDefinition' && parent.kind === 'constructor' && parent.value === node) return true
  if (parent.type === 'PropertyDefinition' && parent.value === node) return !isFunction(node)
  return constructs && !isFunction(node)
}

function nameOf({ computed, property }: MemberExpression, privates: Privates): string {
  if (property.type === 'PrivateIdentifier') return privates.get(property)?.key ?? property.name
  if (!computed && property.type === 'Identifier') return property.name
  return property.type === 'Literal' ? String(property.value) : '*'
}
