/**
 * What is under way in a naive search, for every network: each message with who sent it after what, in sending order. Where
 * order shows it, the sender decides how many copies arrive, as in the reference semantics; on a `mailbox` machines send one
 * message after the other, and others may send in between.
 */
import { encodeValue } from '../../src/core/value.ts'
import type { Envelope, LocalState, MachineEvent, Machines } from '../../src/program/machines.ts'

/** A message under way, and how many more copies of it may be delivered after the next. */
interface Flight {
  readonly id: number
  readonly envelope: Envelope
  readonly again: number
  /** Delivered before: in a network that loses nothing it may still go, as only duplicates are left of it. */
  readonly delivered: boolean
  /** Flights that were known to the sender. */
  readonly past: ReadonlySet<number>
}

export interface Air {
  /** In sending order. */
  readonly flights: readonly Flight[]
  /** By machine: what it has still to send before it does anything else. */
  readonly outboxes: readonly (readonly Envelope[])[]
  /** By machine: flights that happened before all it does. */
  readonly known: readonly ReadonlySet<number>[]
  readonly nextId: number
}

export function emptyAir({ machines }: Machines): Air {
  return { flights: [], outboxes: machines.map(() => []), known: machines.map(() => new Set()), nextId: 0 }
}

export function flightsIn({ flights, outboxes }: Air): number {
  return flights.length + outboxes.flat().length
}

/** What may be under way after these were sent. */
export function sendings(subject: Machines, air: Air, envelopes: readonly Envelope[]): readonly Air[] {
  const { name, loses, duplicates } = subject.network
  if (name === 'bag' || name === 'fifo') return [envelopes.reduce((each, one) => sent(subject, each, one), air)]
  let airs: readonly Air[] = [air]
  for (const envelope of envelopes) {
    const counts = Array.from({ length: 2 + duplicates }, (_, count) => count).filter((count) => count > 0 || loses)
    airs = airs.flatMap((each) =>
      counts.map((count) => {
        const copies = Array.from({ length: count }, () => envelope)
        return name === 'mailbox'
          ? posted(subject, each, copies)
          : copies.reduce((before, one) => sent(subject, before, one), each)
      }),
    )
  }
  return airs
}

function posted({ machines }: Machines, air: Air, copies: readonly Envelope[]): Air {
  const outboxes = air.outboxes.map((outbox, machine) => [
    ...outbox,
    ...copies.filter(({ from }) => from === machines[machine]),
  ])
  return { ...air, outboxes }
}

function sent({ machines, network }: Machines, air: Air, envelope: Envelope): Air {
  const sender = machines.indexOf(envelope.from)
  const past = air.known[sender] ?? new Set()
  const again = network.name === 'bag' || network.name === 'fifo' ? network.duplicates : 0
  const flight: Flight = { id: air.nextId, envelope, again, delivered: false, past }
  const known = air.known.map((each, machine) => (machine === sender ? new Set([...each, flight.id]) : each))
  return { ...air, flights: [...air.flights, flight], known, nextId: air.nextId + 1 }
}

export interface Passing {
  readonly machine: number
  /** Nothing for a message that is lost, or sent. */
  readonly event: MachineEvent | undefined
  readonly air: Air
}

export function* eventsIn(
  subject: Machines,
  { states, air }: { readonly states: readonly LocalState[]; readonly air: Air },
): Generator<Passing> {
  const isIdle = (machine: number) => air.outboxes[machine]?.length === 0
  for (const [machine, [first, ...others]] of air.outboxes.entries()) {
    if (first === undefined) continue
    const outboxes = air.outboxes.with(machine, others)
    yield { machine, event: undefined, air: sent(subject, { ...air, outboxes }, first) }
  }
  for (const [machine, state] of states.entries())
    if (isIdle(machine)) for (const event of subject.internal(machine, state)) yield { machine, event, air }
  for (const [at, flight] of air.flights.entries()) {
    if (air.flights.slice(0, at).some((earlier) => holdsBack(subject, earlier, flight))) continue
    const machine = subject.machines.indexOf(flight.envelope.to)
    if (isIdle(machine)) yield* deliveries(air, at, machine)
    // Without order, a message that is lost is one that stays under way.
    const { name, loses } = subject.network
    if (name === 'fifo' && (loses || flight.delivered))
      yield { machine, event: undefined, air: { ...air, flights: air.flights.toSpliced(at, 1) } }
  }
}

function* deliveries(air: Air, at: number, machine: number): Generator<Passing> {
  const flight = air.flights[at] as Flight
  const { from, message } = flight.envelope
  const event: MachineEvent = { kind: 'message', from, message }
  const learned = [...flight.past, flight.id]
  const known = air.known.map((each, who) => (who === machine ? new Set([...each, ...learned]) : each))
  yield { machine, event, air: { ...air, known, flights: air.flights.toSpliced(at, 1) } }
  const left: Flight = { ...flight, again: flight.again - 1, delivered: true }
  if (flight.again > 0) yield { machine, event, air: { ...air, known, flights: air.flights.with(at, left) } }
}

function holdsBack({ network }: Machines, earlier: Flight, later: Flight): boolean {
  const isFromSame = earlier.envelope.from === later.envelope.from
  const isToSame = earlier.envelope.to === later.envelope.to
  switch (network.name) {
    case 'bag':
      return false
    case 'fifo':
      return isFromSame && isToSame
    case 'causal':
      return isToSame && later.past.has(earlier.id)
    case 'mailbox':
      return isToSame
    case 'sender-queue':
      return isFromSame
  }
}

/** Equal only for what is equal; what is called differently and means the same may differ, which costs time and nothing else. */
export function airText({ network }: Machines, { flights, outboxes, known }: Air): unknown {
  const texts = flights.map(({ envelope: { from, to, message }, again, delivered }) => ({
    channel: network.name === 'fifo' ? JSON.stringify([from, to]) : '',
    text: encodeValue([from, to, message, again, delivered]),
  }))
  // Channels in a fixed order, messages in the order of their channel, or in any where there is none.
  if (network.name === 'fifo') texts.sort((left, right) => compared(left.channel, right.channel))
  if (network.name === 'bag') texts.sort((left, right) => compared(left.text, right.text))
  const waiting = outboxes.map((outbox) => outbox.map(({ from, to, message }) => encodeValue([from, to, message])))
  const places = (ids: ReadonlySet<number>) => flights.flatMap(({ id }, at) => (ids.has(id) ? [at] : []))
  const pasts = network.name === 'causal' ? [known.map(places), flights.map(({ past }) => places(past))] : []
  return [texts.map(({ text }) => text), waiting, pasts]
}

function compared(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}
