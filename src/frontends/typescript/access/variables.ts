/** Uses and assignments of variables. */
import type { AssignmentExpression, UpdateExpression } from 'oxc-parser'
import type { Binding } from './bindings.ts'
import type { Frame } from './frame.ts'
import { boxPlace, modifyPlace, nameCode, readPlace, updatePlace, writePlace } from './members.ts'
import { consume } from './operands.ts'
import { type Code, slice } from './output.ts'
import type { Rewriter } from './rewriter.ts'
import type { Identifier } from './tree.ts'
import { constant, named, stored, transient, type Value } from './value.ts'

/** Globals of the host's that classes under check have of their own. */
export const jobNames: ReadonlySet<string> = new Set([
  'Promise',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'clearTimeout',
  'clearInterval',
  'clearImmediate',
  'queueMicrotask',
])

/** Names of the module and globals are constants here: those that are assigned later are boxed, and boxes are part of the state. */
export function readVariable(rewriter: Rewriter, frame: Frame, node: Identifier): Value {
  const binding = rewriter.bindings.resolved.get(node)
  if (binding === undefined) {
    const isJob = jobNames.has(node.name)
    return constant(isJob ? `${rewriter.runtime('jobs')}.${node.name}` : nameCode(frame, node, binding))
  }
  if (binding.isBoxed) {
    if (isBare(frame)) return transient(boxContent(frame, binding))
    return readPlace(rewriter, frame, boxPlace(frame, node, binding))
  }
  if (binding.isTopLevel || binding.kind === 'enum') return constant(nameCode(frame, node, binding))
  return named(frame.variable(binding), nameCode(frame, node, binding))
}

export interface VariableChange<Kind> {
  readonly target: Identifier
  readonly node: Kind
  /** The value of the expression is used. */
  readonly wanted: boolean
}

export function assignVariable(
  rewriter: Rewriter,
  frame: Frame,
  { target, node, wanted }: VariableChange<AssignmentExpression>,
): Value {
  const binding = rewriter.bindings.resolved.get(target)
  const isShared = binding?.isBoxed === true && !isBare(frame)
  if (!isShared) return assignLocal(rewriter, frame, { target, node, binding })
  const place = boxPlace(frame, target, binding)
  if (node.operator !== '=') return modifyPlace(rewriter, frame, { place, node, wanted })
  const emit = (): Value => rewriter.namedValue(frame, node.right, target.name)
  return writePlace(rewriter, frame, place, { value: { node: node.right, emit }, wanted })
}

export function updateVariable(
  rewriter: Rewriter,
  frame: Frame,
  { target, node, wanted }: VariableChange<UpdateExpression>,
): Value {
  const binding = rewriter.bindings.resolved.get(target)
  if (binding?.isBoxed === true && !isBare(frame)) {
    return updatePlace(rewriter, frame, { place: boxPlace(frame, target, binding), node, wanted })
  }
  const code = nativeTarget(frame, target, binding)
  const whole = node.prefix ? [node.operator, code] : [code, node.operator]
  if (binding === undefined || binding.isTopLevel) return transient(whole)
  const variable = frame.variable(binding)
  frame.flow.use(variable)
  frame.flow.define(variable)
  return node.prefix ? stored(['(', whole, ')'], variable) : transient(whole)
}

/** A variable as target of an assignment that the language performs. */
export function nativeTarget(frame: Frame, target: Identifier, binding: Binding | undefined): Code {
  return binding?.isBoxed === true ? boxContent(frame, binding) : nameCode(frame, target, binding)
}

/** Code outside of any process, where boxes need no operations. */
function isBare(frame: Frame): boolean {
  return frame.region.kind === 'module'
}

/** The value in the box, as a plain field: for code that tells the runtime nothing. */
function boxContent(frame: Frame, binding: Binding): string {
  return `${frame.codeOf(binding)}.v`
}

interface LocalAssignment {
  readonly target: Identifier
  readonly node: AssignmentExpression
  readonly binding: Binding | undefined
}

function assignLocal(rewriter: Rewriter, frame: Frame, { target, node, binding }: LocalAssignment): Value {
  const { flow } = frame
  const name = nativeTarget(frame, target, binding)
  const variable = binding === undefined || binding.isTopLevel ? undefined : frame.variable(binding)
  const gap = slice(node.left.end, node.right.start)
  if (node.operator === '=') {
    const right = rewriter.namedValue(frame, node.right, target.name)
    return assigned(frame, [name, gap, right.code], [right], variable)
  }
  if (node.operator === '&&=' || node.operator === '||=' || node.operator === '??=') {
    // The right side may be skipped: then the variable keeps its value, and stays live.
    const end = flow.label()
    flow.use(variable)
    flow.branch(end)
    const value = rewriter.expression(frame, node.right)
    const result = assigned(frame, [name, gap, value.code], [value], variable)
    flow.place(end)
    return result
  }
  if (binding !== undefined && rewriter.suspensions.assignsTo([node.right], binding)) {
    // The old value waits while the variable is assigned.
    const old = frame.temporary()
    flow.use(variable)
    flow.define(old)
    const right = rewriter.expression(frame, node.right)
    const code = [name, ' = (', old.code, ' = ', name, `) ${node.operator.slice(0, -1)} (`, right.code, ')']
    return assigned(frame, code, [right, named(old)], variable)
  }
  const right = rewriter.expression(frame, node.right)
  flow.use(variable)
  return assigned(frame, [name, gap, right.code], [right], variable)
}

function assigned(frame: Frame, code: Code, values: readonly Value[], variable: Value['variable']): Value {
  consume(frame, values)
  if (variable === undefined) return transient(code)
  frame.flow.define(variable)
  return stored(code, variable)
}
