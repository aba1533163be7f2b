/** Expressions by kind. What is not mentioned keeps its text, with the expressions inside replaced. */
import type { AssignmentExpression, Node, UnaryExpression, UpdateExpression } from 'oxc-parser'
import { isFunction } from '../syntax.ts'
import { awaited, call, construction, spreadValue, taggedTemplate } from './calls.ts'
import { chain } from './chains.ts'
import { classValue } from './classes.ts'
import type { Frame } from './frame.ts'
import { functionValue } from './functions.ts'
import { arrayLiteral, objectLiteral, regularExpression } from './literals.ts'
import { deleteMember, hasMember, memberPlace, modifyPlace, readMember, updatePlace, writePlace } from './members.ts'
import { consume, inPlace, nameable } from './operands.ts'
import { type Code, joined, slice } from './output.ts'
import { bindPattern } from './patterns.ts'
import { plainPattern } from './plain-patterns.ts'
import type { Rewriter } from './rewriter.ts'
import { type Identifier, unwrapped, valueChildren } from './tree.ts'
import { constant, named, stored, transient, type Value } from './value.ts'
import { assignVariable, readVariable, updateVariable } from './variables.ts'
import { yielded } from './yields.ts'

/** `wanted`: the value is used. */
export function expression(rewriter: Rewriter, frame: Frame, node: Node, wanted = true): Value {
  switch (node.type) {
    case 'Identifier':
      return readVariable(rewriter, frame, node as Identifier)
    case 'ThisExpression':
      return named(frame.self, frame.self.code === 'this' ? slice(node.start, node.end) : frame.self.code)
    case 'Literal':
      return 'regex' in node ? regularExpression(rewriter, frame, node) : constant(slice(node.start, node.end))
    case 'MemberExpression':
      return readMember(rewriter, frame, node)
    case 'CallExpression':
      return call(rewriter, frame, node)
    case 'ChainExpression':
      return chain(rewriter, frame, node)
    case 'NewExpression':
      return construction(rewriter, frame, node)
    case 'AwaitExpression':
      return awaited(rewriter, frame, node)
    case 'YieldExpression':
      return yielded(rewriter, frame, node)
    case 'TaggedTemplateExpression':
      return taggedTemplate(rewriter, frame, node)
    case 'SpreadElement': {
      const value = spreadValue(rewriter, frame, node.argument, 'spread')
      return { ...value, code: ['...', value.code], isName: false }
    }
    case 'ArrayExpression':
      return arrayLiteral(rewriter, frame, node)
    case 'ObjectExpression':
      return objectLiteral(rewriter, frame, node)
    default:
      return isFunction(node)
        ? functionValue(rewriter, frame, node, undefined)
        : operator(rewriter, frame, node, wanted)
  }
}

/** A value that takes the name of what it is assigned to, if it is an anonymous function or class. */
export function namedValue(rewriter: Rewriter, frame: Frame, node: Node, name: string | undefined): Value {
  const value = unwrapped(node)
  if (isFunction(value)) return functionValue(rewriter, frame, value, name)
  return value.type === 'ClassExpression' ? classValue(rewriter, frame, value, name) : expression(rewriter, frame, node)
}

function operator(rewriter: Rewriter, frame: Frame, node: Node, wanted: boolean): Value {
  switch (node.type) {
    case 'ClassExpression':
      return classValue(rewriter, frame, node, undefined)
    case 'AssignmentExpression':
      return assignment(rewriter, frame, node, wanted)
    case 'UpdateExpression':
      return update(rewriter, frame, node, wanted)
    case 'UnaryExpression':
      return unary(rewriter, frame, node)
    case 'BinaryExpression':
      if (node.operator === 'in') return hasMember(rewriter, frame, node)
      return inPlace(rewriter, frame, node, [node.left, node.right])
    case 'TemplateLiteral':
      return node.expressions.length === 0
        ? constant(slice(node.start, node.end))
        : inPlace(rewriter, frame, node, node.expressions)
    case 'LogicalExpression':
      return logical(rewriter, frame, node)
    case 'ConditionalExpression':
      return conditional(rewriter, frame, node)
    case 'SequenceExpression':
      return inSequence(rewriter, frame, node, wanted)
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSTypeAssertion':
    case 'TSNonNullExpression':
    case 'TSInstantiationExpression':
      // Types would be stripped later. Some may not begin a line, which they could when what is before takes fewer lines.
      return expression(rewriter, frame, node.expression, wanted)
    case 'ParenthesizedExpression': {
      const value = expression(rewriter, frame, node.expression, wanted)
      const { expression: inner } = node
      return { ...value, code: [slice(node.start, inner.start), value.code, slice(inner.end, node.end)] }
    }
    case 'MetaProperty':
    case 'Super':
      return constant(slice(node.start, node.end))
    default:
      return inPlace(rewriter, frame, node, [...valueChildren(node)])
  }
}

