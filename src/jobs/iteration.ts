/** What is iterated, with V8's words for what cannot be. */
import { isObject } from '../core/is-object.ts'

export function iterated(value: unknown): Iterable<unknown> {
  const method = value === undefined || value === null ? undefined : methodOf(value as object, Symbol.iterator)
  if (method === undefined) {
    throw new TypeError(`${described(value)} is not iterable (cannot read property Symbol(Symbol.iterator))`)
  }
  // `for` asks for the method once; it was asked for here.
  return { [Symbol.iterator]: () => Reflect.apply(method, value, []) as Iterator<unknown> }
}

/** GetMethod (§7.3.10). */
export function methodOf(value: object, name: PropertyKey): ((...args: unknown[]) => unknown) | undefined {
  const method = (value as { readonly [key: PropertyKey]: unknown })[name]
  if (method === undefined || method === null) return undefined
  if (typeof method !== 'function') throw new TypeError(`${described(method)} is not a function`)
  return method as (...args: unknown[]) => unknown
}

/** Calls what should be a method. */
export function called(method: unknown, self: object, args: readonly unknown[]): unknown {
  if (typeof method !== 'function') throw new TypeError(`${described(method)} is not a function`)
  return Reflect.apply(method, self, args)
}

function described(value: unknown): string {
  if (value === undefined) return 'undefined'
  if (isObject(value)) return typeof value
  if (value === null) return 'object null'
  return typeof value === 'symbol' ? 'symbol' : `${typeof value} ${String(value)}`
}
