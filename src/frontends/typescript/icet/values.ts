/** Expressions to values of the term. Operations inside an expression become statements in front of it, in the order of JavaScript. */
import type { Node } from 'oxc-parser'
import { type BinaryOperator, binaryOperators, type Expression, type Statement } from '../../../program/icet.ts'
import { unwrapped } from '../access/tree.ts'
import { isFunction } from '../syntax.ts'
import {
  assignedSince,
  expression,
  hasOperation,
  isMissing,
  mentions,
  orElse,
  type ShortCircuit,
  shortCircuit,
} from './conditions.ts'
import { formOf, notRead } from './forms.ts'
import { type Meaning, mapValues, undefinedValue } from './meaning.ts'
import { memberTaken } from './members.ts'
import {
  asValue,
  expressionOf,
  functionMeaning,
  isConversion,
  isPlainLiteral,
  keyName,
  literal,
  meaningOf,
  memberOf,
  notPerformed,
  refuseShared,
} from './names.ts'
import { opaque } from './opaque.ts'
import { sharedObjects } from './operation-names.ts'
import { assignTo } from './patterns.ts'
import { notAnAddress, outside, Refusal } from './refusal.ts'
import { either } from './terms.ts'
import type { Target, Translator, Wanted } from './translator.ts'

/** What the term has no form for becomes opaque: some function of the variables in it (`opaque.ts`). */
export function value(translator: Translator, written: Node, target: Target | undefined): Meaning {
  const node = unwrapped(written)
  if (isFunction(node)) return functionMeaning(node, translator.frame)
  switch (node.type) {
    case 'Identifier':
      return meaningOf(translator, node)
    case 'Literal':
      return isPlainLiteral(node) ? literal(node.value) : opaque(translator, node)
    case 'TemplateLiteral':
      return node.expressions.length === 0
        ? literal(node.quasis.map((quasi) => quasi.value.cooked ?? '').join(''))
        : opaque(translator, node)
    case 'MemberExpression':
      return member(translator, node)
    case 'YieldExpression':
    case 'AwaitExpression':
      return performed(translator, node, { target, isUsed: true })
    case 'CallExpression':
      return plainCall(translator, node, target)
    case 'NewExpression': {
      const callee = unwrapped(node.callee)
      const meaning = callee.type === 'Identifier' ? meaningOf(translator, callee) : undefined
      return meaning?.kind === 'shared' ? refuseShared(translator, node, meaning) : opaque(translator, node)
    }
    case 'AssignmentExpression':
    case 'UpdateExpression':
      return assignTo(translator, node, true)
    case 'SequenceExpression': {
      const values = node.expressions.map((one) => translator.value(one))
      return values.at(-1) as Meaning
    }
    case 'ConditionalExpression':
      return conditional(translator, node, target)
    case 'LogicalExpression':
      return logical(translator, node, target)
    case 'BinaryExpression':
      return binary(translator, node)
    case 'UnaryExpression':
      return unary(translator, node)
    case 'ObjectExpression':
      return object(translator, node)
    case 'ArrayExpression': {
      if (node.elements.length === 0 || node.elements.some((one) => one === null || one.type === 'SpreadElement')) {
        return opaque(translator, node)
      }
      return { kind: 'list', elements: inOrder(translator, node.elements as Node[]) }
    }
    default:
      return formOf(node).reading === 'computed' ? opaque(translator, node) : translator.refuse(node, notRead(node))
  }
}

/** Values of several expressions, each as it was when it was evaluated, whatever the later ones do. */
export function inOrder(translator: Translator, nodes: readonly Node[]): Meaning[] {
  const values: Meaning[] = []
  for (const node of nodes) {
    const { out } = translator
    const before = out.length
    const meaning = translator.value(node)
    const changed = assignedSince(out, before)
    const kept: Statement[] = []
    values.forEach((earlier, index) => {
      values[index] = mapValues(earlier, (one) => {
        if (!mentions(one.expression, changed)) return one
        const name = translator.fresh('before')
        kept.push({ id: 0, place: translator.place(node), kind: 'assign', variable: name, value: one.expression })
        return asValue(translator, { kind: 'variable', name })
      })
    })
    out.splice(before, 0, ...kept)
    values.push(meaning)
  }
  return values
}

