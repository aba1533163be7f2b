/**
 * Results are compared with those of the class run sequentially, where private fields and what functions hold are seen. Here they are
 * not, so that only plain data can be compared.
 */

import { DiagnosticError } from '../../core/diagnostic.ts'
import { functionText } from '../../core/function-text.ts'

export function refuseUnplain(operation: string, result: unknown): void {
  const found = unplain(result, new Set())
  if (found === undefined) return
  throw new DiagnosticError({
    code: 'E305',
    message: `${operation} gives ${found}, which shows too little of itself in JavaScript's own job order`,
    hint: 'return plain data under check, or leave out --order jobs',
  })
}

/** Errors may be of classes of the user's, as long as these have no private fields. */
export function refuseUnplainError(operation: string, error: unknown): void {
  if (!(error instanceof Error)) return refuseUnplain(operation, error)
  for (const key of Reflect.ownKeys(error)) for (const field of fieldOf(error, key)) refuseUnplain(operation, field)
  let owner = Object.getPrototypeOf(error) as object | null
  while (owner !== null && !plainOwners.has(owner)) {
    const { value } = Object.getOwnPropertyDescriptor(owner, 'constructor') ?? {}
    if (typeof value !== 'function' || functionText(value).includes('#')) refuseUnplain(operation, Object.create(owner))
    owner = Object.getPrototypeOf(owner) as object | null
  }
}

function unplain(value: unknown, met: Set<unknown>): string | undefined {
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'symbol') return 'a symbol'
  if (typeof value !== 'object' || value === null || met.has(value)) return undefined
  met.add(value)
  const owner = Object.getPrototypeOf(value) as object | null
  if (owner !== null && !plainOwners.has(owner)) return `an instance of ${ownerName(owner)}`
  const inside = [...contentsOf(value), ...Reflect.ownKeys(value).flatMap((key) => fieldOf(value, key))]
  for (const one of inside) {
    const found = unplain(one, met)
    if (found !== undefined) return found
  }
  return undefined
}

const plainOwners: ReadonlySet<object> = new Set(
  [
    ...[Object, Array, Map, Set, RegExp, ArrayBuffer, SharedArrayBuffer, DataView, Date],
    ...[Error, TypeError, RangeError, SyntaxError, ReferenceError, EvalError, URIError, AggregateError],
    ...[Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array],
    ...[Float32Array, Float64Array, BigInt64Array, BigUint64Array],
  ].map((one): object => one.prototype),
)

function contentsOf(value: object): readonly unknown[] {
  if (value instanceof Map) return [...value].flat()
  return value instanceof Set ? [...value] : []
}

function fieldOf(value: object, key: PropertyKey): readonly unknown[] {
  const field = Object.getOwnPropertyDescriptor(value, key)
  return field === undefined || !('value' in field) ? [] : [field.value]
}

function ownerName(owner: object): string {
  const name: unknown = Object.getOwnPropertyDescriptor(owner, 'constructor')?.value?.name
  return typeof name === 'string' && name !== '' ? name : 'a class'
}
