/** Calls of functions that are not the user's: one action, which accesses every shared object the function can reach. */

import type { Place } from '../../core/diagnostic.ts'
import { functionText } from '../../core/function-text.ts'
import { unheeded } from '../../core/unheeded.ts'
import { controlledPromise } from '../../jobs/promise.ts'
import { placeOfSite } from './code.ts'
import { bodyOf, isOurKey } from './functions.ts'
import { forEachReference, type Heap } from './heap.ts'
import { host } from './host.ts'
import { asIterator, isIteratorNext, refuseIterator } from './iterators.ts'
import { isNativeIterator } from './native-iterators.ts'
import { noteIfUnusual } from './object-kinds.ts'
import { NativeOperation } from './operations.ts'
import { Primitive } from './primitive.ts'
import type { AccessOperation } from './process.ts'
import { isPromise } from './promise-parts.ts'
import { refuse } from './search-error.ts'
import { isHeapObject } from './statics.ts'
import { refuseUnseenWrite } from './unseen-writes.ts'

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
): AccessOperation {
  const values = typeof self === 'object' ? [self, ...args] : args
  const run = definers.has(callable)
    ? defining(callable, self, args)
    : () => withoutOurs(callable, asIterator(Reflect.apply(callable as () => unknown, self, [...args])))
  const isReader = readers.has(callable) || (typeof self === 'object' && self === Math)
  const operands = [callable, self, ...args]
  if (isReader) return new NativeOperation(`calls ${name}`, reachableFrom(values, heap), [], run, operands)
  // What is not shared is nobody else's business, but must be as it was after going back.
  const reached = allReachable(values)
  const isVisible = reached.some((object) => heap.isShared(object))
  return new NativeOperation(`calls ${name}`, [], reached, run, operands, isVisible)
}

/** What a native function tells of the keys of an object, without those that only we know. */
function withoutOurs(callable: unknown, told: unknown): unknown {
  if (callable === Reflect.ownKeys || callable === Object.getOwnPropertySymbols)
    return (told as readonly PropertyKey[]).filter((key) => !isOurKey(key))
  if (callable === Object.getOwnPropertyDescriptors)
    for (const key of Object.getOwnPropertySymbols(told)) if (isOurKey(key)) Reflect.deleteProperty(told as object, key)
  return told
}

/** Native functions that make properties which are more than fields. */
const definers = new Set<unknown>([
  Object.assign,
  Object.create,
  Object.defineProperties,
  Object.defineProperty,
  Reflect.defineProperty,
])