/** `yield*` and `await`. */
export function performed(
  translator: Translator,
  node: Extract<Node, { type: 'YieldExpression' | 'AwaitExpression' }>,
  wanted: Wanted,
): Meaning {
  if (node.type === 'YieldExpression' && !node.delegate) {
    translator.refuse(node, outside('yield without *', 'write yield* in front of every operation'))
  }
  const argument = node.argument === null ? undefined : unwrapped(node.argument)
  if (argument?.type !== 'CallExpression') {
    if (argument?.type === 'Identifier' && meaningOf(translator, argument).kind === 'broken')
      throw new Refusal(undefined)
    const hint = 'perform operations and functions where they are called: yield* f(…)'
    return translator.refuse(node, outside('a generator or operation that was kept in a variable', hint))
  }
  return translator.parts.call(translator, translator.value(argument.callee), argument, wanted)
}

/** A call that is not performed: a computation. */
function plainCall(
  translator: Translator,
  node: Extract<Node, { type: 'CallExpression' }>,
  target: Target | undefined,
): Meaning {
  const callee = unwrapped(node.callee)
  if (callee.type === 'MemberExpression') {
    const object = unwrapped(callee.object)
    const root = object.type === 'Identifier' ? meaningOf(translator, object) : undefined
    if (root?.kind === 'set') return memberTaken(translator, node, root.name) ?? member(translator, callee)
    if (root?.kind === 'shared') return refuseShared(translator, node, root)
    if (root?.kind !== 'namespace' && root?.kind !== 'object') return opaque(translator, node, target)
  } else if (callee.type !== 'Identifier' && !isFunction(callee)) return opaque(translator, node, target)
  const meaning = translator.value(callee)
  if (meaning.kind === 'operation') {
    if (!sharedObjects.has(meaning.name)) translator.refuse(node, notPerformed(meaning.name))
    return refuseShared(translator, node, { kind: 'shared', what: `${meaning.name}()` })
  }
  if (meaning.kind !== 'function') return opaque(translator, node, target)
  if (meaning.node.generator || meaning.node.async)
    translator.refuse(node, notPerformed(translator.frame.module.text(callee)))
  return translator.parts.call(translator, meaning, node, { target, isUsed: true })
}

function member(translator: Translator, node: Extract<Node, { type: 'MemberExpression' }>): Meaning {
  const key = node.computed ? writtenKey(translator, node.property) : undefined
  const name = node.computed ? key : keyName({ key: node.property, computed: false })
  const [object, index] = inOrder(translator, name === undefined ? [node.object, node.property] : [node.object])
  if (object === undefined) return undefinedValue
  const known = name === undefined ? undefined : memberOf(translator, node, object, name)
  if (known !== undefined) return known
  if (object.kind === 'set')
    return memberTaken(translator, node, object.name) ?? refuseSetMember(translator, node, object.name)
  if (object.kind === 'function' || object.kind === 'operation') return opaque(translator, node)
  const of = expressionOf(translator, node.object, object)
  if (of.kind === 'literal' && (of.value === undefined || of.value === null)) {
    translator.refuse(node, outside(`a part of ${String(of.value)}`, 'take parts only of what is there'))
  }
  const isRecord = object.kind === 'value' && (object.closed ?? object.expression).kind === 'record'
  const isMethod = (object.kind === 'list' || isRecord) && name !== undefined && name in Array.prototype
  if (name === undefined && of.kind === 'variable' && translator.process.messages.has(of.name)) {
    const hint = 'write the field down: message.field; tell kinds of messages apart with switch (message.kind)'
    translator.refuse(node, outside('a field of a message whose name is computed', hint))
  }
  // Lengths are properties of things that the term knows nothing about.
  const isUnknown = name === undefined || name === 'length' || name === 'size' || isMethod
  if (isUnknown || of.kind === 'opaque' || of.kind === 'literal') {
    const inputs = index === undefined ? [of] : [of, expressionOf(translator, node.property, index)]
    return asValue(translator, { kind: 'opaque', text: translator.frame.module.line(node), inputs })
  }
  return asValue(translator, { kind: 'field', of, name })
}

