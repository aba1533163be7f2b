/** What is written of a machine's events: see `log.ts` for the format. */
import { cutText } from '../core/cut-text.ts'
import type { Violation } from '../core/property.ts'
import { type Json, valueToJson } from '../core/value-json.ts'
import type { Envelope, MachineEvent } from '../program/machines.ts'
import type { Counters } from './counters.ts'
import { type LogSink, logFormat } from './log.ts'
import type { ArrivedMessage } from './network.ts'

/** Which message of its sender it is: logs are joined by it. */
export type Origin = Pick<ArrivedMessage, 'incarnation' | 'number'>

/** A message with its number among those of its sender. */
export interface NumberedEnvelope extends Envelope {
  readonly number: number
}

export class EventLog {
  readonly #sink: LogSink | undefined
  readonly #machine: string
  readonly #counters: Counters

  constructor(sink: LogSink | undefined, machine: string, counters: Counters) {
    this.#sink = sink
    this.#machine = machine
    this.#counters = counters
  }

  begins(system: string, incarnation: number, machines: readonly string[]): void {
    this.#write({ format: logFormat, system, incarnation, machines: [...machines] })
  }

  started(sent: readonly NumberedEnvelope[]): void {
    this.#write({ event: { kind: 'start' }, sent: sent.map(sentJson) })
  }

  handled(
    event: MachineEvent,
    origin: Origin | undefined,
    { choices, sent }: { readonly choices: readonly number[]; readonly sent: readonly NumberedEnvelope[] },
  ): void {
    if (this.#sink === undefined) return
    const chosen = choices.length > 0 ? { choices: [...choices] } : {}
    this.#write({ event: eventJson(event, origin), ...chosen, sent: sent.map(sentJson) })
  }

  violated(event: MachineEvent, origin: Origin | undefined, { kind, property, message }: Violation): void {
    // Texts of assertions may hold what others sent.
    const told = { kind, property: cutText(property), message: cutText(message) }
    this.#write({ event: eventJson(event, origin), violation: told })
  }

  async ends(): Promise<void> {
    this.#write({ event: { kind: 'stop' }, counters: { ...this.#counters } })
    await this.#sink?.close()
  }

  #write(line: { readonly [field: string]: Json }): void {
    if (this.#sink === undefined) return
    const isWritten = this.#sink.write({ time: Date.now(), machine: this.#machine, ...line })
    if (!isWritten) this.#counters.unlogged++
  }
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
