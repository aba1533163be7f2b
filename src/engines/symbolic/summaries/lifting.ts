/** What all summaries of a search share: diagrams, numbers of values, and the operations on leaves that are remembered. */
import type { Diagram, Diagrams, LeafFunction, LiftedOperation, OperationOptions } from '../../../bdd/diagrams.ts'
import { PairTable } from '../../../collections/pair-table.ts'
import { nodeKinds, type PackedValues, packedFalse, packedTrue } from '../../../semantics/ir/compiled/packed-values.ts'
import type { IrValue } from '../../../semantics/ir/value.ts'
import { nowhere, type Part } from './summary.ts'

/** Shapes of values without names. */
export const shapes = { scalar: 1, seq: 2, set: 3, map: 4 } as const
const firstTupleShape = 5

/** A value that has parts, by its packed number. */
export interface Opened {
  readonly shape: number
  /** Names of a tuple. */
  readonly names: number
  /** Of a map its keys, then its values. */
  readonly parts: readonly number[]
}

/** A diagram and the values of its leaves, which are many less than its nodes. */
export interface Spread {
  readonly of: Diagram
  readonly values: readonly number[]
}

export class Lifting {
  readonly diagrams: Diagrams
  readonly packed: PackedValues
  readonly #tupleShapes = new PairTable()
  readonly #opened = new Map<number, Opened>()
  /** Lists under way: the list before the last part, and that part. Number 0 is nowhere, number 1 the empty list. */
  readonly #prefixes = new PairTable()
  readonly #functions = new Map<string, LeafFunction>()
  readonly #operations = new Map<string, LiftedOperation>()

  constructor(diagrams: Diagrams, packed: PackedValues) {
    this.diagrams = diagrams
    this.packed = packed
    this.#prefixes.intern(-1, -1)
    this.#prefixes.intern(-1, 0)
  }

  /** The function on leaves of this name, made when it is first asked for; what is computed depends on the name alone. */
  function(name: string, make: () => (value: number) => number): LeafFunction {
    const known = this.#functions.get(name)
    if (known !== undefined) return known
    const made = this.diagrams.function(make())
    this.#functions.set(name, made)
    return made
  }

  spread(of: Diagram): Spread {
    return { of, values: this.diagrams.leaves(of) }
  }

  /** The function on the leaves, which is not walked to where it has one value. */
  mapped(fn: LeafFunction, { of, values }: Spread): Spread {
    const [first = nowhere] = values
    if (values.length === 1) return this.#constantly(fn.compute(first, 0))
    const images = [...new Set(values.map((value) => fn.compute(value, 0)))]
    const [only = nowhere] = images
    return images.length > 1 ? { of: this.diagrams.map(fn, of), values: images } : this.#constantly(only)
  }

