/**
 * What expressions do, on packed values. Each does exactly what the reference semantics does, or leaves it to that one: whatever fails, and what is
 * rare, is computed there.
 */
import { kindIn, lengthIn } from '../../../collections/node-heap.ts'
import { leaveToReference, mostElements, nodeKinds, type PackedValues, packedNull } from './packed-values.ts'

export class PackedOperations {
  readonly #values: PackedValues
  readonly #heap: PackedValues['heap']

  constructor(values: PackedValues) {
    this.#values = values
    this.#heap = values.heap
  }

  // Whole numbers

  add(left: number, right: number): number {
    if ((left & right & 1) === 1) return this.#whole((left >> 1) + (right >> 1))
    return this.#exact(this.#number(left) + this.#number(right))
  }

  subtract(left: number, right: number): number {
    if ((left & right & 1) === 1) return this.#whole((left >> 1) - (right >> 1))
    return this.#exact(this.#number(left) - this.#number(right))
  }

  multiply(left: number, right: number): number {
    return this.#exact(this.#number(left) * this.#number(right))
  }

  /** Toward zero. */
  divide(left: number, right: number): number {
    const [number, by] = [this.#number(left), this.#number(right)]
    return by === 0 ? leaveToReference() : this.#exact((number - (number % by)) / by)
  }

  remainder(left: number, right: number): number {
    const by = this.#number(right)
    return by === 0 ? leaveToReference() : this.#exact(this.#number(left) % by)
  }

  negate(value: number): number {
    return this.#exact(-this.#number(value))
  }

  /** The order of small whole numbers is that of what they are packed as. */
  less(left: number, right: number): boolean {
    return (left & right & 1) === 1 ? left < right : this.#number(left) < this.#number(right)
  }

  lessOrEqual(left: number, right: number): boolean {
    return (left & right & 1) === 1 ? left <= right : this.#number(left) <= this.#number(right)
  }

  #whole(value: number): number {
    const small = (value << 1) | 1
    return small >> 1 === value ? small : this.#values.whole(value)
  }

