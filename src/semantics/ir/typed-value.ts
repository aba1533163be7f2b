/** What a type says about values: the one that variables begin with, which ones it has, and how they are shown to people. */

import { Address, type Value } from '../../core/value.ts'
import type { Ir, IrType } from '../../ir/ir.ts'
import { dataBehind, isOpaque } from './opaque.ts'
import type { CompositeValue, IrValue, MachineRef, TupleValue, Values } from './value.ts'

export function defaultOf(type: IrType, values: Values): IrValue {
  switch (type.kind) {
    case 'bool':
      return false
    case 'int':
      return 0
    case 'float':
      return values.float(0)
    case 'string':
      return ''
    case 'enum':
      return type.elements.reduce((least, { value }) => Math.min(least, value), type.elements[0]?.value ?? 0)
    case 'seq':
      return values.emptySeq
    case 'set':
      return values.set([])
    case 'map':
      return values.map([])
    case 'tuple':
      return values.tuple(type.items.map((item) => defaultOf(item, values)))
    case 'record':
      return values.tuple(
        type.fields.map((field) => defaultOf(field.type, values)),
        type.fields.map(({ name }) => name),
      )
    default:
      return null
  }
}

/** Whether a value is of a type, its parts included. */
export function isOfType(value: IrValue, type: IrType, ir: Ir): boolean {
  switch (type.kind) {
    case 'any':
      return true
    case 'bool':
      return typeof value === 'boolean'
    case 'int':
    case 'enum':
      return typeof value === 'number'
    case 'string':
      return typeof value === 'string'
    case 'foreign':
      return value === null || (isObject(value) && value.kind === 'tuple' && isOpaque(value, type.name))
    case 'machine':
      return value === null || (isObject(value) && value.kind === 'machine' && permits(value, type.receives, ir))
    case 'event':
      return value === null || (isObject(value) && value.kind === 'event')
    default:
      return isObject(value) && isOfCompositeType(value, type, ir)
  }
}

function isOfCompositeType(value: CompositeValue, type: IrType, ir: Ir): boolean {
  const every = (items: readonly IrValue[], of: IrType): boolean => items.every((item) => isOfType(item, of, ir))
  if (type.kind === 'float') return value.kind === 'float'
  if (type.kind === 'seq') return value.kind === 'seq' && every(value.items, type.of)
  if (type.kind === 'set') return value.kind === 'set' && every(value.items, type.of)
  if (type.kind === 'map') return value.kind === 'map' && every(value.keys, type.key) && every(value.values, type.value)
  return value.kind === 'tuple' && isOfTupleType(value, type, ir)
}

function isOfTupleType({ items, names }: TupleValue, type: IrType, ir: Ir): boolean {
  const expected = type.kind === 'record' ? type.fields.map(({ name }) => name).join() : undefined
  if (names?.join() !== expected) return false
  const parts =
    type.kind === 'record' ? type.fields.map((field) => field.type) : type.kind === 'tuple' ? type.items : []
  return items.length === parts.length && items.every((item, at) => isOfType(item, parts[at] as IrType, ir))
}

/** Whether all these events may be sent to a machine; it is a reference to any machine that does not say which. */
export function permits({ machine }: MachineRef, events: readonly number[] | undefined, ir: Ir): boolean {
  const receives = ir.machines[machine]?.receives
  return events === undefined || receives === undefined || events.every((event) => receives.includes(event))
}

function isObject(value: IrValue): value is CompositeValue {
  return typeof value === 'object' && value !== null
}

