/** Results that their texts do not tell apart: two calls that returned something else would count as alike. */
import { DiagnosticError } from '../../core/diagnostic.ts'
import { boxesOf } from './boxes.ts'
import { bodyOf, closureOf } from './functions.ts'
import { generatorOf } from './generator-objects.ts'
import { isIntrinsic } from './intrinsics.ts'
import { isVariable } from './made.ts'
import { kindOf } from './object-kinds.ts'
import { isPromise } from './promise-parts.ts'

/** `self` is the object that is checked, which is the same one in all that is compared. */
export function refuseIncomparable(operation: string, result: unknown, self: object): void {
  // What an operation itself returns as a promise is awaited.
  const found = isObject(result) && isPromise(result) ? undefined : incomparable(result, new Set([self]))
  if (found === undefined) return
  throw new DiagnosticError({
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
  if (kindOf(value).kind === 'opaque') return `${named(value)}, which does not show what it is`
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

function* partsOf(value: object): Generator<unknown> {
  if (value instanceof Map) for (const entry of value) yield* entry
  else if (value instanceof Set) yield* value
  for (const key of Reflect.ownKeys(value)) yield Object.getOwnPropertyDescriptor(value, key)?.value
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
