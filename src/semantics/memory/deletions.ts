/**
 * Where entries of Maps and Sets were taken away. A position in such a collection is how many entries lie before it; since new
 * entries come last, deletions alone move it. Positions catch up when they are used, as those of engines do.
 */
import type { Heap } from './heap.ts'

export type Keyed = Map<unknown, unknown> | Set<unknown>

export function isKeyed(value: unknown): value is Keyed {
  return value instanceof Map || value instanceof Set
}

/** By collection: the index of each entry at the time it was deleted. Goes back with the heap. */
const deletions = new WeakMap<object, number[]>()

export function deletionsOf(collection: object): number {
  return deletions.get(collection)?.length ?? 0
}

/** Where a position is by now that was at `index` when there had been `known` deletions. */
export function movedPosition(collection: object, index: number, known: number): number {
  let at = index
  for (const deleted of deletions.get(collection)?.slice(known) ?? []) if (deleted < at) at--
  return at
}

/** To be called before the entry is deleted. */
export function noteDeletion(heap: Heap, collection: Keyed, key: unknown): void {
  if (collection.has(key)) note(heap, collection, keysOf(collection).findIndex(sameKey(key)))
}

/** Says what a native function deleted, unless code that it called back has said so. */
export function watchDeletions(heap: Heap, collection: object): () => void {
  if (!isKeyed(collection)) return () => {}
  const before = keysOf(collection)
  const known = deletionsOf(collection)
  return () => {
    if (deletionsOf(collection) !== known) return
    // From the end, so that each index still holds when it is noted.
    for (let at = before.length - 1; at >= 0; at--) if (!collection.has(before[at])) note(heap, collection, at)
  }
}

function note(heap: Heap, collection: object, at: number): void {
  const list = deletions.get(collection) ?? []
  deletions.set(collection, list)
  list.push(at)
  heap.onRollBack(() => list.pop())
}

function keysOf(collection: Keyed): readonly unknown[] {
  return [...collection.keys()]
}

/** As Maps and Sets compare: 0 and -0 are one key. */
function sameKey(key: unknown): (other: unknown) => boolean {
  return (other) => other === key || Object.is(other, key)
}
