/** Patterns that the language destructures, in code that runs in one go: only the expressions in them are rewritten. */
import type { MemberExpression, Node } from 'oxc-parser'
import type { Frame } from './frame.ts'
import { memberPlace, nativeMember } from './members.ts'
import { operandsOf } from './operands.ts'
import { operation } from './operations.ts'
import { type Code, slice } from './output.ts'
import type { Rewriter } from './rewriter.ts'
import { type Identifier, unwrapped, valueChildren } from './tree.ts'
import { nativeTarget } from './variables.ts'

/** `assigns`: names mean variables that exist, which may be boxed; otherwise the pattern declares its names. */
export function plainPattern(rewriter: Rewriter, frame: Frame, pattern: Node, assigns = false): Code {
  const emit = (node: Node): Code => {
    switch (node.type) {
      case 'Identifier': {
        const target = node as Identifier
        return assigns
          ? nativeTarget(frame, target, rewriter.bindings.resolved.get(target))
          : slice(node.start, node.end)
      }
      case 'MemberExpression':
        return target(node)
      case 'AssignmentPattern':
        return [emit(node.left), slice(node.left.end, node.right.start), rewriter.expression(frame, node.right).code]
      case 'Property':
        return property(node)
      case 'ObjectPattern':
      case 'ArrayPattern':
      case 'RestElement':
      case 'TSParameterProperty':
        return within(node)
      default: {
        const inner = unwrapped(node)
        return inner === node ? rewriter.expression(frame, node).code : emit(inner)
      }
    }
  }
  const target = (node: MemberExpression): Code => {
    if (node.object.type === 'Super' || node.property.type === 'PrivateIdentifier')
      return nativeMember(rewriter, frame, node).code
    const { object, key, offset } = memberPlace(rewriter, frame, node)
    const place = { name: 'plainPlace', offset, operands: operandsOf(rewriter, frame, [object, key]) }
    return [operation(rewriter, frame, place).code, '.value']
  }
  const property = (node: Extract<Node, { type: 'Property' }>): Code => {
    if (node.shorthand) {
      const code = emit(node.value)
      return assigns && node.key.type === 'Identifier' ? [node.key.name, ': ', code] : code
    }
    const key = node.computed ? rewriter.expression(frame, node.key).code : slice(node.key.start, node.key.end)
    return [slice(node.start, node.key.start), key, slice(node.key.end, node.value.start), emit(node.value)]
  }
  const within = (node: Node): Code => {
    const pieces: Code[] = []
    let at = node.start
    for (const child of valueChildren(node)) {
      pieces.push(slice(at, child.start), emit(child))
      at = child.end
    }
    return [pieces, slice(at, node.end)]
  }
  return emit(pattern)
}
