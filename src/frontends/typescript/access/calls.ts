/** Calls, constructions and awaits. */
import type {
  Argument,
  AwaitExpression,
  CallExpression,
  MemberExpression,
  NewExpression,
  Node,
  TaggedTemplateExpression,
} from 'oxc-parser'
import type { Frame } from './frame.ts'
import { keyOperand, nativeMember, nativePrivate, readMember, readOf } from './members.ts'
import { consume, inPlace, nameable, type Operand, operandsOf } from './operands.ts'
import { operation, sequence, siteCode } from './operations.ts'
import { type Code, joined, slice } from './output.ts'
import { twice } from './private-members.ts'
import type { Rewriter } from './rewriter.ts'
import { unwrapped } from './tree.ts'
import { constant, named, transient, type Value } from './value.ts'

/** A call whose callee has been taken apart. */
export interface Call {
  readonly offset: number
  readonly callee: Operand
  /** The method's name, if it is a call of a method of `callee`. */
  readonly key?: Operand
  readonly arguments: readonly Operand[]
  /** What the call gives is awaited at once. */
  readonly isAwaited?: boolean
}

/** Stands for a part that has been evaluated before. */
export const evaluatedBefore: Node = { type: 'EmptyStatement', start: 0, end: 0 }

/** `o.m(a)` becomes `invoke(site, [live], o, "m", [a])`, and `f(a)` becomes `call(site, [live], f, [a])`. */
export function call(rewriter: Rewriter, frame: Frame, node: CallExpression, isAwaited = false): Value {
  const callee = unwrapped(node.callee)
  if (frame.kind === 'plain' && isOwnCall(callee)) return nativeCall(rewriter, frame, node)
  const list = argumentOperands(rewriter, frame, node.arguments)
  if (callee.type !== 'MemberExpression' || isNamespaceMember(rewriter, callee)) {
    const { start } = callee
    return performCall(rewriter, frame, { offset: start, callee: { node: node.callee }, arguments: list, isAwaited })
  }
  if (callee.property.type === 'PrivateIdentifier') {
    return privateCall(rewriter, frame, callee, { object: { node: callee.object }, list, isAwaited })
  }
  if (callee.object.type !== 'Super') {
    return performCall(rewriter, frame, methodCall(rewriter, callee, { node: callee.object }, { list, isAwaited }))
  }
  const method = { node: callee, emit: () => nativeMember(rewriter, frame, callee) }
  const self = { node: evaluatedBefore, emit: () => named(frame.self) }
  const request = { offset: callee.property.start, callee: method, arguments: list, isAwaited }
  return applyFunction(rewriter, frame, request, self)
}

/** In code that runs in one go the language calls what can only be code of the class, or of a module. */
function isOwnCall(callee: Node): boolean {
  if (callee.type === 'Super') return true
  if (callee.type !== 'MemberExpression') return false
  const { object, property } = callee
  return object.type === 'Super' || object.type === 'MetaProperty' || property.type === 'PrivateIdentifier'
}

/** A function of another module, not a method. */
function isNamespaceMember({ bindings }: Rewriter, { object }: MemberExpression): boolean {
  return bindings.resolved.get(object)?.kind === 'namespace'
}

export function methodCall(
  rewriter: Rewriter,
  member: MemberExpression,
  object: Operand,
  { list, isAwaited }: { readonly list: readonly Operand[]; readonly isAwaited: boolean },
): Call {
  const { property } = member
  return { offset: property.start, callee: object, key: keyOperand(rewriter, member), arguments: list, isAwaited }
}

interface PrivateCall {
  readonly object: Operand
  readonly list: readonly Operand[]
  readonly isAwaited: boolean
}

/** `o.#m(a)`: what is called is looked up first, and then called with the object. */
export function privateCall(
  rewriter: Rewriter,
  frame: Frame,
  member: MemberExpression,
  { object, list: given, isAwaited }: PrivateCall,
): Value {
  const setup: Code[] = []
  const value = object.emit === undefined ? rewriter.expression(frame, object.node) : object.emit()
  const later = given.map(({ node }) => node)
  const self = { node: evaluatedBefore, emit: () => known }
  const known = nameable(rewriter, frame, value, { later, setup })
  const callee = { node: evaluatedBefore, emit: () => readOf(rewriter, frame, member, self) }
  const request = { offset: member.property.start, callee, arguments: given, isAwaited }
  const called = applyFunction(rewriter, frame, request, self)
  return setup.length === 0 ? called : { ...called, code: sequence(setup, called.code) }
}

/**
 * One operation for callee, key and arguments together. So a method is looked up after its arguments were evaluated; the language
 * does it before, which is the same unless an argument replaces the method.
 */
export function performCall(
  rewriter: Rewriter,
  frame: Frame,
  { offset, callee, key, isAwaited, ...rest }: Call,
): Value {
  const head = key === undefined ? [callee] : [callee, key]
  const name = `${key === undefined ? 'call' : 'invoke'}${isAwaited === true ? 'Await' : ''}`
  return operation(rewriter, frame, {
    name,
    offset,
    operands: operandsOf(rewriter, frame, [...head, ...rest.arguments]),
    arrange: (codes) => [...codes.slice(0, head.length), list(codes.slice(head.length))],
  })
}

/** A call of a function with a `this` that is known otherwise. */
export function applyFunction(
  rewriter: Rewriter,
  frame: Frame,
  { offset, callee, isAwaited, ...rest }: Call,
  self: Operand,
): Value {
  return operation(rewriter, frame, {
    name: isAwaited === true ? 'applyAwait' : 'apply',
    offset,
    operands: operandsOf(rewriter, frame, [callee, self, ...rest.arguments]),
    arrange: (codes) => [...codes.slice(0, 2), list(codes.slice(2))],
  })
}