/** Those that change an object they are given. */
const setters = new Set<unknown>([
  Object.assign,
  Object.defineProperties,
  Object.defineProperty,
  Reflect.defineProperty,
  Reflect.deleteProperty,
  Reflect.set,
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
  return allReachable(values).filter((object) => heap.isShared(object))
}

function allReachable(values: readonly unknown[]): readonly object[] {
  const seen = new Set<object>()
  const visit = (value: unknown): void => {
    if (!isHeapObject(value) || seen.has(value)) return
    seen.add(value)
    forEachReference(value, visit)
  }
  for (const value of values) visit(value)
  return [...seen]
}

/** Refuses to call what no check controls, or what keeps state that no check sees. */
export function refuseUnseen(callable: unknown, self: unknown, args: readonly unknown[], site: number): void {
  const queue = [callable, self, ...args].map(promiseCallback).find((one) => one !== undefined)
  if (queue !== undefined) refuseCallback(queue, placeOfSite(site))
  const outside = host.outside?.(callable)
  if (outside !== undefined) refuseOutside(outside, site)
  const hidden = [callable, self, ...args].find((one) => hiddenChanges.has(one))
  if (hidden !== undefined) refuseHidden(hidden as () => unknown, site)
  if (definers.has(callable) && typeof args[0] === 'function') refuseHidden(callable as () => unknown, site)
  const [target] = args
  const changes = setters.has(callable) && typeof target === 'object' && target !== null
  if (changes) refuseUnseenWrite(target, args[1] as PropertyKey, undefined)
  // While a check runs, something else stands in its place.
  if (callable === globalThis.structuredClone && args[1] !== undefined) refuseTransfer(site)
  const isBound = callable === Function.prototype.bind && bodyOf(self) === undefined && !isIteratorNext(self)
  if (isBound) refuseBound(self as () => unknown, site)
  const foreign = [callable, self, callable === Reflect.apply ? args[0] : undefined].find(isForeign)
  if ([self, ...args].some(isNativeIterator)) refuseIterator(site)
  const service = host.service?.(callable)
  if (service !== undefined) refuseService(service, site)
  if (foreign !== undefined) refuseForeign(foreign as () => unknown, site)
}

/** What promises of ours have, which is written in JavaScript. */
const ofPromises = new Set<unknown>(
  [controlledPromise, controlledPromise.prototype].flatMap((owner) =>
    Reflect.ownKeys(owner).map((key) => Object.getOwnPropertyDescriptor(owner, key)?.value as unknown),
  ),
)

const foreignFunctions = new WeakMap<object, boolean>()

/** Code that is neither the user's, the language's nor the host's keeps state where no check can see or undo it. */
function isForeign(callable: unknown): boolean {
  if (
    typeof callable !== 'function' ||
    host.knows === undefined ||
    bodyOf(callable) !== undefined ||
    ofPromises.has(callable) ||
    // Async processes have one of their own, which may be loaded later.
    callable === (controlledPromise as { readonly resolve?: unknown }).resolve ||
    isIteratorNext(callable)
  )
    return false
  const known = foreignFunctions.get(callable)
  if (known !== undefined) return known
  const text = functionText(callable)
  const isWritten = !/\{\s*\[native code\]\s*\}$/.test(text) && !/^class\b/.test(text)
  const isUnknown = isWritten && !host.knows(callable)
  foreignFunctions.set(callable, isUnknown)
  return isUnknown
}

/** Functions of the language that change of an object what is neither compared nor taken back; and what to do instead. */
const hiddenChanges: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  ...Object.getOwnPropertyNames(Date.prototype)
    .filter((name) => name.startsWith('set'))
    .map((name) => [Date.prototype[name as 'setTime'], 'make a new Date, or keep the time as a number'] as const),
  ...[Object.freeze, Object.seal, Object.preventExtensions, Reflect.preventExtensions].map(
    (one) => [one, 'leave it out of operations: it changes nothing for who does not write to the object'] as const,
  ),
  ...[Object.setPrototypeOf, Reflect.setPrototypeOf].map((one) => [one, 'make an object of the class'] as const),
  [Object.getOwnPropertyDescriptor(RegExp.prototype, 'compile')?.value, 'make a new expression'],
  [Object.getOwnPropertyDescriptor(globalThis, 'eval')?.value, 'write the code as a function'],
  [Proxy.revocable, 'write the object as a class, with getters and setters'],
])

function refuseHidden(callable: () => unknown, site: number): never {
  refuse({
    code: 'E307',
    message: `${callable.name}(…) cannot be checked: what it changes is neither compared nor taken back`,
    hint: hiddenChanges.get(callable) ?? 'keep in a field of an object what the function is to carry',
    place: placeOfSite(site),
  })
}

/** What the last expression matched, anywhere: `RegExp.$1` and its kind. */
export function refuseLastMatch(key: PropertyKey): void {
  const isOwn = typeof key !== 'string' || ['length', 'name', 'prototype'].includes(key)
  if (isOwn || !Object.hasOwn(RegExp, key)) return
  refuse({
    code: 'E307',
    message: `RegExp.${key} cannot be checked: what an expression matched last is neither compared nor taken back`,
    hint: 'use what exec(…) and match(…) return',
    stack: new Error().stack,
  })
}

