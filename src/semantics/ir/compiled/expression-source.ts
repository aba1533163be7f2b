/**
 * Expressions as JavaScript over packed values: `O` has the operations, `D` the fields, `S` is the machine itself, `l0` and so on are locals. Of a
 * program only numbers become text. What is rare is computed by the reference semantics from what its operands are.
 */
import type { Ir, IrExpression, IrType } from '../../../ir/ir.ts'
import { operandsOf } from '../../../ir/visit.ts'
import { compiledExpression, type Evaluate } from '../expression.ts'
import { defaultOf } from '../typed-value.ts'
import type { IrValue } from '../value.ts'
import type { PackedOperations } from './packed-operations.ts'
import { type PackedValues, packedFalse, packedTrue } from './packed-values.ts'

type Expression<Kind extends IrExpression['kind']> = Extract<IrExpression, { readonly kind: Kind }>

export class ExpressionSource {
  /** What generated code calls by number, with packed operands. */
  readonly rare: ((operands: readonly number[]) => number)[] = []
  readonly #ir: Ir
  readonly #values: PackedValues
  readonly #operations: PackedOperations
  readonly #records: boolean

  /** What is recorded may be no number: then operators of JavaScript say nothing of values. */
  constructor(ir: Ir, values: PackedValues, operations: PackedOperations, records: boolean) {
    this.#ir = ir
    this.#operations = operations
    this.#values = values
    this.#records = records
  }

  /** A condition of JavaScript. */
  condition(expression: IrExpression): string {
    if (expression.kind === 'constant' && expression.value.kind === 'bool') return `${expression.value.value}`
    if (expression.kind === 'unary' && expression.operator === 'not') return `!${this.condition(expression.of)}`
    if (expression.kind === 'binary') {
      const known = this.#comparison(expression)
      if (known !== undefined) return known
    }
    return this.#records ? `O.isTrue(${this.value(expression)})` : `(${this.value(expression)} === ${packedTrue})`
  }

