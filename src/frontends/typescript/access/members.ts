/** Reads and writes of members, and of boxed variables, which are members of their boxes. */
import type {
  AssignmentExpression,
  BinaryExpression,
  MemberExpression,
  Node,
  PrivateIdentifier,
  PrivateInExpression,
  UpdateExpression,
} from 'oxc-parser'
import { type Binding, isImmutable } from './bindings.ts'
import type { Frame } from './frame.ts'
import { consume, held, inPlace, nameable, type Operand, operandsOf, waiting } from './operands.ts'
import { operation, sequence } from './operations.ts'
import { type Code, slice } from './output.ts'
import { brandOf, privateMember, privateMethod, privatePlace } from './private-members.ts'
import type { Rewriter } from './rewriter.ts'
import { type Identifier, nameEnd } from './tree.ts'
import { constant, named, stored, transient, type Value } from './value.ts'

/** Something an operation reads or writes: an object and a key. */
export interface Place {
  readonly object: Operand
  readonly key: Operand
  readonly offset: number
  /** Made by the rewriting, so that no accessor can be behind it. */
  readonly isBox?: boolean
}

interface Access {
  /** Unless it is the object of the node. */
  readonly object?: Operand
  /** It is written, and not read before. */
  readonly writes?: boolean
}

export function memberPlace(
  rewriter: Rewriter,
  frame: Frame,
  node: MemberExpression,
  { object = { node: node.object }, writes = false }: Access = {},
): Place {
  const { property } = node
  const key = keyOperand(rewriter, node)
  if (property.type !== 'PrivateIdentifier') return { object, key, offset: property.start }
  const emit = (): Value =>
    privatePlace(rewriter, frame, property, { value: emittedOperand(rewriter, frame, object), writes })
  return { object: { node: object.node, emit }, key, offset: property.start }
}

function emittedOperand(rewriter: Rewriter, frame: Frame, { node, emit }: Operand): Value {
  return emit === undefined ? rewriter.expression(frame, node) : emit()
}

/** A boxed variable is the field `v` of its box. */
export function boxPlace(frame: Frame, node: Identifier, binding: Binding): Place {
  const emit = (): Value => named(frame.variable(binding))
  return { object: { node, emit }, key: { node, emit: () => constant('"v"') }, offset: node.start, isBox: true }
}

/** Private names are keys of what stands for the member, which no other class has. */
export function keyOperand(rewriter: Rewriter, { computed, property }: MemberExpression): Operand {
  if (computed) return { node: property }
  return { node: property, emit: () => constant(JSON.stringify(rewriter.propertyName(property))) }
}

export function readMember(rewriter: Rewriter, frame: Frame, node: MemberExpression): Value {
  const { object } = node
  if (object.type === 'MetaProperty') return constant(rewriter.metaProperty(node))
  if (isImmutable(rewriter.bindings, node)) return constant(slice(node.start, node.end))
  const isNative = object.type === 'Super' || (frame.kind === 'plain' && object.type === 'ThisExpression')
  if (isNative && node.property.type !== 'PrivateIdentifier') return nativeMember(rewriter, frame, node)
  return readOf(rewriter, frame, node)
}

/** What a member of the object holds. */
export function readOf(
  rewriter: Rewriter,
  frame: Frame,
  node: MemberExpression,
  object: Operand = { node: node.object },
): Value {
  const { property } = node
  if (property.type === 'PrivateIdentifier' && privateMember(rewriter, property).kind === 'method') {
    const value = emittedOperand(rewriter, frame, object)
    consume(frame, [value])
    return transient(privateMethod(rewriter, property, ['(', value.code, ')']))
  }
  return readPlace(rewriter, frame, memberPlace(rewriter, frame, node, { object }))
}

/** `o.k` becomes `get(site, [live], o, "k")`. */
export function readPlace(rewriter: Rewriter, frame: Frame, { object, key, offset }: Place): Value {
  return operation(rewriter, frame, { name: 'get', offset, operands: operandsOf(rewriter, frame, [object, key]) })
}

