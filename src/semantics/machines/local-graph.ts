/**
 * What machines do apart, computed once: a handler runs once for each local state and event, however many states of the
 * whole system it is met in (LMC §3.1, observations). Local states, messages and events are small numbers.
 */
import { KeyIndex } from '../../collections/key-index.ts'
import type { Violation } from '../../core/property.ts'
import { encodeValue } from '../../core/value.ts'
import type { Envelope, LocalState, MachineEvent, Machines, Outcome } from '../../program/machines.ts'
import { envelopeKey } from './machines.ts'

export interface LocalMessage {
  readonly envelope: Envelope
  readonly from: number
  readonly to: number
  /** Its delivery. */
  readonly event: number
}

/** In place of a local state: a machine that failed has none. */
const nowhere = -1

export interface LocalOutcome {
  /** The local state afterwards; `nowhere` if the handler failed. */
  readonly local: number
  readonly sent: readonly number[]
  readonly choices: readonly number[]
  readonly violation: Violation | undefined
}

export class LocalGraph {
  readonly machines: Machines
  readonly #locals: Numbered<LocalState>[]
  readonly #messages = new Numbered<LocalMessage>()
  readonly #events = new Numbered<MachineEvent>()
  /** By machine and local state: the outcomes of each event, and the numbers of the machine's own events. */
  readonly #outcomes: Map<number, readonly LocalOutcome[]>[][]
  readonly #internal: (readonly number[] | undefined)[][]

  constructor(machines: Machines) {
    this.machines = machines
    this.#locals = machines.machines.map(() => new Numbered())
    this.#outcomes = machines.machines.map(() => [])
    this.#internal = machines.machines.map(() => [])
  }

  local(machine: number, state: LocalState): number {
    const locals = this.#locals[machine] as Numbered<LocalState>
    return locals.number(this.machines.key(state), () => state)
  }

  state(machine: number, local: number): LocalState {
    return (this.#locals[machine] as Numbered<LocalState>).at(local)
  }

  /** Local states met so far, of all machines. */
  get size(): number {
    return this.#locals.reduce((sum, locals) => sum + locals.size, 0)
  }

  message(envelope: Envelope): number {
    return this.#messages.number(envelopeKey(envelope), () => ({
      envelope,
      from: this.machines.machines.indexOf(envelope.from),
      to: this.machines.machines.indexOf(envelope.to),
      event: this.#event({ kind: 'message', from: envelope.from, message: envelope.message }),
    }))
  }

  messageAt(message: number): LocalMessage {
    return this.#messages.at(message)
  }

  eventAt(event: number): MachineEvent {
    return this.#events.at(event)
  }

  /** Events of the machine itself in a local state. */
  internal(machine: number, local: number): readonly number[] {
    const known = this.#internal[machine] as (readonly number[] | undefined)[]
    const events =
      known[local] ?? this.machines.internal(machine, this.state(machine, local)).map((one) => this.#event(one))
    known[local] = events
    return events
  }

  outcomes(machine: number, local: number, event: number): readonly LocalOutcome[] {
    const byLocal = this.#outcomes[machine] as Map<number, readonly LocalOutcome[]>[]
    const byEvent = byLocal[local] ?? new Map<number, readonly LocalOutcome[]>()
    byLocal[local] = byEvent
    const known = byEvent.get(event)
    if (known !== undefined) return known
    const outcomes = this.machines
      .handle(machine, this.state(machine, local), this.eventAt(event))
      .map((outcome) => this.#numbered(machine, outcome))
    byEvent.set(event, outcomes)
    return outcomes
  }

  #numbered(machine: number, { state, sent, choices, violation }: Outcome): LocalOutcome {
    return {
      local: violation === undefined ? this.local(machine, state) : nowhere,
      sent: violation === undefined ? sent.map((envelope) => this.message(envelope)) : [],
      choices,
      violation,
    }
  }

  #event(event: MachineEvent): number {
    return this.#events.number(encodeValue(event as never), () => event)
  }
}

/** Things by number, in the order they are first met. */
class Numbered<Item> {
  readonly #keys = new KeyIndex()
  readonly #items: Item[] = []

  get size(): number {
    return this.#items.length
  }

  number(key: string, make: () => Item): number {
    const known = this.#keys.find(key)
    if (known >= 0) return known
    this.#items.push(make())
    return this.#keys.add(key)
  }

  at(number: number): Item {
    return this.#items[number] as Item
  }
}