function refuseSetMember(translator: Translator, node: Node, set: string): never {
  const hint =
    'go through the set with for (const one of all), or for (let i = 0; i < all.length; i++) and all[i]; or let choose(…) pick a member; for one process alone use spawn(…); neighbours, as in a ring, are for check'
  return translator.refuse(node, notAnAddress(`a part of the set of processes "${set}" is taken out`, hint))
}

/** The key in `o[k]`, if it is a constant. */
function writtenKey(translator: Translator, key: Node): string | undefined {
  const node = unwrapped(key)
  if (node.type === 'Literal') return String(node.value)
  if (node.type !== 'Identifier' && node.type !== 'MemberExpression') return undefined
  const meaning = translator.value(node)
  if (meaning.kind !== 'value' || meaning.expression.kind !== 'literal') return undefined
  return String(meaning.expression.value)
}

function binary(translator: Translator, node: Extract<Node, { type: 'BinaryExpression' }>): Meaning {
  if (node.operator === '==' || node.operator === '!=') return looseEquality(translator, node)
  const operator = binaryOperator(node.operator)
  if (operator === undefined) return opaque(translator, node)
  if (operator === '===' || operator === '!==') refuseIdentity(translator, node.left, node.right)
  const operands = [node.left, node.right]
  const [left, right] = inOrder(translator, operands).map((one, index) =>
    expressionOf(translator, operands[index] as Node, one),
  )
  return asValue(translator, folded(operator, left as Expression, right as Expression))
}

/** Objects are equal if they are one; in the term, if their parts are. */
export function refuseIdentity(translator: Translator, left: Node, right: Node): void {
  const { ownership } = translator.frame.module
  for (const side of [left, right]) {
    if (!ownership.isObject(side)) continue
    translator.refuse(
      side,
      outside('comparing objects by identity', 'compare fields of them, or keys that you give them'),
    )
  }
}

/** What is known already is not left to the engine. */
function folded(operator: BinaryOperator, left: Expression, right: Expression): Expression {
  const unknown: Expression = { kind: 'binary', operator, left, right }
  if (left.kind !== 'literal' || right.kind !== 'literal') return unknown
  if (operator === '===' || operator === '!==') {
    return { kind: 'literal', value: (left.value === right.value) === (operator === '===') }
  }
  if (typeof left.value !== 'number' || typeof right.value !== 'number') return unknown
  const compute = arithmetic[operator]
  return compute === undefined ? unknown : { kind: 'literal', value: compute(left.value, right.value) }
}

const arithmetic: { readonly [operator: string]: (left: number, right: number) => number | boolean } = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  '%': (left, right) => left % right,
  '<': (left, right) => left < right,
  '<=': (left, right) => left <= right,
  '>': (left, right) => left > right,
  '>=': (left, right) => left >= right,
}

function binaryOperator(operator: string): BinaryOperator | undefined {
  return binaryOperators.find((one) => one === operator)
}

/** With `null` or `undefined` on the right it asks for both; otherwise it converts, which the term has no form for. */
function looseEquality(translator: Translator, node: Extract<Node, { type: 'BinaryExpression' }>): Meaning {
  const [left, right] = [expression(translator, node.left), expression(translator, node.right)]
  if (right.kind !== 'literal' || (right.value !== null && right.value !== undefined)) {
    return translator.refuse(node, outside(`"${node.operator}", which converts its sides,`, `write ${node.operator}=`))
  }
  const missing =
    left.kind === 'literal' ? literal(left.value === null || left.value === undefined).expression : isMissing(left)
  return asValue(translator, node.operator === '==' ? missing : negated(missing))
}

function unary(translator: Translator, node: Extract<Node, { type: 'UnaryExpression' }>): Meaning {
  if (node.operator === '!') return asValue(translator, negated(expression(translator, node.argument)))
  if (node.operator === 'void') {
    translator.value(node.argument)
    return undefinedValue
  }
  if (node.operator !== '-') return opaque(translator, node)
  const of = expression(translator, node.argument)
  if (of.kind === 'literal' && typeof of.value === 'number') return literal(-of.value)
  // Not 0 - a, which is 0 where -a is -0.
  return asValue(translator, { kind: 'binary', operator: '*', left: { kind: 'literal', value: -1 }, right: of })
}

