/**
 * What machines do apart, computed once: a handler runs once for each local state and event, however many states of the
 * whole system it is met in (LMC §3.1, observations). Local states, messages and events are small numbers.
 */
import { KeyIndex } from '../../collections/key-index.ts'
import type { Violation } from '../../core/property.ts'
import type { Unhurried } from '../../core/unhurried.ts'
import { encodeInOrder, type Value } from '../../core/value.ts'
import type { Envelope, LocalState, MachineEvent, Machines, Outcome } from '../../program/machines.ts'
import type { Act } from './channels/channels.ts'
import { MachineNumbers } from './machine-numbers.ts'
import { envelopeKey } from './machines.ts'

export interface LocalMessage {
  readonly envelope: Envelope
  readonly from: number
  readonly to: number
  /** Its delivery. */
  readonly event: number
}

/** In place of a local state: a machine that failed, or that does not exist, has none. */
export const nowhere = -1

export interface LocalOutcome {
  /** The local state afterwards; `nowhere` if the handler failed. */
  readonly local: number
  /** What was sent and begun, by the machine and then by those that it created. */
  readonly acts: readonly Act[]
  readonly created: readonly { readonly machine: number; readonly local: number }[]
  readonly choices: readonly number[]
  /** What monitors are told of it. */
  readonly told: readonly Value[]
  /** What was announced alone, by those that it created as well. */
  readonly announced: readonly Value[]
  readonly violation: Violation | undefined
}

/** Outcomes between two breaths. */
const numberedPerBreath = 64

export class LocalGraph {
  readonly machines: Machines
  readonly numbers: MachineNumbers
  readonly #locals: Numbered<LocalState>[] = []
  readonly #messages = new Numbered<LocalMessage>()
  readonly #events = new Numbered<MachineEvent>()
  /** By machine and local state: the outcomes of each event, and the numbers of the machine's own events. */
  readonly #outcomes: Map<number, readonly LocalOutcome[]>[][] = []
  readonly #internal: (readonly number[] | undefined)[][] = []
  /** A machine without others is hardly ever in a local state again: what came of it is not worth its memory. */
  readonly #isAlone: boolean
  /** Characters of the states that handlers came to. */
  text = 0

  constructor(machines: Machines) {
    this.machines = machines
    this.#isAlone = machines.machines.length === 1
    this.numbers = new MachineNumbers(machines.machines)
  }

  local(machine: number, state: LocalState): number {
    const locals = this.#locals[machine] ?? new Numbered<LocalState>()
    this.#locals[machine] = locals
    const key = this.machines.key(state)
    this.text += key.length
    return locals.number(key, () => state)
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
      from: this.numbers.of(envelope.from),
      to: this.numbers.of(envelope.to),
      event: this.event({ kind: 'message', from: envelope.from, message: envelope.message }),
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
    const known = this.#internal[machine] ?? []
    this.#internal[machine] = known
    const events = known[local] ?? this.#internalIn(machine, local)
    if (!this.#isAlone) known[local] = events
    return events
  }

  #internalIn(machine: number, local: number): readonly number[] {
    return this.machines.internal(machine, this.state(machine, local)).map((one) => this.event(one))
  }

