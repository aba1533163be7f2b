/** Values in JSON: ITF's tagged forms `#map`, `#set`, `#bigint`, and `#address`, `#undefined`, `#number` for the rest. */
import { Address, type Value } from './value.ts'

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

export function valueToJson(value: Value): Json {
  switch (typeof value) {
    case 'undefined':
      return { '#undefined': true }
    case 'bigint':
      return { '#bigint': value.toString() }
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0)
        ? value
        : { '#number': Object.is(value, -0) ? '-0' : String(value) }
    case 'boolean':
    case 'string':
      return value
    default:
      return value === null ? null : objectToJson(value)
  }
}

function objectToJson(value: object): Json {
  if (value instanceof Address) return { '#address': value.id }
  if (Array.isArray(value)) return value.map((item) => valueToJson(item as Value))
  if (value instanceof Set) return { '#set': [...value].map((item) => valueToJson(item as Value)) }
  if (value instanceof Map) {
    return { '#map': [...value].map(([key, item]) => [valueToJson(key as Value), valueToJson(item as Value)]) }
  }
  const entries = Object.entries(value as { readonly [key: string]: Value })
  return Object.fromEntries(entries.map(([key, item]) => [key.startsWith('#') ? `#${key}` : key, valueToJson(item)]))
}

/** Throws `RangeError` for what is no value: a form is read only as it is written, so that what differs is not read as the same. */
export function valueFromJson(json: Json): Value {
  if (typeof json !== 'object' || json === null) return json
  if (isJsonArray(json)) return json.map(valueFromJson)
  const tagged = taggedValue(json)
  if (tagged !== undefined) return tagged.value
  return Object.fromEntries(Object.entries(json).map(([key, item]) => [nameFrom(key), valueFromJson(item)]))
}

function nameFrom(key: string): string {
  if (!key.startsWith('#')) return key
  if (key.startsWith('##')) return key.slice(1)
  throw new RangeError(`${shown(key)} is no form of value; as the name of a field it is written ${shown(`#${key}`)}`)
}

function taggedValue(json: { readonly [key: string]: Json }): { readonly value: Value } | undefined {
  const [tag, ...others] = Object.keys(json)
  if (tag === undefined || others.length > 0 || !tag.startsWith('#')) return undefined
  const content = json[tag] as Json
  switch (tag) {
    case '#undefined':
      return content === true ? { value: undefined } : unread(tag, 'true')
    case '#bigint':
      return { value: wholeNumber(content) }
    case '#number':
      return { value: numbers.get(content) ?? unread(tag, 'one of "NaN", "Infinity", "-Infinity", "-0"') }
    case '#address':
      return { value: typeof content === 'string' ? Address.of(content) : unread(tag, 'a text') }
    case '#set':
      return { value: setFromJson(isJsonArray(content) ? content : unread(tag, 'a list')) }
    case '#map':
      return { value: mapFromJson(isJsonArray(content) ? content : unread(tag, 'a list of pairs')) }
    default:
      return undefined
  }
}

/** All that JSON has no number for. */
const numbers: ReadonlyMap<Json, number> = new Map([
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
  ['-0', -0],
])

/** Reading takes the square of the digits: more than these would be a way to make a reader wait. */
const mostDigits = 100_000

function wholeNumber(content: Json): bigint {
  if (typeof content !== 'string') return unread('#bigint', 'digits in quotes')
  if (content.length > mostDigits) throw new RangeError(`a number with more than ${mostDigits} digits`)
  return /^(0|-?[1-9]\d*)$/.test(content) ? BigInt(content) : unread('#bigint', 'digits in quotes')
}

function setFromJson(items: readonly Json[]): ReadonlySet<Value> {
  const set = new Set(items.map(valueFromJson))
  return set.size === items.length ? set : unread('#set', 'a list without the same twice')
}

function mapFromJson(entries: readonly Json[]): ReadonlyMap<Value, Value> {
  const map = new Map(entries.map(entryFromJson))
  return map.size === entries.length ? map : unread('#map', 'a list of pairs without the same key twice')
}

function entryFromJson(entry: Json): [Value, Value] {
  if (!isJsonArray(entry) || entry.length !== 2) return unread('#map', 'a list of pairs')
  return [valueFromJson(entry[0] as Json), valueFromJson(entry[1] as Json)]
}

function unread(tag: string, expected: string): never {
  throw new RangeError(`"${tag}" must be ${expected}`)
}

function shown(key: string): string {
  return JSON.stringify(key.length > 40 ? `${key.slice(0, 39)}…` : key)
}

function isJsonArray(json: Json): json is readonly Json[] {
  return Array.isArray(json)
}
