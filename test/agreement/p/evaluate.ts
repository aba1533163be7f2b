/** Expressions, operands from left to right. */
import type { Expression, ExpressionOf } from '../../../src/frontends/p/ast.ts'
import type { FunctionSymbol, Meaning } from '../../../src/frontends/p/symbols.ts'
import { ask, emit, type Frame, fail } from './handling.ts'
import {
  defaultOf,
  elementsOf,
  fits,
  isEqual,
  lookup,
  nothing,
  order,
  shownAs,
  truth,
  type Value,
  type ValueOf,
  whole,
} from './value.ts'

/** Runs a function of the program: statements are none of this file's business. */
export type Call = (callee: FunctionSymbol, args: readonly Value[], frame: Frame) => Value

export interface Evaluating extends Frame {
  readonly call: Call
}

export function evaluate(expression: Expression, frame: Evaluating): Value {
  switch (expression.kind) {
    case 'int':
      return whole(Number(expression.digits))
    case 'float':
      return { kind: 'float', is: Number(expression.digits) }
    case 'bool':
      return truth(expression.value)
    case 'string':
      return { kind: 'string', is: expression.text }
    case 'format':
      return formatted(expression, frame)
    case 'null':
      return nothing
    case 'halt':
      return { kind: 'event', is: 'halt' }
    case 'this':
      return { kind: 'machine', is: frame.handling.self.id }
    case 'nondet':
      return truth(ask(frame.handling, 2) === 1)
    case 'choose':
      return chosen(evaluate(expression.from, frame), frame)
    case 'name':
      return meant(meaningOf(expression, frame), frame)
    case 'default':
      return defaultOf(writtenType(expression, frame))
    case 'new':
      return created(expression.creates.text, payloadOf(expression.args, frame), frame)
    case 'call':
      return called(expression, frame)
    case 'tuple':
      return { kind: 'tuple', items: all(expression.items, frame) }
    case 'record':
      return { kind: 'record', fields: expression.fields.map((one) => [one.name.text, evaluate(one.value, frame)]) }
    case 'as':
    case 'to':
      return converted(expression, frame)
    case 'binary':
      return binary(expression, frame)
    case 'unary': {
      const of = evaluate(expression.of, frame)
      return of.kind === 'bool' ? truth(!of.is) : { ...number(of), is: 0 - number(of).is }
    }
    default:
      return partOf(expression, frame)
  }
}

export function all(expressions: readonly Expression[], frame: Evaluating): Value[] {
  return expressions.map((each) => evaluate(each, frame))
}

/** Several arguments are a tuple; none is null. */
export function payloadOf(args: readonly Expression[], frame: Evaluating): Value {
  const values = all(args, frame)
  return values.length > 1 ? { kind: 'tuple', items: values } : (values[0] ?? nothing)
}

export function meaningOf({ name }: ExpressionOf<'name'>, { handling }: Frame): Meaning {
  const meaning = handling.subject.checked.meanings.get(name)
  if (meaning === undefined) throw new Error(`${name.text} means nothing`)
  return meaning
}

function meant(meaning: Meaning, { handling, locals }: Frame): Value {
  switch (meaning.kind) {
    case 'event':
      return { kind: 'event', is: meaning.name }
    case 'element':
      return whole(meaning.value)
    case 'local':
      return present(locals.get(meaning), meaning.name)
    case 'field':
      return present(handling.self.fields[meaning.name], meaning.name)
    case 'parameter': {
      const value = handling.subject.test.params.get(meaning.name)
      if (value === undefined) return defaultOf(meaning.type)
      return typeof value === 'boolean' ? truth(value) : whole(value)
    }
  }
}

function present(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new Error(`${name} has no value`)
  return value
}

function writtenType(expression: Expression, { handling }: Frame) {
  const type = handling.subject.checked.written.get(expression)
  if (type === undefined) throw new Error(`the type of ${expression.kind} is not known`)
  return type
}

function formatted({ template, args }: ExpressionOf<'format'>, frame: Evaluating): Value {
  const texts = all(args, frame).map(shownAs)
  return { kind: 'string', is: template.text.replaceAll(/\{(\d+)\}/g, (_, at: string) => texts[Number(at)] ?? '') }
}

/** `choose(0)` is 0; choosing from an empty collection fails. */
function chosen(from: Value, { handling }: Frame): Value {
  if (from.kind === 'int') {
    if (from.is > 10_000 || from.is < 0) fail('choose')
    return whole(ask(handling, Math.max(1, from.is)))
  }
  const options = elementsOf(from)
  if (options.length === 0) fail('choose')
  return options[ask(handling, options.length)] as Value
}

/** Its name is known at once; when it begins is up to the network. */
export function created(name: string, payload: Value, { handling }: Frame): Value {
  const { self, subject } = handling
  const type = subject.test.creates.get(self.machine)?.get(name)?.name ?? name
  const count = (self.counts[type] ?? 0) + 1
  self.counts[type] = count
  const below = self.id === subject.test.main.name ? '' : `${self.id}/`
  const id = `${below}${type}${count > 1 ? `#${count}` : ''}`
  emit(handling, { kind: 'create', id, type, payload })
  return { kind: 'machine', is: id }
}

