/** Calls of functions that are not the user's: one action, which accesses every shared object the function can reach. */
import { placeOfSite } from './code.ts'
import { forEachReference, type Heap, isHeapObject } from './heap.ts'
import { noteIfUnusual } from './object-kinds.ts'
import { NativeOperation } from './operations.ts'
import type { Operation } from './process.ts'
import { refuse } from './search-error.ts'

/** Native functions that change nothing, so that calls of them commute. */
const readers = new Set<unknown>([
  Array.from,
  Array.isArray,
  Array.of,
  Boolean,
  JSON.stringify,
  Number,
  Object.entries,
  Object.fromEntries,
  Object.getPrototypeOf,
  Object.hasOwn,
  Object.is,
  Object.isFrozen,
  Object.keys,
  Object.values,
  String,
  structuredClone,
])

export function nativeOperation(
  callable: unknown,
  self: unknown,
  args: readonly unknown[],
  heap: Heap,
  name: string,
): Operation {
  const reached = reachableFrom(typeof self === 'object' ? [self, ...args] : args, heap)
  const run = definers.has(callable)
    ? defining(callable, self, args)
    : () => Reflect.apply(callable as () => unknown, self, [...args])
  const isReader = readers.has(callable) || (typeof self === 'object' && self === Math)
  return isReader
    ? new NativeOperation(`calls ${name}`, reached, [], run, [callable, self, ...args])
    : new NativeOperation(`calls ${name}`, [], reached, run, [callable, self, ...args])
}

/** Native functions that make properties which are more than fields. */
const definers = new Set<unknown>([
  Object.assign,
  Object.create,
  Object.defineProperties,
  Object.defineProperty,
  Reflect.defineProperty,
])

function defining(callable: unknown, self: unknown, args: readonly unknown[]): () => unknown {
  return () => {
    const result: unknown = Reflect.apply(callable as () => unknown, self, [...args])
    for (const object of [args[0], result]) if (isHeapObject(object)) noteIfUnusual(object)
    return result
  }
}

/** Shared objects that can be reached from the values, themselves included. */
export function reachableFrom(values: readonly unknown[], heap: Heap): readonly object[] {
  const found = new Set<object>()
  const seen = new Set<object>()
  const visit = (value: unknown): void => {
    if (!isHeapObject(value) || seen.has(value)) return
    seen.add(value)
    if (heap.isShared(value)) found.add(value)
    forEachReference(value, visit)
  }
  for (const value of values) visit(value)
  return [...found]
}

/** A promise that something outside of the check settles would never be settled under it. */
export function refuseUncontrolled(value: unknown, site: number): void {
  const then = typeof value === 'object' && value !== null ? (value as { readonly then?: unknown }).then : undefined
  if (typeof then !== 'function') return
  // No code will await it any more: its rejection must not end the process of the check.
  if (value instanceof Promise) value.catch(() => {})
  refuse({
    code: 'E303',
    message: 'the method awaits a promise that the check does not control',
    hint: 'await only async methods of your own code, promises it makes, and allways/sync; pass I/O in as an async function and give the check a fake',
    place: placeOfSite(site),
  })
}

export function refuseNotAwaited(method: PropertyKey, site: number): never {
  refuse({
    code: 'E211',
    message: `${String(method)}() is not awaited`,
    hint: `write await ….${String(method)}()`,
    place: placeOfSite(site),
  })
}