interface Written {
  readonly value: Operand
  /** Whether the value of the assignment is used. */
  readonly wanted: boolean
}

/** `o.k = v` becomes `set(site, [live], o, "k", v)`. */
export function writePlace(rewriter: Rewriter, frame: Frame, place: Place, { value, wanted }: Written): Value {
  const { object, key, offset } = place
  const mustHold = wanted && mayRunCode(frame, place)
  const operands = operandsOf(rewriter, frame, [object, key, value], mustHold)
  const written = operation(rewriter, frame, { name: 'set', offset, operands })
  return mustHold ? behind(written, operands.values[2]) : written
}

/** A setter may suspend; until it returns, only the frame knows the value of the whole assignment. */
function mayRunCode(frame: Frame, { isBox }: Place): boolean {
  return frame.kind === 'generator' && isBox !== true
}

/** A value that can be named again, after something else. */
function behind(first: Value, value: Value = constant('undefined')): Value {
  const code = ['(', first.code, ', ', value.code, ')']
  return value.variable === undefined ? transient(code) : stored(code, value.variable)
}

/** `o.k`, `o[k]` in code that is not told to the runtime, with the parts in it replaced. */
export function nativeMember(rewriter: Rewriter, frame: Frame, node: MemberExpression): Value {
  if (node.property.type === 'PrivateIdentifier') {
    return nativePrivate(rewriter, frame, node.property, rewriter.expression(frame, node.object))
  }
  const object = node.object.type === 'Super' ? slice(node.object.start, node.object.end) : undefined
  if (node.computed)
    return inPlace(rewriter, frame, node, object === undefined ? [node.object, node.property] : [node.property])
  const value = object === undefined ? rewriter.expression(frame, node.object) : transient(object)
  consume(frame, [value])
  return transient([value.code, slice(node.object.end, node.end)])
}

/** To be read or assigned where the language does it. */
export function nativePrivate(rewriter: Rewriter, frame: Frame, property: PrivateIdentifier, value: Value): Value {
  const member = privateMember(rewriter, property)
  if (member.kind === 'method') {
    consume(frame, [value])
    return transient(privateMethod(rewriter, property, ['(', value.code, ')']))
  }
  const { code } = privatePlace(rewriter, frame, property, { value, writes: false })
  return transient([code, `[${JSON.stringify(member.key)}]`])
}

export interface Modification<Kind> {
  readonly place: Place
  readonly node: Kind
  /** The value of the expression is used. */
  readonly wanted: boolean
}

/** `place op= value`; logical operators may leave the place as it is. */
export function modifyPlace(rewriter: Rewriter, frame: Frame, request: Modification<AssignmentExpression>): Value {
  const { place, node, wanted } = request
  const { setup, object, key } = stablePlace(rewriter, frame, place, [node.right])
  const operator = node.operator.slice(0, -1)
  const { offset } = place
  const old = operation(rewriter, frame, { name: 'get', offset, operands: { setup: [], values: [object, key] } })
  const mustHold = wanted && mayRunCode(frame, place)
  const write = (before: Code[], value: Value, isFront: boolean): Value => {
    const stable = isFront ? nameable(rewriter, frame, value, { later: [], setup: before }) : value
    const operands = { setup: before, values: [object, key, stable] }
    const written = operation(rewriter, frame, { name: 'set', offset, operands })
    return mustHold ? behind(written, stable) : written
  }
  // The list of live values of the write is evaluated before the value, if that is not evaluated in front.
  const isFront = mustHold || (frame.kind === 'generator' && rewriter.suspensions.assigns(node.right))
  if (operator === '&&' || operator === '||' || operator === '??') {
    consume(frame, [old])
    const end = frame.flow.label()
    frame.flow.branch(end)
    const written = write([], rewriter.expression(frame, node.right), isFront)
    consume(frame, [written])
    frame.flow.place(end)
    return transient(sequence(setup, ['(', old.code, ` ${operator} `, written.code, ')']))
  }
  const left = waiting(rewriter, frame, old, [node.right])
  const right = rewriter.expression(frame, node.right)
  consume(frame, [left, right])
  return write(setup, transient(['(', left.code, ` ${operator} (`, right.code, '))']), isFront)
}