/** As P prints it; where the type is known, elements of enums by their names. */
export function irText(value: IrValue, ir: Ir, type?: IrType | undefined): string {
  if (typeof value === 'number' && type?.kind === 'enum') return elementName(value, type)
  if (!isObject(value)) return value === null ? 'null' : String(value)
  const list = (items: readonly IrValue[], of?: IrType | undefined): string =>
    items.map((item) => quoted(item, ir, of)).join(', ')
  switch (value.kind) {
    case 'float':
      return Number.isInteger(value.value) ? value.value.toFixed(1) : String(value.value)
    case 'event':
      return eventName(value.event, ir)
    case 'machine':
      return value.process
    case 'seq':
      return `[${list(value.items, ofType(type))}]`
    case 'set':
      return `{${list(value.items, ofType(type))}}`
    case 'map': {
      const [key, item] = type?.kind === 'map' ? [type.key, type.value] : []
      return `{${value.keys.map((one, at) => `${quoted(one, ir, key)}: ${quoted(value.values[at] as IrValue, ir, item)}`).join(', ')}}`
    }
    case 'tuple': {
      const data = dataBehind(value)
      if (data !== undefined) return irText(data, ir)
      const names = value.names
      const parts = value.items.map((item, at) => {
        const text = quoted(item, ir, partType(type, at))
        return names === undefined ? text : `${names[at]} = ${text}`
      })
      return `(${parts.join(', ')}${parts.length === 1 ? ',' : ''})`
    }
  }
}

/** Inside of others, texts have quotes. */
function quoted(value: IrValue, ir: Ir, type: IrType | undefined): string {
  return typeof value === 'string' ? JSON.stringify(value) : irText(value, ir, type)
}

function ofType(type: IrType | undefined): IrType | undefined {
  return type?.kind === 'seq' || type?.kind === 'set' ? type.of : undefined
}

function partType(type: IrType | undefined, at: number): IrType | undefined {
  if (type?.kind === 'tuple') return type.items[at]
  return type?.kind === 'record' ? type.fields[at]?.type : undefined
}

function elementName(value: number, { elements }: Extract<IrType, { readonly kind: 'enum' }>): string {
  return elements.find((element) => element.value === value)?.name ?? String(value)
}

export function eventName(event: number, ir: Ir): string {
  return ir.events[event]?.name ?? `event ${event}`
}

/** As values of all programs, for events and reports. */
export function toValue(value: IrValue, ir: Ir, type?: IrType | undefined): Value {
  if (typeof value === 'number' && type?.kind === 'enum') return elementName(value, type)
  if (!isObject(value)) return value
  switch (value.kind) {
    case 'float':
      return value.value
    case 'event':
      return eventName(value.event, ir)
    case 'machine':
      return Address.of(value.process)
    case 'seq':
      return value.items.map((item) => toValue(item, ir, ofType(type)))
    case 'set':
      return new Set(value.items.map((item) => toValue(item, ir, ofType(type))))
    case 'map': {
      const [key, item] = type?.kind === 'map' ? [type.key, type.value] : []
      return new Map(
        value.keys.map((one, at) => [toValue(one, ir, key), toValue(value.values[at] as IrValue, ir, item)]),
      )
    }
    case 'tuple': {
      const data = dataBehind(value)
      if (data !== undefined) return toValue(data, ir)
      const items = value.items.map((item, at) => toValue(item, ir, partType(type, at)))
      return value.names === undefined ? items : Object.fromEntries(value.names.map((name, at) => [name, items[at]]))
    }
  }
}

/** A message as reports show it: named by its event, with the fields of its payload; one that is no record has no name. */
export function messageValue(event: number, payload: IrValue, ir: Ir): Value {
  const kind = eventName(event, ir)
  if (payload === null) return { kind }
  const shown = toValue(payload, ir, ir.events[event]?.payload)
  const isRecord =
    isObject(payload) &&
    payload.kind === 'tuple' &&
    payload.names?.includes('kind') === false &&
    dataBehind(payload) === undefined
  return isRecord ? { kind, ...(shown as { readonly [name: string]: Value }) } : { kind, '': shown }
}

export function messageText(event: number, payload: IrValue, ir: Ir): string {
  const name = eventName(event, ir)
  if (payload === null) return name
  const text = irText(payload, ir, ir.events[event]?.payload)
  return text.startsWith('(') ? `${name}${text}` : `${name}(${text})`
}
