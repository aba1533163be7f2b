/**
 * Expressions of a handler that is recorded: what it computes from registers stays a term for as long as nothing depends on it. Where it goes on by a value,
 * it looks at it, and what it has seen holds from then on. Everything has the value that it has in this run as well.
 */
import type { PackedOperations } from './packed-operations.ts'
import { leaveToReference, packedFalse, packedTrue } from './packed-values.ts'
import { firstPartial, mostRegisters, type TermKind, type Terms, termKinds } from './terms.ts'

/** A value that nobody has looked at. */
export class Unseen {
  readonly term: number
  /** In this run. */
  readonly value: number

  constructor(term: number, value: number) {
    this.term = term
    this.value = value
  }
}

export type Recorded = number | Unseen

/** More looks are not worth remembering. */
const mostLooks = 2000

export class RecordingOperations {
  readonly #packed: PackedOperations
  readonly #terms: Terms
  /** What it has looked at, in order, and what it saw. */
  readonly #seen = new Map<number, number>()
  /** Terms that may fail where this run does not. */
  readonly #partial = new Set<number>()

  constructor(packed: PackedOperations, terms: Terms) {
    this.#packed = packed
    this.#terms = terms
  }

  begin(): void {
    this.#seen.clear()
    this.#partial.clear()
  }

