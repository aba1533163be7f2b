/** Types of expressions. Every expression gets one; of what is refused the type is unknown, which agrees with everything. */
import type { Expression, ExpressionOf, Name } from './ast.ts'
import { checkConversion, typeOfBinary, typeOfUnary } from './check-operator.ts'
import { checkCall, checkCreation } from './check-payload.ts'
import {
  act,
  type FunctionContext,
  machineOf,
  refuseType,
  refuseUnknownName,
  typeOf,
  variableNamed,
} from './function-context.ts'
import { refuse, refuseUnknown } from './project.ts'
import { refuseSecondField, resolveType } from './resolve-type.ts'
import type { Type } from './type.ts'
import {
  boolType,
  eventType,
  floatType,
  intType,
  isAssignable,
  nullType,
  stringType,
  typeText,
  unknownType,
} from './type-relations.ts'

export function typeOfExpression(context: FunctionContext, expression: Expression): Type {
  switch (expression.kind) {
    case 'int':
      return typeOfInt(context, expression)
    case 'float':
      return floatType
    case 'bool':
      return boolType
    case 'string':
    case 'format':
      return typeOfText(context, expression)
    case 'null':
      return nullType
    case 'halt':
      return eventType
    case 'this':
      return typeOfThis(context, expression)
    case 'nondet':
      act(context, '$', expression.at)
      return boolType
    case 'choose':
      return typeOfChoice(context, expression)
    case 'name':
      return typeOfName(context, expression.name)
    case 'new':
      return checkCreation(context, expression)
    case 'call':
      return typeOfCall(context, expression)
    case 'unary':
      return typeOfUnary(context, expression)
    case 'binary':
      return typeOfBinary(context, expression)
    default:
      return typeOfPart(context, expression)
  }
}

type PartKind =
  | 'default'
  | 'as'
  | 'to'
  | 'sizeof'
  | 'keys'
  | 'values'
  | 'item'
  | 'field'
  | 'element'
  | 'tuple'
  | 'record'

function typeOfPart(context: FunctionContext, expression: ExpressionOf<PartKind>): Type {
  switch (expression.kind) {
    case 'default': {
      const type = resolveType(context.project, expression.type)
      context.project.written.set(expression, type)
      return type
    }
    case 'as':
    case 'to': {
      const from = typeOf(context, expression.of)
      const type = resolveType(context.project, expression.type)
      context.project.written.set(expression, type)
      return checkConversion(context, expression, from, type)
    }
    case 'sizeof':
    case 'keys':
    case 'values':
      return typeOfMeasure(context, expression, typeOf(context, expression.of))
    case 'item':
      return itemOf(context, expression, typeOf(context, expression.of))
    case 'field':
      return fieldOf(context, expression, typeOf(context, expression.of))
    case 'element':
      return elementOf(context, expression, typeOf(context, expression.of))
    case 'tuple':
      return { kind: 'tuple', items: expression.items.map((item) => typeOf(context, item)) }
    case 'record':
      return typeOfRecord(context, expression)
  }
}

function typeOfInt(context: FunctionContext, { digits, at }: ExpressionOf<'int'>): Type {
  if (BigInt(digits) <= 2147483647n) return intType
  refuse(context.project, {
    code: 'E718',
    message: `${digits} is too large for an "int"`,
    hint: 'literals are at most 2147483647; compute larger numbers from smaller ones',
    at,
  })
  return unknownType
}

/** `{0}` stands for the first argument, `{{` for a brace. P reads plain strings in the same way, and then there is no argument. */
function typeOfText(context: FunctionContext, expression: ExpressionOf<'string' | 'format'>): Type {
  const [text, args] =
    expression.kind === 'string' ? [expression.text, []] : [expression.template.text, expression.args]
  for (const arg of args) typeOf(context, arg)
  const needed = placeholders(text)
  if (needed === args.length) return stringType
  refuse(context.project, {
    code: 'E718',
    message:
      needed === undefined
        ? 'a brace of the text does not belong to a placeholder'
        : `the text has placeholders for ${needed} ${needed === 1 ? 'value' : 'values'}, and gets ${args.length}`,
    hint:
      needed === undefined
        ? 'placeholders are "{0}", "{1}", …; a brace itself is written twice: "{{"'
        : 'give one value for each: format("{0} of {1}", x, y)',
    at: expression.at,
  })
  return unknownType
}

/** How many values a text has a place for; undefined if its braces make no sense. */
function placeholders(text: string): number | undefined {
  const rest = text.replaceAll(/\{\{|\}\}|\{\d+\}/g, '')
  if (/[{}]/.test(rest)) return undefined
  const numbers = [...text.matchAll(/\{\{|\}\}|\{(\d+)\}/g)].map((match) => Number(match[1] ?? -1) + 1)
  return Math.max(0, ...numbers)
}

function typeOfThis(context: FunctionContext, { at }: ExpressionOf<'this' | 'null' | 'halt'>): Type {
  const machine = machineOf(context)
  if (machine === undefined) {
    refuse(context.project, {
      code: 'E716',
      message: '"this" stands in no machine',
      hint: 'a global function does not know who calls it: pass the machine as an argument',
      at,
    })
    return unknownType
  }
  act(context, 'this', at)
  return { kind: 'machine', name: machine.name, receives: machine.receives }
}

