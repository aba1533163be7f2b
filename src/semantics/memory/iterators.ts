/**
 * Iterators of collections as values: what `map.keys()`, `array[Symbol.iterator]()` and their kind give. They look like those of
 * the language, but their position is state that is compared and taken back.
 */
import { accessModes, wholeObject } from '../../program/stateful.ts'
import { placeOfSite } from './code.ts'
import { isKeyed } from './deletions.ts'
import { anyIterator } from './generator-objects.ts'
import { type Heap, orderPart } from './heap.ts'
import { isNativeIterator } from './native-iterators.ts'
import { ActOperation } from './operations.ts'
import { type AccessOperation, machine } from './process.ts'
import { refuse } from './search-error.ts'
import { CollectionPosition, isCollection, iteratorAt, type Part, positionOf } from './views.ts'

const arrayIterator = Object.getPrototypeOf([].values()) as object
const mapIterator = Object.getPrototypeOf(new Map().values()) as object
const setIterator = Object.getPrototypeOf(new Set().values()) as object

/** By prototype of the language: that of ours. */
const standIns = new Map<object, object>()

/** By method of the language: the part of a collection that it goes through, and the kind of iterator that it gives. */
const makers = new Map<unknown, { readonly part: Part; readonly prototype: object }>()

const owners = [
  [Array.prototype, standIn(arrayIterator)],
  [Object.getPrototypeOf(Uint8Array.prototype), standIn(arrayIterator)],
  [Map.prototype, standIn(mapIterator)],
  [Set.prototype, standIn(setIterator)],
] as const

for (const [owner, prototype] of owners) {
  const methods = owner as { readonly [part in Part]: unknown }
  // Of a Set, `keys` and `values` are one function: the values.
  for (const part of ['entries', 'keys', 'values'] as const) makers.set(methods[part], { part, prototype })
}

/** Iterators over things that never change: what is left of them can be copied. */
const ofConstants = new Set(['String Iterator', 'RegExp String Iterator', 'Segmenter String Iterator'])

/** The iterator that a method of a collection gives, if that is what is called. */
export function iteratorMadeBy(callable: unknown, self: unknown): object | undefined {
  const maker = isCollection(self) ? makers.get(callable) : undefined
  return maker && iteratorAt(maker.prototype, new CollectionPosition(self as object, maker.part))
}

/** `iterator.next()`, for iterators of ours. */
export function nextResultOperation(iterator: object, method: PropertyKey): AccessOperation | undefined {
  const position = method === 'next' ? positionOf(iterator) : undefined
  return (
    position &&
    new ActOperation({
      text: 'reads the next element',
      operands: [iterator],
      touch: (heap) => touchNext(heap, iterator),
      perform: (heap) => resultOf(position, heap),
    })
  )
}

/** What moving on accesses: the element, and the position if others have it. */
function touchNext(heap: Heap, iterated: object): void {
  const position = positionOf(iterated)
  if (position === undefined) return
  heap.touch(iterated, wholeObject, accessModes.write)
  touchElement(heap, position)
}

export function touchElement(heap: Heap, { target, index, isEnded }: CollectionPosition): void {
  if (target === undefined || isEnded) return
  if (positionOf(target) !== undefined) return touchNext(heap, target)
  if (isKeyed(target)) return heap.touchWhole(target, accessModes.read)
  heap.touchKey(target, index, accessModes.read)
  heap.touch(target, orderPart, accessModes.read)
}

/** What reading all elements accesses; of an iterator, all that are left. */
export function touchAll(heap: Heap, source: unknown): void {
  if (typeof source !== 'object' || source === null) return
  const position = positionOf(source)
  if (position === undefined) return heap.touchWhole(source, accessModes.read)
  heap.touch(source, wholeObject, accessModes.write)
  if (position.target !== undefined && !position.isEnded) heap.touchWhole(position.target, accessModes.read)
}

export function allOf(heap: Heap, source: unknown): readonly unknown[] {
  const position = typeof source === 'object' && source !== null ? positionOf(source) : undefined
  if (position === undefined) return [...(source as Iterable<unknown>)]
  const found: unknown[] = []
  while (position.advance(heap)) found.push(position.value)
  return found
}

/** Whether others can reach what is iterated, or its iterator. */
export function isIteratedShared(heap: Heap, iterated: object): boolean {
  const target = positionOf(iterated)?.target
  return heap.isShared(iterated) || (target !== undefined && heap.isShared(target))
}

/** Native code gave an iterator, whose position no check sees. */
export function asIterator(given: unknown): unknown {
  if (!isNativeIterator(given)) return given
  const tag = String((given as { readonly [Symbol.toStringTag]: unknown })[Symbol.toStringTag])
  if (!ofConstants.has(tag)) refuseIterator()
  const copied = [...(given as unknown as Iterable<unknown>)]
  return iteratorAt(
    standIn(Object.getPrototypeOf(given) as object),
    new CollectionPosition(undefined, 'values', copied),
  )
}

/** Methods of iterators of ours that cannot be modelled exactly: helpers such as `map`, which are iterators themselves. */
export function refuseHelper(method: PropertyKey, site: number): never {
  refuse({
    code: 'E307',
    message: `.${String(method)}(…) of an iterator cannot be checked`,
    hint: 'copy what it gives, as in [...iterator], and call methods of the array',
    place: placeOfSite(site),
  })
}

export function refuseIterator(site?: number): never {
  refuse({
    code: 'E307',
    message: 'an iterator that native code makes or moves by itself cannot be checked',
    hint: 'make the iterator in a method, as in map.keys(), or copy what it gives: [...map.keys()]',
    place: site === undefined ? undefined : placeOfSite(site),
    stack: new Error().stack,
  })
}

/** Inherits what the language gives its iterators, with a `next` of ours, which native code calls too. */
function standIn(native: object): object {
  const known = standIns.get(native)
  if (known !== undefined) return known
  const prototype = Object.create(anyIterator, {
    next: { value: next, writable: true, configurable: true },
    [Symbol.toStringTag]: Object.getOwnPropertyDescriptor(native, Symbol.toStringTag) as PropertyDescriptor,
  }) as object
  standIns.set(native, prototype)
  return prototype
}

/** As native code moves an iterator on, within an operation or outside of all processes. */
function next(this: object): IteratorResult<unknown> {
  const position = positionOf(this)
  if (position === undefined) throw new TypeError('next method called on incompatible receiver')
  const { heap, process } = machine
  if (heap === undefined) return resultOf(position, heap)
  const touched = heap.touched.length
  touchNext(heap, this)
  if (process?.isActing === false && heap.touched.length > touched) refuseIterator()
  return resultOf(position, heap)
}

export function isIteratorNext(callable: unknown): boolean {
  return callable === next
}

function resultOf(position: CollectionPosition, heap: Heap | undefined): IteratorResult<unknown> {
  const more = position.advance(heap)
  return more ? { value: position.value, done: false } : { value: undefined, done: true }
}
