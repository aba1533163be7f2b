/**
 * Values as 32-bit numbers, equal ones the same number. An odd number is a small whole number; an even one is twice the number of a node. What has no
 * parts of its own, or more of them than is worth copying, is a leaf: a node that stands for a value of the reference semantics.
 */

import { NodeHeap } from '../../../collections/node-heap.ts'
import { invariant } from '../../../core/invariant.ts'
import { OwnError } from '../../../core/own-error.ts'
import {
  type CompositeValue,
  compareIrValues,
  type EventValue,
  type IrValue,
  type MachineRef,
  type Values,
} from '../value.ts'

/** Kinds of nodes; those behind the values are what others make of them. */
export const nodeKinds = {
  leaf: 0,
  /** First what its names are, then its items. */
  tuple: 1,
  seq: 2,
  /** Sorted, as everywhere. */
  set: 3,
  /** All keys, sorted, then their values. */
  map: 4,
  local: 5,
  head: 6,
  list: 7,
} as const

/** Collections with more elements are leaves. */
export const mostElements = 100

export const packedNull = 2
export const packedFalse = 6
export const packedTrue = 10

/** Not exact here: whoever computes with it has the reference semantics do it all again. */
export class NotCovered extends OwnError {
  override readonly name = 'NotCovered'
}

/** Made once: where it comes from is nobody's business. */
const notCovered = new NotCovered('done by the reference semantics')

export function leaveToReference(): never {
  throw notCovered
}

export class PackedValues {
  readonly heap = new NodeHeap()
  readonly values: Values
  /** By the part of its node. */
  readonly #leaves: IrValue[] = []
  readonly #packedLeaves = new Map<IrValue, number>()
  /** What tuples have as names, by number; number 0 is none. */
  readonly #names: (readonly string[] | undefined)[] = [undefined]
  readonly #numbersOfNames = new Map<string, number>()

  constructor(values: Values) {
    this.values = values
    const first = [null, false, true].map((value) => this.leaf(value))
    invariant(first.join() === [packedNull, packedFalse, packedTrue].join(), 'the first leaves have known numbers')
  }

  packed(value: IrValue): number {
    if (typeof value === 'number') return this.whole(value)
    if (typeof value !== 'object' || value === null) return this.leaf(value)
    switch (value.kind) {
      case 'tuple':
        return this.#node(nodeKinds.tuple, [this.namesNumber(value.names), ...this.#all(value.items)])
      case 'seq':
      case 'set':
        if (value.list.size > mostElements) return this.leaf(value)
        return this.#node(nodeKinds[value.kind], this.#all(value.items))
      case 'map':
        if (value.list.size > mostElements) return this.leaf(value)
        return this.#node(nodeKinds.map, [...this.#all(value.keys), ...this.#all(value.values)])
      default:
        return this.leaf(value)
    }
  }

