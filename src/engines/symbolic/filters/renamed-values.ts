/** Packed values with other machines in the place of those they refer to, under one renaming. Sets and maps are sorted anew. */
import { nodeKinds, type PackedValues } from '../../../semantics/ir/compiled/packed-values.ts'
import { Renaming } from '../../../semantics/ir/renaming.ts'
import type { MachineRef } from '../../../semantics/ir/value.ts'

export class RenamedValues {
  readonly #packed: PackedValues
  readonly #renaming: Renaming
  readonly #known = new Map<number, number>()

  constructor(packed: PackedValues, refOf: (ref: MachineRef) => MachineRef) {
    this.#packed = packed
    this.#renaming = new Renaming(packed.values, refOf)
  }

  /** Also of what is no value of the program but made of some. */
  of(value: number): number {
    // Small whole numbers, and nothing at all.
    if ((value & 1) === 1 || value === 0) return value
    const known = this.#known.get(value)
    if (known !== undefined) return known
    const made = this.#made(value)
    this.#known.set(value, made)
    return made
  }

  #made(value: number): number {
    const { heap } = this.#packed
    const kind = heap.kindOf(value >> 1)
    const parts = heap.parts(value >> 1)
    switch (kind) {
      case nodeKinds.leaf:
        return this.#packed.packed(this.#renaming.value(this.#packed.unpacked(value)))
      case nodeKinds.tuple:
        // First what its names are.
        return this.#node(kind, [parts[0] as number, ...parts.slice(1).map((part) => this.of(part))])
      case nodeKinds.set:
        return this.#node(kind, this.#sorted(parts.map((part) => this.of(part))))
      case nodeKinds.map:
        return this.#map(parts.map((part) => this.of(part)))
      default:
        return this.#node(
          kind,
          parts.map((part) => this.of(part)),
        )
    }
  }

  #map(parts: readonly number[]): number {
    const size = parts.length / 2
    const values = new Map(parts.slice(0, size).map((key, at) => [key, parts[size + at] as number]))
    const keys = this.#sorted([...values.keys()])
    return this.#node(nodeKinds.map, [...keys, ...keys.map((key) => values.get(key) as number)])
  }

  #sorted(values: readonly number[]): readonly number[] {
    return [...values].sort((left, right) => this.#packed.compare(left, right))
  }

  #node(kind: number, parts: readonly number[]): number {
    return this.#packed.heap.of(kind, parts) << 1
  }

  /** A line of another machine, under another number: it is a tuple of its machine, its number and what is in it. */
  line(value: number, number: number): number {
    const [names, machine, , messages] = this.#packed.heap.parts(this.of(value) >> 1)
    return this.#node(nodeKinds.tuple, [names, machine, this.#packed.whole(number), messages] as number[])
  }
}
