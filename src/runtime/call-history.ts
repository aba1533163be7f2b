/**
 * Calls of abstract objects that a running machine has announced, for snapshots: a search that begins there has to know what the objects are. Calls of
 * different machines are put into an order by logical time (Lamport, "Time, Clocks, and the Ordering of Events", CACM 1978): messages carry the time in
 * their number. What is found is an order that the calls can have had; a call that depends on another one comes after it.
 *
 * A machine that comes back must not be earlier than its last life. The time on the disk is ahead of the clock, and is moved on before the clock reaches it.
 */
import type { Value } from '../core/value.ts'
import { sameValue } from '../core/value.ts'
import type { Json } from '../core/value-json.ts'
import { valueToJson } from '../core/value-json.ts'
import type { Announced } from '../program/machines.ts'
import { type AbstractObject, callOf, operationOf } from '../program/refinement.ts'
import { fieldsOf, isCount, valueOfJson } from './body.ts'

export interface TimedCall {
  readonly at: number
  readonly call: Value
}

/** As it is kept on the disk. `calls` are nothing if there were more than can be kept. */
export interface SavedCalls {
  readonly clock: number
  readonly calls: readonly TimedCall[] | undefined
}

/** Each snapshot holds all of them, and so does the disk whenever one is added. */
export const mostCalls = 5_000
/** How far the time on the disk is ahead. */
const ahead = 2 ** 20
/** Numbers of messages have 48 bits. */
const latest = 2 ** 47

export class CallHistory {
  readonly #objects: readonly AbstractObject[]
  #clock: number
  /** The time on the disk. */
  #saved: number
  #calls: TimedCall[] | undefined
  #isChanged = false

  /** `saved` is of an earlier life, which may have been one of a program without objects. */
  constructor(objects: readonly AbstractObject[], saved: SavedCalls | undefined, isFirstLife: boolean) {
    this.#objects = objects
    this.#clock = saved?.clock ?? 0
    this.#saved = this.#clock
    this.#calls = isFirstLife ? [] : saved?.calls && [...saved.calls]
  }

  /** Nothing if nobody asks for calls, or more were made than can be kept. */
  get calls(): readonly TimedCall[] | undefined {
    return this.#calls && [...this.#calls]
  }

  get isAsked(): boolean {
    return this.#objects.length > 0
  }

  /** Of the objects that calls are kept of. */
  get names(): readonly string[] {
    return this.#objects.map(({ name }) => name)
  }

  /** Whether the disk must be told before anybody else is. */
  get isUnsaved(): boolean {
    return this.isAsked && (this.#isChanged || this.#clock >= this.#saved)
  }

  /** The next time, and number of a message. */
  next(): number {
    return ++this.#clock
  }

  /** A message of this time has come: what happens now is later. */
  heard(time: number): void {
    if (this.isAsked && time < latest) this.#clock = Math.max(this.#clock, time)
  }

  /** What a handler has announced: its calls, without those that change nothing because they were made before. */
  announced(events: readonly Announced[] = []): readonly TimedCall[] {
    return events.flatMap(({ event }) => this.#add(event) ?? [])
  }

  toSave(): SavedCalls | undefined {
    if (!this.isAsked) return undefined
    this.#saved = this.#clock + ahead
    this.#isChanged = false
    return { clock: this.#saved, calls: this.#calls }
  }

  #add(event: Value): TimedCall | undefined {
    const object = this.#objects.find((one) => callOf(one, event) !== undefined)
    const call = object && callOf(object, event)
    if (object === undefined || call === undefined) return undefined
    const isRepeated = object.isRepeatable?.(operationOf(object, call)) === true
    if (isRepeated && this.#calls?.some((one) => sameValue(one.call, event)) === true) return undefined
    const timed = { at: this.next(), call: event }
    if (this.#calls === undefined) return timed
    this.#isChanged = true
    if (this.#calls.length >= mostCalls) this.#calls = undefined
    else this.#calls.push(timed)
    return timed
  }
}

export function savedCallsToJson({ clock, calls }: SavedCalls): Json {
  return { clock, calls: calls === undefined ? null : callsToJson(calls) }
}

export function callsToJson(calls: readonly TimedCall[]): Json {
  return calls.map(({ at, call }) => ({ at, call: valueToJson(call) }))
}

/** Undefined if it is not one. */
export function savedCallsFromJson(json: unknown): SavedCalls | undefined {
  const { clock, calls } = fieldsOf(json) ?? {}
  const read = calls === null ? undefined : callsFromJson(calls)
  if (!isCount(clock) || (calls !== null && read === undefined)) return undefined
  return { clock, calls: read }
}

/** Undefined if they are not some. */
export function callsFromJson(json: unknown): readonly TimedCall[] | undefined {
  if (!Array.isArray(json)) return undefined
  const calls = json.map((one: unknown) => {
    const { at, call } = fieldsOf(one) ?? {}
    const value = call === undefined ? undefined : valueOfJson(call)
    return isCount(at) && value !== undefined ? { at, call: value.value } : undefined
  })
  return calls.every((one) => one !== undefined) ? calls : undefined
}
