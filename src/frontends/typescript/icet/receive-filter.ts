/** Which kinds of messages a receive takes: one kind, several, or a predicate that compares the kind and nothing else. */
import type { Node } from 'oxc-parser'
import { unwrapped } from '../access/tree.ts'
import type { FunctionLike } from '../syntax.ts'
import type { Meaning } from './meaning.ts'
import { keyName } from './names.ts'
import { outside } from './refusal.ts'
import { inFrame, type Translator } from './translator.ts'

export function kindsAccepted(translator: Translator, node: Node): readonly string[] | undefined {
  const filter = translator.value(node)
  if (filter.kind === 'function') {
    const kinds = inFrame(translator, filter.frame, () => kindsOfPredicate(translator, filter.node))
    if (kinds !== undefined) return [...new Set(kinds)]
    return refuseFilter(translator, node)
  }
  if (filter.kind === 'value' && filter.expression.kind === 'literal' && filter.expression.value === undefined) {
    return undefined
  }
  const kinds = textsOf(filter)
  return kinds ?? refuseFilter(translator, node)
}

function refuseFilter(translator: Translator, node: Node): never {
  const hint = "name the kind: receive('kind'); for messages of one process receive('kind', { from: address })"
  return translator.refuse(node, outside('a receive by a predicate on more than the kind', hint))
}

function textsOf(meaning: Meaning): readonly string[] | undefined {
  const one = textOf(meaning)
  if (one !== undefined) return [one]
  if (meaning.kind !== 'list') return undefined
  const texts = meaning.elements.map(textOf)
  return texts.every((text) => text !== undefined) ? texts : undefined
}

function textOf(meaning: Meaning): string | undefined {
  if (meaning.kind !== 'value' || meaning.expression.kind !== 'literal') return undefined
  const { value } = meaning.expression
  return typeof value === 'string' ? value : undefined
}

function kindsOfPredicate(translator: Translator, predicate: FunctionLike): readonly string[] | undefined {
  const { params, body } = predicate
  const [parameter] = params
  if (parameter === undefined || params.length > 1 || body === null) return undefined
  if (predicate.generator || predicate.async) return undefined
  const [only, ...more] = body.type === 'BlockStatement' ? body.body : []
  const result =
    body.type !== 'BlockStatement' ? body : only?.type === 'ReturnStatement' && more.length === 0 ? only.argument : null
  return result === null ? undefined : kindsIn(translator, unwrapped(result), parameter)
}

function kindsIn(translator: Translator, node: Node, parameter: Node): readonly string[] | undefined {
  if (node.type === 'LogicalExpression' && node.operator === '||') {
    const left = kindsIn(translator, unwrapped(node.left), parameter)
    const right = kindsIn(translator, unwrapped(node.right), parameter)
    return left === undefined || right === undefined ? undefined : [...left, ...right]
  }
  if (node.type === 'BinaryExpression' && node.operator === '===') {
    const [left, other] = isKind(translator, node.left, parameter) ? [node.left, node.right] : [node.right, node.left]
    if (!isKind(translator, left, parameter) || isKind(translator, other, parameter)) return undefined
    const kind = textOf(translator.value(other))
    return kind === undefined ? undefined : [kind]
  }
  if (node.type === 'CallExpression') {
    const callee = unwrapped(node.callee)
    const [argument, ...more] = node.arguments
    const isIncludes =
      callee.type === 'MemberExpression' && keyName({ key: callee.property, computed: callee.computed }) === 'includes'
    if (!isIncludes || argument === undefined || more.length > 0) return undefined
    if (!isKind(translator, argument, parameter)) return undefined
    // A text has an `includes` of its own, which looks for parts.
    const list = translator.value(callee.object)
    return list.kind === 'list' ? textsOf(list) : undefined
  }
  return undefined
}

/** `message.kind`, or `kind` of a parameter `({ kind })`. */
function isKind(translator: Translator, written: Node, parameter: Node): boolean {
  const { module } = translator.frame
  const node = unwrapped(written)
  if (node.type === 'MemberExpression') {
    const binding = module.bindingOf(unwrapped(node.object))
    const isField = keyName({ key: node.property, computed: node.computed }) === 'kind'
    return isField && binding !== undefined && binding === module.bindingOf(parameter)
  }
  if (parameter.type !== 'ObjectPattern') return false
  const binding = module.bindingOf(node)
  return parameter.properties.some(
    (property) =>
      property.type === 'Property' &&
      keyName(property) === 'kind' &&
      binding !== undefined &&
      module.bindingOf(property.value) === binding,
  )
}
