/**
 * Functions that are written elsewhere, in TypeScript: values go there and come back as plain data. Arguments are made anew for each
 * call, so that a function which changes them changes nothing here.
 */
import { DiagnosticError, type Place } from '../../core/diagnostic.ts'
import { runAs } from '../../core/running.ts'
import { thrownBy } from '../../core/thrown.ts'
import type { Ir, IrInstruction, IrType } from '../../ir/ir.ts'
import type { Evaluate } from './expression.ts'
import { typeText } from './expression.ts'
import { Failed, fail } from './failed.ts'
import { isOpaque, opaqueOf } from './opaque.ts'
import { isOfType } from './typed-value.ts'
import type { CompositeValue, EventValue, IrValue, MachineRef, Values } from './value.ts'
import { bounded } from './value-extent.ts'

export type ForeignCall = Extract<IrInstruction, { readonly kind: 'foreign' }>

/** Every call of the first few, and then one of so many, is made twice. */
const firstTwice = 64
const everyTwice = 61

/** The call as an expression; undefined if nobody wrote the function. */
export function foreignCall(call: ForeignCall, args: readonly Evaluate[], within: Within): Evaluate | undefined {
  const written = within.ir.foreign?.[call.name] as ((...args: readonly unknown[]) => unknown) | undefined
  if (written === undefined) return undefined
  let calls = 0
  const returning = { ...within, call }
  const once = (given: readonly IrValue[]): IrValue =>
    called(() => {
      const returned = written(...given.map(toForeign))
      return call.returns === undefined ? null : bounded(fromForeign(returned, call.returns, returning), call.place)
    }, call)
  return (environment) => {
    const given = args.map((arg) => arg(environment))
    const value = once(given)
    // Equal values are one object.
    const isChecked = calls++ < firstTwice || calls % everyTwice === 0
    if (isChecked && once(given) !== value) throw new DiagnosticError(unsteady(call))
    return value
  }
}

interface Within {
  readonly ir: Ir
  readonly values: Values
}

/** What is returned may have code of its own, which is run when it is looked at. */
function called(call: () => IrValue, { name, place }: ForeignCall): IrValue {
  try {
    return runAs(`foreign function "${name}"`, call)
  } catch (error) {
    if (error instanceof Failed) throw error
    if (error instanceof DiagnosticError) throw outside(error)
    return fail('foreign function', `${name} threw ${thrownBy(error).message}`, place)
  }
}

/** Processes have operations for clocks and chances; a foreign function has none. */
function outside(error: DiagnosticError): DiagnosticError {
  const { diagnostic } = error
  if (diagnostic.code !== 'E209') return error
  const hint = 'a foreign function computes from its arguments alone: let P choose the value, and pass it on'
  return new DiagnosticError({ ...diagnostic, hint })
}

/** What is nobody's business there: it can be compared, kept and handed back. */
const handles = new WeakMap<MachineRef | EventValue, object>()
const behind = new WeakMap<object, MachineRef | EventValue>()

function handleOf(value: MachineRef | EventValue): object {
  const known = handles.get(value)
  if (known !== undefined) return known
  const handle = Object.freeze(Object.create(null) as object)
  handles.set(value, handle)
  behind.set(handle, value)
  return handle
}

/** Whether it is a machine or an event, as functions that are written elsewhere see them. */
export function isHandle(value: object): boolean {
  return behind.has(value)
}

export function toForeign(value: IrValue): unknown {
  if (typeof value !== 'object' || value === null) return value
  switch (value.kind) {
    case 'float':
      return value.value
    case 'event':
    case 'machine':
      return handleOf(value)
    case 'seq':
      return value.items.map(toForeign)
    case 'set':
      return new Set(value.items.map(toForeign))
    case 'map':
      return new Map(value.keys.map((key, at) => [toForeign(key), toForeign(value.values[at] as IrValue)]))
    case 'tuple': {
      if (isOpaque(value)) return toForeign(value.items[0] as IrValue)
      const items = value.items.map(toForeign)
      return value.names === undefined ? items : Object.fromEntries(value.names.map((name, at) => [name, items[at]]))
    }
  }
}

interface Returning extends Within {
  readonly call: ForeignCall
}

function fromForeign(value: unknown, type: IrType, returning: Returning): IrValue {
  const made = converted(value, type, returning)
  if (made === undefined) throw new DiagnosticError(unfit(value, type, returning.call))
  return made
}

/** Undefined: the type has no such value. */
function converted(value: unknown, type: IrType, returning: Returning): IrValue | undefined {
  const { values, ir } = returning
  const part = (one: unknown, of: IrType): IrValue => fromForeign(one, of, returning)
  switch (type.kind) {
    case 'bool':
      return typeof value === 'boolean' ? value : undefined
    case 'string':
      return typeof value === 'string' ? value : undefined
    case 'int':
      return Number.isSafeInteger(value) ? (value as number) + 0 : undefined
    case 'enum':
      return type.elements.find((element) => element.value === value)?.value
    case 'float':
      return typeof value === 'number' ? values.float(value) : undefined
    case 'seq':
      return Array.isArray(value) ? values.seq(Array.from(value, (one) => part(one, type.of))) : undefined
    case 'set':
      return value instanceof Set ? values.set([...value].map((one) => part(one, type.of))) : undefined
    case 'map':
      if (!(value instanceof Map)) return undefined
      return values.map([...value].map(([key, one]) => [part(key, type.key), part(one, type.value)] as const))
    case 'tuple': {
      const isWhole = Array.isArray(value) && value.length === type.items.length
      return isWhole ? values.tuple(type.items.map((item, at) => part(value[at], item))) : undefined
    }
    case 'record':
      return record(value, type, returning)
    case 'machine':
    case 'event': {
      const known = value === null ? null : handled(value)
      return known !== undefined && isOfType(known, type, ir) ? known : undefined
    }
    case 'any':
      return untyped(value)
    case 'foreign':
      return value === null ? null : opaque(value, type.name, values)
    default:
      return undefined
  }
}