  #all(values: readonly IrValue[]): number[] {
    return values.map((value) => this.packed(value))
  }

  #node(kind: number, parts: readonly number[]): number {
    return this.heap.of(kind, parts) << 1
  }

  /** A whole number that is exact. */
  whole(value: number): number {
    const small = (value << 1) | 1
    return small >> 1 === value ? small : this.leaf(value + 0)
  }

  leaf(value: IrValue): number {
    const known = this.#packedLeaves.get(value)
    if (known !== undefined) return known
    const made = this.#node(nodeKinds.leaf, [this.#leaves.push(value) - 1])
    this.#packedLeaves.set(value, made)
    return made
  }

  namesNumber(names: readonly string[] | undefined): number {
    if (names === undefined) return 0
    const known = this.#numbersOfNames.get(names.join())
    if (known !== undefined) return known
    this.#numbersOfNames.set(names.join(), this.#names.length)
    return this.#names.push(names) - 1
  }

  /** What a tuple has as names, by number. */
  namesAt(number: number): readonly string[] | undefined {
    return this.#names[number]
  }

  unpacked(value: number): IrValue {
    if ((value & 1) === 1) return value >> 1
    const node = value >> 1
    const parts = this.heap.parts(node)
    switch (this.heap.kindOf(node)) {
      case nodeKinds.leaf:
        return this.#leaves[parts[0] as number] as IrValue
      case nodeKinds.tuple:
        return this.values.tuple(this.unpackedAll(parts.slice(1)), this.#names[parts[0] as number])
      case nodeKinds.seq:
        return this.values.seq(this.unpackedAll(parts))
      case nodeKinds.set:
        return this.values.set(this.unpackedAll(parts))
      default: {
        const all = this.unpackedAll(parts)
        const half = all.length / 2
        return this.values.map(all.slice(0, half).map((key, at) => [key, all[half + at] as IrValue] as const))
      }
    }
  }

  unpackedAll(values: readonly number[]): readonly IrValue[] {
    return values.map((value) => this.unpacked(value))
  }

  /** What a leaf stands for; undefined if it is none. */
  leafOf(value: number): IrValue | undefined {
    if ((value & 1) === 1 || this.heap.kindOf(value >> 1) !== nodeKinds.leaf) return undefined
    return this.#leaves[this.heap.part(value >> 1, 0)]
  }

  /** Whether a number stands for a value of the program: some nodes are what others made of them. */
  isValue(packed: number): boolean {
    return (packed & 1) === 1 || this.heap.kindOf(packed >> 1) <= nodeKinds.map
  }

  /** The event of a value that is one. */
  eventOf(value: number): number {
    const leaf = this.leafOf(value) as CompositeValue | null | undefined
    if (leaf === null || leaf === undefined || leaf.kind !== 'event') return leaveToReference()
    return (leaf as EventValue).event
  }

  machineOf(value: number): MachineRef {
    const leaf = this.leafOf(value) as CompositeValue | null | undefined
    if (leaf === null || leaf === undefined || leaf.kind !== 'machine') return leaveToReference()
    return leaf as MachineRef
  }

  /** The order of the reference semantics. */
  compare(left: number, right: number): number {
    if (left === right) return 0
    if ((left & right & 1) === 1) return left < right ? -1 : 1
    const [kind, other] = [this.#kindOf(left), this.#kindOf(right)]
    if (kind !== other || kind === nodeKinds.leaf) return compareIrValues(this.unpacked(left), this.unpacked(right))
    const [one, two] = [left >> 1, right >> 1]
    if (kind === nodeKinds.map) return this.#compareMaps(one, two)
    if (kind !== nodeKinds.tuple) return this.#compareParts(one, two, 0)
    return this.#compareParts(one, two, 1) || this.#byNames(one, two)
  }

  #kindOf(value: number): number {
    return (value & 1) === 1 ? nodeKinds.leaf : this.heap.kindOf(value >> 1)
  }

  /** As lists, from a part on. */
  #compareParts(left: number, right: number, from: number): number {
    const { heap } = this
    const [length, other] = [heap.lengthOf(left), heap.lengthOf(right)]
    for (let at = from; at < length && at < other; at++) {
      const order = this.compare(heap.part(left, at), heap.part(right, at))
      if (order !== 0) return order
    }
    return length - other
  }

  /** By their keys first. */
  #compareMaps(left: number, right: number): number {
    const { heap } = this
    const [size, other] = [heap.lengthOf(left) >> 1, heap.lengthOf(right) >> 1]
    for (let at = 0; at < size && at < other; at++) {
      const order = this.compare(heap.part(left, at), heap.part(right, at))
      if (order !== 0) return order
    }
    return size - other || this.#compareParts(left, right, size)
  }

  #byNames(left: number, right: number): number {
    const [one, other] = [left, right].map((tuple) => this.#names[this.heap.part(tuple, 0)]?.join() ?? '')
    return (one as string) < (other as string) ? -1 : 1
  }
}