export function construction(rewriter: Rewriter, frame: Frame, node: NewExpression): Value {
  const callee = unwrapped(node.callee)
  if (frame.kind === 'plain') {
    const { code } = rewriter.expression(frame, callee)
    const made = nativeCallCode(rewriter, frame, transient(['new (', code, ')']), node.arguments)
    // Who waits for it for ever is told where it was made.
    if (callee.type !== 'Identifier' || callee.name !== 'Promise') return made
    return transient([
      rewriter.runtime('promiseMade'),
      '(',
      siteCode(rewriter, frame, node.start),
      ', ',
      made.code,
      ')',
    ])
  }
  return operation(rewriter, frame, {
    name: 'make',
    offset: callee.start,
    operands: operandsOf(rewriter, frame, [
      { node: node.callee },
      ...argumentOperands(rewriter, frame, node.arguments),
    ]),
    arrange: ([made, ...codes]) => [made ?? '', list(codes)],
  })
}

export function awaited(rewriter: Rewriter, frame: Frame, node: AwaitExpression): Value {
  if (frame.kind === 'plain') return inPlace(rewriter, frame, node, [node.argument])
  const argument = unwrapped(node.argument)
  if (argument.type === 'CallExpression') return call(rewriter, frame, argument, true)
  return pause(rewriter, frame, node.start, { node: node.argument })
}

export function taggedTemplate(rewriter: Rewriter, frame: Frame, node: TaggedTemplateExpression): Value {
  const { quasi } = node
  const tag = unwrapped(node.tag)
  if (frame.kind === 'plain') {
    const callee = nativeCallee(rewriter, frame, tag)
    return transient([callee.code, inPlace(rewriter, frame, quasi, quasi.expressions).code])
  }
  // The language makes the array of strings, the same one each time the place is reached.
  const cut: Code[] = []
  let at = quasi.start
  for (const expression of quasi.expressions) {
    cut.push(slice(at, expression.start), '0')
    at = expression.end
  }
  const strings = ['((strings) => strings)', cut, slice(at, quasi.end)]
  const values = [
    { node: evaluatedBefore, emit: () => constant(strings) },
    ...quasi.expressions.map((value) => ({ node: value })),
  ]
  if (tag.type === 'MemberExpression' && tag.property.type === 'PrivateIdentifier') {
    return privateCall(rewriter, frame, tag, { object: { node: tag.object }, list: values, isAwaited: false })
  }
  return performCall(
    rewriter,
    frame,
    tag.type === 'MemberExpression' && tag.object.type !== 'Super'
      ? methodCall(rewriter, tag, { node: tag.object }, { list: values, isAwaited: false })
      : { offset: tag.start, callee: { node: node.tag }, arguments: values },
  )
}

export function argumentOperands(rewriter: Rewriter, frame: Frame, nodes: readonly Argument[]): readonly Operand[] {
  return nodes.map((node) =>
    node.type === 'SpreadElement'
      ? { node, isSpread: true, emit: () => spreadValue(rewriter, frame, node.argument, 'spread') }
      : { node },
  )
}

export function spreadValue(rewriter: Rewriter, frame: Frame, node: Node, name: 'spread' | 'spreadObject'): Value {
  if (frame.kind === 'plain') return rewriter.expression(frame, node)
  return operation(rewriter, frame, { name, offset: node.start, operands: operandsOf(rewriter, frame, [{ node }]) })
}

/** `callee(arguments)` as the language calls; a method keeps its object. */
export function nativeCallCode(rewriter: Rewriter, frame: Frame, callee: Value, nodes: readonly Argument[]): Value {
  const { values } = operandsOf(rewriter, frame, argumentOperands(rewriter, frame, nodes))
  consume(frame, values)
  return transient([callee.code, '(', joined(values.map(({ code }) => code)), ')'])
}

function nativeCall(rewriter: Rewriter, frame: Frame, node: CallExpression): Value {
  const callee = unwrapped(node.callee)
  if (callee.type === 'Super') {
    // What the parent gives may be an object that was there before.
    const made = inPlace(rewriter, frame, node, node.arguments)
    return transient([rewriter.runtime('stamped'), `(${siteCode(rewriter, frame, node.start)}, `, made.code, ')'])
  }
  return nativeCallCode(rewriter, frame, nativeCallee(rewriter, frame, callee), node.arguments)
}

function nativeCallee(rewriter: Rewriter, frame: Frame, callee: Node): Value {
  if (callee.type === 'MemberExpression') {
    if (callee.property.type === 'PrivateIdentifier') {
      const { first, again } = twice(frame, rewriter.expression(frame, callee.object))
      const member = nativePrivate(rewriter, frame, callee.property, transient(first))
      return transient([member.code, '.bind(', again, ')'])
    }
    return callee.object.type === 'MetaProperty'
      ? readMember(rewriter, frame, callee)
      : nativeMember(rewriter, frame, callee)
  }
  const value = rewriter.expression(frame, callee)
  return callee.type === 'Identifier' ? value : transient(['(', value.code, ')'])
}

/** Waits for a value. */
export function pause(rewriter: Rewriter, frame: Frame, offset: number, value: Operand): Value {
  return operation(rewriter, frame, { name: 'pause', offset, operands: operandsOf(rewriter, frame, [value]) })
}

function list(codes: readonly Code[]): Code {
  return ['[', joined(codes), ']']
}
