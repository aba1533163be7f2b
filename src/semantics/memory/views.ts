/** Positions in collections, as objects that can be seen, compared and taken back: those of native iterators cannot. */
import { deletionsOf, isKeyed, type Keyed, movedPosition } from './deletions.ts'
import type { Heap } from './heap.ts'

export type Part = 'values' | 'keys' | 'entries'

export class CollectionPosition {
  readonly target: object | undefined
  readonly part: Part
  /** Elements that were copied in the beginning, where the collection is none that processes share. */
  readonly copied: readonly unknown[]
  index = 0
  value: unknown = undefined
  /** Once the end was met, what is added later is not. */
  isEnded = false
  #deletions: number

  constructor(target: object | undefined, part: Part, copied: readonly unknown[] = []) {
    this.target = target
    this.part = part
    this.copied = copied
    this.#deletions = target === undefined ? 0 : deletionsOf(target)
  }

  /** How many elements lie before it. */
  get current(): number {
    const { target, index } = this
    return isKeyed(target) ? movedPosition(target, index, this.#deletions) : index
  }

  /** True if there is another element, which is then the value. */
  advance(heap: Heap | undefined): boolean {
    if (this.isEnded) return false
    const { index, value } = this
    const deletions = this.#deletions
    const more = this.move(heap)
    this.isEnded = !more
    heap?.onRollBack(() => {
      this.index = index
      this.value = value
      this.isEnded = false
      this.#deletions = deletions
    })
    return more
  }

  /** What is left, without moving. */
  remaining(): readonly unknown[] {
    const { target, isEnded, current } = this
    if (isEnded) return []
    if (target === undefined) return this.copied.slice(current)
    return [...(target as Map<unknown, unknown>)[this.part]()].slice(current)
  }

  protected move(_heap: Heap | undefined): boolean {
    const { target, current } = this
    this.index = current + 1
    if (target === undefined) return this.#give(this.copied, current, 'values')
    if (isKeyed(target)) return this.#fromKeys(target, current)
    return this.#give(target as readonly unknown[], current, this.part)
  }

  #give(array: readonly unknown[], at: number, part: Part): boolean {
    const isThere = at < array.length
    this.value = !isThere ? undefined : part === 'values' ? array[at] : part === 'keys' ? at : [at, array[at]]
    return isThere
  }

  #fromKeys(target: Keyed, current: number): boolean {
    this.#deletions = deletionsOf(target)
    const isThere = current < target.size
    this.value = isThere ? nth(target[this.part](), current) : undefined
    return isThere
  }
}

function nth(values: Iterable<unknown>, index: number): unknown {
  let at = 0
  for (const value of values) if (at++ === index) return value
  return undefined
}

/** The position of a loop: a local object of ours. */
export class Iteration extends CollectionPosition {
  /** Everything delivered so far, and how far a re-execution has got in it; no part of the state. */
  readonly delivered: unknown[] = []
  replayed = 0

  override advance(heap: Heap | undefined): boolean {
    const more = super.advance(heap)
    if (!more) return false
    this.delivered.push(this.value)
    heap?.onRollBack(() => this.delivered.pop())
    return true
  }

  /** A loop over an iterator moves the iterator, which others may move too. */
  protected override move(heap: Heap | undefined): boolean {
    const { target } = this
    const inner = target === undefined ? undefined : positionOf(target)
    if (inner === undefined) return super.move(heap)
    const more = inner.advance(heap)
    this.value = more ? inner.value : undefined
    return more
  }
}

/** An iterator that the user wrote, on the way through a loop (Iterator Record, ECMA-262 §7.4.1): what it does is user code. */
export class HandWritten {
  readonly iterator: object
  readonly next: unknown
  /** Read as soon as it is there, so it is no part of the state. */
  #value: unknown = undefined

  constructor(iterator: object, next: unknown) {
    this.iterator = iterator
    this.next = next
  }

  get value(): unknown {
    return this.#value
  }

  /** Answers whether there is a value. */
  give(isDone: boolean, value: unknown): boolean {
    this.#value = value
    return !isDone
  }
}

/** The way through a loop that awaits each step. Of a sync iterator, `iterator` is the way through that. */
export class AwaitedIteration extends HandWritten {
  readonly isOfSync: boolean

  constructor(iterator: object, next: unknown, isOfSync: boolean) {
    super(iterator, next)
    this.isOfSync = isOfSync
  }
}

/** The position of a loop over keys: those there were in the beginning, except those that are gone when their turn comes. */
export class KeyIteration extends Iteration {
  readonly object: object

  constructor(object: object) {
    super(undefined, 'values', keysOf(object))
    this.object = object
  }

  /** The keys that moving on looks for. */
  get looked(): readonly string[] {
    const { copied, index, isEnded } = this
    if (isEnded) return []
    const left = copied.slice(index) as readonly string[]
    const found = left.findIndex((key) => key in this.object)
    return found < 0 ? left : left.slice(0, found + 1)
  }

  protected override move(heap: Heap | undefined): boolean {
    const { copied } = this
    while (this.index < copied.length && !((copied[this.index] as string) in this.object)) this.index++
    return super.move(heap)
  }
}

function keysOf(object: object): readonly string[] {
  const keys: string[] = []
  for (const key in object) keys.push(key)
  return keys
}

const positions = new WeakMap<object, CollectionPosition>()

/** The position that an iterator of ours is; nothing for other objects. */
export function positionOf(iterator: object): CollectionPosition | undefined {
  return positions.get(iterator)
}

/** An iterator whose position we keep. */
export function iteratorAt(prototype: object, position: CollectionPosition): object {
  const iterator = Object.create(prototype) as object
  positions.set(iterator, position)
  return iterator
}

export function iterationOver(source: unknown): Iteration {
  if (typeof source === 'object' && source !== null && positions.has(source)) return new Iteration(source, 'values')
  if (isCollection(source)) return new Iteration(source, defaultPart(source))
  return new Iteration(undefined, 'values', [...(source as Iterable<unknown>)])
}

export function isCollection(value: unknown): value is object {
  return isKeyed(value) || Array.isArray(value) || ArrayBuffer.isView(value)
}

function defaultPart(object: object): Part {
  return object instanceof Map ? 'entries' : 'values'
}
