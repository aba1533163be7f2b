/** Literals that make objects. Re-executed code answers with the objects it made the first time. */
import type { ArrayExpression, Node, ObjectExpression, ObjectProperty, RegExpLiteral } from 'oxc-parser'
import { accessorCode } from './accessors.ts'
import type { Binding } from './bindings.ts'
import { capturedBy } from './bindings.ts'
import { spreadValue } from './calls.ts'
import type { Frame } from './frame.ts'
import { consumeCaptured } from './functions.ts'
import { consume, inPlace, waiting } from './operands.ts'
import { siteCode } from './operations.ts'
import { type Code, slice } from './output.ts'
import type { Rewriter } from './rewriter.ts'
import { constant, transient, type Value } from './value.ts'
import { jobNames } from './variables.ts'

export function arrayLiteral(rewriter: Rewriter, frame: Frame, node: ArrayExpression): Value {
  const elements = node.elements.filter((element) => element !== null)
  return made(rewriter, frame, node, inPlace(rewriter, frame, node, elements).code)
}

export function regularExpression(rewriter: Rewriter, frame: Frame, node: RegExpLiteral): Value {
  return made(rewriter, frame, node, slice(node.start, node.end))
}

export function objectLiteral(rewriter: Rewriter, frame: Frame, node: ObjectExpression): Value {
  const pieces: Code[] = []
  const values: Value[] = []
  let at = node.start + 1
  const parts = node.properties.flatMap((property) => partsOf(rewriter, frame, property))
  parts.forEach((part, index) => {
    const later = parts.slice(index + 1).map(({ node: following }) => following)
    const value = waiting(rewriter, frame, part.emit(), later)
    pieces.push(slice(at, part.start), part.before, value.code, part.after)
    values.push(value)
    at = part.end
  })
  consume(frame, values)
  const captured = new Set(node.properties.flatMap((property) => capturedByAccessor(rewriter, property)))
  const property = capturedProperty(rewriter, frame, [...captured], node.start)
  const first = property === undefined ? '' : `${property.key}: ${property.value}, `
  return made(rewriter, frame, node, ['{', first, pieces, slice(at, node.end)])
}

/** An object of the frame. */
export function made(rewriter: Rewriter, frame: Frame, node: Node, code: Code): Value {
  if (frame.kind === 'plain') return transient(code)
  return transient([rewriter.runtime('made'), '(', siteCode(rewriter, frame, node.start), ', ', code, ')'])
}

/**
 * Accessors of a literal and methods of a class are not closures that the runtime makes. What they use of the functions
 * around them must be reachable from the object all the same, or states would differ in something that no traversal sees: a
 * property of the object holds it.
 */
export function capturedProperty(
  rewriter: Rewriter,
  frame: Frame,
  captured: readonly Binding[],
  offset: number,
): { readonly key: string; readonly value: string } | undefined {
  if (captured.length === 0) return undefined
  consumeCaptured(frame, captured, false)
  const key = `[Symbol.for(${JSON.stringify(`captured in ${rewriter.source.file} at ${offset}`)})]`
  return { key, value: `[${captured.map((binding) => frame.codeOf(binding)).join(', ')}]` }
}

/** A part of an object literal that is evaluated, with the text that it replaces. */
interface Part {
  readonly node: Node
  readonly start: number
  readonly end: number
  readonly before: Code
  readonly after: Code
  emit(): Value
}

function partsOf(rewriter: Rewriter, frame: Frame, property: ObjectExpression['properties'][number]): readonly Part[] {
  if (property.type === 'SpreadElement') {
    const emit = (): Value => spreadValue(rewriter, frame, property.argument, 'spreadObject')
    return [{ node: property, start: property.start, end: property.end, before: '...', after: '', emit }]
  }
  const { key, value, computed, start, end } = property
  if (property.kind !== 'init') {
    // No value that waits: the literal has it.
    const emit = (): Value => constant(accessorCode(rewriter, frame, property))
    return [{ node: value, start, end, before: '', after: '', emit }]
  }
  const name = computed ? undefined : rewriter.propertyName(key)
  const emit = (): Value => rewriter.namedValue(frame, value, name)
  if (!property.method) {
    const before = property.shorthand && isRenamed(rewriter, value) ? `${name}: ` : ''
    return [
      ...keyParts(rewriter, frame, property),
      { node: value, start: value.start, end: value.end, before, after: '', emit },
    ]
  }
  const text = computed ? '' : slice(key.start, key.end)
  const keys = keyParts(rewriter, frame, property).map((part) => ({ ...part, start, before: '[' }))
  const before = [text, computed ? ']: ' : ': ']
  return [
    ...keys,
    { node: value, start: keys.length === 0 ? start : (keys[0]?.end ?? start), end, before, after: '', emit },
  ]
}

function keyParts(rewriter: Rewriter, frame: Frame, { key, computed }: ObjectProperty): readonly Part[] {
  if (!computed) return []
  return [
    { node: key, start: key.start, end: key.end, before: '', after: '', emit: () => rewriter.expression(frame, key) },
  ]
}

function isRenamed({ bindings }: Rewriter, value: Node): boolean {
  const binding = bindings.resolved.get(value)
  if (binding === undefined) return value.type === 'Identifier' && jobNames.has(value.name)
  return binding.isBoxed || binding.hides > 0 || binding.kind === 'arguments'
}

function capturedByAccessor(rewriter: Rewriter, property: ObjectExpression['properties'][number]): readonly Binding[] {
  if (property.type === 'SpreadElement' || property.kind === 'init') return []
  return property.value.type === 'FunctionExpression' ? capturedBy(rewriter.regionOf(property.value)) : []
}
