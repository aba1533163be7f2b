/**
 * What is under way in a naive search, for every network: each message with who sent it after what, in sending order. Where
 * order shows it, the sender decides how many copies arrive, as in the reference semantics; on a `mailbox` machines send one
 * message after the other, and others may send in between. Faults that have struck are counted.
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
  /** Messages that got lost, where that is bounded, and those that were duplicated. */
  readonly lost: number
  readonly repeated: number
}

/** After one more message got lost or was duplicated; none if the budget has no room for that, or the message does not travel. */
function struck(subject: Machines, air: Air, { from, to }: Envelope, fault: 'lost' | 'repeated'): readonly Air[] {
  const { losses = 0, duplicates = 0 } = subject.faults
  const most = fault === 'lost' ? losses : duplicates
  if (from === to) return []
  if (most === 'any') return [air]
  return air[fault] < most ? [{ ...air, [fault]: air[fault] + 1 }] : []
}

export function emptyAir({ machines }: Machines): Air {
  return {
    flights: [],
    outboxes: machines.map(() => []),
    known: machines.map(() => new Set()),
    nextId: 0,
    lost: 0,
    repeated: 0,
  }
}

export function flightsIn({ flights, outboxes }: Air): number {
  return flights.length + outboxes.flat().length
}

/** What may be under way after these were sent. */
export function sendings(subject: Machines, air: Air, envelopes: readonly Envelope[]): readonly Air[] {
  const name = subject.network
  if (name === 'bag' || name === 'fifo') return [envelopes.reduce((each, one) => sent(subject, each, one), air)]
  let airs: readonly Air[] = [air]
  for (const envelope of envelopes) {
    const arriving = (each: Air, count: number) => {
      const copies = Array.from({ length: count }, () => envelope)
      return name === 'mailbox'
        ? posted(subject, each, copies)
        : copies.reduce((before, one) => sent(subject, before, one), each)
    }
    airs = airs.flatMap((each) => [
      ...struck(subject, each, envelope, 'lost'),
      arriving(each, 1),
      ...struck(subject, each, envelope, 'repeated').map((after) => arriving(after, 2)),
    ])
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
  const again = network === 'bag' || network === 'fifo' ? 1 : 0
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
  const crashes = states.reduce((sum, state) => sum + state.crashes, 0)
  for (const [machine, state] of states.entries()) {
    if (!isIdle(machine)) continue
    for (const event of subject.internal(machine, state))
      if (event.kind !== 'crash' || crashes < (subject.faults.restarts ?? 0)) yield { machine, event, air }
  }
  for (const [at, flight] of air.flights.entries()) {
    if (air.flights.slice(0, at).some((earlier) => holdsBack(subject, earlier, flight))) continue
    const machine = subject.machines.indexOf(flight.envelope.to)
    if (isIdle(machine)) yield* deliveries(subject, air, at)
    // Without order, a message that is lost is one that stays under way.
    if (subject.network !== 'fifo') continue
    for (const after of flight.delivered ? [air] : struck(subject, air, flight.envelope, 'lost'))
      yield { machine, event: undefined, air: { ...after, flights: air.flights.toSpliced(at, 1) } }
  }
}

function* deliveries(subject: Machines, air: Air, at: number): Generator<Passing> {
  const flight = air.flights[at] as Flight
  const { from, to, message } = flight.envelope
  const machine = subject.machines.indexOf(to)
  const event: MachineEvent = { kind: 'message', from, message }
  const learned = [...flight.past, flight.id]
  const known = air.known.map((each, who) => (who === machine ? new Set([...each, ...learned]) : each))
  yield { machine, event, air: { ...air, known, flights: air.flights.toSpliced(at, 1) } }
  const left: Flight = { ...flight, again: flight.again - 1, delivered: true }
  for (const after of flight.again > 0 ? struck(subject, air, flight.envelope, 'repeated') : [])
    yield { machine, event, air: { ...after, known, flights: air.flights.with(at, left) } }
}

function holdsBack({ network }: Machines, earlier: Flight, later: Flight): boolean {
  const isFromSame = earlier.envelope.from === later.envelope.from
  const isToSame = earlier.envelope.to === later.envelope.to
  switch (network) {
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
export function airText({ network }: Machines, { flights, outboxes, known, lost, repeated }: Air): unknown {
  const texts = flights.map(({ envelope: { from, to, message }, again, delivered }) => ({
    channel: network === 'fifo' ? JSON.stringify([from, to]) : '',
    text: encodeValue([from, to, message, again, delivered]),
  }))
  // Channels in a fixed order, messages in the order of their channel, or in any where there is none.
  if (network === 'fifo') texts.sort((left, right) => compared(left.channel, right.channel))
  if (network === 'bag') texts.sort((left, right) => compared(left.text, right.text))
  const waiting = outboxes.map((outbox) => outbox.map(({ from, to, message }) => encodeValue([from, to, message])))
  const places = (ids: ReadonlySet<number>) => flights.flatMap(({ id }, at) => (ids.has(id) ? [at] : []))
  const pasts = network === 'causal' ? [known.map(places), flights.map(({ past }) => places(past))] : []
  return [texts.map(({ text }) => text), waiting, pasts, lost, repeated]
}

function compared(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}
