/** Values, machines and monitors with other machines in the place of those they refer to. Sets and maps are sorted anew. */
import type { AgendaItem, Frame, MachineState, Message, MonitorState, Paused, Waits } from './configuration.ts'
import type { CompositeValue, IrValue, MachineRef, Values } from './value.ts'

export class Renaming {
  readonly #values: Values
  readonly #refOf: (ref: MachineRef) => MachineRef
  readonly #known = new Map<CompositeValue, IrValue>()

  constructor(values: Values, refOf: (ref: MachineRef) => MachineRef) {
    this.#values = values
    this.#refOf = refOf
  }

  value(value: IrValue): IrValue {
    if (typeof value !== 'object' || value === null) return value
    const known = this.#known.get(value)
    if (known !== undefined) return known
    const renamed = this.#renamed(value)
    this.#known.set(value, renamed)
    return renamed
  }

  #renamed(value: CompositeValue): IrValue {
    switch (value.kind) {
      case 'machine':
        return this.#refOf(value)
      case 'seq':
        return this.#values.seq(this.all(value.items))
      case 'set':
        return this.#values.set(this.all(value.items))
      case 'map':
        return this.#values.map(value.keys.map((key, at) => [this.value(key), this.value(value.values[at] as IrValue)]))
      case 'tuple':
        return this.#values.tuple(this.all(value.items), value.names)
      default:
        return value
    }
  }

  all(values: readonly IrValue[]): readonly IrValue[] {
    return values.map((value) => this.value(value))
  }

  machine(machine: MachineState): MachineState {
    const { ref, fields, inbox, paused, argument } = machine
    return {
      ...machine,
      ref: this.#refOf(ref),
      fields: this.all(fields),
      inbox: inbox.map((message) => this.message(message)),
      paused: paused && this.#paused(paused),
      argument: this.value(argument),
    }
  }

  message(message: Message): Message {
    const { from, to, payload } = message
    return { ...message, from: from && this.#refOf(from), to: this.#refOf(to), payload: this.value(payload) }
  }

  monitor(monitor: MonitorState): MonitorState {
    return { ...monitor, fields: this.all(monitor.fields) }
  }

  #paused({ frame, agenda, waits }: Paused): Paused {
    return { frame: this.#frame(frame), agenda: agenda.map((item) => this.#item(item)), waits: this.#waits(waits) }
  }

  /** Between two functions there is none, although its type has one. */
  #frame(frame: Frame | undefined): Frame {
    if (frame === undefined) return frame as never
    return { ...frame, locals: this.all(frame.locals), below: frame.below && this.#frame(frame.below) }
  }

  #item(item: AgendaItem): AgendaItem {
    return 'payload' in item ? { ...item, payload: this.value(item.payload) } : item
  }

  #waits(waits: Waits): Waits {
    if (waits.kind === 'send') return { ...waits, to: this.#refOf(waits.to), payload: this.value(waits.payload) }
    return waits.kind === 'choose' ? { ...waits, options: this.all(waits.options) } : waits
  }
}
