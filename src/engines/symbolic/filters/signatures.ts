/** Numbers for what values are like without the names of machines, but that of one: the same for values that differ in other names alone. */
import { SequenceInterner } from '../../../collections/sequence-interner.ts'
import type { IrValue, MachineRef } from '../../../semantics/ir/value.ts'
import { type Lifting, shapes } from '../summaries/lifting.ts'

/** What a signature is of, in front of what it is made of. */
const marks = { this: -1, machine: -2, scalar: -3 } as const

export class Signatures {
  readonly #lifting: Lifting
  readonly #numbers = new SequenceInterner()
  readonly #known = new Map<MachineRef | undefined, Map<number, number>>()

  constructor(lifting: Lifting) {
    this.#lifting = lifting
  }

  /** Of a packed value; what has none is 0. */
  of(value: number, marked?: MachineRef | undefined): number {
    if (value === 0) return 0
    const known = this.#known.get(marked) ?? new Map<number, number>()
    this.#known.set(marked, known)
    return this.#found(value, marked, known)
  }

  #found(value: number, marked: MachineRef | undefined, known: Map<number, number>): number {
    const before = known.get(value)
    if (before !== undefined) return before
    const found = 1 + this.#numbers.intern(this.#parts(value, marked, known))
    known.set(value, found)
    return found
  }

  /** Elements of sets and entries of maps are in no order: theirs is that of names. */
  #parts(value: number, marked: MachineRef | undefined, known: Map<number, number>): readonly number[] {
    const opened = this.#lifting.opened(value)
    if (opened === undefined) return this.#scalar(value, marked)
    const parts = opened.parts.map((part) => this.#found(part, marked, known))
    const head = [opened.shape, opened.names]
    if (opened.shape === shapes.set) return [...head, ...ascending(parts)]
    if (opened.shape !== shapes.map) return [...head, ...parts]
    const size = parts.length / 2
    const entries = parts.slice(0, size).map((key, at) => this.#numbers.intern([key, parts[size + at] as number]))
    return [...head, ...ascending(entries)]
  }

  #scalar(value: number, marked: MachineRef | undefined): readonly number[] {
    const leaf = this.#lifting.packed.leafOf(value)
    if (!isMachine(leaf)) return [marks.scalar, value]
    return leaf === marked ? [marks.this] : [marks.machine, leaf.machine]
  }
}

function isMachine(value: IrValue | undefined): value is MachineRef {
  return typeof value === 'object' && value !== null && value.kind === 'machine'
}

function ascending(numbers: readonly number[]): readonly number[] {
  return [...numbers].sort((left, right) => left - right)
}
