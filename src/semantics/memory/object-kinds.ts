/** How the contents of objects are read, by their classes; and numbers for things that exist once. */
import type { Place } from '../../core/diagnostic.ts'
import { isBuffer } from './buffers.ts'
import { generatorOf } from './generator-objects.ts'
import { isNativeIterator } from './native-iterators.ts'
import { isPromise } from './promise-parts.ts'
import { refuse } from './search-error.ts'
import { Iteration, positionOf } from './views.ts'

/** `fields`: enumerable properties with strings for names are all there is. `properties`: everything has to be looked at. */
type Kind =
  | 'fields'
  | 'properties'
  | 'array'
  | 'map'
  | 'set'
  | 'view'
  | 'buffer'
  | 'iteration'
  | 'iterator'
  | 'date'
  | 'promise'
  | 'generator'
  | 'opaque'

export interface ObjectKind {
  readonly id: number
  kind: Kind
  /** The one met last comes first: most classes have one. */
  readonly layouts: Layout[]
}

/** Names of fields, in order. */
interface Layout {
  readonly id: number
  readonly keys: readonly string[]
}

/** By prototype, for the whole process: keys of states are compared across walks. */
const kinds = new Map<object | null, ObjectKind>()
let layouts = 0

/** The same for all objects of a class: decided by the first one that is seen. */
export function kindOf(object: object): ObjectKind {
  const prototype = Object.getPrototypeOf(object) as object | null
  const known = kinds.get(prototype)
  if (known !== undefined) return known
  const found = { id: kinds.size, kind: firstKind(object), layouts: [] }
  kinds.set(prototype, found)
  return found
}

/** An object with more than fields was met: from now on those of its class are looked at in full. */
export function noteUnusual(object: object): void {
  const known = kindOf(object)
  if (known.kind === 'fields') known.kind = 'properties'
}

export function noteIfUnusual(object: object): void {
  if (kindOf(object).kind === 'fields' && !hasOnlyFields(object)) noteUnusual(object)
}

/** One number for all the names. */
export function layoutOf({ layouts: known }: ObjectKind, keys: readonly string[]): number {
  const [first] = known
  if (first !== undefined && isSame(first.keys, keys)) return first.id
  const at = known.findIndex((layout) => isSame(layout.keys, keys))
  const [layout = { id: layouts++, keys }] = at < 0 ? [] : known.splice(at, 1)
  known.unshift(layout)
  return layout.id
}

function isSame(left: readonly string[], right: readonly string[]): boolean {
  if (left.length !== right.length) return false
  for (let index = 0; index < left.length; index++) if (left[index] !== right[index]) return false
  return true
}

function firstKind(object: object): Kind {
  if (Array.isArray(object)) return 'array'
  if (object instanceof Map) return 'map'
  if (object instanceof Set) return 'set'
  if (object instanceof Iteration) return 'iteration'
  if (positionOf(object) !== undefined) return 'iterator'
  if (isBuffer(object)) return 'buffer'
  if (ArrayBuffer.isView(object)) return 'view'
  if (object instanceof Date) return 'date'
  if (isPromise(object)) return 'promise'
  if (generatorOf(object) !== undefined) return 'generator'
  if (isOpaque(object)) return 'opaque'
  return object instanceof Error || object instanceof RegExp || !hasOnlyFields(object) ? 'properties' : 'fields'
}

function hasOnlyFields(object: object): boolean {
  return Reflect.ownKeys(object).every((key) => {
    const descriptor = Object.getOwnPropertyDescriptor(object, key)
    return typeof key === 'string' && descriptor?.enumerable === true && 'value' in descriptor
  })
}

type HostClass = new () => object

/** Classes of the host whose objects keep what they are where nobody can read or restore it. Not all hosts have all of them. */
const closedNames = [
  ...['URL', 'URLSearchParams', 'EventTarget', 'AbortController', 'Headers', 'FormData', 'Request', 'Response'],
  ...['MessageChannel', 'BroadcastChannel', 'ReadableStream', 'WritableStream', 'TransformStream', 'TextDecoder'],
]

/** As the host declares them before any code under check runs. A host loads some of them when they are read, which takes as long as to load all of ours. */
const closedDeclared = closedNames.map((name) => Object.getOwnPropertyDescriptor(globalThis, name))

let closedRead: readonly HostClass[] | undefined

function closedClasses(): readonly HostClass[] {
  closedRead ??= closedDeclared.flatMap((declared) => {
    const found: unknown = declared?.get === undefined ? declared?.value : declared.get.call(globalThis)
    return typeof found === 'function' ? [found as HostClass] : []
  })
  return closedRead
}

const weakClasses = [WeakMap, WeakSet, WeakRef, FinalizationRegistry]

/** Objects of native classes whose contents cannot be read back. */
function isOpaque(object: object): boolean {
  // What measures time is an event target as well; its clock is the check's.
  const isClosed = closedClasses().some((closed) => object instanceof closed) && object !== globalThis.performance
  if (isClosed) return true
  if (weakClasses.some((weak) => object instanceof weak)) return true
  return object instanceof Promise || isNativeIterator(object)
}

export function refuseOpaque(object: object): never {
  refuse({
    code: 'E305',
    message: `the object holds a ${nameOf(object)}, whose contents cannot be compared`,
    hint:
      object instanceof WeakMap || object instanceof WeakSet
        ? 'use a Map or Set under check'
        : isNativeIterator(object)
          ? 'make the iterator in a method, not in a constructor, or keep a copy: [...map.keys()]'
          : 'keep plain data, Map, Set, and locks and atomics of allways/sync in fields',
  })
}

export function refuseProxy(place?: Place): never {
  refuse({
    code: 'E305',
    message: 'the object holds a Proxy, whose traps no check sees',
    hint: 'write the object as a class, with getters and setters',
    place,
  })
}

/** Iterators have no class of their own, but a tag. */
function nameOf(object: object): string {
  return Object.prototype.toString.call(object).slice('[object '.length, -1)
}

const ids = new Map<unknown, number>()

/** For values that are not objects of the heap: texts, names, numbers, classes, native functions, symbols. */
export function idOf(thing: unknown): number {
  const known = ids.get(thing)
  if (known !== undefined) return known
  ids.set(thing, ids.size)
  return ids.size - 1
}
