/**
 * What a handler computes from what it begins with, as terms: equal ones are one number. What it begins with is in registers: the fields of its machine
 * first, then locals that it has kept since it chose. A term is computed from any registers without running the handler.
 */
import { NodeHeap } from '../../../collections/node-heap.ts'
import { OperationCache } from '../../../collections/operation-cache.ts'
import type { PackedOperations } from './packed-operations.ts'
import { packedFalse, packedTrue } from './packed-values.ts'

/** Registers are the first terms; numbers below 0 are constants. */
export const mostRegisters = 64

export const termKinds = {
  tuple: 1,
  item: 2,
  withItem: 3,
  equal: 4,
  has: 5,
  size: 6,
  elements: 7,
  valuesOf: 8,
  element: 9,
  withElement: 10,
  inserted: 11,
  added: 12,
  removed: 13,
} as const

/** This one and those behind it fail for some operands, or leave them to the reference semantics. */
export const firstPartial = termKinds.has

export type TermKind = Exclude<keyof typeof termKinds, 'tuple'>

export class Terms {
  readonly #operations: PackedOperations
  /** Each term as a node of its kind and operands, and which term a node is. */
  readonly #nodes = new NodeHeap()
  readonly #numbers = new Map<number, number>()
  /** By value. */
  readonly #numbersOfConstants = new Map<number, number>()
  /** Four for each term behind the registers: its kind and up to three operands, which are terms, but for the place of an item. */
  #cells = new Int32Array(1 << 10)
  #count = mostRegisters
  readonly #constants: number[] = []
  /** Of tuples: their names and items, by number. */
  readonly #tuples: (readonly number[])[] = []
  /** By term, as bits, as they are asked for. */
  readonly #registers: (number | undefined)[] = []
  /** What copies a collection is mostly done again and again. */
  readonly #known = new OperationCache(13)

  constructor(operations: PackedOperations) {
    this.#operations = operations
  }

  constant(value: number): number {
    const known = this.#numbersOfConstants.get(value)
    if (known !== undefined) return known
    const made = ~(this.#constants.push(value) - 1)
    this.#numbersOfConstants.set(value, made)
    return made
  }

  tuple(names: number, items: readonly number[]): number {
    const parts = [names, ...items]
    const node = this.#nodes.of(termKinds.tuple, parts)
    return this.#numbers.get(node) ?? this.#add(node, termKinds.tuple, [this.#tuples.push(parts) - 1])
  }

  /** Of an item the last operand is its place, otherwise operands are terms. */
  made(kind: TermKind, operands: readonly number[]): number {
    const node = this.#nodes.of(termKinds[kind], operands)
    return this.#numbers.get(node) ?? this.#add(node, termKinds[kind], operands)
  }

  #add(node: number, kind: number, operands: readonly number[]): number {
    const made = this.#count++
    this.#numbers.set(node, made)
    if (made * 4 + 4 > this.#cells.length) {
      const cells = new Int32Array(this.#cells.length * 2)
      cells.set(this.#cells)
      this.#cells = cells
    }
    this.#cells[made * 4] = kind
    this.#cells.set(operands, made * 4 + 1)
    return made
  }

  isConstant(term: number): boolean {
    return term < 0
  }

  isOf(term: number, kind: keyof typeof termKinds): boolean {
    return term >= mostRegisters && this.#cells[term * 4] === termKinds[kind]
  }

  operand(term: number, at: number): number {
    return this.#cells[term * 4 + 1 + at] as number
  }

  itemOfTuple(tuple: number, index: number): number {
    return this.#tuples[this.operand(tuple, 0)]?.[index + 1] as number
  }

  /** What a term is computed from. */
  operands(term: number): readonly number[] {
    const kind = this.#cells[term * 4] as number
    const first = this.operand(term, 0)
    switch (kind) {
      case termKinds.tuple:
        return (this.#tuples[first] as readonly number[]).slice(1)
      case termKinds.item:
      case termKinds.size:
      case termKinds.elements:
      case termKinds.valuesOf:
        return [first]
      case termKinds.withElement:
      case termKinds.inserted:
        return [first, this.operand(term, 1), this.operand(term, 2)]
      default:
        return [first, this.operand(term, 1)]
    }
  }

  /** From which registers a term is computed, as bits; all, if there is one that has no bit. */
  registersIn(term: number): number {
    if (term < 0) return 0
    if (term < mostRegisters) return term < 31 ? 1 << term : -1
    const known = this.#registers[term]
    if (known !== undefined) return known
    const found = this.operands(term).reduce((all, one) => all | this.registersIn(one), 0)
    this.#registers[term] = found
    return found
  }

  /** Computes a term; what cannot be computed leaves to the reference semantics. */
  shown(term: number, registers: Int32Array): number {
    return term < mostRegisters ? this.#given(term, registers) : this.#computed(term, registers)
  }

  #given(term: number, registers: Int32Array): number {
    return (term < 0 ? this.#constants[~term] : registers[term]) as number
  }

  #computed(term: number, registers: Int32Array): number {
    const cells = this.#cells
    const operations = this.#operations
    const at = term * 4
    const kind = cells[at] as number
    const first = cells[at + 1] as number
    if (kind === termKinds.tuple) return this.#tuple(first, registers)
    const one = this.shown(first, registers)
    const second = cells[at + 2] as number
    switch (kind) {
      case termKinds.item:
        return operations.item(one, second)
      case termKinds.element:
        return operations.element(one, this.shown(second, registers))
      case termKinds.equal:
        return one === this.shown(second, registers) ? packedTrue : packedFalse
      case termKinds.has:
        return operations.has(one, this.shown(second, registers)) ? packedTrue : packedFalse
      case termKinds.size:
        return operations.size(one)
      case termKinds.elements:
      case termKinds.valuesOf:
        return this.#copied(kind, one, 0, 0)
      case termKinds.withItem:
        return this.#copied(kind, one, this.shown(second, registers), cells[at + 3] as number)
      case termKinds.withElement:
      case termKinds.inserted: {
        const third = cells[at + 3] as number
        return this.#copied(kind, one, this.shown(second, registers), this.shown(third, registers))
      }
      default:
        return this.#copied(kind, one, this.shown(second, registers), 0)
    }
  }

  #tuple(tuple: number, registers: Int32Array): number {
    const [names, ...items] = this.#tuples[tuple] as readonly [number, ...number[]]
    return this.#operations.tuple([names, ...items.map((item) => this.shown(item, registers))])
  }

  /** A collection with a difference. */
  #copied(kind: number, collection: number, second: number, third: number): number {
    const known = this.#known.get(kind, collection, second, third)
    if (known >= 0) return known
    const made = this.#made(kind, collection, second, third)
    this.#known.set(kind, [collection, second, third], made)
    return made
  }

  #made(kind: number, collection: number, second: number, third: number): number {
    const operations = this.#operations
    switch (kind) {
      case termKinds.withItem:
        return operations.withItem(collection, third, second)
      case termKinds.withElement:
        return operations.withElement(collection, second, third)
      case termKinds.inserted:
        return operations.inserted(collection, second, third)
      case termKinds.added:
        return operations.added(collection, second)
      case termKinds.removed:
        return operations.removed(collection, second)
      case termKinds.elements:
        return operations.elements(collection)
      default:
        return operations.valuesOf(collection)
    }
  }
}
