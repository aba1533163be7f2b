/** Whether an expression means something: what it names exists, and the types of its parts agree with its own. */
import { unreachable } from '../core/invariant.ts'
import type { Ir, IrBinaryOperator, IrExpression, IrMachine, IrType, IrVariable } from './ir.ts'
import { accepts, acceptsExpression, isSameType, partsOf, typeText } from './type-relation.ts'
import { operandsOf } from './visit.ts'

export interface ValidateScope {
  readonly ir: Ir
  readonly locals: readonly IrVariable[]
  /** Machines that can run the function. */
  readonly machines: readonly IrMachine[]
  report(problem: string): void
}

export function validateExpression(expression: IrExpression, scope: ValidateScope): void {
  for (const operand of operandsOf(expression)) validateExpression(operand, scope)
  validateItself(expression, scope)
}

/** Complains unless the expression can stand where this type is asked for. */
export function expect(to: IrType, from: IrExpression, what: string, scope: ValidateScope): void {
  if (!acceptsExpression(to, from)) {
    scope.report(`${what} is ${typeText(from.type)}, and ${typeText(to)} is asked for`)
  }
}

function validateItself(expression: IrExpression, scope: ValidateScope): void {
  const { type } = expression
  switch (expression.kind) {
    case 'constant':
      return validateConstant(expression, scope)
    case 'local': {
      const local = scope.locals[expression.local]
      return agree(type, local?.type, `local ${expression.local}`, scope)
    }
    case 'field':
      for (const { name, fields } of scope.machines) {
        agree(type, fields[expression.field]?.type, `field ${expression.field} of ${name}`, scope)
      }
      return
    case 'this':
      return expectKind(type, ['machine'], 'this', scope)
    case 'default':
      return
    case 'tuple':
      return validateTuple(expression, scope)
    case 'item':
      return agree(type, partsOf(expression.of.type)?.[expression.index], `item ${expression.index}`, scope)
    case 'format':
      if (expression.texts.length !== expression.args.length + 1)
        scope.report('a format has one text more than arguments')
      return expectKind(type, ['string'], 'a format', scope)
    case 'unary':
      return validateUnary(expression, scope)
    case 'binary':
      return validateBinary(expression, scope)
    // What they fail on is found when they are evaluated.
    case 'cast':
    case 'convert':
      return
    default:
      return validateCollection(expression, scope)
  }
}

type Of<K extends IrExpression['kind']> = Extract<IrExpression, { readonly kind: K }>

function validateConstant({ value, type }: Of<'constant'>, scope: ValidateScope): void {
  switch (value.kind) {
    case 'bool':
    case 'float':
    case 'string':
      return expectKind(type, [value.kind], `the constant ${value.value}`, scope)
    case 'int':
      if (!Number.isSafeInteger(value.value)) scope.report(`the constant ${value.value} is not exact`)
      if (type.kind === 'enum' && !type.elements.some((element) => element.value === value.value)) {
        scope.report(`${value.value} is no element of ${typeText(type)}`)
      }
      return expectKind(type, ['int', 'enum'], `the constant ${value.value}`, scope)
    case 'event':
      if (scope.ir.events[value.event] === undefined) scope.report(`there is no event ${value.event}`)
      return expectKind(type, ['event'], 'the constant event', scope)
    case 'null':
      return expectKind(type, ['machine', 'event', 'any'], 'null', scope)
    default:
      return unreachable(value, 'constant')
  }
}

function validateTuple({ items, type }: Of<'tuple'>, scope: ValidateScope): void {
  const parts = partsOf(type)
  if (parts?.length !== items.length) return scope.report(`${items.length} items are not ${typeText(type)}`)
  for (const [index, item] of items.entries()) expect(parts[index] ?? type, item, `item ${index}`, scope)
}

