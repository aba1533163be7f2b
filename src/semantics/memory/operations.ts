/** Accesses of fields and elements, as operations that a process stands before. */
import { accessModes, wholeObject } from '../../program/stateful.ts'
import { shownName } from './code.ts'
import { watchDeletions } from './deletions.ts'
import { type Heap, orderPart, partOf } from './heap.ts'
import { Primitive } from './primitive.ts'
import type { AccessOperation, ObjectProcess } from './process.ts'

type Fields = { readonly [key: PropertyKey]: unknown }

export class ReadField implements AccessOperation {
  readonly visible: boolean
  readonly waits = false
  readonly #object: object
  readonly #key: PropertyKey

  constructor(heap: Heap | undefined, object: object, key: PropertyKey) {
    this.#object = object
    this.#key = key
    this.visible = isMutable(heap, object, key)
  }

  isEnabled(): boolean {
    return true
  }

  touch(heap: Heap): void {
    if (!this.visible) return
    const part = specialPart(this.#object, this.#key)
    if (part === undefined) heap.touchKey(this.#object, this.#key, accessModes.read)
    else heap.touch(this.#object, part, accessModes.read)
  }

  perform(): unknown {
    return (this.#object as Fields)[this.#key]
  }

  get operands(): readonly unknown[] {
    return ['read', this.#object, this.#key]
  }

  get text(): string {
    return `reads ${placeName(this.#object, this.#key)}`
  }
}

/** Where an array has no element. */
export const absent = Symbol('nothing')

/** What native methods that pass over missing elements read. */
export class ReadElement extends ReadField {
  readonly #array: readonly unknown[]
  readonly #index: number

  constructor(array: readonly unknown[], index: number) {
    super(undefined, array, index)
    this.#array = array
    this.#index = index
  }

  override perform(): unknown {
    return this.#index in this.#array ? this.#array[this.#index] : absent
  }
}

export class WriteField implements AccessOperation {
  readonly visible = true
  readonly waits = false
  readonly #object: object
  readonly #key: PropertyKey
  readonly #value: unknown

  constructor(object: object, key: PropertyKey, value: unknown) {
    this.#object = object
    this.#key = key
    this.#value = value
  }

  isEnabled(): boolean {
    return true
  }

  touch(heap: Heap): void {
    if (this.#cutsArray) return heap.touchWhole(this.#object, accessModes.write)
    heap.touchKey(this.#object, this.#key, accessModes.write)
    if (!Object.hasOwn(this.#object, this.#key)) heap.touch(this.#object, orderPart, accessModes.write)
  }

  perform(heap: Heap): unknown {
    if (this.#cutsArray) {
      heap.save(this.#object)
      Reflect.set(this.#object, 'length', this.#value)
    } else heap.write(this.#object, this.#key, this.#value)
    return this.#value
  }

  /** Setting the length of an array takes elements away. */
  get #cutsArray(): boolean {
    return this.#key === 'length' && Array.isArray(this.#object)
  }

  get operands(): readonly unknown[] {
    return ['write', this.#object, this.#key, this.#value]
  }

  get text(): string {
    return `writes ${placeName(this.#object, this.#key)}`
  }
}

export class HasField implements AccessOperation {
  readonly visible = true
  readonly waits = false
  readonly #object: object
  readonly #key: PropertyKey

  constructor(object: object, key: PropertyKey) {
    this.#object = object
    this.#key = key
  }

  isEnabled(): boolean {
    return true
  }

  touch(heap: Heap): void {
    heap.touchKey(this.#object, this.#key, accessModes.read)
  }

  perform(): unknown {
    return this.#key in this.#object
  }

  get operands(): readonly unknown[] {
    return ['has', this.#object, this.#key]
  }

  get text(): string {
    return `looks for ${placeName(this.#object, this.#key)}`
  }
}

export class DeleteField implements AccessOperation {
  readonly visible = true
  readonly waits = false
  readonly #object: object
  readonly #key: PropertyKey

  constructor(object: object, key: PropertyKey) {
    this.#object = object
    this.#key = key
  }

  isEnabled(): boolean {
    return true
  }

  touch(heap: Heap): void {
    heap.touch(this.#object, partOf(this.#key), accessModes.write)
    heap.touch(this.#object, orderPart, accessModes.write)
  }

  perform(heap: Heap): unknown {
    return heap.remove(this.#object, this.#key)
  }

  get operands(): readonly unknown[] {
    return ['delete', this.#object, this.#key]
  }

  get text(): string {
    return `deletes ${placeName(this.#object, this.#key)}`
  }
}

/** A call of native code that reads or changes objects as a whole, all in one step. */
export class NativeOperation implements AccessOperation {
  readonly waits = false
  readonly visible: boolean
  readonly text: string
  /** Objects it may read, and objects it may change: saved as a whole before it runs. */
  readonly #reads: readonly object[]
  readonly #writes: readonly object[]
  readonly operands: readonly unknown[]
  readonly #run: () => unknown

  constructor(
    text: string,
    reads: readonly object[],
    writes: readonly object[],
    run: () => unknown,
    operands: readonly unknown[] = [],
    isVisible = reads.length + writes.length > 0,
  ) {
    this.text = text
    this.operands = [text, ...reads, ...writes, ...operands]
    this.visible = isVisible
    this.#reads = reads
    this.#writes = writes
    this.#run = run
  }

  isEnabled(): boolean {
    return true
  }

  touch(heap: Heap): void {
    for (const object of this.#reads) heap.touchWhole(object, accessModes.read)
    for (const object of this.#writes) heap.touchWhole(object, accessModes.write)
  }

  perform(heap: Heap): unknown {
    for (const object of this.#writes) heap.save(object)
    const watched = this.#writes.map((object) => watchDeletions(heap, object))
    const result = this.#run()
    for (const note of watched) note()
    for (const object of this.#writes) {
      if (heap.isShared(object)) heap.publishContents(object)
    }
    return result
  }
}

/** An operation given by functions: what containers, locks and promises do. */
export interface Act {
  readonly text: string
  readonly operands: readonly unknown[]
  readonly visible?: boolean
  readonly waits?: boolean
  readonly isEnabled?: (process: ObjectProcess) => boolean
  readonly isOver?: () => boolean
  readonly isTimer?: boolean
  readonly touch: (heap: Heap, process: ObjectProcess) => void
  readonly perform: (heap: Heap, process: ObjectProcess) => unknown
}

export class ActOperation implements AccessOperation {
  readonly #act: Act

  constructor(act: Act) {
    this.#act = act
  }

  get visible(): boolean {
    return this.#act.visible ?? true
  }

  get waits(): boolean {
    return this.#act.waits ?? false
  }

  get text(): string {
    return this.#act.text
  }

  get operands(): readonly unknown[] {
    return [this.#act.text, ...this.#act.operands]
  }

  isEnabled(process: ObjectProcess): boolean {
    return this.#act.isEnabled?.(process) ?? true
  }

  get isTimer(): boolean {
    return this.#act.isTimer ?? false
  }

  get isOver(): boolean {
    return this.#act.isOver?.() ?? false
  }

  touch(heap: Heap, process: ObjectProcess): void {
    this.#act.touch(heap, process)
  }

  perform(heap: Heap, process: ObjectProcess): unknown {
    return this.#act.perform(heap, process)
  }
}

/** As in 'items[1]' or 'head': what people call the place. */
function placeName(object: object, key: PropertyKey): string {
  const name = shownName(key)
  if (Array.isArray(object) || ArrayBuffer.isView(object)) return name === 'length' ? 'length' : `[${name}]`
  return name
}

function isMutable(heap: Heap | undefined, object: object, key: PropertyKey): boolean {
  // The sides of a read-write lock, which are no fields of it, are the same from beginning to end.
  if (object instanceof Primitive) return Object.hasOwn(object, key) || !((object as Fields)[key] instanceof Primitive)
  if (Array.isArray(object) || ArrayBuffer.isView(object) || object instanceof Map || object instanceof Set) return true
  return heap?.isAssigned(key) ?? true
}

/** What a read touches if it is not a field or an element. */
function specialPart(object: object, key: PropertyKey): number | undefined {
  if (object instanceof Primitive) return wholeObject
  const isOrder = (key === 'length' && Array.isArray(object)) || (key === 'size' && !Object.hasOwn(object, key))
  return isOrder ? orderPart : undefined
}