  #exact(value: number): number {
    return Number.isSafeInteger(value) ? this.#whole(value) : leaveToReference()
  }

  #number(value: number): number {
    if ((value & 1) === 1) return value >> 1
    const leaf = this.#values.leafOf(value)
    return typeof leaf === 'number' ? leaf : leaveToReference()
  }

  // Tuples: the first part says their names

  tuple1(names: number, only: number): number {
    const first = this.#heap.open(2)
    const { cells } = this.#heap
    cells[first] = names
    cells[first + 1] = only
    return this.#heap.close(nodeKinds.tuple, 2) << 1
  }

  tuple2(names: number, one: number, two: number): number {
    const first = this.#heap.open(3)
    const { cells } = this.#heap
    cells[first] = names
    cells[first + 1] = one
    cells[first + 2] = two
    return this.#heap.close(nodeKinds.tuple, 3) << 1
  }

  /** Names and items. */
  tuple(parts: readonly number[]): number {
    return this.#heap.of(nodeKinds.tuple, parts) << 1
  }

  item(tuple: number, index: number): number {
    return this.#heap.part(tuple >> 1, index + 1)
  }

  withItem(tuple: number, index: number, value: number): number {
    return this.#replaced(tuple >> 1, index + 1, value)
  }

  // Collections

  size(collection: number): number {
    const node = collection >> 1
    const length = this.#heap.lengthOf(node)
    switch (this.#heap.kindOf(node)) {
      case nodeKinds.seq:
      case nodeKinds.set:
        return (length << 1) | 1
      case nodeKinds.map:
        // Half of the parts are keys.
        return length | 1
      default:
        return leaveToReference()
    }
  }

  has(item: number, collection: number): boolean {
    const node = collection >> 1
    const kind = this.#heap.kindOf(node)
    if (kind === nodeKinds.leaf) return leaveToReference()
    return this.#placeOf(node, kind, item) >= 0
  }

  /** Where an item is among the elements of a collection, or the keys; -1: nowhere. */
  #placeOf(node: number, kind: number, item: number): number {
    const { cells } = this.#heap
    const length = this.#heap.lengthOf(node)
    const end = node + (kind === nodeKinds.map ? length >> 1 : length)
    for (let at = node + 1; at <= end; at++) if (cells[at] === item) return at - node - 1
    return -1
  }

  element(collection: number, key: number): number {
    const node = collection >> 1
    const { cells } = this.#heap
    const kind = kindIn(cells, node)
    // What most handlers look at again and again.
    if (kind === nodeKinds.seq && (key & 1) === 1 && key > 0 && key >> 1 < lengthIn(cells, node))
      return cells[node + 1 + (key >> 1)] as number
    if (kind === nodeKinds.map) {
      const at = this.#placeOf(node, kind, key)
      return at < 0 ? leaveToReference() : this.#heap.part(node, (this.#heap.lengthOf(node) >> 1) + at)
    }
    return this.#heap.part(node, this.#index(node, key, 0))
  }

  /** Of a list or a set, with room for so many more. */
  #index(node: number, key: number, room: number): number {
    const kind = this.#heap.kindOf(node)
    const index = key >> 1
    const isFine = (key & 1) === 1 && index >= 0 && index < this.#heap.lengthOf(node) + room
    return isFine && (kind === nodeKinds.seq || kind === nodeKinds.set) ? index : leaveToReference()
  }

  withElement(collection: number, key: number, value: number): number {
    const node = collection >> 1
    if (this.#heap.kindOf(node) === nodeKinds.map) return this.#put(node, key, value)
    return this.#replaced(node, this.#index(node, key, 0), value)
  }

  inserted(collection: number, key: number, value: number): number {
    const node = collection >> 1
    const kind = this.#heap.kindOf(node)
    if (kind === nodeKinds.map)
      return this.#placeOf(node, kind, key) < 0 ? this.#put(node, key, value) : leaveToReference()
    return this.#spread(node, this.#index(node, key, 1), value)
  }

  added(set: number, item: number): number {
    const node = set >> 1
    if (item === packedNull || this.#heap.kindOf(node) !== nodeKinds.set) return leaveToReference()
    if (this.#placeOf(node, nodeKinds.set, item) >= 0) return set
    return this.#spread(node, this.#sortedPlace(node, this.#heap.lengthOf(node), item), item)
  }

  /** Where an item that is not among the first so many parts belongs. */
  #sortedPlace(node: number, count: number, item: number): number {
    let [low, high] = [0, count]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#values.compare(this.#heap.part(node, middle), item) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  removed(collection: number, key: number): number {
    const node = collection >> 1
    const kind = this.#heap.kindOf(node)
    if (kind === nodeKinds.seq) return this.#without(node, this.#index(node, key, 0))
    if (kind === nodeKinds.leaf) return leaveToReference()
    const at = this.#placeOf(node, kind, key)
    if (at < 0) return collection
    return kind === nodeKinds.map ? this.#withoutKey(node, at) : this.#without(node, at)
  }

  /** Elements of a list or a set, or the keys of a map. */
  elements(collection: number): number {
    const node = collection >> 1
    const kind = this.#heap.kindOf(node)
    if (kind === nodeKinds.seq) return collection
    if (kind === nodeKinds.leaf) return leaveToReference()
    const length = this.#heap.lengthOf(node)
    return this.#copied(node, 0, kind === nodeKinds.map ? length >> 1 : length)
  }

  valuesOf(map: number): number {
    const node = map >> 1
    if (this.#heap.kindOf(node) !== nodeKinds.map) return leaveToReference()
    const size = this.#heap.lengthOf(node) >> 1
    return this.#copied(node, size, size)
  }

  /** What may be chosen from a collection: equal elements once. */
  options(collection: number): readonly number[] {
    const node = collection >> 1
    if ((collection & 1) === 1) return leaveToReference()
    const kind = this.#heap.kindOf(node)
    if (kind === nodeKinds.leaf || kind === nodeKinds.tuple) return leaveToReference()
    const parts = this.#heap.parts(node)
    if (parts.length === 0) return leaveToReference()
    if (kind === nodeKinds.map) return parts.slice(0, parts.length / 2)
    return kind === nodeKinds.seq ? distinct(parts) : parts
  }

  // Copies with a difference. Cells are looked up after `open`, which may replace them.

  #copied(node: number, from: number, count: number): number {
    const first = this.#heap.open(count)
    const { cells } = this.#heap
    for (let at = 0; at < count; at++) cells[first + at] = cells[node + 1 + from + at] as number
    return this.#heap.close(nodeKinds.seq, count) << 1
  }

  /** With another value as one of the parts. */
  #replaced(node: number, part: number, value: number): number {
    const length = this.#heap.lengthOf(node)
    const first = this.#heap.open(length)
    const { cells } = this.#heap
    for (let at = 0; at < length; at++) cells[first + at] = cells[node + 1 + at] as number
    cells[first + part] = value
    return this.#heap.close(this.#heap.kindOf(node), length) << 1
  }

  /** With one more part, in front of another one or at the end. */
  #spread(node: number, place: number, value: number): number {
    const length = this.#heap.lengthOf(node)
    if (length === mostElements) return leaveToReference()
    const first = this.#heap.open(length + 1)
    const { cells } = this.#heap
    for (let at = 0; at < place; at++) cells[first + at] = cells[node + 1 + at] as number
    cells[first + place] = value
    for (let at = place; at < length; at++) cells[first + at + 1] = cells[node + 1 + at] as number
    return this.#heap.close(this.#heap.kindOf(node), length + 1) << 1
  }

  #without(node: number, place: number): number {
    const length = this.#heap.lengthOf(node) - 1
    const first = this.#heap.open(length)
    const { cells } = this.#heap
    for (let at = 0; at < place; at++) cells[first + at] = cells[node + 1 + at] as number
    for (let at = place; at < length; at++) cells[first + at] = cells[node + 2 + at] as number
    return this.#heap.close(this.#heap.kindOf(node), length) << 1
  }

  #put(node: number, key: number, value: number): number {
    const size = this.#heap.lengthOf(node) >> 1
    const known = this.#placeOf(node, nodeKinds.map, key)
    if (known >= 0) return this.#replaced(node, size + known, value)
    if (size === mostElements) return leaveToReference()
    const place = this.#sortedPlace(node, size, key)
    const parts = this.#heap.parts(node)
    parts.splice(size + place, 0, value)
    parts.splice(place, 0, key)
    return this.#heap.of(nodeKinds.map, parts) << 1
  }

  #withoutKey(node: number, place: number): number {
    const parts = this.#heap.parts(node)
    parts.splice(parts.length / 2 + place, 1)
    parts.splice(place, 1)
    return this.#heap.of(nodeKinds.map, parts) << 1
  }
}

/** In the order of their first places; lists are short. */
function distinct(items: readonly number[]): readonly number[] {
  const found: number[] = []
  for (let at = 0; at < items.length; at++) {
    const item = items[at] as number
    if (!found.includes(item)) found.push(item)
  }
  return found
}