  *outcomes(machine: number, local: number, event: number): Unhurried<readonly LocalOutcome[]> {
    const byLocal = this.#outcomes[machine] ?? []
    this.#outcomes[machine] = byLocal
    const known = byLocal[local]?.get(event)
    if (known !== undefined) return known
    const outcomes: LocalOutcome[] = []
    for (const outcome of yield* this.#handled(machine, local, event)) {
      outcomes.push(this.#numbered(machine, outcome))
      if (outcomes.length % numberedPerBreath === 0) yield
    }
    if (this.#isAlone && outcomes.every(({ acts }) => acts.length === 0)) return outcomes
    const byEvent = byLocal[local] ?? new Map<number, readonly LocalOutcome[]>()
    byLocal[local] = byEvent
    byEvent.set(event, outcomes)
    return outcomes
  }

  *#handled(machine: number, local: number, event: number): Unhurried<readonly Outcome[]> {
    const [state, happens] = [this.state(machine, local), this.eventAt(event)]
    const handling = this.machines.handling?.(machine, state, happens)
    return handling === undefined ? this.machines.handle(machine, state, happens) : yield* handling
  }

  #numbered(machine: number, outcome: Outcome): LocalOutcome {
    const { state, choices, violation, created = [] } = outcome
    if (violation !== undefined)
      return { local: nowhere, acts: [], created: [], choices, told: [], announced: [], violation }
    // Nearly all that machines do which are declared by their actions.
    if (outcome.sent.length + created.length === 0) {
      const announced = outcome.announced === undefined ? nothing : announcedBy(outcome)
      const local = this.local(machine, state)
      return { local, acts: nothing, created: nothing, choices, told: announced, announced, violation }
    }
    const messages = (sent: readonly Envelope[]): readonly Act[] => sent.map((envelope) => this.message(envelope))
    const acts = actsOf(outcome, {
      send: (envelope) => this.message(envelope),
      creator: machine,
      numbers: this.numbers,
    })
    const begun = created.map((one) => {
      const number = this.numbers.of(one.name)
      return { machine: number, local: this.local(number, one.state) }
    })
    const later = created.flatMap(({ sent }) => messages(sent))
    return {
      local: this.local(machine, state),
      acts: [...acts, ...later],
      created: begun,
      choices,
      told: toldBy(outcome),
      announced: [outcome, ...created].flatMap(announcedBy),
      violation,
    }
  }

  event(event: MachineEvent): number {
    return this.#events.number(encodeInOrder(event as never), () => event)
  }
}

interface Acting {
  readonly creator: number
  readonly numbers: MachineNumbers
  /** The number of a message. */
  readonly send: (envelope: Envelope) => number
}

/** What a handler sent and announced, in its order. */
function toldBy({ sent, announced = [] }: Pick<Outcome, 'sent' | 'announced'>): readonly Value[] {
  const announcedAfter = (count: number): readonly Value[] =>
    announced.flatMap(({ event, after }) => (after === count ? [event] : []))
  return [...announcedAfter(0), ...sent.flatMap(({ message }, at) => [message, ...announcedAfter(at + 1)])]
}

function announcedBy({ announced = [] }: Pick<Outcome, 'announced'>): readonly Value[] {
  return announced.map(({ event }) => event)
}

const nothing: readonly never[] = Object.freeze([])

/** What objects are told before anything else. */
export function announcedAtStart({ machines, start }: Machines): readonly Value[] {
  return start.called ?? machines.flatMap((_, machine) => announcedBy({ announced: start.announced?.[machine] }))
}

/** As processes do it: all that is announced before the first message of a machine comes first, then each machine goes on. */
export function toldAtStart({ machines, start }: Machines): readonly Value[] {
  const announced = machines.map((_, machine) => start.announced?.[machine] ?? [])
  const first = announced.flatMap((all) => all.flatMap(({ event, after }) => (after === 0 ? [event] : [])))
  const later = machines.flatMap((name, machine) => {
    const sent = start.underWay.filter(({ from }) => from === name)
    return toldBy({ sent, announced: announced[machine]?.filter(({ after }) => after > 0) })
  })
  return [...first, ...later]
}

/** What a handler sent and whom it created, in its order. */
export function actsOf({ sent, created = [] }: Outcome, { creator, numbers, send }: Acting): readonly Act[] {
  const begunAfter = (count: number): readonly Act[] =>
    created.flatMap(({ name, after }) => (after === count ? [{ creator, created: numbers.of(name) }] : []))
  return [...begunAfter(0), ...sent.flatMap((envelope, at) => [send(envelope), ...begunAfter(at + 1)])]
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
