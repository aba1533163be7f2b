/** Expressions of IR as text: P's own notation where it has one, `with` and `without` for new values of collections and tuples. */
import { unreachable } from '../core/invariant.ts'
import type { IrBinaryOperator, IrConstant, IrEvent, IrExpression, IrType, IrUnaryOperator, IrVariable } from './ir.ts'
import { typeText } from './type-relation.ts'

/** Names of what expressions give places of. */
export interface PrintScope {
  readonly events: readonly IrEvent[]
  readonly locals: readonly IrVariable[]
  /** Of the machine that runs the function; undefined where several do. */
  readonly fields: readonly IrVariable[] | undefined
}

const binarySigns: Readonly<Record<IrBinaryOperator, string>> = {
  add: '+',
  subtract: '-',
  multiply: '*',
  divide: '/',
  remainder: '%',
  addFloat: '+.',
  subtractFloat: '-.',
  multiplyFloat: '*.',
  divideFloat: '/.',
  remainderFloat: '%.',
  concat: '++',
  less: '<',
  lessOrEqual: '<=',
  equal: '==',
  in: 'in',
  and: '&&',
  or: '||',
}

/** Signs stand in front; words are written like calls. */
const unarySigns: Readonly<Record<IrUnaryOperator, string>> = {
  not: '!',
  negate: '-',
  negateFloat: '-.',
  size: 'size',
  keys: 'keys',
  values: 'values',
  elements: 'elements',
}

export function expressionText(expression: IrExpression, scope: PrintScope): string {
  const text = (part: IrExpression): string => expressionText(part, scope)
  const inner = (part: IrExpression): string => operandText(part, scope)
  switch (expression.kind) {
    case 'constant':
      return constantText(expression.value, expression.type, scope)
    case 'local':
      return localText(expression.local, scope)
    case 'field':
      return fieldText(expression.field, scope)
    case 'this':
      return 'this'
    case 'default':
      return `default(${typeText(expression.type)})`
    case 'tuple':
      return tupleText(expression.items.map(text), expression.type)
    case 'item':
      return `${inner(expression.of)}.${itemName(expression.of.type, expression.index)}`
    case 'withItem': {
      const name = itemName(expression.of.type, expression.index)
      return `${inner(expression.of)} with .${name} = ${text(expression.value)}`
    }
    case 'element':
      return `${inner(expression.of)}[${text(expression.key)}]`
    case 'withElement':
      return `${inner(expression.of)} with [${text(expression.key)}] = ${text(expression.value)}`
    case 'inserted':
      return `${inner(expression.of)} with new [${text(expression.key)}] = ${text(expression.value)}`
    case 'added':
      return `${inner(expression.of)} with ${inner(expression.value)}`
    case 'removed':
      return `${inner(expression.of)} without ${inner(expression.key)}`
    case 'unary': {
      const sign = unarySigns[expression.operator]
      return /^\w/.test(sign) ? `${sign}(${text(expression.of)})` : `${sign}${inner(expression.of)}`
    }
    case 'binary':
      return `${inner(expression.left)} ${binarySigns[expression.operator]} ${inner(expression.right)}`
    case 'cast':
      return `${inner(expression.of)} as ${typeText(expression.type)}`
    case 'convert':
      return `${inner(expression.of)} to ${typeText(expression.type)}`
    case 'format':
      return formatText(expression.texts, expression.args.map(text))
    default:
      return unreachable(expression, 'expression')
  }
}

export function localText(local: number, scope: PrintScope): string {
  return scope.locals[local]?.name ?? `local ${local}`
}

/** Told from locals, which may have the same name. */
export function fieldText(field: number, scope: PrintScope): string {
  return `this.${scope.fields?.[field]?.name ?? field}`
}

export function eventText(event: number, events: readonly IrEvent[]): string {
  return events[event]?.name ?? `event ${event}`
}

/** In parentheses, unless it is read as one thing anyway. */
function operandText(expression: IrExpression, scope: PrintScope): string {
  const text = expressionText(expression, scope)
  const isOne = ['constant', 'local', 'field', 'this', 'default', 'tuple', 'item', 'element', 'format'].includes(
    expression.kind,
  )
  return isOne || (expression.kind === 'unary' && /^\w/.test(text)) ? text : `(${text})`
}

function constantText(constant: IrConstant, type: IrType, scope: PrintScope): string {
  switch (constant.kind) {
    case 'bool':
      return String(constant.value)
    case 'int': {
      const element = type.kind === 'enum' ? type.elements.find(({ value }) => value === constant.value) : undefined
      return element?.name ?? String(constant.value)
    }
    case 'float':
      return Number.isInteger(constant.value) ? constant.value.toFixed(1) : String(constant.value)
    case 'string':
      return JSON.stringify(constant.value)
    case 'event':
      return eventText(constant.event, scope.events)
    case 'null':
      return 'null'
    default:
      return unreachable(constant, 'constant')
  }
}

function itemName(type: IrType, index: number): string {
  return (type.kind === 'record' ? type.fields[index]?.name : undefined) ?? String(index)
}

function tupleText(items: readonly string[], type: IrType): string {
  const named = items.map((item, index) => (type.kind === 'record' ? `${itemName(type, index)} = ${item}` : item))
  return named.length === 1 ? `(${named[0]},)` : `(${named.join(', ')})`
}

/** Arguments between the texts, in the order in which they are written. */
function formatText(texts: readonly string[], args: readonly string[]): string {
  const template = texts.map((text, index) => (index === 0 ? text : `{${index - 1}}${text}`)).join('')
  return `format(${[JSON.stringify(template), ...args].join(', ')})`
}
