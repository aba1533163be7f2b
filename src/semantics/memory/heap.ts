/**
 * The heap under check: the user's own objects, of which it is known which ones several processes can reach, with an undo log
 * so that a walk can go back. Every write to an object that existed before goes through here.
 */
import { type AccessMode, accessModes, wholeObject } from '../../program/stateful.ts'
import { boxesOf } from './boxes.ts'
import { type ByteRange, bufferRestorer, bytesOfElement, bytesRestorer, isBuffer } from './buffers.ts'
import { isIndex } from './code.ts'
import { closureOf } from './functions.ts'
import { generatorOf, reachedByGenerator } from './generator-objects.ts'
import { host } from './host.ts'
import { noteUnusual, refuseProxy } from './object-kinds.ts'
import { isPromise, partsOfPromise } from './promise-parts.ts'
import { AssignedAfterAllError } from './search-error.ts'
import { isHeapObject, noteStatics, staticKeys } from './statics.ts'
import type { Timeout } from './timers.ts'
import { refuseUnseenWrite, refuseWrite } from './unseen-writes.ts'
import { positionOf } from './views.ts'

/** A concrete access of an action. */
export interface Touch {
  readonly object: object
  readonly part: number
  readonly mode: AccessMode
  readonly isLock: boolean
  readonly position: Position
  /** What people call it, if it is a byte of a buffer: an element of a view. Nothing to say for all bytes but the first. */
  readonly shown?: { readonly object: object; readonly key: PropertyKey } | 'with the one before'
}

interface ByteAccess {
  readonly mode: AccessMode
  /** What people call the bytes. */
  readonly key: PropertyKey
  readonly isLock: boolean
}

/** Where in the code something happens. */
export interface Position {
  readonly site: number
  readonly callers: Callers | undefined
}

/** Innermost first. */
export interface Callers {
  readonly site: number
  readonly parent: Callers | undefined
}

export interface HostState {
  /** What timers that fired have made it, in milliseconds. */
  readonly now: number
  /** Timers, in the order of arming. */
  readonly armed: readonly Timeout[]
  /** Rejected promises that nobody has handled so far, and where they were rejected. */
  readonly rejected: readonly { readonly promise: object; readonly site: number }[]
  /** What callbacks threw whose results nobody sees, in words. */
  readonly thrown: readonly { readonly words: string; readonly site: number }[]
}

export class Heap {
  /** Objects that more than one process can reach. */
  readonly #shared = new Set<object>()
  /** In the order of changes. Invariant: undoing from the end restores objects, `#shared` and all that `onRollBack` was given. */
  readonly #undo: (() => void)[] = []
  /** What the step under way has accessed. */
  touched: Touch[] = []
  /** What the host keeps for code that goes on by itself. */
  readonly host: HostState = { now: 0, armed: [], rejected: [], thrown: [] }
  #position: Position = { site: -1, callers: undefined }
  /** Of the modules, not of this heap: a name that was added stays for the search that begins anew. */
  readonly #assigned: Set<string>

  /** Names of fields that are assigned after construction; the others can be read unnoticed. */
  constructor(assigned: Set<string>) {
    this.#assigned = assigned
    this.publish(this.host)
  }

  isAssigned(name: PropertyKey): boolean {
    return typeof name !== 'string' || this.#assigned.has(name) || isIndex(name)
  }

  /** A process that has the buffer can reach the memory of a view. */
  isShared(object: object): boolean {
    return this.#shared.has(object) || (ArrayBuffer.isView(object) && this.#shared.has(object.buffer))
  }

  /** How many entries the undo log has; `rollBack` to it later. */
  get mark(): number {
    return this.#undo.length
  }

