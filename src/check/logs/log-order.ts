/**
 * What comes before what in logs of machines (Lamport, "Time, Clocks, and the Ordering of Events", CACM 1978): events of a machine in their order, and a
 * message after what led to it. Clocks of computers have no part in it. All that a call depends on must be in the logs, or nothing could be said about it.
 */
import { type Diagnostic, failure, type Place, type Result, success } from '../../core/diagnostic.ts'
import { sameValue, type Value } from '../../core/value.ts'
import type { LoggedCalls, LoggedStep } from '../../program/logged.ts'
import type { TimedCall } from '../../runtime/call-history.ts'
import type { LoggedLife } from './log-files.ts'

export type OrderedLogs = Omit<LoggedCalls, 'objects'>

/** `lives` are those of all machines, each from the first on. */
export function orderedCalls(machines: readonly string[], lives: readonly LoggedLife[]): Result<OrderedLogs> {
  const received = receivedFrom(lives)
  const ran = machines.map((machine) => eventsOf(machine, lives, received))
  const mistakes = ran.flatMap((one) => (one.ok ? [] : one.diagnostics))
  if (mistakes.length > 0) return failure(...mistakes)
  const happened = ran.flatMap((one) => (one.ok ? [one.value] : []))
  const ordered = new CallOrder(machines, happened).result()
  const unended = machines.filter((machine) => !livesOf(machine, lives).slice(-1).some(isEnded))
  const events = lives.reduce((sum, life) => sum + life.events.length, 0)
  const failed = lives.flatMap((life) => life.events.filter(({ isFailed }) => isFailed))
  const about = { events, unended, failed: failed.map(({ place }) => place) }
  return ordered.ok ? success({ callers: ordered.value, ...about }) : ordered
}

/** By life of the sender: what others have received of it. */
type Receipts = ReadonlyMap<string, readonly { readonly name: string; readonly to: string }[]>

function receivedFrom(lives: readonly LoggedLife[]): Receipts {
  const received = new Map<string, { readonly name: string; readonly to: string }[]>()
  for (const { header, events } of lives)
    for (const { received: one } of events) {
      if (one === undefined) continue
      const life = lifeName(one.from, one.incarnation)
      const message = { name: messageName(one.from, one.incarnation, one.number), to: header.machine }
      const others = received.get(life)
      if (others === undefined) received.set(life, [message])
      else others.push(message)
    }
  return received
}

function lifeName(machine: string, incarnation: number): string {
  return JSON.stringify([machine, incarnation])
}

function livesOf(machine: string, all: readonly LoggedLife[]): readonly LoggedLife[] {
  const lives = all.filter(({ header }) => header.machine === machine)
  return lives.sort((one, other) => one.header.incarnation - other.header.incarnation)
}

/** What matters of a line. Messages are named by their sender, its life and their number. */
interface Happened {
  readonly place: Place
  readonly received?: string | undefined
  readonly sent: readonly { readonly name: string; readonly to: string }[]
  readonly calls: readonly Value[]
  readonly at: number
}

/** All lives of a machine as one. */
function eventsOf(machine: string, all: readonly LoggedLife[], received: Receipts): Result<readonly Happened[]> {
  const lives = livesOf(machine, all)
  const [first] = lives
  if (first === undefined) return failure({ code: 'E612', message: `there is no log of "${machine}"`, hint: allOfThem })
  const happened: Happened[] = []
  const known = new Map<number, Value>()
  for (const [at, life] of lives.entries()) {
    const before = lives[at - 1]
    const recovered = callsBetween(before, life, known)
    if (!recovered.ok) return recovered
    happened.push(...lostSends(before, life, received), ...recovered.value)
    for (const { at: time, call } of life.header.earlier?.calls ?? []) known.set(time, call)
    for (const event of life.events) for (const { at: time, call } of event.calls) known.set(time, call)
    happened.push(...life.events.map((event) => happenedIn(life, event)))
  }
  return success(happened)
}

function happenedIn({ header }: LoggedLife, { place, received, sent, calls }: LoggedLife['events'][number]): Happened {
  return {
    place,
    received: received && messageName(received.from, received.incarnation, received.number),
    sent: sent.map(({ to, number }) => ({ name: messageName(header.machine, header.incarnation, number), to })),
    calls: calls.map(({ call }) => call),
    at: calls[0]?.at ?? 0,
  }
}

/** Messages of a machine that was killed before it wrote that it had sent them: it did so after all that it wrote. */
function lostSends(
  before: LoggedLife | undefined,
  { header, place }: LoggedLife,
  received: Receipts,
): readonly Happened[] {
  if (before === undefined || isEnded(before) || header.earlier?.incarnation !== before.header.incarnation) return []
  const { machine, incarnation } = before.header
  const known = new Set(
    before.events.flatMap(({ sent }) => sent.map(({ number }) => messageName(machine, incarnation, number))),
  )
  const lost = (received.get(lifeName(machine, incarnation)) ?? []).filter(({ name }) => !known.has(name))
  return [{ place, sent: distinct(lost), calls: [], at: 0 }]
}

/** A network may deliver a message several times. */
function distinct(messages: Happened['sent']): Happened['sent'] {
  return [...new Map(messages.map((one) => [one.name, one])).values()]
}

function isEnded({ events }: LoggedLife): boolean {
  return events.at(-1)?.isStop === true
}

const allOfThem = 'name the logs of all machines, one --log for each file'

function messageName(from: string, incarnation: number, number: number): string {
  return JSON.stringify([from, incarnation, number])
}

