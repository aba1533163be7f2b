/**
 * Expressions of all executions at once. What has a rule of its own here is built from summaries (PSym §5.1 and appendix B); everything else is computed by
 * the reference semantics, value by value, and so cannot differ from it.
 */
import type { Diagram } from '../../bdd/diagrams.ts'
import type { Place } from '../../core/diagnostic.ts'
import { invariant } from '../../core/invariant.ts'
import type { IrExpression, IrFailure, IrType } from '../../ir/ir.ts'
import type { Code } from '../../semantics/ir/code.ts'
import type { ForeignCall } from '../../semantics/ir/foreign.ts'
import { defaultOf } from '../../semantics/ir/typed-value.ts'
import type { IrValue } from '../../semantics/ir/value.ts'
import { ByReference, operandsOf } from './by-reference.ts'
import { castable } from './cast.ts'
import { type CollectionExpression, collection } from './collections.ts'
import { concrete, lifted } from './summaries/concrete.ts'
import { equal } from './summaries/equality.ts'
import { has, keyList, listOf, setHas, sizeOf } from './summaries/keyed.ts'
import type { Lifting } from './summaries/lifting.ts'
import { ite } from './summaries/merge.ts'
import { contains } from './summaries/seq.ts'
import { nowhere, type Part, type Summary } from './summaries/summary.ts'

/** What expressions see. */
export interface LiftedScope {
  readonly locals: Summary[]
  readonly fields: Summary[]
  /** A machine, or null. */
  readonly self: Diagram
}

/** Executions that go on. */
export interface Live {
  /** Where something goes wrong, executions end; where no live execution is, nothing happens. */
  fails(where: Diagram, failure: IrFailure, place: Place): void
  /** Nobody waits for these any longer: the reference semantics says whether they are endless. */
  goesOn(where: Diagram, place: Place): void
}

type Expression<Kind extends IrExpression['kind']> = Extract<IrExpression, { readonly kind: Kind }>

export class Evaluation {
  readonly lifting: Lifting
  readonly code: Code
  readonly live: Live
  /** Types are asked again and again, and none of them changes. */
  readonly #shapes = new Map<IrType, number>()
  readonly #byReference: ByReference
  readonly #constants = new Map<IrExpression, number>()

  constructor(lifting: Lifting, code: Code, live: Live, byReference = new ByReference(lifting, code)) {
    this.lifting = lifting
    this.code = code
    this.live = live
    this.#byReference = byReference
  }

  /** The same for other executions. */
  for(live: Live): Evaluation {
    return new Evaluation(this.lifting, this.code, live, this.#byReference)
  }

  /** Under a guard: elsewhere the result says nothing. */
  evaluate(expression: IrExpression, scope: LiftedScope, guard: Diagram): Summary {
    const { lifting } = this
    switch (expression.kind) {
      case 'constant':
      case 'default':
        return lifted(lifting, lifting.diagrams.leaf(this.#constant(expression)))
      case 'local':
        return scope.locals[expression.local] as Summary
      case 'field':
        return scope.fields[expression.field] as Summary
      case 'this':
        return { kind: 'scalar', of: scope.self }
      case 'tuple': {
        const names = expression.type.kind === 'record' ? expression.type.fields.map(({ name }) => name) : undefined
        const items = expression.items.map((item) => this.evaluate(item, scope, guard))
        return { kind: 'tuple', names: lifting.packed.namesNumber(names), items }
      }
      case 'item':
        return this.#item(this.#typed(expression.of, scope, guard), expression.index)
      case 'withItem': {
        const of = this.#typed(expression.of, scope, guard)
        const value = this.evaluate(expression.value, scope, guard)
        if (of.kind !== 'tuple') return this.#vacuous()
        return { ...of, items: of.items.with(expression.index, value) }
      }
      case 'unary':
        return this.#unary(expression, scope, guard)
      case 'binary':
        return this.#binary(expression, scope, guard)
      case 'cast': {
        const value = this.evaluate(expression.of, scope, guard)
        const { diagrams } = lifting
        const wrong = diagrams.minus(guard, castable(this, value, expression.type))
        this.live.fails(wrong, 'bad cast', expression.place)
        return this.projected(value, expression.type)
      }
      case 'convert':
      case 'format':
        return this.#computed(expression, scope, guard)
      default:
        return collection(this, expression satisfies CollectionExpression, scope, guard)
    }
  }

  /** The packed value of an expression without parts. */
  #constant(expression: Expression<'constant'> | Expression<'default'>): number {
    const known = this.#constants.get(expression)
    if (known !== undefined) return known
    const { lifting, code } = this
    const value =
      expression.kind === 'default'
        ? lifting.packed.packed(defaultOf(expression.type, code.values))
        : this.#byReference.constant(expression)
    this.#constants.set(expression, value)
    return value
  }

  scalar(expression: IrExpression, scope: LiftedScope, guard: Diagram): Diagram {
    return concrete(this.lifting, this.evaluate(expression, scope, guard))
  }

  /** Where a condition holds, within the guard. */
  condition(expression: IrExpression, scope: LiftedScope, guard: Diagram): Diagram {
    const { diagrams } = this.lifting
    return diagrams.and(guard, this.lifting.holds(this.scalar(expression, scope, guard)))
  }

  #typed(expression: IrExpression, scope: LiftedScope, guard: Diagram): Summary {
    return this.projected(this.evaluate(expression, scope, guard), expression.type)
  }

  /** What has parts of its own, by the type that it must have here. */
  part(expression: IrExpression, scope: LiftedScope, guard: Diagram): Part {
    const found = this.#typed(expression, scope, guard)
    invariant(found.kind !== 'union', 'what is of a type with parts has one shape')
    return found
  }

  /** The alternative that a type names; what says nothing here is anything. */
  projected(summary: Summary, type: IrType): Summary {
    // P does not look into values of types that are written elsewhere: null is one of them, and they have any shape.
    if (type.kind === 'any' || type.kind === 'foreign') return summary
    const shape = this.#shapeOf(type)
    const { lifting } = this
    if (summary.kind === 'union') return summary.alternatives.get(shape) ?? this.#default(type)
    return lifting.shapeOf(summary) === shape ? summary : this.#default(type)
  }

  #default(type: IrType): Summary {
    return lifted(this.lifting, this.lifting.diagrams.leaf(this.#packedDefault(type)))
  }

  #shapeOf(type: IrType): number {
    const known = this.#shapes.get(type)
    if (known !== undefined) return known
    const shape = this.lifting.shapeOfValue(this.#packedDefault(type))
    this.#shapes.set(type, shape)
    return shape
  }

  #packedDefault(type: IrType): number {
    return this.lifting.packed.packed(defaultOf(type, this.code.values))
  }

  #item(of: Summary, index: number): Summary {
    return of.kind === 'tuple' ? (of.items[index] as Summary) : this.#vacuous()
  }

