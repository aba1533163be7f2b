/** Operations on whole values, computed by the reference semantics for each combination of operands that there is. */
import type { Diagram, LeafFunction, LiftedOperation } from '../../bdd/diagrams.ts'
import { PairMap } from '../../collections/pair-map.ts'
import { type IrExpression, type IrFailure, irFailures } from '../../ir/ir.ts'
import type { Code } from '../../semantics/ir/code.ts'
import { nodeKinds } from '../../semantics/ir/compiled/packed-values.ts'
import { compiledExpression, type Evaluate } from '../../semantics/ir/expression.ts'
import { Failed } from '../../semantics/ir/failed.ts'
import { type ForeignCall, foreignCall } from '../../semantics/ir/foreign.ts'
import type { IrValue } from '../../semantics/ir/value.ts'
import { concrete } from './summaries/concrete.ts'
import type { Lifting } from './summaries/lifting.ts'
import { nowhere } from './summaries/summary.ts'

interface Computed {
  readonly value: Diagram
  readonly failed: readonly (readonly [failure: IrFailure, where: Diagram])[]
}

export class ByReference {
  readonly #lifting: Lifting
  readonly #code: Code
  readonly #functions = new Map<string, LeafFunction>()
  readonly #operations = new Map<string, LiftedOperation>()
  /** Leaves that stand for a failure, and the failures. */
  readonly #failures = new Map<number, IrFailure>()

  constructor(lifting: Lifting, code: Code) {
    this.#lifting = lifting
    this.#code = code
    for (const [at, failure] of irFailures.entries())
      this.#failures.set(lifting.packed.heap.of(nodeKinds.head, [-2 - at]) << 1, failure)
  }

  constant(expression: IrExpression): number {
    const { ir, values } = this.#code
    const value = compiledExpression(expression, { ir, values })({ locals: [], fields: [], self: null })
    return this.#lifting.packed.packed(value)
  }

  computed(expression: IrExpression, operands: readonly Diagram[]): Computed {
    return this.#told(this.#applied(expression, operands))
  }

  /** Undefined if nobody wrote the function. */
  foreign(call: ForeignCall, args: readonly Diagram[]): Computed | undefined {
    const { diagrams } = this.#lifting
    const { ir, values } = this.#code
    const local =
      (_: unknown, at: number): Evaluate =>
      ({ locals }) =>
        locals[at] as IrValue
    const evaluate = foreignCall(call, call.args.map(local), { ir, values })
    if (evaluate === undefined) return undefined
    const name = `foreign ${call.name} ${JSON.stringify(call.place)}`
    const called = remembered(this.#functions, name, () => {
      const compute = this.#total(evaluate, args.length)
      return diagrams.function((value) => compute(this.#lifting.opened(value)?.parts ?? []))
    })
    const items = args.map((of) => ({ kind: 'scalar', of }) as const)
    return this.#told(diagrams.map(called, concrete(this.#lifting, { kind: 'tuple', names: 0, items })))
  }

  #told(value: Diagram): Computed {
    const { diagrams } = this.#lifting
    const failed = diagrams.leaves(value).flatMap((leaf) => {
      const failure = this.#failures.get(leaf)
      return failure === undefined ? [] : [[failure, diagrams.guardOf(value, leaf)] as const]
    })
    return { value, failed }
  }

  #applied(expression: IrExpression, operands: readonly Diagram[]): Diagram {
    const { diagrams } = this.#lifting
    const [one, other] = operands
    if (operands.length === 2 && other !== undefined && one !== undefined)
      return diagrams.apply(this.#operation(expression), one, other)
    if (operands.length === 1 && one !== undefined) return diagrams.map(this.#function(expression), one)
    const items = operands.map((of) => ({ kind: 'scalar', of }) as const)
    return diagrams.map(this.#ofTuple(expression), concrete(this.#lifting, { kind: 'tuple', names: 0, items }))
  }

  #operation(expression: IrExpression): LiftedOperation {
    return remembered(this.#operations, nameOf(expression), () => {
      const compute = this.#evaluated(expression)
      // Diagrams meet in the same two values again and again.
      const known = new PairMap()
      return this.#lifting.diagrams.operation((left, right) => {
        const found = known.get(left, right)
        if (found !== undefined) return found
        const result = compute([left, right])
        known.set(left, right, result)
        return result
      })
    })
  }

  #function(expression: IrExpression): LeafFunction {
    return remembered(this.#functions, nameOf(expression), () => {
      const compute = this.#evaluated(expression)
      return this.#lifting.diagrams.function((value) => compute([value]))
    })
  }

  #ofTuple(expression: IrExpression): LeafFunction {
    return remembered(this.#functions, nameOf(expression), () => {
      const compute = this.#evaluated(expression)
      return this.#lifting.diagrams.function((value) => compute(this.#lifting.opened(value)?.parts ?? []))
    })
  }

  #evaluated(expression: IrExpression): (operands: readonly number[]) => number {
    return this.#total(this.#withLocals(expression), operandsOf(expression).length)
  }

  /** Where a summary says nothing, operands need not fit. */
  #total(evaluate: Evaluate, count: number): (operands: readonly number[]) => number {
    const { packed } = this.#lifting
    return (operands) => {
      if (operands.length < count || operands.some((one) => one === nowhere || this.#failures.has(one))) return nowhere
      try {
        return packed.packed(evaluate({ locals: [...packed.unpackedAll(operands)], fields: [], self: null }))
      } catch (error) {
        if (error instanceof Failed) return this.#leafOf(error.failure)
        if (error instanceof TypeError) return nowhere
        throw error
      }
    }
  }

  #leafOf(failure: IrFailure): number {
    for (const [leaf, one] of this.#failures) if (one === failure) return leaf
    return nowhere
  }

  /** The expression with locals in place of its operands. */
  #withLocals(expression: IrExpression): Evaluate {
    const { ir, values } = this.#code
    const local = (operand: IrExpression, at: number): IrExpression => ({
      kind: 'local',
      local: at,
      type: operand.type,
      place: operand.place,
    })
    return compiledExpression(replaced(expression, operandsOf(expression).map(local)), { ir, values })
  }
}

function replaced(expression: IrExpression, operands: readonly IrExpression[]): IrExpression {
  const [one, other] = operands as readonly [IrExpression, IrExpression]
  switch (expression.kind) {
    case 'unary':
    case 'convert':
      return { ...expression, of: one }
    case 'binary':
      return { ...expression, left: one, right: other }
    case 'format':
      return { ...expression, args: operands }
    default:
      return expression
  }
}

/** Equal for expressions that compute the same of the same operands. */
function nameOf(expression: IrExpression): string {
  switch (expression.kind) {
    case 'unary':
    case 'binary':
      return `${expression.kind} ${expression.operator}`
    case 'convert':
      return `convert ${JSON.stringify(expression.type)}`
    case 'format':
      return `format ${JSON.stringify([expression.texts, expression.args.map(({ type }) => type)])}`
    default:
      return expression.kind
  }
}

function remembered<T>(known: Map<string, T>, name: string, make: () => T): T {
  const found = known.get(name)
  if (found !== undefined) return found
  const made = make()
  known.set(name, made)
  return made
}

export function operandsOf(expression: IrExpression): readonly IrExpression[] {
  switch (expression.kind) {
    case 'unary':
    case 'convert':
      return [expression.of]
    case 'binary':
      return [expression.left, expression.right]
    case 'format':
      return expression.args
    default:
      return []
  }
}
