/**
 * What single machines can be, and what they send, as numbers. A local state is a node: its head, which is all but the fields, and the fields, packed.
 * Whatever is asked for as the reference semantics knows it is made from the numbers.
 */
import { PairTable } from '../../../collections/pair-table.ts'
import type { IrState } from '../../../ir/ir.ts'
import type { Code } from '../../../semantics/ir/code.ts'
import { nodeKinds, PackedValues, packedNull } from '../../../semantics/ir/compiled/packed-values.ts'
import { type MachineState, type Message, type Paused, pausedText } from '../../../semantics/ir/configuration.ts'
import { nextInInbox, stateOf } from '../../../semantics/ir/moves.ts'
import { type IrValue, keysOf, type MachineRef } from '../../../semantics/ir/value.ts'

/** Inputs that are no messages. */
export const inputs = { begin: 0, nothing: 1, inbox: 2, goOn: 3 } as const
const firstMessage = 4

/**
 * Of a local state. `busy`: it takes something from its inbox before anything else reaches it. `restless`: it does something although there is nothing to
 * receive. `interrupted`: others may come before it goes on.
 */
export const phases = { none: 0, created: 1, idle: 2, busy: 3, restless: 4, interrupted: 5, halted: 6 } as const

export interface Observation {
  readonly by: number
  readonly event: number
  readonly payload: IrValue
}

/** All of a local state but its fields. */
export interface Head {
  readonly phase: number
  readonly slot: number
  readonly state: number
  /** What it was created with, packed. */
  readonly argument: number
  /** Messages, as inputs. */
  readonly inbox: readonly number[]
  readonly created: number
  /** 0: it is in the middle of nothing. */
  readonly paused: number
}

/** Numbers for texts, and what each number stands for. */
class Known<T> {
  readonly #numbers = new Map<string, number>()
  readonly list: T[] = []

  number(key: string, make: () => T): number {
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    this.#numbers.set(key, this.list.length)
    return this.list.push(make()) - 1
  }
}

type Created = MachineState['created']

export class LocalStates {
  readonly values: PackedValues
  readonly code: Code
  readonly #slots = new Map<MachineRef, number>()
  /** By slot. */
  readonly refs: MachineRef[] = []
  readonly #selves: number[] = []
  /** Of an event and a packed payload. */
  readonly #messages = new PairTable()
  /** Of a slot and an input. */
  readonly #entries = new PairTable()
  readonly #created = new Known<Created>()
  readonly #paused = new Known<Paused | undefined>()

  constructor(code: Code) {
    this.code = code
    this.values = new PackedValues(code.values)
    this.createdNumber(new Map())
    this.#paused.number('', () => undefined)
  }

  get bytes(): number {
    return this.values.heap.bytes + this.#messages.bytes + this.#entries.bytes
  }

  // Machines, messages, observations

  slotOf(ref: MachineRef): number {
    const known = this.#slots.get(ref)
    if (known !== undefined) return known
    this.#slots.set(ref, this.refs.length)
    this.#selves.push(this.values.packed(ref))
    return this.refs.push(ref) - 1
  }

  /** The machine itself, packed. */
  selfOf(slot: number): number {
    return this.#selves[slot] as number
  }

  /** A message or a creation on its way. */
  entryFor(slot: number, input: number): number {
    return this.#entries.intern(slot, input)
  }

  targetOf = (entry: number): number => this.#entries.left(entry)

  inputOf(entry: number): number {
    return this.#entries.right(entry)
  }

  inputFor(event: number, payload: number): number {
    return this.#messages.intern(event, payload) + firstMessage
  }

  eventOf(input: number): number {
    return this.#messages.left(input - firstMessage)
  }

  payloadOf(input: number): number {
    return this.#messages.right(input - firstMessage)
  }

  message(input: number): Pick<Message, 'event' | 'payload'> | undefined {
    if (input < firstMessage) return undefined
    return { event: this.eventOf(input), payload: this.values.unpacked(this.payloadOf(input)) }
  }

  observationOf(by: number, event: number, payload: number): number {
    return this.values.heap.of(nodeKinds.list, [by, event, payload])
  }

  observation(number: number): Observation {
    const [by, event, payload] = this.values.heap.parts(number) as [number, number, number]
    return { by, event, payload: this.values.unpacked(payload) }
  }

  // Local states; number 0 is no machine

  headOf(local: number): Head {
    const { heap } = this.values
    const parts = heap.parts(heap.part(local, 0))
    const [phase, slot, state, argument, inbox, created, paused] = parts as [number, ...number[]]
    return {
      phase,
      slot: slot as number,
      state: state as number,
      argument: argument as number,
      inbox: inbox === 0 ? [] : heap.parts(inbox as number),
      created: created as number,
      paused: paused as number,
    }
  }

