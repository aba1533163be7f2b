/** Who refers to whom, and who is told what: found out once for each local state, each message and each observation. */
import { refsIn, refsOf } from '../../../semantics/ir/held.ts'
import type { MachineRef } from '../../../semantics/ir/value.ts'
import type { HandlerTable } from './handled.ts'

const nobody: readonly number[] = []

export class Holdings {
  readonly #handlers: HandlerTable
  readonly #ofLocals: (readonly number[] | undefined)[] = [nobody]
  readonly #ofEntries: (readonly number[] | undefined)[] = []
  readonly #listeners: (bigint | undefined)[] = []

  constructor(handlers: HandlerTable) {
    this.#handlers = handlers
  }

  /** Machines that are referred to, by their slots. */
  ofLocal(local: number): readonly number[] {
    const found = this.#ofLocals[local] ?? this.#slots(refsOf(this.#handlers.local(local)))
    this.#ofLocals[local] = found
    return found
  }

  ofEntry(entry: number): readonly number[] {
    const known = this.#ofEntries[entry]
    if (known !== undefined) return known
    const message = this.#handlers.message(this.#handlers.inputOf(entry))
    const found = message === undefined ? nobody : this.#slots(refsIn(message.payload))
    this.#ofEntries[entry] = found
    return found
  }

  #slots(refs: ReadonlySet<MachineRef>): readonly number[] {
    return [...refs].map((ref) => this.#handlers.slotOf(ref))
  }

  /** Monitors that hear of something, by their places and as bits. */
  listeners(observation: number): bigint {
    const known = this.#listeners[observation]
    if (known !== undefined) return known
    const { by, event } = this.#handlers.observation(observation)
    const { monitors, machines } = this.#handlers.code.ir
    const found = monitors.reduce((all, { machine, over }, at) => {
      const listens = over.includes(by) && machines[machine]?.observes.includes(event) === true
      return listens ? all | (1n << BigInt(at)) : all
    }, 0n)
    this.#listeners[observation] = found
    return found
  }
}
