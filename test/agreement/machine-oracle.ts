/**
 * Global search of machines, straight from "Model Checking a Networked System Without the Network" §3.1: a global state is
 * the states of all machines and the messages under way; breadth first, everything remembered, nothing reduced.
 */
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
  /** By invariant, and by failing handler: its message. */
  readonly violated: ReadonlySet<string>
  /** Keys of the states of each machine that some global state has. */
  readonly localStates: readonly ReadonlySet<string>[]
  /** Keys of the states of all machines together. */
  readonly systemStates: ReadonlySet<string>
  readonly globalStates: number
  readonly transitions: number
  /** Whether messages were left out because too many were under way, or the search was given up. */
  readonly cut: boolean
}

export interface OracleOptions {
  /** States with more messages under way are not followed. */
  readonly mostUnderWay?: number
  readonly mostStates?: number
}

export function searchGlobally(subject: Machines, options: OracleOptions = {}): Oracle {
  const { mostUnderWay = Number.POSITIVE_INFINITY, mostStates = Number.POSITIVE_INFINITY } = options
  const violated = new Set<string>()
  const localStates = subject.machines.map(() => new Set<string>())
  const systemStates = new Set<string>()
  const seen = new Set<string>()
  const queue: GlobalState[] = []
  let [transitions, cut] = [0, false]
  const enter = (state: GlobalState) => {
    const key = keyOf(subject, state)
    if (seen.has(key)) return
    if (state.flights.length > mostUnderWay || seen.size >= mostStates) {
      cut = true
      return
    }
    seen.add(key)
    queue.push(state)
    for (const [machine, each] of state.states.entries()) localStates[machine]?.add(subject.key(each))
    systemStates.add(systemKey(subject, state.states))
    for (const invariant of subject.invariants)
      if (invariant.violation(state.states) !== undefined) violated.add(invariant.name)
  }
  const { states, underWay } = subject.start
  enter({ states, flights: underWay.map((envelope) => sent(subject, envelope)) })
  for (let at = 0; at < queue.length; at++) {
    for (const { machine, event, flights } of eventsIn(subject, queue[at] as GlobalState)) {
      const before = (queue[at] as GlobalState).states
      if (event === undefined) {
        enter({ states: before, flights })
        continue
      }
      for (const outcome of subject.handle(machine, before[machine] as LocalState, event)) {
        transitions++
        if (outcome.violation !== undefined) violated.add(outcome.violation.message)
        else
          enter({
            states: before.map((state, other) => (other === machine ? outcome.state : state)),
            flights: [...flights, ...outcome.sent.map((envelope) => sent(subject, envelope))],
          })
      }
    }
  }
  return { violated, localStates, systemStates, globalStates: seen.size, transitions, cut }
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
