/**
 * Global search of machines, straight from "Model Checking a Networked System Without the Network" §3.1: a global state is
 * the states of all machines and the messages under way; breadth first, everything remembered, nothing reduced.
 */
import { type Violation, violationKey } from '../../src/core/property.ts'
import { encodeValue } from '../../src/core/value.ts'
import type { Envelope, LocalState, MachineEvent, Machines } from '../../src/program/machines.ts'

/** A message under way, and how many more copies of it may be delivered after the next. */
interface Flight {
  readonly envelope: Envelope
  readonly again: number
  /** Delivered before: in a network that loses nothing it may still go, as only duplicates are left of it. */
  readonly delivered: boolean
}

interface GlobalState {
  readonly states: readonly LocalState[]
  /** In sending order. */
  readonly flights: readonly Flight[]
}

export interface Oracle {
  /** By key of the violation: what it is, and the fewest events after which it comes about. */
  readonly violated: ReadonlyMap<string, Found>
  /** Keys of the states of each machine that some global state has. */
  readonly localStates: readonly ReadonlySet<string>[]
  /** States of all machines together, by key. */
  readonly systemStates: ReadonlyMap<string, readonly LocalState[]>
  readonly globalStates: number
  readonly transitions: number
  /** Whether messages were left out because too many were under way, or the search was given up. */
  readonly cut: boolean
}

interface Found {
  readonly violation: Violation
  readonly events: number
}

export interface OracleOptions {
  /** States with more messages under way are not followed. */
  readonly mostUnderWay?: number
  readonly mostStates?: number
}

export function searchGlobally(subject: Machines, options: OracleOptions = {}): Oracle {
  const search = new NaiveSearch(subject, options)
  search.run()
  return search
}

class NaiveSearch implements Oracle {
  readonly violated = new Map<string, Found>()
  readonly localStates: readonly Set<string>[]
  readonly systemStates = new Map<string, readonly LocalState[]>()
  transitions = 0
  cut = false
  readonly #subject: Machines
  readonly #options: OracleOptions
  /** By key: after how many events. */
  readonly #seen = new Map<string, number>()
  /** States after equally many events, and those after one more. Losing a message is no event. */
  #level: GlobalState[] = []
  #next: GlobalState[] = []
  #events = 0

  constructor(subject: Machines, options: OracleOptions) {
    this.#subject = subject
    this.#options = options
    this.localStates = subject.machines.map(() => new Set())
  }

  get globalStates(): number {
    return this.#seen.size
  }

  run(): void {
    const { states, underWay } = this.#subject.start
    const flights = underWay.map((envelope) => sent(this.#subject, envelope))
    this.#enter({ states, flights }, this.#level, 0)
    for (; this.#level.length > 0 && !this.#isTooLarge; this.#events++) {
      for (const state of this.#level) this.#follow(state)
      this.#level = this.#next
      this.#next = []
    }
    if (this.#level.length > 0) this.cut = true
  }

  #follow(before: GlobalState): void {
    for (const { machine, event, flights } of eventsIn(this.#subject, before)) {
      if (event === undefined) {
        this.#enter({ states: before.states, flights }, this.#level, this.#events)
        continue
      }
      for (const outcome of this.#subject.handle(machine, before.states[machine] as LocalState, event)) {
        this.transitions++
        if (outcome.violation !== undefined) this.#tell(outcome.violation, this.#events + 1)
        else {
          const states = before.states.with(machine, outcome.state)
          const more = outcome.sent.map((envelope) => sent(this.#subject, envelope))
          this.#enter({ states, flights: [...flights, ...more] }, this.#next, this.#events + 1)
        }
      }
    }
  }

  #enter(state: GlobalState, level: GlobalState[], events: number): void {
    const key = keyOf(this.#subject, state)
    const known = this.#seen.get(key)
    if (known !== undefined && known <= events) return
    if (state.flights.length > (this.#options.mostUnderWay ?? Number.POSITIVE_INFINITY) || this.#isTooLarge) {
      this.cut = true
      return
    }
    this.#seen.set(key, events)
    level.push(state)
    for (const [machine, each] of state.states.entries()) this.localStates[machine]?.add(this.#subject.key(each))
    this.systemStates.set(systemKey(this.#subject, state.states), state.states)
    for (const invariant of this.#subject.invariants) {
      const violation = invariant.violation(state.states)
      if (violation !== undefined) this.#tell(violation, events)
    }
  }

  #tell(violation: Violation, events: number): void {
    const key = violationKey(violation)
    const known = this.violated.get(key)
    if (known === undefined || events < known.events) this.violated.set(key, { violation, events })
  }

  get #isTooLarge(): boolean {
    return this.#seen.size >= (this.#options.mostStates ?? Number.POSITIVE_INFINITY)
  }
}

export function systemKey(subject: Machines, states: readonly LocalState[]): string {
  return JSON.stringify(states.map((state) => subject.key(state)))
}

function sent({ network }: Machines, envelope: Envelope): Flight {
  return { envelope, again: network.duplicates, delivered: false }
}

interface Happening {
  readonly machine: number
  /** Nothing for a message that is lost. */
  readonly event: MachineEvent | undefined
  readonly flights: readonly Flight[]
}

function* eventsIn(subject: Machines, { states, flights }: GlobalState): Generator<Happening> {
  for (const [machine, state] of states.entries())
    for (const event of subject.internal(machine, state)) yield { machine, event, flights }
  const isFifo = subject.network.order === 'fifo'
  for (const [at, flight] of flights.entries()) {
    const { from, to, message } = flight.envelope
    const isBehind = (other: Flight) => other.envelope.from === from && other.envelope.to === to
    if (isFifo && flights.slice(0, at).some(isBehind)) continue
    const machine = subject.machines.indexOf(to)
    const rest = flights.filter((_, other) => other !== at)
    if (machine >= 0) {
      const event: MachineEvent = { kind: 'message', from, message }
      yield { machine, event, flights: rest }
      const left: Flight = { envelope: flight.envelope, again: flight.again - 1, delivered: true }
      if (flight.again > 0)
        yield { machine, event, flights: flights.map((each, other) => (other === at ? left : each)) }
    }
    // Without order, a message that is lost is one that stays under way.
    if (isFifo && (subject.network.loses || flight.delivered)) yield { machine, event: undefined, flights: rest }
  }
}

function keyOf(subject: Machines, { states, flights }: GlobalState): string {
  const isFifo = subject.network.order === 'fifo'
  const texts = flights.map(({ envelope: { from, to, message }, again, delivered }) => ({
    channel: isFifo ? JSON.stringify([from, to]) : '',
    text: encodeValue([from, to, message, again, delivered]),
  }))
  // Channels in a fixed order, messages in the order of their channel, or in any where there is none.
  if (isFifo) texts.sort((left, right) => (left.channel < right.channel ? -1 : left.channel > right.channel ? 1 : 0))
  else texts.sort((left, right) => (left.text < right.text ? -1 : left.text > right.text ? 1 : 0))
  return JSON.stringify([states.map((state) => subject.key(state)), texts.map(({ text }) => text)])
}
