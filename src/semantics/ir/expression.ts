/** Expressions as functions, made once: each evaluates its parts from left to right and fails at its own place. */
import type { Place } from '../../core/diagnostic.ts'
import type { Ir, IrBinaryOperator, IrConstant, IrExpression, IrType } from '../../ir/ir.ts'
import { collectionExpression } from './collection-expression.ts'
import { fail } from './failed.ts'
import { defaultOf, irText, isOfType, permits } from './typed-value.ts'
import type { FloatValue, IrValue, MachineRef, TupleValue, Values } from './value.ts'
import { bounded, mostContent, tooLarge } from './value-extent.ts'

/** What expressions see. */
export interface Environment {
  readonly locals: IrValue[]
  readonly fields: IrValue[]
  /** Monitors are nobody's target. */
  readonly self: MachineRef | null
}

export type Evaluate = (environment: Environment) => IrValue

export interface Compiling {
  readonly ir: Ir
  readonly values: Values
}

type Expression<Kind extends IrExpression['kind']> = Extract<IrExpression, { readonly kind: Kind }>

export function compiledExpression(expression: IrExpression, compiling: Compiling): Evaluate {
  const { values, ir } = compiling
  switch (expression.kind) {
    case 'constant':
      return constantly(constantValue(expression.value, values))
    case 'local': {
      const { local } = expression
      return ({ locals }) => locals[local] as IrValue
    }
    case 'field': {
      const { field } = expression
      return ({ fields }) => fields[field] as IrValue
    }
    case 'this':
      return ({ self }) => self
    case 'default':
      return constantly(defaultOf(expression.type, values))
    case 'tuple':
      return tuple(expression, compiling)
    case 'item': {
      const { index } = expression
      const of = compiledExpression(expression.of, compiling)
      return (environment) => (of(environment) as TupleValue).items[index] as IrValue
    }
    case 'withItem':
      return withItem(expression, compiling)
    case 'unary':
      return unary(expression, compiling)
    case 'binary':
      return binary(expression, compiling)
    case 'cast': {
      const { type, place } = expression
      const of = compiledExpression(expression.of, compiling)
      return (environment) => {
        const value = of(environment)
        if (isOfType(value, type, ir)) return value
        return fail('bad cast', `${irText(value, ir)} is not of type ${typeText(type)}`, place)
      }
    }
    case 'convert':
      return conversion(expression, compiling)
    case 'format':
      return format(expression, compiling)
    default:
      return collectionExpression(expression, compiling, compiledExpression)
  }
}

function constantly(value: IrValue): Evaluate {
  return () => value
}

function constantValue(constant: IrConstant, values: Values): IrValue {
  switch (constant.kind) {
    case 'float':
      return values.float(constant.value)
    case 'event':
      return values.event(constant.event)
    case 'null':
      return null
    default:
      return constant.value
  }
}

function tuple({ type, items, place }: Expression<'tuple'>, compiling: Compiling): Evaluate {
  const names = type.kind === 'record' ? type.fields.map(({ name }) => name) : undefined
  const parts = items.map((item) => compiledExpression(item, compiling))
  return (environment) => {
    const evaluated = parts.map((part) => part(environment))
    return bounded(compiling.values.tuple(evaluated, names), place)
  }
}

function withItem({ of, index, value, place }: Expression<'withItem'>, compiling: Compiling): Evaluate {
  const [whole, part] = [compiledExpression(of, compiling), compiledExpression(value, compiling)]
  return (environment) => {
    const { items, names } = whole(environment) as TupleValue
    return bounded(compiling.values.tuple(items.with(index, part(environment)), names), place)
  }
}

/** Whole numbers stay exact; there is one zero. */
export function exact(value: number, place: Place): number {
  if (!Number.isSafeInteger(value)) fail('integer overflow', 'the result is beyond ±(2^53 − 1)', place)
  return value + 0
}

function unary({ operator, of, place }: Expression<'unary'>, compiling: Compiling): Evaluate {
  const { values } = compiling
  const operand = compiledExpression(of, compiling)
  switch (operator) {
    case 'not':
      return (environment) => operand(environment) !== true
    case 'negate':
      return (environment) => exact(-(operand(environment) as number), place)
    case 'negateFloat':
      return (environment) => values.float(-(operand(environment) as FloatValue).value)
    case 'size':
      return (environment) => sizeOf(operand(environment))
    case 'values':
      return (environment) => {
        const collection = operand(environment) as { readonly values: readonly IrValue[] }
        return values.seq(collection.values)
      }
    case 'keys':
    case 'elements':
      return (environment) => values.seq(partsOf(operand(environment)))
  }
}

export function sizeOf(collection: IrValue): number {
  const isListed = typeof collection === 'object' && collection !== null && 'list' in collection
  return isListed ? collection.list.size : partsOf(collection).length
}

/** The elements of a list or a set, the keys of a map; characters of a text. */
export function partsOf(collection: IrValue): readonly IrValue[] {
  if (typeof collection === 'string') return [...collection]
  if (typeof collection !== 'object' || collection === null) return []
  if (collection.kind === 'map') return collection.keys
  return collection.kind === 'seq' || collection.kind === 'set' ? collection.items : []
}