  rollBack(mark: number): void {
    while (this.#undo.length > mark) (this.#undo.pop() as () => void)()
  }

  onRollBack(undo: () => void): void {
    this.#undo.push(undo)
  }

  /** Says where the accesses that follow stand. */
  at(site: number, callers: Callers | undefined): void {
    this.#position = { site, callers }
  }

  get position(): Position {
    return this.#position
  }

  touch(object: object, part: number, mode: AccessMode, isLock = false): void {
    if (this.#shared.has(object)) this.touched.push({ object, part, mode, isLock, position: this.#position })
  }

  /** A field, or an element: that of a view is some bytes of its buffer. */
  touchKey(object: object, key: PropertyKey, mode: AccessMode, isLock = false): void {
    if (!ArrayBuffer.isView(object)) return this.touch(object, partOf(key), mode, isLock)
    const bytes = bytesOfElement(object, key)
    if (bytes !== undefined) return this.touchBytes(object, bytes, { mode, key, isLock })
    this.touch(object, partOf(key), mode, isLock)
    // Which elements there are is the size of the buffer to tell.
    this.touch(object.buffer, orderPart, accessModes.read)
  }

  touchBytes(view: ArrayBufferView, { from, size }: ByteRange, { mode, key, isLock }: ByteAccess): void {
    const object = view.buffer
    if (!this.#shared.has(object)) return
    for (let byte = from; byte < from + size; byte++) {
      const shown = byte === from ? { object: view, key } : 'with the one before'
      this.touched.push({ object, part: bytePart(byte), mode, isLock, position: this.#position, shown })
    }
  }

  touchWhole(object: object, mode: AccessMode): void {
    this.touch(ArrayBuffer.isView(object) ? object.buffer : object, wholeObject, mode)
  }

  /** Everything that can be reached from a value can now be reached by all. */
  publish(value: unknown): void {
    if (!isHeapObject(value) || this.#shared.has(value)) return
    if (host.isProxy?.(value) === true) refuseProxy()
    this.#shared.add(value)
    this.#undo.push(() => this.#shared.delete(value))
    if (ArrayBuffer.isView(value)) this.publish(value.buffer)
    forEachReference(value, (reference) => this.publish(reference))
  }

  /** What native code put into a shared object is shared too. */
  publishContents(object: object): void {
    forEachReference(object, (reference) => this.publish(reference))
  }

  /** A write of user code; a field that was taken for one that never changes must not. */
  write(object: object, key: PropertyKey, value: unknown): void {
    if (this.#shared.has(object) && Object.hasOwn(object, key)) this.#noteAssigned(key)
    this.change(object, key, value)
  }

  change(object: object, key: PropertyKey, value: unknown): void {
    if (this.#shared.has(object)) this.publish(value)
    const bytes = ArrayBuffer.isView(object) ? bytesOfElement(object, key) : undefined
    if (bytes !== undefined) {
      this.#undo.push(bytesRestorer((object as ArrayBufferView).buffer, bytes))
      Reflect.set(object, key, value)
      return
    }
    refuseUnseenWrite(object, key, value)
    const fields = object as { [key: PropertyKey]: unknown }
    const isOwn = Object.hasOwn(object, key)
    const before = isOwn ? fields[key] : undefined
    const length = Array.isArray(object) ? object.length : 0
    fields[key] = value
    if (typeof key === 'symbol') noteUnusual(object)
    noteStatics(object)
    this.#undo.push(() => {
      noteStatics(object)
      if (isOwn) Reflect.set(object, key, before)
      else {
        Reflect.deleteProperty(object, key)
        if (Array.isArray(object)) object.length = length
      }
    })
  }

  remove(object: object, key: PropertyKey): boolean {
    const kept = { ...Object.getOwnPropertyDescriptors(object) } as { [key: PropertyKey]: PropertyDescriptor }
    if (!Object.hasOwn(kept, key)) return Reflect.deleteProperty(object, key)
    refuseUnseenWrite(object, key, undefined)
    if (!Object.isExtensible(object) && kept[key]?.configurable === true) refuseWrite(object, key)
    if (this.#shared.has(object)) this.#noteAssigned(key)
    const removed = Reflect.deleteProperty(object, key)
    noteStatics(object)
    this.#undo.push(() => {
      noteStatics(object)
      restoreProperties(object, kept)
    })
    return removed
  }

  /** A field that no source line assigns is assigned after all: what was explored so far took it for one that is not. */
  #noteAssigned(key: PropertyKey): void {
    if (this.isAssigned(key)) return
    this.#assigned.add(String(key))
    throw new AssignedAfterAllError(String(key))
  }

  /** Saves the contents before native code may change them. */
  save(object: object): void {
    const restore = contentsOf(object)
    if (restore !== undefined) this.#undo.push(restore)
  }
}

export function forEachReference(object: object, visit: (value: unknown) => void): void {
  for (const box of boxesOf(object)) visit(box)
  if (typeof object === 'function') {
    for (const value of closureOf(object)?.captured ?? []) visit(value)
    for (const key of staticKeys(object)) visit((object as unknown as { [key: PropertyKey]: unknown })[key])
    return
  }
  const generator = generatorOf(object)
  if (generator !== undefined) for (const value of reachedByGenerator(generator)) visit(value)
  if (isPromise(object)) for (const value of partsOfPromise(object)) visit(value)
  if (object instanceof Map) {
    for (const [key, value] of object) {
      visit(key)
      visit(value)
    }
  } else if (object instanceof Set) {
    for (const value of object) visit(value)
  } else if (ArrayBuffer.isView(object)) return
  const position = positionOf(object)
  if (position !== undefined) for (const value of [position.target, ...position.copied]) visit(value)
  for (const key of Reflect.ownKeys(object)) {
    const descriptor = Object.getOwnPropertyDescriptor(object, key)
    if (descriptor === undefined) continue
    if (typeof key === 'symbol' || descriptor.enumerable !== true || !('value' in descriptor)) noteUnusual(object)
    if ('value' in descriptor) visit(descriptor.value)
  }
}

/** Every element stays; only values change. */
function fixedContents(object: object): (() => void) | undefined {
  const kept = Object.entries(Object.getOwnPropertyDescriptors(object)).filter(([, { writable }]) => writable === true)
  return () => {
    for (const [key, { value }] of kept) Reflect.set(object, key, value)
  }
}

function contentsOf(object: object): (() => void) | undefined {
  if (object instanceof Map) {
    const entries = [...object]
    return () => {
      object.clear()
      for (const [key, value] of entries) object.set(key, value)
    }
  }
  if (object instanceof Set) {
    const values = [...object]
    return () => {
      object.clear()
      for (const value of values) object.add(value)
    }
  }
  if (ArrayBuffer.isView(object)) {
    return bytesRestorer(object.buffer, { from: object.byteOffset, size: object.byteLength })
  }
  if (isBuffer(object)) return bufferRestorer(object)
  if (!Object.isExtensible(object)) return fixedContents(object)
  if (Array.isArray(object)) {
    const values = object.slice()
    return () => {
      object.length = 0
      object.length = values.length
      // Skips holes, which stay holes.
      values.forEach((value, index) => {
        object[index] = value
      })
    }
  }
  if (typeof object === 'function') return undefined
  const kept = Object.getOwnPropertyDescriptors(object)
  return () => restoreProperties(object, kept)
}

function restoreProperties(object: object, kept: { readonly [key: PropertyKey]: PropertyDescriptor }): void {
  if (!Object.isExtensible(object) || typeof object === 'function') return redefine(object, kept)
  for (const key of Reflect.ownKeys(object)) Reflect.deleteProperty(object, key)
  for (const key of Reflect.ownKeys(kept)) Object.defineProperty(object, key, kept[key] as PropertyDescriptor)
}

/** Of what cannot be emptied: nothing was added. */
function redefine(object: object, kept: { readonly [key: PropertyKey]: PropertyDescriptor }): void {
  for (const key of Reflect.ownKeys(kept)) {
    const { configurable, writable } = kept[key] as PropertyDescriptor
    if (configurable === true || writable === true) Object.defineProperty(object, key, kept[key] as PropertyDescriptor)
  }
}

/** By key, for all walks together. Only ever grows. */
const parts = new Map<unknown, number>()

/** A number for a field, element or entry; the same for equal keys, on every path. */
export function partOf(key: unknown): number {
  const text = typeof key === 'number' ? String(key) : key
  const known = parts.get(text)
  if (known !== undefined) return known
  const part = parts.size
  parts.set(text, part)
  return part
}

/** The field, element or entry that a part is, for people. */
export function partName(part: number): string {
  for (const [key, number] of parts) if (number === part) return String(key).replace(/^entry \w+ /, '')
  return ''
}

/** Entries of a Map or Set; keys that are objects have no name that is the same on every path. */
export function entryPart(key: unknown): number {
  return (typeof key === 'object' && key !== null) || typeof key === 'function'
    ? wholeObject
    : partOf(`entry ${typeof key} ${String(key)}`)
}

const byteParts: number[] = []

function bytePart(byte: number): number {
  byteParts[byte] ??= partOf(`byte ${byte}`)
  return byteParts[byte]
}

/** The order and number of entries, elements or keys. */
export const orderPart = partOf('(order)')
