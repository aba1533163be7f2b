/** All executions at once, after so many steps: machines, what they have sent, monitors, and which executions are still going on. */
import type { Diagram } from '../../bdd/diagrams.ts'
import type { Code } from '../../semantics/ir/code.ts'
import type { IrValue, MachineRef } from '../../semantics/ir/value.ts'
import { Controls } from './controls.ts'
import { Messages } from './messages.ts'
import { lifted } from './summaries/concrete.ts'
import type { Lifting } from './summaries/lifting.ts'
import { emptySeq } from './summaries/seq.ts'
import type { SeqSummary, Summary } from './summaries/summary.ts'

/** Leaves of a machine's phase. */
export const phases = { none: 0, created: 1, begun: 2, halted: 3 } as const

/** A machine that exists in some execution. Summaries say nothing where its phase says that they do not. */
export interface Slot {
  readonly at: number
  readonly ref: MachineRef
  /** Itself, as a value. */
  readonly self: Diagram
  phase: Diagram
  /** Leaves are numbers of controls. */
  control: Diagram
  fields: Summary[]
  /** Tuples of an event and a payload: what arrived and was not taken. */
  inbox: SeqSummary
  /** What it was created with, until it begins. */
  argument: Summary
  /** How many machines of each name it has created, as counts. */
  readonly created: Map<string, Diagram>
  /** By control: locals of the functions under way, the innermost first, and payloads of what is to be done after them. */
  readonly saved: Map<number, readonly Summary[]>
  /** What it has sent and nobody has received: tuples of a target, an event (null: it is created) and a payload, by line. */
  readonly lines: Map<number, SeqSummary>
}

/** What changes of a machine in a step. */
type Changing = Omit<Slot, 'at' | 'ref' | 'self'>

export interface MonitorSlot {
  readonly machine: number
  /** Leaves are states. */
  state: Diagram
  fields: Summary[]
}

export interface Snapshot {
  readonly alive: Diagram
  readonly slots: readonly Slot[]
  readonly monitors: readonly MonitorSlot[]
}

export class SymbolicState {
  readonly lifting: Lifting
  readonly code: Code
  readonly controls = new Controls()
  /** Executions that go on. */
  alive: Diagram
  /** Whether something has gone wrong in some execution. */
  hasFailed = false
  readonly slots: Slot[] = []
  readonly monitors: MonitorSlot[]
  /** Of a network on which messages arrive in any order: each has a line of its own, with those that are alike. */
  readonly messages: Messages | undefined
  readonly #slots = new Map<MachineRef, Slot>()
  readonly #byValue = new Map<number, Slot>()

  constructor(lifting: Lifting, code: Code, network: string) {
    this.lifting = lifting
    this.code = code
    this.messages = network === 'bag' ? new Messages() : undefined
    this.alive = lifting.diagrams.always
    this.monitors = code.ir.monitors.map(({ machine }) => ({
      machine,
      state: lifting.diagrams.leaf(code.ir.machines[machine]?.start ?? 0),
      fields: this.#defaults(machine),
    }))
  }

  #defaults(machine: number): Summary[] {
    return (this.code.machines[machine]?.fields ?? []).map((value) => this.value(value))
  }

  value(value: IrValue): Summary {
    return lifted(this.lifting, this.lifting.constant(value))
  }

  /** The machine of this name; one that nobody has seen before does not exist in any execution yet. */
  slotOf(ref: MachineRef): Slot {
    const known = this.#slots.get(ref)
    if (known !== undefined) return known
    const { diagrams, packed } = this.lifting
    const value = packed.packed(ref)
    const slot: Slot = { at: this.slots.length, ref, self: diagrams.leaf(value), ...this.#unseen(ref) }
    this.slots.push(slot)
    this.#slots.set(ref, slot)
    this.#byValue.set(value, slot)
    return slot
  }

  /** A machine that does not exist in any execution. */
  #unseen({ machine }: MachineRef): Changing {
    const { diagrams } = this.lifting
    return {
      phase: diagrams.leaf(phases.none),
      control: diagrams.leaf(this.controls.resting(this.code.ir.machines[machine]?.start ?? 0)),
      fields: this.#defaults(machine),
      inbox: emptySeq(this.lifting),
      argument: this.value(null),
      created: new Map(),
      saved: new Map(),
      lines: new Map(),
    }
  }

  /** The machine that a packed value names. */
  slotNamed(value: number): Slot | undefined {
    return this.#byValue.get(value)
  }

  line(slot: Slot, key: number): SeqSummary {
    return slot.lines.get(key) ?? emptySeq(this.lifting)
  }

  /** All that a step may change. */
  snapshot(): Snapshot {
    return {
      alive: this.alive,
      slots: this.slots.map(copied),
      monitors: this.monitors.map(({ machine, state, fields }) => ({ machine, state, fields })),
    }
  }

  /** As it was; machines that were met for the first time since do not exist. */
  restore({ alive, slots, monitors }: Snapshot): void {
    this.alive = alive
    for (const slot of this.slots) {
      const { created, saved, lines, ...kept } = slots[slot.at] ?? this.#unseen(slot.ref)
      Object.assign(slot, kept)
      replace(slot.created, created)
      replace(slot.saved, saved)
      replace(slot.lines, lines)
    }
    for (const [at, monitor] of this.monitors.entries()) Object.assign(monitor, monitors[at])
  }

  isVacuous(guard: Diagram): boolean {
    const { diagrams } = this.lifting
    return guard === diagrams.never || diagrams.disjoint(guard, this.alive)
  }
}

/** A name for a line of a machine. */
export function lineName({ at }: Slot, line: number): string {
  return `line ${at} ${line}`
}

/** All that a machine has in itself; what it has sent is no longer its own. */
export function heldBy({ fields, inbox, argument, saved }: Slot): readonly Summary[] {
  return [...fields, inbox, argument, ...[...saved.values()].flat()]
}

/** Property by property: before every handler all machines are copied, and copies by spreading took an eighth of a short search. */
function copied(slot: Slot): Slot {
  const { at, ref, self, phase, control, fields, inbox, argument } = slot
  const created = slot.created.size === 0 ? nothing : new Map(slot.created)
  const saved = slot.saved.size === 0 ? nothing : new Map(slot.saved)
  const lines = slot.lines.size === 0 ? nothing : new Map(slot.lines)
  return { at, ref, self, phase, control, fields, inbox, argument, created, saved, lines }
}

/** A copy of a map that has nothing, which nobody changes. */
const nothing = new Map<never, never>()

function replace<Key, Value>(map: Map<Key, Value>, entries: Iterable<readonly [Key, Value]>): void {
  map.clear()
  for (const [key, value] of entries) map.set(key, value)
}