function assignment(rewriter: Rewriter, frame: Frame, node: AssignmentExpression, wanted: boolean): Value {
  const target = unwrapped(node.left)
  if (target.type === 'Identifier')
    return assignVariable(rewriter, frame, { target: target as Identifier, node, wanted })
  if (target.type === 'MemberExpression') {
    const place = memberPlace(rewriter, frame, target, { writes: node.operator === '=' })
    if (node.operator !== '=') return modifyPlace(rewriter, frame, { place, node, wanted })
    return writePlace(rewriter, frame, place, { value: { node: node.right }, wanted })
  }
  if (frame.kind === 'plain') {
    const pattern = plainPattern(rewriter, frame, target, true)
    return transient([pattern, slice(target.end, node.right.start), expression(rewriter, frame, node.right).code])
  }
  const setup: Code[] = []
  const value = nameable(rewriter, frame, expression(rewriter, frame, node.right), { later: [target], setup })
  const items = bindPattern(rewriter, frame, { target, value, declares: false })
  const codes = [...setup, ...items.flatMap(({ code }) => (code === undefined ? [] : [code]))]
  if (!wanted) return transient(['(', joined(codes), ')'])
  if (value.variable === undefined) return transient(['(', joined([...codes, value.code]), ')'])
  return stored(['(', joined([...codes, value.code]), ')'], value.variable)
}

function update(rewriter: Rewriter, frame: Frame, node: UpdateExpression, wanted: boolean): Value {
  const target = unwrapped(node.argument)
  if (target.type === 'MemberExpression') {
    return updatePlace(rewriter, frame, { place: memberPlace(rewriter, frame, target), node, wanted })
  }
  return updateVariable(rewriter, frame, { target: target as Identifier, node, wanted })
}

function unary(rewriter: Rewriter, frame: Frame, node: UnaryExpression): Value {
  if (node.operator === 'delete') {
    const target = unwrapped(node.argument)
    if (target.type === 'MemberExpression') return deleteMember(rewriter, frame, target, node.start)
    if (target.type === 'ChainExpression') return chain(rewriter, frame, target, true)
  }
  return inPlace(rewriter, frame, node, [node.argument])
}

function logical(rewriter: Rewriter, frame: Frame, node: Extract<Node, { type: 'LogicalExpression' }>): Value {
  const end = frame.flow.label()
  const left = expression(rewriter, frame, node.left)
  consume(frame, [left])
  frame.flow.branch(end)
  const right = expression(rewriter, frame, node.right)
  consume(frame, [right])
  frame.flow.place(end)
  return transient([left.code, slice(node.left.end, node.right.start), right.code])
}

function conditional(rewriter: Rewriter, frame: Frame, node: Extract<Node, { type: 'ConditionalExpression' }>): Value {
  const { flow } = frame
  const otherwise = flow.label()
  const end = flow.label()
  const test = expression(rewriter, frame, node.test)
  consume(frame, [test])
  flow.branch(otherwise)
  const consequent = expression(rewriter, frame, node.consequent)
  consume(frame, [consequent])
  flow.jump(end)
  flow.place(otherwise)
  const alternate = expression(rewriter, frame, node.alternate)
  consume(frame, [alternate])
  flow.place(end)
  return transient([
    test.code,
    slice(node.test.end, node.consequent.start),
    consequent.code,
    slice(node.consequent.end, node.alternate.start),
    alternate.code,
  ])
}

function inSequence(
  rewriter: Rewriter,
  frame: Frame,
  node: Extract<Node, { type: 'SequenceExpression' }>,
  wanted: boolean,
): Value {
  const pieces: Code[] = []
  let at = node.start
  let last = constant('')
  node.expressions.forEach((part, index) => {
    last = expression(rewriter, frame, part, wanted && index === node.expressions.length - 1)
    pieces.push(slice(at, part.start), last.code)
    at = part.end
  })
  const code = ['(', pieces, ')']
  return last.variable === undefined ? transient(code) : stored(code, last.variable)
}
