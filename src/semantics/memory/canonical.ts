/**
 * Canonical states: objects are numbered in the order a fixed traversal meets them (the instance, variables of modules, then the
 * frames of each process), so that two states that differ in nothing but the identity of objects have the same key.
 *
 * A key is a sequence of units, one for most values. Texts made by joining pieces took half of the time of a search: building
 * them, and making them flat to look them up.
 */
import { boxesOf } from './boxes.ts'
import { closureOf } from './functions.ts'
import { type GeneratorState, generatorOf, partsOfGenerator } from './generator-objects.ts'
import { idOf, kindOf, layoutOf, type ObjectKind, refuseOpaque } from './object-kinds.ts'
import { partsOfPromise } from './promise-parts.ts'
import { isHeapObject, staticKeys } from './statics.ts'
import { Units } from './units.ts'
import { type CollectionPosition, positionOf } from './views.ts'

/** Number 0 is the time line of calls and returns; objects begin at 1. */
export const timeLine = 0

/** What a unit speaks of. */
const reference = 0
const value = 1
const word = 2
const structure = 3

const end = 0
const hole = 0
const closureStructure = 1
const classStructure = 2
const otherStructures = 3

/** Only one state is written at a time. */
const units = new Units()

/** Integers below need no id. */
const plainIntegers = 4096
const negativeZero = Symbol('-0')

type Fields = { readonly [key: PropertyKey]: unknown }

export class Canonical {
  /** In the order of meeting, which is the order of the map. */
  readonly numbers = new Map<object, number>()
  /** Objects met; the contents of the first `#done` have been written. */
  readonly #queue: object[] = []
  /** Buffers that have been met through views only. */
  readonly #seenThrough = new Set<object>()
  #done = 0

  constructor() {
    units.clear()
  }

  /** The key of everything added so far. */
  key(): string {
    return units.text()
  }

  /** Begins a part of its own. */
  part(number: number): void {
    units.put(structure, end)
    units.put(word, number)
  }

  /** A number of ours, not a value of the user's: a count, or a position, which may be negative. */
  count(number: number): void {
    units.put(word, number < 0 ? -2 * number - 1 : 2 * number)
  }

  /** Adds a value and everything that can be reached from it. */
  add(added: unknown): void {
    this.#value(added)
    while (this.#done < this.#queue.length) this.#object(this.#queue[this.#done++] as object)
  }

  #value(added: unknown): void {
    if (typeof added === 'number') this.#numeric(added)
    else if ((typeof added === 'object' && added !== null) || typeof added === 'function') this.#reference(added)
    else units.put(value, 2 * idOf(added) + 1)
  }

  #numeric(added: number): void {
    const isNegativeZero = added === 0 && 1 / added < 0
    if (added >= 0 && added < plainIntegers && Number.isInteger(added) && !isNegativeZero) units.put(value, 2 * added)
    else units.put(value, 2 * idOf(isNegativeZero ? negativeZero : added) + 1)
  }

  #reference(object: object): void {
    const known = this.numbers.get(object)
    if (known !== undefined) {
      units.put(reference, known)
      if (this.#seenThrough.delete(object)) this.#queue.push(object)
      return
    }
    if (!isHeapObject(object)) return units.put(value, 2 * idOf(object) + 1)
    units.put(reference, this.#number(object))
    this.#queue.push(object)
  }

  #number(object: object): number {
    const number = this.numbers.size + 1
    this.numbers.set(object, number)
    return number
  }

  /**
   * Views of one buffer share it. What they show is written with each of them, and all of the buffer only if it is reached by
   * itself: the rest may be anything, as with a `Buffer` of Node, which is a part of a large one that others use too.
   */
  #view(view: ArrayBufferView): void {
    const { buffer, byteOffset, byteLength } = view
    const known = this.numbers.get(buffer)
    units.put(reference, known ?? this.#number(buffer))
    if (known === undefined) this.#seenThrough.add(buffer)
    this.count(byteOffset)
    if (view instanceof DataView) this.#bytes(new Uint8Array(buffer, byteOffset, byteLength))
    else for (const element of view as Uint8Array) this.#value(element)
  }

  #bytes(bytes: Uint8Array): void {
    for (const byte of bytes) units.put(value, 2 * byte)
  }

  #object(object: object): void {
    if (typeof object === 'function') return this.#function(object)
    const kind = kindOf(object)
    units.put(structure, otherStructures + kind.id)
    switch (kind.kind) {
      case 'fields':
        this.#fields(object, kind)
        break
      case 'array':
        this.#array(object as readonly unknown[])
        break
      case 'map':
        this.#map(object as ReadonlyMap<unknown, unknown>)
        break
      case 'set':
        for (const element of object as ReadonlySet<unknown>) this.#value(element)
        break
      case 'view':
        this.#view(object as ArrayBufferView)
        break
      case 'buffer':
        this.#bytes(new Uint8Array(object as ArrayBufferLike))
        break
      case 'iteration':
        this.#position(object as CollectionPosition)
        break
      case 'iterator':
        this.#position(positionOf(object) as CollectionPosition)
        this.#properties(object)
        break
      case 'date':
        this.#value((object as Date).getTime())
        break
      case 'properties':
        this.#properties(object)
        break
      case 'promise':
        for (const part of partsOfPromise(object as never)) this.#value(part)
        this.#properties(object)
        break
      case 'generator':
        for (const part of partsOfGenerator(generatorOf(object) as GeneratorState)) this.#value(part)
        this.#properties(object)
        break
      case 'opaque':
        refuseOpaque(object)
    }
    for (const box of boxesOf(object)) this.#value(box)
    units.put(structure, end)
  }

  #fields(object: object, kind: ObjectKind): void {
    const keys = Object.keys(object)
    units.put(word, layoutOf(kind, keys))
    for (let index = 0; index < keys.length; index++) this.#value((object as Fields)[keys[index] as string])
  }

  /** Everything an object has, except what is computed: getters are not to be run. */
  #properties(object: object): void {
    for (const key of Reflect.ownKeys(object)) {
      const descriptor = Object.getOwnPropertyDescriptor(object, key)
      if (descriptor === undefined || !('value' in descriptor) || (object instanceof Error && key === 'stack')) continue
      units.put(word, 1 + idOf(key))
      this.#value(descriptor.value)
    }
    if (object instanceof RegExp) this.#value(String(object))
  }

  #array(array: readonly unknown[]): void {
    for (let index = 0; index < array.length; index++) {
      const element = array[index]
      if (element === undefined && !Object.hasOwn(array, index)) units.put(word, hole)
      else this.#value(element)
    }
  }

  #map(map: ReadonlyMap<unknown, unknown>): void {
    for (const [key, entry] of map) {
      this.#value(key)
      this.#value(entry)
    }
  }

  #position({ target, part, copied, current, isEnded }: CollectionPosition): void {
    this.#value(isEnded)
    if (isEnded) return
    this.#value(part)
    this.count(current)
    this.#value(target)
    for (const each of copied) this.#value(each)
  }

  #function(callable: object): void {
    const closure = closureOf(callable)
    units.put(structure, closure === undefined ? classStructure : closureStructure)
    if (closure === undefined) units.put(word, idOf(callable))
    else this.count(closure.site)
    for (const each of closure?.captured ?? []) this.#value(each)
    for (const key of staticKeys(callable)) {
      units.put(word, 1 + idOf(key))
      this.#value((callable as unknown as Fields)[key])
    }
    for (const box of boxesOf(callable)) this.#value(box)
    units.put(structure, end)
  }
}
