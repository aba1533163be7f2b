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

export function valueFromJson(json: Json): Value {
  if (typeof json !== 'object' || json === null) return json
  if (isJsonArray(json)) return json.map(valueFromJson)
  const tagged = taggedValue(json)
  if (tagged !== undefined) return tagged.value
  const entries = Object.entries(json)
  return Object.fromEntries(
    entries.map(([key, item]) => [key.startsWith('##') ? key.slice(1) : key, valueFromJson(item)]),
  )
}

function taggedValue(json: { readonly [key: string]: Json }): { readonly value: Value } | undefined {
  const [tag, ...others] = Object.keys(json)
  if (tag === undefined || others.length > 0 || !tag.startsWith('#')) return undefined
  const content = json[tag] as Json
  switch (tag) {
    case '#undefined':
      return { value: undefined }
    case '#bigint':
      return { value: wholeNumber(content) }
    case '#number':
      return { value: Number(content) }
    case '#address':
      return { value: Address.of(String(content)) }
    case '#set':
      return isJsonArray(content) ? { value: new Set(content.map(valueFromJson)) } : undefined
    case '#map':
      return isJsonArray(content) ? { value: new Map(content.map(entryFromJson)) } : undefined
    default:
      return undefined
  }
}

/** Reading takes the square of the digits: more than these would be a way to make a reader wait. */
const mostDigits = 100_000

function wholeNumber(content: Json): bigint {
  const digits = String(content)
  if (digits.length > mostDigits) throw new RangeError(`a number with more than ${mostDigits} digits`)
  return BigInt(digits)
}

function entryFromJson(entry: Json): [Value, Value] {
  const pair = isJsonArray(entry) ? entry : []
  return [valueFromJson(pair[0] ?? null), valueFromJson(pair[1] ?? null)]
}

function isJsonArray(json: Json): json is readonly Json[] {
  return Array.isArray(json)
}