  /** What a machine in this local state can do. */
  phase(local: number): number {
    if (local === 0) return phases.none
    const { heap } = this.values
    return heap.part(heap.part(local, 0), 0)
  }

  headNumber({ phase, slot, state, argument, inbox, created, paused }: Head): number {
    const { heap } = this.values
    const list = inbox.length === 0 ? 0 : heap.of(nodeKinds.list, inbox)
    return heap.of(nodeKinds.head, [phase, slot, state, argument, list, created, paused])
  }

  /** With the first so many of these fields. */
  localWith(head: number, fields: ArrayLike<number>, count: number): number {
    const { heap } = this.values
    const first = heap.open(count + 1)
    const { cells } = heap
    cells[first] = head
    for (let at = 0; at < count; at++) cells[first + 1 + at] = fields[at] as number
    return heap.close(nodeKinds.local, count + 1)
  }

  localOf(machine: MachineState): number {
    const { ref, state, argument, inbox, created, paused } = machine
    const head = this.headNumber({
      phase: phaseOf(machine, this.code),
      slot: this.slotOf(ref),
      state,
      argument: this.values.packed(argument),
      inbox: inbox.map(({ event, payload }) => this.inputFor(event as number, this.values.packed(payload))),
      created: this.createdNumber(created),
      paused: paused === undefined ? 0 : this.#pausedNumber(machine, paused),
    })
    const fields = machine.fields.map((field) => this.values.packed(field))
    return this.localWith(head, fields, fields.length)
  }

  /** What a machine waits for follows from the functions under way, its fields and who it is. */
  #pausedNumber({ ref, fields }: MachineState, paused: Paused): number {
    return this.#paused.number(`${ref.id}|${keysOf(fields)}|${pausedText(paused)}`, () => paused)
  }

  local(number: number): MachineState {
    const { phase, slot, state, argument, inbox, created, paused } = this.headOf(number)
    const ref = this.refs[slot] as MachineRef
    return {
      ref,
      phase: phase === phases.created ? 'created' : phase === phases.halted ? 'halted' : 'begun',
      state,
      fields: this.values.unpackedAll(this.values.heap.parts(number).slice(1)),
      inbox: inbox.map((input) => this.messageTo(ref, input)),
      paused: this.#paused.list[paused],
      created: this.createdBy(created),
      argument: this.values.unpacked(argument),
      // Turns are bounded along paths alone.
      turns: 0,
    }
  }

  messageTo(to: MachineRef, input: number): Message {
    const { event, payload } = this.message(input) as Pick<Message, 'event' | 'payload'>
    return { number: 0, from: undefined, to, event, payload, past: [] }
  }

  createdNumber(created: Created): number {
    const text = [...created]
      .map(([name, count]) => `${name}:${count}`)
      .sort()
      .join()
    return this.#created.number(text, () => created)
  }

  createdBy(created: number): Created {
    return this.#created.list[created] as Created
  }

  halted(slot: number): number {
    const none = { state: 0, argument: packedNull, inbox: [], created: 0, paused: 0 }
    return this.localWith(this.headNumber({ phase: phases.halted, slot, ...none }), [], 0)
  }

  // Inboxes of machines that are in the middle of nothing, as `moves.ts` has them

  stateIn(slot: number, state: number): IrState {
    return this.code.ir.machines[this.refs[slot]?.machine ?? -1]?.states[state] as IrState
  }

  /** Where the message is that the machine takes next; -1: nowhere. */
  nextIn(inbox: readonly number[], { handlers }: IrState): number {
    return inbox.findIndex((input) => handlers.get(this.eventOf(input))?.kind !== 'defer')
  }

  /** Without what the state ignores, as far as the machine looks. */
  settled(inbox: readonly number[], { handlers }: IrState): readonly number[] {
    if (inbox.length === 0) return inbox
    const kinds = inbox.map((input) => handlers.get(this.eventOf(input))?.kind)
    const taken = kinds.findIndex((kind) => kind !== 'ignore' && kind !== 'defer')
    const end = taken < 0 ? inbox.length : taken
    return inbox.filter((_, at) => at >= end || kinds[at] !== 'ignore')
  }

  /** Of one that has begun and is in the middle of nothing. */
  restingPhase(inbox: readonly number[], state: IrState): number {
    if (inbox.length > 0 && this.nextIn(inbox, state) >= 0) return phases.busy
    return state.onNull === undefined ? phases.idle : phases.restless
  }
}

function phaseOf(machine: MachineState, code: Code): number {
  if (machine.phase === 'halted') return phases.halted
  if (machine.phase === 'created') return phases.created
  if (nextInInbox(machine, code) !== undefined) return phases.busy
  const waits = machine.paused?.waits.kind
  if (waits === 'send' || waits === 'new') return phases.interrupted
  const isRestless = machine.paused === undefined && stateOf(machine, code).onNull !== undefined
  return isRestless ? phases.restless : phases.idle
}