function binary({ operator, left, right, place }: Expression<'binary'>, compiling: Compiling): Evaluate {
  const [one, other] = [compiledExpression(left, compiling), compiledExpression(right, compiling)]
  switch (operator) {
    case 'and':
      return (environment) => one(environment) === true && other(environment) === true
    case 'or':
      return (environment) => one(environment) === true || other(environment) === true
    case 'equal':
      return (environment) => one(environment) === other(environment)
    case 'in':
      return (environment) => {
        const item = one(environment)
        return partsOf(other(environment)).includes(item)
      }
    case 'concat':
      return (environment) => bounded(`${one(environment)}${other(environment)}`, place)
    case 'less':
      return (environment) => isLess(one(environment), other(environment))
    case 'lessOrEqual':
      return (environment) => isLessOrEqual(one(environment), other(environment))
    case 'add':
    case 'subtract':
    case 'multiply':
    case 'divide':
    case 'remainder': {
      const compute = wholeArithmetic[operator]
      return (environment) => {
        const number = one(environment) as number
        const second = other(environment) as number
        if (second === 0 && compute.isDivision) fail('division by zero', `${number} by 0`, place)
        return exact(compute.of(number, second), place)
      }
    }
    default:
      return floatArithmetic(operator, one, other, compiling)
  }
}

const wholeArithmetic = {
  add: { of: (left: number, right: number) => left + right, isDivision: false },
  subtract: { of: (left: number, right: number) => left - right, isDivision: false },
  multiply: { of: (left: number, right: number) => left * right, isDivision: false },
  divide: { of: (left: number, right: number) => quotient(left, right), isDivision: true },
  remainder: { of: (left: number, right: number) => left % right, isDivision: true },
}

/** Division of numbers this large rounds, possibly up to a whole number: the remainder is exact. */
function quotient(left: number, right: number): number {
  return (left - (left % right)) / right
}

function floatArithmetic(operator: IrBinaryOperator, one: Evaluate, other: Evaluate, { values }: Compiling): Evaluate {
  const compute = floatOperations[operator as keyof typeof floatOperations]
  return (environment) => {
    const { value: number } = one(environment) as FloatValue
    return values.float(compute(number, (other(environment) as FloatValue).value))
  }
}

/** As IEEE 754 says: a division by zero is infinite, or not a number. */
const floatOperations = {
  addFloat: (left: number, right: number) => left + right,
  subtractFloat: (left: number, right: number) => left - right,
  multiplyFloat: (left: number, right: number) => left * right,
  divideFloat: (left: number, right: number) => left / right,
  remainderFloat: (left: number, right: number) => left % right,
} as const

function isLess(left: IrValue, right: IrValue): boolean {
  return comparable(left) < comparable(right)
}

function isLessOrEqual(left: IrValue, right: IrValue): boolean {
  return comparable(left) <= comparable(right)
}

function comparable(value: IrValue): number | string {
  return typeof value === 'object' ? (value as FloatValue).value : (value as number | string)
}

function conversion({ of, type, place }: Expression<'convert'>, compiling: Compiling): Evaluate {
  const { values, ir } = compiling
  const operand = compiledExpression(of, compiling)
  switch (type.kind) {
    case 'int':
    case 'enum':
      return (environment) => {
        const value = operand(environment)
        return typeof value === 'object' ? exact(Math.trunc((value as FloatValue).value), place) : value
      }
    case 'float':
      return (environment) => {
        const value = operand(environment)
        return typeof value === 'number' ? values.float(value) : value
      }
    case 'machine':
      return (environment) => {
        const value = operand(environment) as MachineRef | null
        if (value === null || permits(value, type.receives, ir)) return value
        return fail('bad cast', `${value.process} does not receive all that is asked for`, place)
      }
    default:
      return operand
  }
}

function format({ texts, args, place }: Expression<'format'>, compiling: Compiling): Evaluate {
  const parts = args.map((arg) => ({ type: arg.type, evaluate: compiledExpression(arg, compiling) }))
  return (environment) => {
    let formatted = texts[0] ?? ''
    for (const [at, { type, evaluate }] of parts.entries()) {
      formatted += `${irText(evaluate(environment), compiling.ir, type)}${texts[at + 1] ?? ''}`
      // The arguments are bounded each, and there may be many.
      if (formatted.length > mostContent) tooLarge(place)
    }
    return formatted
  }
}

/** As P writes it. */
export function typeText(type: IrType): string {
  switch (type.kind) {
    case 'seq':
    case 'set':
      return `${type.kind}[${typeText(type.of)}]`
    case 'map':
      return `map[${typeText(type.key)}, ${typeText(type.value)}]`
    case 'tuple':
      return `(${type.items.map(typeText).join(', ')})`
    case 'record':
      return `(${type.fields.map((field) => `${field.name}: ${typeText(field.type)}`).join(', ')})`
    case 'enum':
    case 'foreign':
      return type.name
    default:
      return type.kind
  }
}