function called({ callee, args }: ExpressionOf<'call'>, frame: Evaluating): Value {
  const symbol = frame.handling.subject.checked.callees.get(callee)
  if (symbol === undefined) throw new Error(`${callee.text} is not known`)
  return frame.call(symbol, all(args, frame), frame)
}

function converted(expression: ExpressionOf<'as' | 'to'>, frame: Evaluating): Value {
  const value = evaluate(expression.of, frame)
  const type = writtenType(expression, frame)
  if (expression.kind === 'as') {
    if (!fits(value, type)) fail('cast')
    if (type.kind === 'machine' && value.kind === 'machine' && !mayBeSent(value, type.receives, frame)) fail('cast')
    return value
  }
  if (type.kind === 'float') return { kind: 'float', is: number(value).is }
  if (type.kind === 'int') return whole(Math.trunc(number(value).is))
  return value.kind === 'null' || mayBeSent(value, type.kind === 'machine' ? type.receives : undefined, frame)
    ? value
    : fail('cast')
}

/** Whether a machine receives all these events; undefined: no list of any kind. */
export function mayBeSent(value: Value, events: readonly string[] | undefined, { handling }: Frame): boolean {
  if (value.kind !== 'machine') throw new Error(`${value.kind} is no machine`)
  // It is named by what it is, after who created it.
  const type = value.is.split('/').at(-1)?.split('#')[0]
  const receives = handling.subject.test.machines.find(({ name }) => name === type)?.receives
  return events === undefined || receives === undefined || events.every((event) => receives.includes(event))
}

function binary({ operator, left, right }: ExpressionOf<'binary'>, frame: Evaluating): Value {
  const first = evaluate(left, frame)
  if (operator === '&&' && !isTrue(first)) return first
  if (operator === '||' && isTrue(first)) return first
  if (operator === '==>' && !isTrue(first)) return truth(true)
  const second = evaluate(right, frame)
  switch (operator) {
    case '&&':
    case '||':
    case '==>':
      return second
    case '==':
    case '<==>':
      return truth(isEqual(first, second))
    case '!=':
      return truth(!isEqual(first, second))
    case 'in':
      return truth(elementsOf(second).some((element) => isEqual(element, first)))
    case '<':
      return truth(order(first, second) < 0)
    case '>':
      return truth(order(first, second) > 0)
    case '<=':
      return truth(order(first, second) <= 0)
    case '>=':
      return truth(order(first, second) >= 0)
    default:
      return computed(operator, first, second)
  }
}

function computed(operator: '+' | '-' | '*' | '/' | '%', first: Value, second: Value): Value {
  if (first.kind === 'string' && second.kind === 'string') return { kind: 'string', is: first.is + second.is }
  const [{ kind, is: a }, { is: b }] = [number(first), number(second)]
  if (operator === '+') return { kind, is: a + b }
  if (operator === '-') return { kind, is: a - b }
  if (operator === '*') return { kind, is: a * b + 0 }
  if (b === 0) fail('division')
  if (operator === '%') return { kind, is: (a % b) + 0 }
  return { kind, is: kind === 'int' ? Math.trunc(a / b) + 0 : a / b }
}

function partOf(
  expression: ExpressionOf<'sizeof' | 'keys' | 'values' | 'item' | 'field' | 'element'>,
  frame: Evaluating,
): Value {
  const of = evaluate(expression.of, frame)
  switch (expression.kind) {
    case 'sizeof':
      return whole(elementsOf(of).length)
    case 'keys':
      return { kind: 'seq', items: elementsOf(of) }
    case 'values':
      return { kind: 'seq', items: map(of).entries.map(([, value]) => value) }
    case 'item':
      return present(elementsOf(of)[expression.index], 'item')
    case 'field':
      return fieldOf(of, expression.name.text)
    case 'element':
      return elementAt(of, evaluate(expression.index, frame))
  }
}

export function fieldOf(of: Value, name: string): Value {
  if (of.kind !== 'record') throw new Error(`${of.kind} has no fields`)
  return present(of.fields.find(([field]) => field === name)?.[1], name)
}

export function elementAt(of: Value, index: Value): Value {
  if (of.kind === 'map') return lookup(of, index) ?? fail('missing key')
  return elementsOf(of)[number(index).is] ?? fail('index')
}

export function isTrue(value: Value): boolean {
  if (value.kind !== 'bool') throw new Error(`${value.kind} is not a condition`)
  return value.is
}

export function number(value: Value): ValueOf<'int' | 'float'> {
  if (value.kind !== 'int' && value.kind !== 'float') throw new Error(`${value.kind} is not a number`)
  return value
}

export function map(value: Value): ValueOf<'map'> {
  if (value.kind !== 'map') throw new Error(`${value.kind} is not a map`)
  return value
}
