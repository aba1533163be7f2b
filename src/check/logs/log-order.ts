/**
 * What comes before what in logs of machines (Lamport, "Time, Clocks, and the Ordering of Events", CACM 1978): events of a machine in their order, and a
 * message after what led to it. Clocks of computers have no part in it. All that a call depends on must be in the logs, or nothing could be said about it.
 */
import { type Diagnostic, failure, type Place, type Result, success } from '../../core/diagnostic.ts'
import type { Value } from '../../core/value.ts'
import type { LoggedCalls, LoggedStep } from '../../program/logged.ts'
import type { LoggedLife } from './log-files.ts'

export type OrderedLogs = Omit<LoggedCalls, 'objects'>

/** `lives` are those of all machines, each from the first on. */
export function orderedCalls(machines: readonly string[], lives: readonly LoggedLife[]): Result<OrderedLogs> {
  const ran = machines.map((machine) => eventsOf(machine, lives))
  const mistakes = ran.flatMap((one) => (one.ok ? [] : one.diagnostics))
  if (mistakes.length > 0) return failure(...mistakes)
  const happened = ran.flatMap((one) => (one.ok ? [one.value] : []))
  const ordered = new CallOrder(machines, happened).result()
  const unended = machines.filter((machine) => lastLife(machine, lives)?.events.at(-1)?.isStop !== true)
  return ordered.ok ? success({ ...ordered.value, unended }) : ordered
}

function lastLife(machine: string, lives: readonly LoggedLife[]): LoggedLife | undefined {
  return livesOf(machine, lives).at(-1)
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
function eventsOf(machine: string, all: readonly LoggedLife[]): Result<readonly Happened[]> {
  const lives = livesOf(machine, all)
  const [first] = lives
  if (first === undefined) return failure({ code: 'E612', message: `there is no log of "${machine}"`, hint: allOfThem })
  const happened: Happened[] = []
  const known = new Set<number>()
  for (const [at, life] of lives.entries()) {
    const before = lives[at - 1]
    const recovered = callsBetween(before, life, known)
    if (!recovered.ok) return recovered
    happened.push(...recovered.value)
    for (const { at: time } of recovered.value) known.add(time)
    for (const event of life.events) {
      for (const call of event.calls) known.add(call.at)
      const { place, received } = event
      happened.push({
        place,
        received: received && messageName(received.from, received.incarnation, received.number),
        sent: event.sent.map(({ to, number }) => ({ name: messageName(machine, life.header.incarnation, number), to })),
        calls: event.calls.map(({ call }) => call),
        at: event.calls[0]?.at ?? 0,
      })
    }
  }
  return success(happened)
}

const allOfThem = 'name the logs of all machines, one --log for each file'

function messageName(from: string, incarnation: number, number: number): string {
  return JSON.stringify([from, incarnation, number])
}

/** Calls that a machine has kept, and that were not written before it was killed. */
function callsBetween(
  before: LoggedLife | undefined,
  { header: { machine, incarnation, earlier }, place }: LoggedLife,
  known: ReadonlySet<number>,
): Result<readonly Happened[]> {
  if (before?.header.incarnation === incarnation)
    return failure(lacking(place, `this life of "${machine}" is in the logs twice`, 'name each log once'))
  if (earlier === undefined) {
    if (before === undefined) return success([])
    const message = `"${machine}" begins a second time, without what it had announced before`
    return failure(lacking(place, message, 'use a new file for each run; a machine that comes back needs --state-dir'))
  }
  const isWhole = before?.header.incarnation === earlier.incarnation && before.events.at(-1)?.isStop === true
  if (isWhole) return success([])
  if (earlier.calls === undefined) {
    const message = `what "${machine}" had announced before it came back is not known: it keeps no more than 5,000 calls`
    return failure(lacking(place, message, 'stop machines with Ctrl-C, so that their logs are whole'))
  }
  const lost = earlier.calls.filter(({ at }) => !known.has(at))
  return success(lost.map(({ at, call }) => ({ place, sent: [], calls: [call], at })))
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
  isReceived?: boolean
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

  result(): Result<Omit<OrderedLogs, 'unended'>> {
    const mistakes = [...this.#sentTwice(), ...this.#receivedFromNobody()]
    if (mistakes.length > 0) return failure(...mistakes.slice(0, mostTold))
    while (this.#machines.some((_, machine) => this.#goOn(machine)));
    const stuck = this.#ran.flatMap((events, machine) => events[this.#done[machine] as number] ?? [])
    const [first] = stuck
    if (first !== undefined)
      return failure(lacking(first.place, 'the logs say that this message was received before it was sent', notOne))
    const callers = this.#machines.map((name, machine) => ({ name, steps: this.#steps[machine] ?? [] }))
    return success({ callers, events: this.#ran.reduce((sum, { length }) => sum + length, 0) })
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
        if (sent.isReceived === true) return [lacking(place, `${what} twice`, notOne)]
        sent.isReceived = true
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

const mostTold = 20
const notOne = 'the logs are not of one run, or lines of them were changed'
const unsent =
  'name the logs of all machines and all their lives; the last lines of a machine that was killed may not have been written'
