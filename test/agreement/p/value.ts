/** Values of P as the oracle has them: plain data that is never changed. Sets and maps are kept sorted by content. */
import type { Type } from '../../../src/frontends/p/type.ts'

export type Value =
  | { readonly kind: 'null' }
  | { readonly kind: 'bool'; readonly is: boolean }
  /** Elements of enums are whole numbers at run time. */
  | { readonly kind: 'int' | 'float'; readonly is: number }
  | { readonly kind: 'string' | 'event' | 'machine'; readonly is: string }
  | { readonly kind: 'seq' | 'set' | 'tuple'; readonly items: readonly Value[] }
  | { readonly kind: 'map'; readonly entries: readonly (readonly [Value, Value])[] }
  | { readonly kind: 'record'; readonly fields: readonly (readonly [string, Value])[] }

export type ValueOf<K extends Value['kind']> = Extract<Value, { readonly kind: K }>

export const nothing: Value = { kind: 'null' }

/** Zero has no sign: a quotient that is cut off may otherwise be minus zero. */
export function whole(is: number): Value {
  return { kind: 'int', is: is + 0 }
}

export function truth(is: boolean): Value {
  return { kind: 'bool', is }
}

/** Equal values have equal texts. */
export function textOf(value: Value): string {
  return JSON.stringify(value)
}

export function isEqual(left: Value, right: Value): boolean {
  return textOf(left) === textOf(right)
}

/** Numbers by size, texts by code unit, false before true, the rest by its parts from the first on. */
export function order(left: Value, right: Value): number {
  if (left.kind !== right.kind) return left.kind < right.kind ? -1 : 1
  if ('is' in left && 'is' in right) return left.is === right.is ? 0 : left.is < right.is ? -1 : 1
  const [parts, others] = [partsOf(left), partsOf(right)]
  for (const [at, part] of parts.entries()) {
    const other = others[at]
    if (other === undefined) return 1
    const ordered = order(part, other)
    if (ordered !== 0) return ordered
  }
  return parts.length - others.length
}

function partsOf(value: Value): readonly Value[] {
  if ('items' in value) return value.items
  if ('entries' in value) return value.entries.flat()
  if ('fields' in value) return value.fields.map(([, part]) => part)
  return []
}

export function setOf(items: readonly Value[]): ValueOf<'seq' | 'set' | 'tuple'> {
  const distinct = new Map(items.map((item) => [textOf(item), item]))
  return { kind: 'set', items: [...distinct.values()].sort(order) }
}

export function mapWith(map: ValueOf<'map'>, key: Value, value: Value): Value {
  const entries = [...mapWithout(map, key).entries, [key, value] as const]
  return { kind: 'map', entries: entries.sort(([left], [right]) => order(left, right)) }
}

export function mapWithout(map: ValueOf<'map'>, key: Value): ValueOf<'map'> {
  return { kind: 'map', entries: map.entries.filter(([other]) => !isEqual(other, key)) }
}

export function lookup(map: ValueOf<'map'>, key: Value): Value | undefined {
  return map.entries.find(([other]) => isEqual(other, key))?.[1]
}

/** What `foreach` goes through and what `choose` picks from: elements, or the keys of a map. */
export function elementsOf(value: Value): readonly Value[] {
  if (value.kind === 'map') return value.entries.map(([key]) => key)
  if ('items' in value) return value.items
  throw new Error(`${value.kind} has no elements`)
}

export function defaultOf(type: Type): Value {
  switch (type.kind) {
    case 'bool':
      return truth(false)
    case 'int':
    case 'float':
      return { kind: type.kind, is: 0 }
    case 'string':
      return { kind: 'string', is: '' }
    case 'enum':
      return whole(Math.min(...type.symbol.elements.map(({ value }) => value)))
    case 'seq':
    case 'set':
      return { kind: type.kind, items: [] }
    case 'map':
      return { kind: 'map', entries: [] }
    case 'tuple':
      return { kind: 'tuple', items: type.items.map(defaultOf) }
    case 'record':
      return { kind: 'record', fields: type.fields.map((field) => [field.name, defaultOf(field.type)]) }
    default:
      return nothing
  }
}

/** Whether `as` lets a value through. Elements of collections and parts of tuples are not looked at. */
export function fits(value: Value, type: Type): boolean {
  switch (type.kind) {
    case 'any':
    case 'data':
      return true
    case 'machine':
    case 'event':
      return value.kind === type.kind || value.kind === 'null'
    case 'enum':
      return value.kind === 'int'
    default:
      return value.kind === type.kind
  }
}

/** As `format` writes it. Generated programs keep no text of other values, so what they look like does not matter. */
export function shownAs(value: Value): string {
  return 'is' in value ? String(value.is) : textOf(value)
}

/** What can be compared with what others show: elements of enums by name where the type says so, sets and maps as sorted lists. */
export type Plain = null | boolean | number | string | readonly Plain[] | { readonly [name: string]: Plain }

export function plainOf(value: Value, type: Type | undefined): Plain {
  if (value.kind === 'null') return null
  if (value.kind === 'machine') return { machine: value.is }
  if (value.kind === 'int' && type?.kind === 'enum') {
    return type.symbol.elements.find((element) => element.value === value.is)?.name ?? value.is
  }
  if ('is' in value) return value.is
  if (value.kind === 'record') {
    const typed = new Map(type?.kind === 'record' ? type.fields.map((field) => [field.name, field.type]) : [])
    return Object.fromEntries(value.fields.map(([name, part]) => [name, plainOf(part, typed.get(name))]))
  }
  if (value.kind === 'map') {
    const [key, item] = type?.kind === 'map' ? [type.key, type.value] : []
    return { map: sorted(value.entries.map(([one, other]) => [plainOf(one, key), plainOf(other, item)])) }
  }
  const ofTypes = type?.kind === 'tuple' ? type.items : undefined
  const each = type?.kind === 'seq' || type?.kind === 'set' ? type.of : undefined
  const items = value.items.map((item, at) => plainOf(item, ofTypes?.[at] ?? each))
  return value.kind === 'set' ? { set: sorted(items) } : items
}

export function sorted(items: readonly Plain[]): readonly Plain[] {
  return [...items].sort((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1))
}
