/** Results that their texts do not tell apart: two calls that returned something else would count as alike. */

import { boxesOf } from './boxes.ts'
import { bodyOf, closureOf } from './functions.ts'
import { generatorOf } from './generator-objects.ts'
import { isIntrinsic } from './intrinsics.ts'
import { isVariable } from './made.ts'
import { kindOf } from './object-kinds.ts'
import { isPromise } from './promise-parts.ts'
import { refuse } from './search-error.ts'

/** `self` is the object that is checked, which is the same one in all that is compared. */
export function refuseIncomparable(operation: string, result: unknown, self: object): void {
  // What an operation itself returns as a promise is awaited.
  const found = isObject(result) && isPromise(result) ? undefined : incomparable(result, new Set([self]))
  if (found === undefined) return
  refuse({
    code: 'E305',
    message: `${operation} returns ${found}, and two of them cannot be compared`,
    hint:
      generatorOf(result) === undefined
        ? 'return plain data under check; what is done with the rest can be an operation of its own'
        : `give what it yields by an operation of its own, as in [...this.${operation}()]`,
  })
}

function incomparable(value: unknown, met: Set<object>): string | undefined {
  if (typeof value === 'function') return met.has(value) ? undefined : incomparableFunction(value, met)
  if (!isObject(value) || met.has(value)) return undefined
  met.add(value)
  if (generatorOf(value) !== undefined) return 'a generator'
  if (isPromise(value)) return 'a promise inside of something else'
  if (kindOf(value).kind === 'opaque' || isOfHost(value)) return `${named(value)}, which does not show what it is`
  const computed = keysOf(value).find((key) => isComputed(value, key))
  if (computed !== undefined) return `an object with a getter or a setter (${String(computed)})`
  return first(partsOf(value), (part) => incomparable(part, met))
}

/** Of functions with the same code, what they hold makes the difference: it is compared if nothing can change in it. */
function incomparableFunction(callable: object, met: Set<object>): string | undefined {
  const closure = closureOf(callable)
  if (closure === undefined)
    return bodyOf(callable) !== undefined || isIntrinsic(callable)
      ? undefined
      : 'a function that does not show what it holds'
  return first(closure.captured.map(heldBy), (held) => {
    if (typeof held === 'function') return incomparable(held, met)
    return isObject(held) && !met.has(held) ? `a function that holds ${named(held)}` : undefined
  })
}

/** Of a variable that functions share, what is in it. */
export function heldBy(captured: unknown): unknown {
  return isVariable(captured) ? captured.v : captured
}

/** The stack of an error is made when it is asked for, which may fail, and says nothing of a result. */
function keysOf(value: object): readonly PropertyKey[] {
  const keys = Reflect.ownKeys(value)
  return value instanceof Error ? keys.filter((key) => key !== 'stack') : keys
}

function isComputed(value: object, key: PropertyKey): boolean {
  const { get, set } = Object.getOwnPropertyDescriptor(value, key) ?? {}
  return get !== undefined || set !== undefined
}

/** Instances of these show all that they are. */
const open = new Set(
  [
    'Object',
    'Array',
    'Map',
    'Set',
    'Date',
    'RegExp',
    'Promise',
    'Function',
    'ArrayBuffer',
    'SharedArrayBuffer',
    'DataView',
  ].concat(
    ['Number', 'String', 'Boolean', 'BigInt', 'Symbol', 'Iterator', 'AsyncIterator', 'DOMException', 'SuppressedError'],
    ['Error', 'EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'URIError', 'AggregateError'],
    ['Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array', 'Uint32Array'],
    ['Float16Array', 'Float32Array', 'Float64Array', 'BigInt64Array', 'BigUint64Array', 'Buffer'],
  ),
)

/** Of another class of the language or of the host, which may keep what it is where nobody can read it. */
function isOfHost(value: object): boolean {
  for (let above = Object.getPrototypeOf(value); above !== null; above = Object.getPrototypeOf(above)) {
    const made: unknown = Object.getOwnPropertyDescriptor(above, 'constructor')?.value
    if (typeof made !== 'function') continue
    const { name } = made
    const isGlobal = [globalThis, Intl].some((all) => Object.getOwnPropertyDescriptor(all, name)?.value === made)
    if (isGlobal && !open.has(name)) return true
  }
  return false
}

function* partsOf(value: object): Generator<unknown> {
  if (value instanceof Map) for (const entry of value) yield* entry
  else if (value instanceof Set) yield* value
  for (const key of keysOf(value)) yield Object.getOwnPropertyDescriptor(value, key)?.value
  for (const box of boxesOf(value)) yield* Object.values(box)
}

function first<Part>(parts: Iterable<Part>, problem: (part: Part) => string | undefined): string | undefined {
  for (const part of parts) {
    const found = problem(part)
    if (found !== undefined) return found
  }
  return undefined
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function named(value: object): string {
  return Array.isArray(value) ? 'an array' : `an object (${Object.prototype.toString.call(value).slice(8, -1)})`
}