function refuseTransfer(site: number): never {
  refuse({
    code: 'E307',
    message: 'structuredClone(…) that transfers cannot be checked: what is given away cannot be taken back',
    hint: 'copy it without options',
    place: placeOfSite(site),
  })
}

function refuseOutside(name: string, site: number): never {
  refuse({
    code: 'E307',
    message: `${name}(…) cannot be checked: it concerns what lies outside of the class`,
    hint: 'pass it in, and give the check a stand-in; standIn(…) of allways/services replaces what is imported',
    place: placeOfSite(site),
  })
}

function refuseForeign({ name }: () => unknown, site: number): never {
  refuse({
    code: 'E307',
    message: `${name || 'a function'}(…), which is code of a package or a CommonJS file, cannot be checked`,
    hint: 'no check sees or undoes what such code keeps: write this part in a module of your own, use locks of allways/sync, pass it in and give the check a fake, or replace the package with standIn(…) of allways/services',
    place: placeOfSite(site),
  })
}

/** A service is a process, and a client of a class is none that could wait for it. */
function refuseService(name: string, site: number): never {
  refuse({
    code: 'E307',
    message: `${name}(…) of allways/services starts a service, which is for processes`,
    hint: `check a program with async processes that call this method and share what await ${name}(…) gives; or give the class a fake, passed in or by standIn(…)`,
    place: placeOfSite(site),
  })
}

/** What a bound function of the language works on is written nowhere. */
function refuseBound({ name }: () => unknown, site: number): never {
  refuse({
    code: 'E307',
    message: `${name || 'a function'}.bind(…) of a function of the language cannot be checked`,
    hint: 'write an arrow function that calls the method',
    place: placeOfSite(site),
  })
}

const promiseCallbacks: ReadonlyMap<unknown, string> = new Map(
  (['then', 'catch', 'finally'] as const).map((name) => [Promise.prototype[name], name]),
)

/** While a check runs, something that inherits from the language's own method stands in its place. */
function promiseCallback(value: unknown): string | undefined {
  if (typeof value !== 'function') return undefined
  return promiseCallbacks.get(value) ?? promiseCallbacks.get(Object.getPrototypeOf(value))
}

/** What a promise would call back later; the front end refuses what it sees, and this what is computed. */
function refuseCallback(name: string, place?: Place): never {
  refuse({
    code: 'E307',
    message: `.${name}(…) cannot be checked`,
    hint: 'write an async function, and await the promise; to wait for other calls, use allways/sync',
    place,
    stack: new Error().stack,
  })
}

/** A promise that something outside of the check settles would never be settled under it. */
/** Stands for a `then` that is computed: asking for it is a call, and there is one only (ECMA-262 §27.2.1.3.2). */
export const computedThen = Symbol('computed then')

/** The `then` of an object, without running any code. */
export function thenOf(value: unknown): unknown {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined
  for (let owner: object | null = value; owner !== null; owner = Object.getPrototypeOf(owner)) {
    const descriptor = Object.getOwnPropertyDescriptor(owner, 'then')
    if (descriptor !== undefined) return 'value' in descriptor ? descriptor.value : computedThen
  }
  return undefined
}

export function refuseUncontrolled(value: unknown, site: number): void {
  if (value instanceof Primitive || isPromise(value)) return
  const then = thenOf(value)
  if (typeof then !== 'function' || bodyOf(then) !== undefined) return
  // No code will await it any more: its rejection must not end the process of the check.
  if (value instanceof Promise) unheeded(value)
  refuse({
    code: 'E303',
    message: 'the method awaits a promise that the check does not control',
    hint: 'await only async methods of your own code, promises it makes, and allways/sync; pass I/O in as an async function and give the check a fake',
    place: placeOfSite(site),
  })
}

/** What stands in for an object must not lack a method: the call would throw, and everything hold of it. */
export function refuseMissing(method: PropertyKey, site: number): never {
  refuse({
    code: 'E307',
    message: `.${String(method)}(…) is no method that a check knows of locks, atomics and promises`,
    hint: 'use the methods that the guide names',
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