  #constantly(value: number): Spread {
    return { of: this.diagrams.leaf(value), values: [value] }
  }

  /** Something that says the same wherever the diagram says anything. */
  saying(spread: Spread): Spread {
    if (spread.values.length === 1) return spread
    const said = spread.values.filter((value) => value !== nowhere)
    return said.length > 1 ? spread : this.#constantly(said[0] ?? nowhere)
  }

  operation(
    name: string,
    make: () => (left: number, right: number) => number,
    options: OperationOptions = {},
  ): LiftedOperation {
    const known = this.#operations.get(name)
    if (known !== undefined) return known
    const made = this.diagrams.operation(make(), options)
    this.#operations.set(name, made)
    return made
  }

  constant(value: IrValue): Diagram {
    return this.diagrams.leaf(this.packed.packed(value))
  }

  /** Where parts are the same, or neither is there: what a part says then is left over from other executions. */
  masked(gone: Diagram, same: Diagram): Diagram {
    return this.diagrams.or(gone, same)
  }

  /** Where a scalar is true. */
  holds(of: Diagram): Diagram {
    const isTrue = this.function('is true', () => (value) => (value === packedTrue ? 1 : 0))
    return this.diagrams.map(isTrue, of)
  }

  truth(guard: Diagram): Diagram {
    const toTruth = this.function('to truth', () => (value) => (value === 0 ? packedFalse : packedTrue))
    return this.diagrams.map(toTruth, guard)
  }

  /** Where two scalars, or two counts, are the same. */
  same(left: Diagram, right: Diagram): Diagram {
    const { diagrams } = this
    if (left === right) return diagrams.always
    if (diagrams.isLeaf(right)) return diagrams.guardOf(left, diagrams.valueOf(right))
    if (diagrams.isLeaf(left)) return diagrams.guardOf(right, diagrams.valueOf(left))
    const isSame = this.operation('same', () => (one, other) => (one === other ? 1 : 0))
    return diagrams.apply(isSame, left, right)
  }

  /** Where a count is larger than a number. */
  beyond(count: Diagram, number: number): Diagram {
    const isBeyond = this.function(`beyond ${number}`, () => (value) => (value > number ? 1 : 0))
    return this.diagrams.map(isBeyond, count)
  }

  /** A count as a value. */
  whole(count: Diagram): Diagram {
    const toWhole = this.function('to whole', () => (value) => this.packed.whole(value))
    return this.diagrams.map(toWhole, count)
  }

  /** A value as a count; what is none is -1. */
  count(of: Diagram): Diagram {
    const toCount = this.function('to count', () => (value) => ((value & 1) === 1 ? value >> 1 : -1))
    return this.diagrams.map(toCount, of)
  }

  plus(count: Diagram, more: number): Diagram {
    const added = this.function(`plus ${more}`, () => (value) => value + more)
    return this.diagrams.map(added, count)
  }

  shapeOf(part: Part): number {
    return part.kind === 'tuple' ? this.tupleShape(part.names, part.items.length) : shapes[part.kind]
  }

  tupleShape(names: number, length: number): number {
    return firstTupleShape + this.#tupleShapes.intern(names, length)
  }

  /** A packed value with parts; undefined if it has none. */
  opened(value: number): Opened | undefined {
    if ((value & 1) === 1 || value === nowhere) return undefined
    const known = this.#opened.get(value)
    if (known !== undefined) return known
    const opened = this.#open(value)
    if (opened !== undefined) this.#opened.set(value, opened)
    return opened
  }

  #open(value: number): Opened | undefined {
    const { heap } = this.packed
    const node = value >> 1
    const kind = heap.kindOf(node)
    const parts = heap.parts(node)
    if (kind === nodeKinds.tuple) {
      const [names = 0, ...items] = parts
      return { shape: this.tupleShape(names, items.length), names, parts: items }
    }
    if (kind === nodeKinds.seq) return { shape: shapes.seq, names: 0, parts }
    if (kind === nodeKinds.set) return { shape: shapes.set, names: 0, parts }
    if (kind === nodeKinds.map) return { shape: shapes.map, names: 0, parts }
    // Large collections are kept whole.
    const whole = this.packed.leafOf(value)
    if (typeof whole !== 'object' || whole === null) return undefined
    if (whole.kind !== 'seq' && whole.kind !== 'set' && whole.kind !== 'map') return undefined
    const all = whole.kind === 'map' ? [...whole.keys, ...whole.values] : whole.items
    return { shape: shapes[whole.kind], names: 0, parts: all.map((part) => this.packed.packed(part)) }
  }

  /** The shape of a packed value. */
  shapeOfValue = (value: number): number => {
    if (value === nowhere) return nowhere
    return this.opened(value)?.shape ?? shapes.scalar
  }

  /** The list with one more part, as a number of lists under way. */
  appended(prefix: Diagram, part: Diagram): Diagram {
    const append = this.operation('append', () => (left, right) => {
      if (left === nowhere || right === nowhere) return nowhere
      return this.#prefixes.intern(left, right)
    })
    return this.diagrams.apply(append, prefix, part)
  }

  get emptyPrefix(): Diagram {
    return this.diagrams.leaf(1)
  }

  partsOfPrefix(prefix: number): readonly number[] {
    const parts: number[] = []
    for (let at = prefix; at !== 1; at = this.#prefixes.left(at)) parts.push(this.#prefixes.right(at))
    return parts.reverse()
  }
}