  #vacuous(): Summary {
    return { kind: 'scalar', of: this.lifting.diagrams.leaf(nowhere) }
  }

  /** By the reference semantics, for each combination of operands. */
  #computed(
    expression: Expression<'unary'> | Expression<'binary'> | Expression<'convert'> | Expression<'format'>,
    scope: LiftedScope,
    guard: Diagram,
  ): Summary {
    const operands = operandsOf(expression).map((operand) => this.scalar(operand, scope, guard))
    const { value, failed } = this.#byReference.computed(expression, operands)
    for (const [failure, where] of failed)
      this.live.fails(this.lifting.diagrams.and(guard, where), failure, expression.place)
    return lifted(this.lifting, value)
  }

  /** A function that is written elsewhere; undefined if nobody wrote it. */
  foreign(call: ForeignCall, args: readonly Diagram[], guard: Diagram): Summary | undefined {
    const found = this.#byReference.foreign(call, args)
    if (found === undefined) return undefined
    for (const [failure, where] of found.failed)
      this.live.fails(this.lifting.diagrams.and(guard, where), failure, call.place)
    return lifted(this.lifting, found.value)
  }

  #unary(expression: Expression<'unary'>, scope: LiftedScope, guard: Diagram): Summary {
    const { lifting } = this
    const { operator } = expression
    if (operator === 'not') {
      const { diagrams } = lifting
      const of = lifting.holds(this.scalar(expression.of, scope, guard))
      return { kind: 'scalar', of: lifting.truth(diagrams.not(of)) }
    }
    if (operator === 'negate' || operator === 'negateFloat' || expression.of.type.kind === 'string')
      return this.#computed(expression, scope, guard)
    const of = this.#typed(expression.of, scope, guard)
    if (of.kind !== 'seq' && of.kind !== 'set' && of.kind !== 'map') return this.#vacuous()
    if (operator === 'size') {
      const size = of.kind === 'seq' ? of.size : sizeOf(lifting, of.present)
      return { kind: 'scalar', of: lifting.whole(size) }
    }
    if (of.kind === 'seq') return of
    if (operator === 'values' && of.kind === 'map') return listOf(lifting, of.present, (at) => of.values[at] as Summary)
    return keyList(lifting, of.kind === 'map' ? of.keys : of.elements, of.present)
  }

  #binary(expression: Expression<'binary'>, scope: LiftedScope, guard: Diagram): Summary {
    const { operator, left, right } = expression
    const { lifting } = this
    const { diagrams } = lifting
    const truth = (where: Diagram): Summary => ({ kind: 'scalar', of: lifting.truth(where) })
    switch (operator) {
      case 'and': {
        const one = this.condition(left, scope, guard)
        return truth(this.#isVacuous(one) ? diagrams.never : this.condition(right, scope, one))
      }
      case 'or': {
        const one = this.condition(left, scope, guard)
        const rest = diagrams.minus(guard, one)
        return truth(this.#isVacuous(rest) ? one : diagrams.or(one, this.condition(right, scope, rest)))
      }
      case 'equal': {
        const one = this.evaluate(left, scope, guard)
        return truth(equal(lifting, one, this.evaluate(right, scope, guard)))
      }
      case 'in':
        return right.type.kind === 'string'
          ? this.#computed(expression, scope, guard)
          : truth(this.#in(expression, scope, guard))
      default:
        return this.#computed(expression, scope, guard)
    }
  }

  #isVacuous(guard: Diagram): boolean {
    return guard === this.lifting.diagrams.never
  }

  #in({ left, right }: Expression<'binary'>, scope: LiftedScope, guard: Diagram): Diagram {
    const { lifting } = this
    const item = this.evaluate(left, scope, guard)
    const of = this.#typed(right, scope, guard)
    if (of.kind === 'seq') return contains(lifting, of, item)
    const key = concrete(lifting, item)
    if (of.kind === 'set') return setHas(lifting, of, key)
    return of.kind === 'map' ? has(lifting, of, key) : lifting.diagrams.never
  }

  /** A value that the program text has. */
  value(value: IrValue): Summary {
    return lifted(this.lifting, this.lifting.constant(value))
  }

  ite(guard: Diagram, then: Summary, otherwise: Summary): Summary {
    return ite(this.lifting, guard, then, otherwise)
  }
}
