/** Machines by who created them and under which name: those with both in common may change places. */
import type { MachineRef, Values } from './value.ts'

export interface Descent {
  /** How its creator is sorted; empty for the first machine. */
  readonly creator: string
  readonly name: string
  readonly count: number
}

export function descentOf({ order }: MachineRef): Descent {
  const at = order.lastIndexOf('/')
  const [name = '', count = ''] = order.slice(at + 1).split('#')
  return { creator: order.slice(0, at), name, count: Number(count) }
}

/** Machines under other names: given ones under those given, others as the same descendants of those who created them. */
export class OtherNames {
  readonly #values: Values
  readonly #others = new Map<MachineRef, MachineRef>()
  readonly #byOrder = new Map<string, MachineRef>()

  constructor(values: Values) {
    this.#values = values
  }

  set(ref: MachineRef, other: MachineRef): void {
    this.#others.set(ref, other)
    this.#byOrder.set(ref.order, ref)
  }

  of(ref: MachineRef): MachineRef {
    const known = this.#others.get(ref)
    if (known !== undefined) return known
    const { creator: order, name, count } = descentOf(ref)
    const creator = this.#byOrder.get(order)
    // Nobody has other names as long as none are given, and the first machine never has.
    const other =
      creator === undefined
        ? ref
        : this.#values.machine({ creator: this.of(creator), name, count, machine: ref.machine })
    this.set(ref, other)
    return other
  }
}