/** `place++` and its like. */
export function updatePlace(rewriter: Rewriter, frame: Frame, request: Modification<UpdateExpression>): Value {
  const { place, node, wanted } = request
  const { offset } = place
  const { setup, object, key } = stablePlace(rewriter, frame, place, [])
  const read = { name: 'get', offset, operands: { setup: [], values: [object, key] } }
  const { code, variable } = held(frame, operation(rewriter, frame, read))
  setup.push(code)
  frame.flow.use(variable)
  frame.flow.define(variable)
  const write = (value: Value): Value =>
    operation(rewriter, frame, { name: 'set', offset, operands: { setup, values: [object, key, value] } })
  // The operator itself converts to a number or a bigint, which `+ 1` would not.
  if (node.prefix || !wanted) {
    setup.push([node.operator, variable.code])
    const written = write(named(variable))
    return wanted ? behind(written, named(variable)) : written
  }
  const old = frame.temporary()
  frame.flow.define(old)
  setup.push([old.code, ' = ', variable.code, node.operator])
  return behind(write(named(variable)), named(old))
}

/** `k in o`. */
export function hasMember(rewriter: Rewriter, frame: Frame, node: BinaryExpression | PrivateInExpression): Value {
  const left: Node = node.left
  // Who has a private member never changes.
  if (left.type === 'PrivateIdentifier') {
    const object = rewriter.expression(frame, node.right)
    consume(frame, [object])
    return transient([`(${brandOf(rewriter, left)} in `, object.code, ')'])
  }
  if (frame.kind === 'plain') return inPlace(rewriter, frame, node, [left, node.right])
  const setup: Code[] = []
  const key = nameable(rewriter, frame, rewriter.expression(frame, left), { later: [node.right], setup })
  const front = rewriter.suspensions.assigns(node.right)
  const value = rewriter.expression(frame, node.right)
  const object = front ? nameable(rewriter, frame, value, { later: [], setup }) : value
  const offset = rewriter.find('in', left.end, node.right.start)
  return operation(rewriter, frame, { name: 'has', offset, operands: { setup, values: [object, key] } })
}

/** `delete o.k`. */
export function deleteMember(rewriter: Rewriter, frame: Frame, node: MemberExpression, start: number): Value {
  if (node.object.type === 'Super')
    return transient([slice(start, node.start), nativeMember(rewriter, frame, node).code])
  const { object, key, offset } = memberPlace(rewriter, frame, node)
  return operation(rewriter, frame, { name: 'del', offset, operands: operandsOf(rewriter, frame, [object, key]) })
}

/** The name of a variable without a box. */
export function nameCode(frame: Frame, node: Identifier, binding: Binding | undefined): Code {
  const isKept = binding === undefined || (binding.hides === 0 && binding.kind !== 'arguments')
  return isKept ? slice(node.start, nameEnd(node)) : frame.codeOf(binding)
}

/** Object and key evaluated once, to be used twice. */
function stablePlace(
  rewriter: Rewriter,
  frame: Frame,
  { object, key }: Place,
  later: readonly Node[],
): { readonly setup: Code[]; readonly object: Value; readonly key: Value } {
  const setup: Code[] = []
  const emit = ({ node, emit: how }: Operand): Value => (how === undefined ? rewriter.expression(frame, node) : how())
  const first = nameable(rewriter, frame, emit(object), { later: [key.node, ...later], setup })
  return { setup, object: first, key: nameable(rewriter, frame, emit(key), { later, setup }) }
}