function negated(condition: Expression): Expression {
  if (condition.kind === 'literal') return { kind: 'literal', value: !condition.value }
  return { kind: 'not', of: condition }
}

function object(translator: Translator, node: Extract<Node, { type: 'ObjectExpression' }>): Meaning {
  const written = node.properties.map((property) => (property.type === 'Property' ? property.value : property.argument))
  const isWritten = node.properties.every((property) => isReadable(translator, property))
  if (!isWritten) return opaque(translator, node)
  const values = inOrder(translator, written)
  const fields = new Map<string, Meaning>()
  for (const [index, property] of node.properties.entries()) {
    const meaning = values[index] as Meaning
    if (property.type === 'Property') fields.set(keyName(property) as string, meaning)
    else for (const [name, field] of spreadFields(translator, meaning) ?? []) fields.set(name, field)
  }
  return { kind: 'object', fields }
}

function isReadable(translator: Translator, property: Node): boolean {
  if (property.type === 'Property') {
    return property.kind === 'init' && keyName(property) !== undefined && !isConversion(property)
  }
  const written = property.type === 'SpreadElement' ? unwrapped(property.argument) : undefined
  return written?.type === 'Identifier' && spreadFields(translator, translator.value(written)) !== undefined
}

/** What a spread adds, if its fields are known. */
function spreadFields(translator: Translator, meaning: Meaning): ReadonlyMap<string, Meaning> | undefined {
  if (meaning.kind === 'object') return meaning.fields
  const record = meaning.kind === 'value' ? (meaning.closed ?? meaning.expression) : undefined
  if (record?.kind !== 'record') return undefined
  return new Map(record.fields.map(({ name, value: field }) => [name, asValue(translator, field)]))
}

function conditional(
  translator: Translator,
  node: Extract<Node, { type: 'ConditionalExpression' }>,
  target: Target | undefined,
): Meaning {
  const condition = expression(translator, node.test)
  if (condition.kind === 'literal') {
    return translator.value(condition.value ? node.consequent : node.alternate, target)
  }
  return choice(translator, node, condition, target)
}

/** `a && b` and `a || b` of plain values stay as they are; with operations in `b`, they are conditions. */
function logical(
  translator: Translator,
  node: Extract<Node, { type: 'LogicalExpression' }>,
  target: Target | undefined,
): Meaning {
  const { operator } = node
  const known = translator.value(node.left)
  // An object, a list or a function is neither missing nor false.
  if (known.kind !== 'value' && known.kind !== 'foreign' && known.kind !== 'broken' && known.kind !== 'shared') {
    return operator === '&&' ? translator.value(node.right, target) : known
  }
  const left = expressionOf(translator, node.left, known)
  if (left.kind === 'literal') {
    return isEnough(operator, left.value) ? known : translator.value(node.right, target)
  }
  if (!hasOperation(translator, node.right)) {
    return asValue(translator, shortCircuit(operator, left, expression(translator, node.right)))
  }
  // The right side may still read the variable that the whole is assigned to.
  const variable =
    target?.variable === undefined ? translator.variableFor(target, 'condition') : translator.fresh('condition')
  translator.process.mutable.add(variable)
  translator.assign(node, variable, left)
  return orElse(translator, node, operator, variable)
}

/** The left side decides alone. */
function isEnough(operator: ShortCircuit, left: unknown): boolean {
  if (operator === '??') return left !== undefined && left !== null
  return Boolean(left) === (operator === '||')
}

function choice(
  translator: Translator,
  node: Extract<Node, { type: 'ConditionalExpression' }>,
  condition: Expression,
  target: Target | undefined,
): Meaning {
  const { consequent, alternate } = node
  if (![consequent, alternate].some((one) => hasOperation(translator, one))) {
    const branches = [consequent, alternate].map((one) => expression(translator, one))
    return asValue(translator, either(condition, branches[0] as Expression, branches[1] as Expression))
  }
  const variable = translator.variableFor(target, 'chosen')
  translator.process.mutable.add(variable)
  const write = (one: Node) => () =>
    translator.assign(one, variable, expression(translator, one, { hint: variable, variable }))
  translator.branch(node, condition, write(consequent), write(alternate))
  return asValue(translator, { kind: 'variable', name: variable })
}