function handled(value: unknown): CompositeValue | undefined {
  return typeof value === 'object' && value !== null ? behind.get(value) : undefined
}

/** Of what is `any`, what can be meant in one way only: a list may be a seq or a tuple, and half a number a float. */
function untyped(value: unknown): IrValue | undefined {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value
  return Number.isSafeInteger(value) ? (value as number) : handled(value)
}

function opaque(value: unknown, type: string, values: Values): IrValue | undefined {
  const data = plainData(value, values, deepest)
  return data === undefined ? undefined : opaqueOf(type, data, values)
}

/** Deeper data is refused, and so is data that goes round. */
const deepest = 100

/** Data as P would have it: equal data is one value, whatever the order of its fields. Undefined: it has something that is not plain data. */
function plainData(value: unknown, values: Values, left: number): IrValue | undefined {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value + 0 : values.float(value)
  const known = handled(value)
  if (known !== undefined || typeof value !== 'object' || left === 0) return known
  const all = (parts: readonly unknown[]): readonly IrValue[] | undefined => {
    const made = parts.map((part) => plainData(part, values, left - 1))
    return made.every((part) => part !== undefined) ? made : undefined
  }
  if (Array.isArray(value)) return given(all(Array.from(value as readonly unknown[])), (items) => values.seq(items))
  if (value instanceof Set) return given(all([...value]), (items) => values.set(items))
  if (value instanceof Map) {
    const keys = all([...value.keys()])
    return given(keys && all([...value.values()]), (items) =>
      values.map(items.map((item, at) => [keys?.[at] as IrValue, item] as const)),
    )
  }
  if (!isPlain(value)) return undefined
  const names = Object.keys(value).sort()
  const own = value as { readonly [name: string]: unknown }
  return given(all(names.map((name) => own[name])), (items) => values.tuple(items, names))
}

function given<T, Result>(value: T | undefined, make: (value: T) => Result): Result | undefined {
  return value === undefined ? undefined : make(value)
}

/** An object as it is written, and none of a class. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

function record(
  value: unknown,
  { fields }: Extract<IrType, { readonly kind: 'record' }>,
  returning: Returning,
): IrValue | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const names = fields.map(({ name }) => name)
  const own = Object.keys(value)
  if (own.length !== names.length || !names.every((name) => own.includes(name))) return undefined
  const given = value as { readonly [name: string]: unknown }
  const items = fields.map(({ name, type }) => fromForeign(given[name], type, returning))
  return returning.values.tuple(items, names)
}

// Mistakes

function unsteady({ name, place }: ForeignCall) {
  return placed('E201', place, {
    message: `"${name}" returned another value when it was called again with the same arguments`,
    hint: 'what a foreign function returns may depend on its arguments alone: no clock, no randomness, nothing that it remembers',
  })
}

function unfit(value: unknown, type: IrType, { name, place }: ForeignCall) {
  return placed('E232', place, {
    message: `"${name}" returned ${kindOf(value)}, and ${typeText(type)} is expected there`,
    hint: isPromise(value) ? 'a foreign function returns at once: leave "async" out' : shapeOf(type),
  })
}

function placed<Code extends 'E201' | 'E232'>(
  code: Code,
  place: Place,
  told: { readonly message: string; readonly hint: string },
) {
  return { code, place, ...told }
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'a whole number' : `the number ${value}`
  if (Array.isArray(value)) return 'an array'
  if (isPromise(value)) return 'a promise'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/** Also what a check file has in the place of one, whose methods refuse to be called. */
function isPromise(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'then' in value
}

function shapeOf(type: IrType): string {
  switch (type.kind) {
    case 'seq':
      return 'a seq is an array'
    case 'set':
      return 'a set is a Set'
    case 'map':
      return 'a map is a Map'
    case 'tuple':
      return 'a tuple is an array with as many items'
    case 'record':
      return `a record is an object with exactly these fields: ${type.fields.map(({ name }) => name).join(', ')}`
    case 'machine':
    case 'event':
      return 'machines and events cannot be made there: return one that was given, or null'
    case 'enum':
      return `an element of an enum is its number: ${type.elements.map(({ name, value }) => `${value} is ${name}`).join(', ')}`
    case 'int':
      return 'an int is a whole number'
    case 'foreign':
      return 'a value of a type that is written elsewhere is plain data: null, true or false, a number, a text, an array, an object, a Set, a Map, or a machine or event that was given'
    case 'any':
      return 'a value of no certain type is null, true or false, a whole number, a text, or a machine or event that was given'
    default:
      return `return a value of type ${typeText(type)}`
  }
}