  /** Terms that were looked at, in order. */
  get looks(): readonly number[] {
    return [...this.#seen.keys()]
  }

  /** Those that may fail, and that neither looks nor these terms compute. */
  unchecked(computed: readonly number[]): readonly number[] {
    for (const term of computed) this.#compute(term)
    return [...this.#partial]
  }

  #compute(term: number): void {
    if (this.#partial.size === 0 || term < mostRegisters) return
    this.#partial.delete(term)
    for (const one of this.#terms.operands(term)) this.#compute(one)
  }

  /** Looks at it. */
  seen(value: Recorded): number {
    if (typeof value === 'number') return value
    const known = this.#seen.get(value.term)
    if (known !== undefined) return known
    if (this.#seen.size === mostLooks) leaveToReference()
    this.#seen.set(value.term, value.value)
    this.#compute(value.term)
    return value.value
  }

  /** What was seen since then is known. */
  termOf(value: Recorded): number {
    if (typeof value === 'number') return this.#terms.constant(value)
    const seen = this.#seen.get(value.term)
    return seen === undefined ? value.term : this.#terms.constant(seen)
  }

  #isKnown(value: Recorded): boolean {
    return typeof value === 'number' || this.#seen.has(value.term)
  }

  isTrue(value: Recorded): boolean {
    return this.seen(value) === packedTrue
  }

  // Whole numbers

  add(left: Recorded, right: Recorded): number {
    return this.#packed.add(this.seen(left), this.seen(right))
  }

  subtract(left: Recorded, right: Recorded): number {
    return this.#packed.subtract(this.seen(left), this.seen(right))
  }

  multiply(left: Recorded, right: Recorded): number {
    return this.#packed.multiply(this.seen(left), this.seen(right))
  }

  divide(left: Recorded, right: Recorded): number {
    return this.#packed.divide(this.seen(left), this.seen(right))
  }

  remainder(left: Recorded, right: Recorded): number {
    return this.#packed.remainder(this.seen(left), this.seen(right))
  }

  negate(value: Recorded): number {
    return this.#packed.negate(this.seen(value))
  }

  less(left: Recorded, right: Recorded): boolean {
    return this.#packed.less(this.seen(left), this.seen(right))
  }

  lessOrEqual(left: Recorded, right: Recorded): boolean {
    return this.#packed.lessOrEqual(this.seen(left), this.seen(right))
  }

  /** It sees whether they are equal, not what they are. */
  equal(left: Recorded, right: Recorded): boolean {
    return this.isTrue(this.#computed('equal', [left, right], packedTruth(valueNow(left) === valueNow(right))))
  }

  // Tuples: the first part says their names

  tuple1(names: number, only: Recorded): Recorded {
    return this.tuple([names, only])
  }

  tuple2(names: number, one: Recorded, two: Recorded): Recorded {
    return this.tuple([names, one, two])
  }

  tuple(parts: readonly Recorded[]): Recorded {
    const value = this.#packed.tuple(parts.map(valueNow))
    if (parts.every((part) => this.#isKnown(part))) return value
    const [names, ...items] = parts as readonly [number, ...Recorded[]]
    return this.#known(
      this.#terms.tuple(
        names,
        items.map((item) => this.termOf(item)),
      ),
      value,
    )
  }

  item(tuple: Recorded, index: number): Recorded {
    const value = this.#packed.item(valueNow(tuple), index)
    if (typeof tuple === 'number' || this.#isKnown(tuple)) return value
    const terms = this.#terms
    let { term } = tuple
    for (; terms.isOf(term, 'withItem'); term = terms.operand(term, 0))
      if (terms.operand(term, 2) === index) return this.#known(terms.operand(term, 1), value)
    if (terms.isOf(term, 'tuple')) return this.#known(terms.itemOfTuple(term, index), value)
    return this.#unseen('item', [term, index], value)
  }

  withItem(tuple: Recorded, index: number, value: Recorded): Recorded {
    const made = this.#packed.withItem(valueNow(tuple), index, valueNow(value))
    if (this.#isKnown(tuple) && this.#isKnown(value)) return made
    return this.#unseen('withItem', [this.termOf(tuple), this.termOf(value), index], made)
  }

  // Collections

  size(collection: Recorded): Recorded {
    return this.#computed('size', [collection], this.#packed.size(valueNow(collection)))
  }

  has(item: Recorded, collection: Recorded): boolean {
    const has = this.#packed.has(valueNow(item), valueNow(collection))
    return this.isTrue(this.#computed('has', [item, collection], packedTruth(has)))
  }

  element(collection: Recorded, key: Recorded): Recorded {
    const known = this.seen(key)
    const value = this.#packed.element(valueNow(collection), known)
    if (typeof collection === 'number' || this.#isKnown(collection)) return value
    const terms = this.#terms
    const place = terms.constant(known)
    let { term } = collection
    for (; terms.isOf(term, 'withElement'); term = terms.operand(term, 0))
      if (terms.operand(term, 1) === place) return this.#known(terms.operand(term, 2), value)
    return this.#unseen('element', [term, place], value)
  }

  withElement(collection: Recorded, key: Recorded, value: Recorded): Recorded {
    const known = this.seen(key)
    const made = this.#packed.withElement(valueNow(collection), known, valueNow(value))
    return this.#computed('withElement', [collection, known, value], made)
  }

  inserted(collection: Recorded, key: Recorded, value: Recorded): Recorded {
    const known = this.seen(key)
    const made = this.#packed.inserted(valueNow(collection), known, valueNow(value))
    return this.#computed('inserted', [collection, known, value], made)
  }

  added(set: Recorded, item: Recorded): Recorded {
    return this.#computed('added', [set, item], this.#packed.added(valueNow(set), valueNow(item)))
  }

  removed(collection: Recorded, key: Recorded): Recorded {
    return this.#computed('removed', [collection, key], this.#packed.removed(valueNow(collection), valueNow(key)))
  }

  elements(collection: Recorded): Recorded {
    return this.#computed('elements', [collection], this.#packed.elements(valueNow(collection)))
  }

  valuesOf(map: Recorded): Recorded {
    return this.#computed('valuesOf', [map], this.#packed.valuesOf(valueNow(map)))
  }

  options(collection: Recorded): readonly number[] {
    return this.#packed.options(this.seen(collection))
  }

  #computed(kind: TermKind, operands: readonly Recorded[], value: number): Recorded {
    if (operands.every((one) => this.#isKnown(one))) return value
    return this.#unseen(
      kind,
      operands.map((one) => this.termOf(one)),
      value,
    )
  }

  #unseen(kind: TermKind, operands: readonly number[], value: number): Recorded {
    const term = this.#terms.made(kind, operands)
    if (termKinds[kind] >= firstPartial) this.#partial.add(term)
    return this.#known(term, value)
  }

  /** What was seen of a term is known. */
  #known(term: number, value: number): Recorded {
    if (this.#terms.isConstant(term)) return value
    return this.#seen.get(term) ?? new Unseen(term, value)
  }
}

function valueNow(value: Recorded): number {
  return typeof value === 'number' ? value : value.value
}

function packedTruth(value: boolean): number {
  return value ? packedTrue : packedFalse
}
