/** Values of a search as plain data, each once: a value names its parts by their places, which come before its own. */
import { mostElements, nodeKinds, type PackedValues } from '../../semantics/ir/compiled/packed-values.ts'
import type { CompositeValue, IrValue, MachineRef } from '../../semantics/ir/value.ts'

/** What has no parts is itself; of the others it is told first what they are. */
export type SavedValue = null | boolean | number | string | readonly unknown[]

/** What values may name: machines, by their places in a list, and so many events. */
export interface Named {
  placeOf(machine: MachineRef): number
  machineAt(place: number): MachineRef | undefined
  readonly events: number
}

export class ValueWriter {
  readonly all: SavedValue[] = []
  readonly #packed: PackedValues
  readonly #named: Named
  readonly #places = new Map<number, number>()

  constructor(packed: PackedValues, named: Named) {
    this.#packed = packed
    this.#named = named
  }

  /** Where a packed value is. */
  placeOf(value: number): number {
    const known = this.#places.get(value)
    if (known !== undefined) return known
    const saved = (value & 1) === 1 ? value >> 1 : this.#node(value >> 1)
    const place = this.all.push(saved) - 1
    this.#places.set(value, place)
    return place
  }

  #node(node: number): SavedValue {
    const { heap } = this.#packed
    const parts = heap.parts(node)
    switch (heap.kindOf(node)) {
      case nodeKinds.leaf:
        return this.#leaf(this.#packed.leafOf(node << 1) as IrValue)
      case nodeKinds.tuple: {
        const [names = 0, ...items] = parts
        // Names below 0 are those of parts of states.
        return ['tuple', names < 0 ? names : (this.#packed.namesAt(names) ?? null), ...this.#placesOf(items)]
      }
      case nodeKinds.seq:
        return ['seq', ...this.#placesOf(parts)]
      case nodeKinds.set:
        return ['set', ...this.#placesOf(parts)]
      default:
        return ['map', ...this.#placesOf(parts)]
    }
  }

  #placesOf(values: readonly number[]): readonly number[] {
    return values.map((value) => this.placeOf(value))
  }

  #leaf(value: IrValue): SavedValue {
    if (typeof value !== 'object' || value === null) return value
    switch (value.kind) {
      case 'float':
        return ['float', String(value.value)]
      case 'event':
        return ['event', value.event]
      case 'machine':
        return ['machine', this.#named.placeOf(value)]
      case 'map':
        return ['map', ...this.#large([...value.keys, ...value.values])]
      default:
        return [value.kind, ...this.#large(value.items)]
    }
  }

  /** Items of a collection that is kept whole. */
  #large(items: readonly IrValue[]): readonly number[] {
    return this.#placesOf(items.map((item) => this.#packed.packed(item)))
  }
}

/** Packed values by their places; undefined if one is none. */
export function packedFrom(
  saved: readonly unknown[],
  packed: PackedValues,
  named: Named,
): readonly number[] | undefined {
  const made: number[] = []
  for (const one of saved) {
    const value = Array.isArray(one) ? compositeFrom(one, made, packed, named) : scalarFrom(one, packed)
    if (value === undefined) return undefined
    made.push(value)
  }
  return made
}

function scalarFrom(one: unknown, packed: PackedValues): number | undefined {
  const isScalar = one === null || typeof one === 'boolean' || typeof one === 'string' || Number.isSafeInteger(one)
  return isScalar ? packed.packed(one as IrValue) : undefined
}

function compositeFrom(
  [kind, ...rest]: readonly unknown[],
  made: readonly number[],
  packed: PackedValues,
  named: Named,
): number | undefined {
  const [first, ...others] = rest
  const { values, heap } = packed
  if (kind === 'float') return typeof first === 'string' ? packed.packed(values.float(Number(first))) : undefined
  if (kind === 'event') return isPlace(first) && first < named.events ? packed.packed(values.event(first)) : undefined
  if (kind === 'machine') {
    const machine = isPlace(first) ? named.machineAt(first) : undefined
    return machine && packed.packed(machine)
  }
  const parts = (kind === 'tuple' ? others : rest).map((place) => (isPlace(place) ? made[place] : undefined))
  if (!parts.every((part) => part !== undefined)) return undefined
  if (kind === 'tuple') {
    const names = namesFrom(first, packed)
    return names === undefined ? undefined : heap.of(nodeKinds.tuple, [names, ...parts]) << 1
  }
  if (kind === 'seq' && parts.length <= mostElements) return heap.of(nodeKinds.seq, parts) << 1
  const whole = collectionFrom(kind, packed.unpackedAll(parts), packed)
  return whole && packed.packed(whole)
}

function namesFrom(names: unknown, packed: PackedValues): number | undefined {
  if (names === null) return 0
  if (Array.isArray(names))
    return names.every((name) => typeof name === 'string') ? packed.namesNumber(names) : undefined
  return Number.isSafeInteger(names) && (names as number) < 0 ? (names as number) | 0 : undefined
}

/** Sorted, each once. */
function collectionFrom(
  kind: unknown,
  items: readonly IrValue[],
  { values }: PackedValues,
): CompositeValue | undefined {
  if (kind === 'seq') return values.seq(items)
  if (kind === 'set') return values.set(items)
  if (kind !== 'map' || items.length % 2 === 1) return undefined
  const half = items.length / 2
  return values.map(items.slice(0, half).map((key, at) => [key, items[half + at] as IrValue] as const))
}

function isPlace(candidate: unknown): candidate is number {
  return Number.isSafeInteger(candidate) && (candidate as number) >= 0
}