/** P takes nothing for `null` where that is accepted. Here a value is asked for. */
function typeOfCall(context: FunctionContext, expression: ExpressionOf<'call'>): Type {
  const type = checkCall(context, expression)
  if (type.kind !== 'void') return type
  refuse(context.project, {
    code: 'E712',
    message: `"${expression.callee.text}" returns nothing, and a value is needed`,
    hint: `declare what it returns, as in "fun ${expression.callee.text}(): int", or call it in a statement of its own`,
    at: expression.at,
  })
  return unknownType
}

const mostChoices = 10000

function typeOfChoice(context: FunctionContext, expression: ExpressionOf<'choose'>): Type {
  act(context, 'choose', expression.at)
  const from = typeOf(context, expression.from)
  if (from.kind === 'seq' || from.kind === 'set') return from.of
  if (from.kind === 'map') return from.key
  if (from.kind === 'unknown') return unknownType
  if (from.kind !== 'int') {
    refuseType(context, expression.from.at, 'an "int" or a collection to choose from', from)
    return unknownType
  }
  if (expression.from.kind !== 'int' || Number(expression.from.digits) <= mostChoices) return intType
  refuse(context.project, {
    code: 'E718',
    message: `"choose" has ${expression.from.digits} ways to go on`,
    hint: `there may be ${mostChoices} at most: choose in two steps, or among fewer`,
    at: expression.at,
  })
  return unknownType
}

function typeOfName(context: FunctionContext, name: Name): Type {
  const { globals, meanings } = context.project
  const meaning = variableNamed(context, name.text) ?? globals.elements.get(name.text) ?? globals.events.get(name.text)
  if (meaning === undefined) {
    refuseUnknownName(context, name)
    return unknownType
  }
  meanings.set(name, meaning)
  if (meaning.kind === 'element') return { kind: 'enum', symbol: meaning.enum }
  return meaning.kind === 'event' ? eventType : meaning.type
}

function typeOfMeasure(
  context: FunctionContext,
  expression: ExpressionOf<'sizeof' | 'keys' | 'values'>,
  of: Type,
): Type {
  if (of.kind === 'unknown') return unknownType
  if (expression.kind === 'sizeof') {
    if (of.kind !== 'seq' && of.kind !== 'set' && of.kind !== 'map') {
      refuseType(context, expression.of.at, 'a seq, a set or a map', of)
    }
    return intType
  }
  if (of.kind === 'map') return { kind: 'seq', of: expression.kind === 'keys' ? of.key : of.value }
  refuseType(context, expression.of.at, 'a map', of)
  return unknownType
}

export function itemOf(context: FunctionContext, expression: ExpressionOf<'item'>, of: Type): Type {
  if (of.kind === 'unknown') return unknownType
  if (of.kind !== 'tuple') {
    refuseType(context, expression.of.at, 'a tuple', of)
    return unknownType
  }
  const item = of.items[expression.index]
  if (item !== undefined) return item
  refuse(context.project, {
    code: 'E710',
    message: `"${typeText(of)}" has no item ${expression.index}`,
    hint: `items are counted from 0 to ${of.items.length - 1}`,
    at: expression.at,
  })
  return unknownType
}

export function fieldOf(context: FunctionContext, expression: ExpressionOf<'field'>, of: Type): Type {
  if (of.kind === 'unknown') return unknownType
  if (of.kind !== 'record') {
    refuseType(context, expression.of.at, 'a named tuple', of)
    return unknownType
  }
  const field = of.fields.find((one) => one.name === expression.name.text)
  if (field !== undefined) return field.type
  const names = of.fields.map((one) => one.name)
  refuseUnknown(context.project, expression.name, { what: 'field', names, otherwise: `it is a "${typeText(of)}"` })
  return unknownType
}

export function elementOf(context: FunctionContext, expression: ExpressionOf<'element'>, of: Type): Type {
  const index = typeOf(context, expression.index)
  if (of.kind === 'unknown') return unknownType
  if (of.kind !== 'seq' && of.kind !== 'set' && of.kind !== 'map') {
    refuseType(context, expression.of.at, 'a seq, a set or a map', of)
    return unknownType
  }
  const expected = of.kind === 'map' ? of.key : intType
  if (!isAssignable(expected, index)) refuseType(context, expression.index.at, expected, index)
  return of.kind === 'map' ? of.value : of.of
}

function typeOfRecord(context: FunctionContext, expression: ExpressionOf<'record'>): Type {
  const first = new Map<string, Name>()
  const fields: { readonly name: string; readonly type: Type }[] = []
  for (const { name, value } of expression.fields) {
    const type = typeOf(context, value)
    const other = first.get(name.text)
    if (other !== undefined) {
      refuseSecondField(context.project, name, other)
      continue
    }
    first.set(name.text, name)
    fields.push({ name: name.text, type })
  }
  return { kind: 'record', fields }
}