/** Of collections, and new values of them. */
function validateCollection(
  expression: Of<'withItem' | 'element' | 'withElement' | 'inserted' | 'added' | 'removed'>,
  scope: ValidateScope,
): void {
  const { kind, type, of } = expression
  if (kind !== 'element' && !isSameType(type, of.type))
    scope.report(`${kind} of ${typeText(of.type)} is ${typeText(type)}`)
  if (kind === 'withItem') {
    const part = partsOf(type)?.[expression.index]
    if (part === undefined) return scope.report(`${typeText(type)} has no item ${expression.index}`)
    return expect(part, expression.value, `item ${expression.index}`, scope)
  }
  if (kind === 'added') {
    if (of.type.kind !== 'set') return scope.report(`added to ${typeText(of.type)}, which is not a set`)
    return expect(of.type.of, expression.value, 'the element', scope)
  }
  const { type: collection } = of
  if (collection.kind !== 'seq' && collection.kind !== 'set' && collection.kind !== 'map') {
    return scope.report(`${kind} of ${typeText(collection)}, which is not a collection`)
  }
  const byIndex = collection.kind === 'seq' || (collection.kind === 'set' && kind === 'element')
  const inner = collection.kind === 'map' ? collection.key : collection.of
  expect(byIndex ? { kind: 'int' } : inner, expression.key, 'the key', scope)
  const value = collection.kind === 'map' ? collection.value : collection.of
  if (kind === 'element') agree(type, value, 'the element', scope)
  if (kind !== 'withElement' && kind !== 'inserted') return
  if (collection.kind === 'set') return scope.report(`${kind} of a set`)
  expect(value, expression.value, 'the element', scope)
}

function validateUnary({ operator, of, type }: Of<'unary'>, scope: ValidateScope): void {
  const { kind } = of.type
  switch (operator) {
    case 'not':
    case 'negate':
    case 'negateFloat': {
      const wanted = ({ not: 'bool', negate: 'int', negateFloat: 'float' } as const)[operator]
      expectKind(of.type, [wanted], `the operand of ${operator}`, scope)
      return expectKind(type, [wanted], operator, scope)
    }
    case 'size':
      expectKind(of.type, ['seq', 'set', 'map'], 'the operand of size', scope)
      return expectKind(type, ['int'], 'size', scope)
    case 'keys':
    case 'values':
      if (of.type.kind !== 'map') return scope.report(`${operator} of ${typeText(of.type)}`)
      return agree(type, { kind: 'seq', of: operator === 'keys' ? of.type.key : of.type.value }, operator, scope)
    case 'elements':
      if (of.type.kind === 'map') return agree(type, { kind: 'seq', of: of.type.key }, operator, scope)
      if (kind !== 'seq' && kind !== 'set') return scope.report(`elements of ${typeText(of.type)}`)
      return agree(type, { kind: 'seq', of: of.type.of }, operator, scope)
    default:
      return unreachable(operator, 'operator')
  }
}

const operandKinds: Readonly<Partial<Record<IrBinaryOperator, readonly IrType['kind'][]>>> = {
  add: ['int'],
  subtract: ['int'],
  multiply: ['int'],
  divide: ['int'],
  remainder: ['int'],
  addFloat: ['float'],
  subtractFloat: ['float'],
  multiplyFloat: ['float'],
  divideFloat: ['float'],
  remainderFloat: ['float'],
  concat: ['string'],
  less: ['int', 'float', 'string', 'enum'],
  lessOrEqual: ['int', 'float', 'string', 'enum'],
  and: ['bool'],
  or: ['bool'],
}

function validateBinary({ operator, left, right, type }: Of<'binary'>, scope: ValidateScope): void {
  const kinds = operandKinds[operator]
  const isTruth = ['less', 'lessOrEqual', 'equal', 'in', 'and', 'or'].includes(operator)
  expectKind(type, isTruth ? ['bool'] : (kinds ?? []), operator, scope)
  if (kinds !== undefined) {
    expectKind(left.type, kinds, `the left side of ${operator}`, scope)
    if (left.type.kind !== right.type.kind)
      scope.report(`${operator} of ${typeText(left.type)} and ${typeText(right.type)}`)
  } else if (operator === 'equal') {
    if (!acceptsExpression(left.type, right) && !acceptsExpression(right.type, left)) {
      scope.report(`${typeText(left.type)} and ${typeText(right.type)} are never equal`)
    }
  } else {
    expectKind(right.type, ['seq', 'set', 'map'], 'the right side of in', scope)
  }
}

/** What is read has exactly the type that it says, or a wider one. */
function agree(type: IrType, declared: IrType | undefined, what: string, scope: ValidateScope): void {
  if (declared === undefined) return scope.report(`there is no ${what}`)
  if (!accepts(type, declared)) scope.report(`${what} is ${typeText(declared)} and not ${typeText(type)}`)
}

function expectKind(type: IrType, kinds: readonly IrType['kind'][], what: string, scope: ValidateScope): void {
  if (!kinds.includes(type.kind)) scope.report(`${what} is ${typeText(type)} and not ${kinds.join(' or ')}`)
}
