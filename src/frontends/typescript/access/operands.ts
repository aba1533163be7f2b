/**
 * Values that wait. While a later operand suspends, the values of earlier ones exist only on the stack of the generator;
 * those that no variable holds are put into temporaries, so that they can be listed as live.
 *
 * The list of live values of an operation is evaluated before its operands. If an operand assigns a variable, operands are
 * evaluated in front of the operation instead (`a[i++]` becomes `($1 = i++, get(…, [i], a, $1))`).
 */
import type { Node } from 'oxc-parser'
import type { Variable } from './flow.ts'
import type { Frame } from './frame.ts'
import { type Code, slice } from './output.ts'
import type { Rewriter } from './rewriter.ts'
import { named, transient, type Value } from './value.ts'

export interface Operand {
  /** What is evaluated. */
  readonly node: Node
  /** How, if not as an expression. */
  readonly emit?: (() => Value) | undefined
  /** An element `...node` of a list: the value is what is spread. */
  readonly isSpread?: boolean
}

export interface Operands {
  /** To be evaluated before. */
  readonly setup: readonly Code[]
  readonly values: readonly Value[]
}

/** Evaluates operands of an operation in order; in front of it if they must be nameable. */
export function operandsOf(
  rewriter: Rewriter,
  frame: Frame,
  operands: readonly Operand[],
  areNameable = false,
): Operands {
  const assigns = operands.some(({ node }) => rewriter.suspensions.assigns(node))
  const first = frame.kind === 'generator' && (areNameable || assigns)
  const setup: Code[] = []
  const values = operands.map((operand, index) => {
    const later = operands.slice(index + 1).map(({ node }) => node)
    const value = emitted(rewriter, frame, operand)
    const settled = first ? nameable(rewriter, frame, value, { later, setup }) : waiting(rewriter, frame, value, later)
    return operand.isSpread === true ? { ...settled, code: ['...', settled.code] } : settled
  })
  return { setup, values }
}

/** The source of a node with its children replaced, where the children are evaluated in order and then used together. */
export function inPlace(rewriter: Rewriter, frame: Frame, node: Node, children: readonly Node[]): Value {
  const pieces: Code[] = []
  const values: Value[] = []
  let at = node.start
  children.forEach((child, index) => {
    const value = waiting(rewriter, frame, rewriter.expression(frame, child), children.slice(index + 1))
    pieces.push(slice(at, child.start), value.code)
    values.push(value)
    at = child.end
  })
  pieces.push(slice(at, node.end))
  consume(frame, values)
  return transient(pieces)
}

/** A value that is used only after the later nodes have been evaluated. */
export function waiting(rewriter: Rewriter, frame: Frame, value: Value, later: readonly Node[]): Value {
  if (value.isConstant) return value
  if (!mayStop(rewriter, frame, later)) {
    frame.flow.use(value.variable)
    return { ...value, variable: undefined }
  }
  return isStable(rewriter, value.variable, later) ? value : kept(frame, value)
}

/** A value that can be named several times while the later nodes are evaluated. */
export function nameable(rewriter: Rewriter, frame: Frame, value: Value, { later, setup }: Naming): Value {
  if (value.isConstant) return value
  const { variable, code } = value
  if (!isStable(rewriter, variable, later)) {
    const stable = kept(frame, value)
    setup.push(stable.code)
    return named(stable.variable)
  }
  if (value.isName) return value
  setup.push(code)
  return named(variable)
}

interface Naming {
  readonly later: readonly Node[]
  /** Gets what has to run before the value can be named. */
  readonly setup: Code[]
}

/** In a temporary, unless it is in a variable. */
export function held(frame: Frame, value: Value): Value & { readonly variable: Variable } {
  const { variable } = value
  if (variable !== undefined) return { ...value, variable }
  const { code, variable: temporary } = kept(frame, value)
  return { code, variable: temporary, isConstant: false, isName: false }
}

/** The values are used here, by code that cannot stop: their variables are live up to this point. */
export function consume(frame: Frame, values: readonly Value[]): void {
  frame.flow.use(...values.map(({ variable }) => variable))
}

/** In plain code nothing stops, whatever it accesses. */
export function mayStop(rewriter: Rewriter, frame: Frame, nodes: readonly Node[]): boolean {
  return frame.kind === 'generator' && nodes.some((node) => rewriter.suspensions.mayStop(node))
}

function emitted(rewriter: Rewriter, frame: Frame, { node, emit }: Operand): Value {
  return emit === undefined ? rewriter.expression(frame, node) : emit()
}

/** Whether the variable still has the value after the later nodes: it is a temporary, or they do not assign it. */
function isStable(rewriter: Rewriter, variable: Variable | undefined, later: readonly Node[]): variable is Variable {
  if (variable === undefined) return false
  return variable.binding === undefined || !rewriter.suspensions.assignsTo(later, variable.binding)
}

/** The flow sees a use of the old place and a definition of the temporary, in the order in which the code runs. */
function kept(frame: Frame, value: Value): Value & { readonly variable: Variable } {
  frame.flow.use(value.variable)
  const temporary = frame.temporary()
  frame.flow.define(temporary)
  return { code: ['(', temporary.code, ' = ', value.code, ')'], variable: temporary, isConstant: false, isName: false }
}