  #comparison({ operator, left, right }: Expression<'binary'>): string | undefined {
    switch (operator) {
      case 'and':
        return `(${this.condition(left)} && ${this.condition(right)})`
      case 'or':
        return `(${this.condition(left)} || ${this.condition(right)})`
      case 'equal':
        return this.#records
          ? `O.equal(${this.value(left)}, ${this.value(right)})`
          : `(${this.value(left)} === ${this.value(right)})`
      case 'in':
        return right.type.kind === 'string' ? undefined : `O.has(${this.value(left)}, ${this.value(right)})`
      case 'less':
      case 'lessOrEqual':
        return isWhole(left.type) && isWhole(right.type)
          ? `O.${operator}(${this.value(left)}, ${this.value(right)})`
          : undefined
      default:
        return undefined
    }
  }

  /** A packed value. */
  value(expression: IrExpression): string {
    switch (expression.kind) {
      case 'constant':
        return this.#constant(expression)
      case 'local':
        return `l${expression.local}`
      case 'field':
        return `D[${expression.field}]`
      case 'this':
        return 'S'
      case 'default':
        return `${this.defaultOf(expression.type)}`
      case 'tuple':
        return this.#tuple(expression)
      case 'item':
        return `O.item(${this.value(expression.of)}, ${expression.index})`
      case 'withItem':
        return `O.withItem(${this.value(expression.of)}, ${expression.index}, ${this.value(expression.value)})`
      case 'element':
      case 'removed':
      case 'withElement':
      case 'inserted':
      case 'added':
        return `O.${expression.kind}(${this.#operands(expression)})`
      case 'unary':
        return this.#unary(expression)
      case 'binary':
        return this.#binary(expression)
      default:
        return this.#rarely(expression)
    }
  }

  /** What a variable of a type begins with. */
  defaultOf(type: IrType): number {
    return this.#values.packed(defaultOf(type, this.#values.values))
  }

  /** A text that nobody sees, as far as making it may fail. */
  unseen(expression: IrExpression): string {
    if (expression.kind !== 'format') return this.value(expression)
    return `[${expression.args.map((arg) => this.value(arg)).join()}]`
  }

  #operands(expression: IrExpression): string {
    return operandsOf(expression)
      .map((one) => this.value(one))
      .join(', ')
  }

  #constant({ value }: Expression<'constant'>): string {
    const { values } = this.#values
    switch (value.kind) {
      case 'float':
        return `${this.#values.packed(values.float(value.value))}`
      case 'event':
        return `${this.#values.packed(values.event(value.event))}`
      case 'null':
        return `${this.#values.packed(null)}`
      default:
        return `${this.#values.packed(value.value)}`
    }
  }

  #tuple({ type, items }: Expression<'tuple'>): string {
    const names = this.#values.namesNumber(type.kind === 'record' ? type.fields.map(({ name }) => name) : undefined)
    const parts = items.map((item) => this.value(item))
    // Of constants it is one itself.
    if (items.every(({ kind }) => kind === 'constant'))
      return `${this.#operations.tuple([names, ...parts.map(Number)])}`
    if (parts.length === 1 || parts.length === 2) return `O.tuple${parts.length}(${names}, ${parts.join(', ')})`
    return `O.tuple([${[names, ...parts].join(', ')}])`
  }

  #unary(expression: Expression<'unary'>): string {
    const { operator, of } = expression
    switch (operator) {
      case 'not':
        return `(${this.condition(expression)} ? ${packedTrue} : ${packedFalse})`
      case 'negate':
        return `O.negate(${this.value(of)})`
      case 'size':
        return isCollection(of.type) ? `O.size(${this.value(of)})` : this.#rarely(expression)
      case 'keys':
      case 'elements':
        return isCollection(of.type) ? `O.elements(${this.value(of)})` : this.#rarely(expression)
      case 'values':
        return `O.valuesOf(${this.value(of)})`
      default:
        return this.#rarely(expression)
    }
  }

  #binary(expression: Expression<'binary'>): string {
    switch (expression.operator) {
      case 'add':
      case 'subtract':
      case 'multiply':
      case 'divide':
      case 'remainder':
        return `O.${expression.operator}(${this.#operands(expression)})`
      default: {
        const compared = this.#comparison(expression)
        return compared === undefined ? this.#rarely(expression) : `(${compared} ? ${packedTrue} : ${packedFalse})`
      }
    }
  }

  /** Its operands are evaluated here, and it itself as the reference semantics has it. What fails there fails here, and is done again there. */
  #rarely(expression: IrExpression): string {
    const operands = operandsOf(expression)
    const at = this.rare.length
    const alone = compiledExpression(withLocals(expression), { ir: this.#ir, values: this.#values.values })
    this.rare.push(operands.length === 1 ? this.#remembered(alone) : (packed) => this.#evaluated(alone, packed))
    return `E[${at}]([${operands.map((one) => this.value(one)).join(', ')}])`
  }

  #evaluated(evaluate: Evaluate, operands: readonly number[]): number {
    const locals = operands.map((one): IrValue => this.#values.unpacked(one))
    return this.#values.packed(evaluate({ locals, fields: [], self: null }))
  }

  #remembered(evaluate: Evaluate): (operands: readonly number[]) => number {
    const known = new Map<number, number>()
    return (operands) => {
      const [operand] = operands as readonly [number]
      const value = known.get(operand) ?? this.#evaluated(evaluate, operands)
      known.set(operand, value)
      return value
    }
  }
}

/** The same expression of locals 0, 1 and so on. */
function withLocals(expression: IrExpression): IrExpression {
  const local = ({ type, place }: IrExpression, at: number): IrExpression => ({ kind: 'local', type, place, local: at })
  switch (expression.kind) {
    case 'unary':
    case 'cast':
    case 'convert':
      return { ...expression, of: local(expression.of, 0) }
    case 'binary':
      return { ...expression, left: local(expression.left, 0), right: local(expression.right, 1) }
    case 'format':
      return { ...expression, args: expression.args.map(local) }
    default:
      throw new RangeError(`${expression.kind} is generated`)
  }
}

function isWhole({ kind }: IrType): boolean {
  return kind === 'int' || kind === 'enum'
}

function isCollection({ kind }: IrType): boolean {
  return kind === 'seq' || kind === 'set' || kind === 'map'
}