/** Calls that a machine has kept, and that were not written before it was killed. */
function callsBetween(
  before: LoggedLife | undefined,
  { header: { machine, incarnation, earlier }, place }: LoggedLife,
  known: ReadonlyMap<number, Value>,
): Result<readonly Happened[]> {
  if (before?.header.incarnation === incarnation)
    return failure(lacking(place, `this life of "${machine}" is in the logs twice`, 'name each log once'))
  if (earlier === undefined) {
    if (before === undefined) return success([])
    const message = `"${machine}" begins a second time, without what it had announced before`
    return failure(lacking(place, message, 'use a new file for each run; a machine that comes back needs --state-dir'))
  }
  if (earlier.incarnation >= incarnation)
    return failure(lacking(place, `"${machine}" goes on with the state of a life that is not before this one`, notOne))
  if (earlier.calls !== undefined && !isSequel(earlier.calls, known)) {
    const message = `"${machine}" comes back with other calls than its logs have until then`
    return failure(lacking(place, message, 'a machine goes on with the state that it kept last, and with no older one'))
  }
  const isWhole = before?.header.incarnation === earlier.incarnation && isEnded(before)
  if (isWhole && earlier.calls?.some(({ at }) => !known.has(at)) === true) {
    const message = `"${machine}" comes back with calls that its logs do not have, and they say that it had stopped`
    return failure(lacking(place, message, notOne))
  }
  if (isWhole) return success([])
  if (earlier.calls === undefined) {
    const message = `what "${machine}" had announced before it came back is not known: it keeps no more than 5,000 calls`
    return failure(lacking(place, message, 'stop machines with Ctrl-C, so that their logs are whole'))
  }
  const lost = earlier.calls.filter(({ at }) => !known.has(at))
  return success(lost.map(({ at, call }) => ({ place, sent: [], calls: [call], at })))
}

/** Whether all that is known is among them, as it is known. */
function isSequel(calls: readonly TimedCall[], known: ReadonlyMap<number, Value>): boolean {
  const kept = new Map(calls.map(({ at, call }) => [at, call]))
  return [...known].every(([at, call]) => kept.has(at) && sameValue(kept.get(at) as Value, call))
}

function lacking(place: Place, message: string, hint: string): Diagnostic {
  return { code: 'E612', message, hint, place }
}

/** How many calls of each machine come before. */
type Past = readonly number[]

interface Sent {
  readonly to: string
  /** Once the send has been met. */
  past?: Past
}

class CallOrder {
  readonly #machines: readonly string[]
  readonly #ran: readonly (readonly Happened[])[]
  readonly #sent = new Map<string, Sent>()
  readonly #steps: LoggedStep[][]
  readonly #past: number[][]
  /** By machine: how many of its events are done. */
  readonly #done: number[]

  constructor(machines: readonly string[], ran: readonly (readonly Happened[])[]) {
    this.#machines = machines
    this.#ran = ran
    this.#steps = machines.map(() => [])
    this.#past = machines.map(() => machines.map(() => 0))
    this.#done = machines.map(() => 0)
  }

  result(): Result<OrderedLogs['callers']> {
    const mistakes = [...this.#sentTwice(), ...this.#receivedFromNobody()]
    if (mistakes.length > 0) return failure(...mistakes.slice(0, mostTold))
    while (this.#machines.some((_, machine) => this.#goOn(machine)));
    const stuck = this.#ran.flatMap((events, machine) => events[this.#done[machine] as number] ?? [])
    const [first] = stuck
    if (first !== undefined)
      return failure(lacking(first.place, 'the logs say that this message was received before it was sent', notOne))
    return success(this.#machines.map((name, machine) => ({ name, steps: this.#steps[machine] ?? [] })))
  }

  #sentTwice(): readonly Diagnostic[] {
    return this.#ran.flat().flatMap(({ sent, place }) =>
      sent.flatMap(({ name, to }) => {
        if (this.#sent.has(name)) return [lacking(place, 'a message has the number of another one', notOne)]
        this.#sent.set(name, { to })
        return []
      }),
    )
  }

  /** What a message depends on is not known, unless its sender has written that it was sent. */
  #receivedFromNobody(): readonly Diagnostic[] {
    return this.#ran.flatMap((events, machine) =>
      events.flatMap(({ received, place }) => {
        if (received === undefined) return []
        const sent = this.#sent.get(received)
        const [from, , number] = JSON.parse(received) as readonly [string, number, number]
        const what = `"${this.#machines[machine]}" received message ${number} of "${from}"`
        if (sent === undefined) return [lacking(place, `${what}, and no log tells what led to it`, unsent)]
        if (sent.to !== this.#machines[machine]) return [lacking(place, `${what}, which was for "${sent.to}"`, notOne)]
        return []
      }),
    )
  }

  /** As far as it goes without a message of which the send is still to be met. */
  #goOn(machine: number): boolean {
    const events = this.#ran[machine] ?? []
    const past = this.#past[machine] as number[]
    const before = this.#done[machine] as number
    for (let at = before; at < events.length; at++) {
      const { received, sent, calls, place, at: time } = events[at] as Happened
      const heard = received === undefined ? undefined : this.#sent.get(received)
      if (heard !== undefined && heard.past === undefined) break
      for (const [other, count] of heard?.past?.entries() ?? []) past[other] = Math.max(past[other] as number, count)
      if (calls.length > 0) {
        this.#steps[machine]?.push({ calls, past: [...past], at: time, place })
        past[machine] = (past[machine] as number) + 1
      }
      const now: Past = sent.length === 0 ? past : [...past]
      for (const { name } of sent) (this.#sent.get(name) as Sent).past = now
      this.#done[machine] = at + 1
    }
    return (this.#done[machine] as number) > before
  }
}

/** Of mistakes of one sort. */
export const mostTold = 20
const notOne = 'the logs are not of one run, or lines of them were changed'
const unsent =
  'name the logs of all machines and all their lives; the last lines of a machine that was killed may not have been written'
