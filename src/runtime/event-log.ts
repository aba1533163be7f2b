/** What is written of a machine's events: see `log.ts` for the format. */
import { cutText } from '../core/cut-text.ts'
import type { Violation } from '../core/property.ts'
import type { Params } from '../core/setting.ts'
import { type Json, valueToJson } from '../core/value-json.ts'
import type { Envelope, MachineEvent } from '../program/machines.ts'
import { callsToJson, type TimedCall } from './call-history.ts'
import type { Counters } from './counters.ts'
import { type LogSink, logFormat } from './log.ts'
import type { ArrivedMessage } from './network.ts'

/** Which message of its sender it is: logs are joined by it. */
export type Origin = Pick<ArrivedMessage, 'incarnation' | 'number'>

/** A message with its number among those of its sender. */
export interface NumberedEnvelope extends Envelope {
  readonly number: number
}

/** Whose log begins, and what went before it. */
export interface LoggedLife {
  readonly system: string
  readonly params: Params
  readonly incarnation: number
  readonly machines: readonly string[]
  /** Objects whose calls are written. */
  readonly refines: readonly string[]
  /** The life whose state it goes on with, and the calls of all until then; undefined calls are not known any more. */
  readonly earlier?: { readonly incarnation: number; readonly calls: readonly TimedCall[] | undefined } | undefined
}

/** What came of an event. */
export interface LoggedEffects {
  readonly choices: readonly number[]
  readonly sent: readonly NumberedEnvelope[]
  readonly calls: readonly TimedCall[]
}

export class EventLog {
  /** Lines of this life, those included that there was no room for: whoever reads the log notices that they are missing. */
  #steps = 0
  readonly #sink: LogSink | undefined
  readonly #machine: string
  readonly #counters: Counters

  constructor(sink: LogSink | undefined, machine: string, counters: Counters) {
    this.#sink = sink
    this.#machine = machine
    this.#counters = counters
  }

  begins({ system, params, incarnation, machines, refines, earlier }: LoggedLife): void {
    const before = earlier && {
      incarnation: earlier.incarnation,
      calls: earlier.calls === undefined ? null : callsToJson(earlier.calls),
    }
    this.#write({
      format: logFormat,
      system,
      params: valueToJson(params),
      incarnation,
      machines: [...machines],
      refines: [...refines],
      ...(before === undefined ? {} : { earlier: before }),
    })
  }

  started(sent: readonly NumberedEnvelope[], calls: readonly TimedCall[]): void {
    this.#step({ event: { kind: 'start' }, ...called(calls), sent: sent.map(sentJson) })
  }

  handled(event: MachineEvent, origin: Origin | undefined, { choices, sent, calls }: LoggedEffects): void {
    if (this.#sink === undefined) return
    const chosen = choices.length > 0 ? { choices: [...choices] } : {}
    this.#step({ event: eventJson(event, origin), ...chosen, ...called(calls), sent: sent.map(sentJson) })
  }

  violated(event: MachineEvent, origin: Origin | undefined, { kind, property, message }: Violation): void {
    // Texts of assertions may hold what others sent.
    const told = { kind, property: cutText(property), message: cutText(message) }
    this.#step({ event: eventJson(event, origin), violation: told })
  }

  async ends(): Promise<void> {
    this.#step({ event: { kind: 'stop' }, counters: { ...this.#counters } })
    await this.#sink?.close()
  }

  #step(line: { readonly [field: string]: Json }): void {
    this.#write({ step: ++this.#steps, ...line })
  }

  #write(line: { readonly [field: string]: Json }): void {
    if (this.#sink === undefined) return
    const isWritten = this.#sink.write({ time: Date.now(), machine: this.#machine, ...line })
    if (!isWritten) this.#counters.unlogged++
  }
}

function called(calls: readonly TimedCall[]): { readonly [field: string]: Json } {
  return calls.length === 0 ? {} : { calls: callsToJson(calls) }
}

function sentJson({ to, number, message }: NumberedEnvelope): Json {
  return { to, number, message: valueToJson(message) }
}

function eventJson(event: MachineEvent, origin: Origin | undefined): Json {
  switch (event.kind) {
    case 'message':
      return { kind: 'message', from: event.from, ...named(origin), message: valueToJson(event.message) }
    case 'request':
      return { kind: 'request', name: event.name, argument: valueToJson(event.argument) }
    case 'timer':
      return { kind: 'timer', name: event.name }
    case 'crash':
      return { kind: 'restart' }
  }
}

function named(origin: Origin | undefined): { readonly [field: string]: Json } {
  return origin === undefined ? {} : { incarnation: origin.incarnation, number: origin.number }
}
