/** The one network of a local search (I⁺ of LMC §4): every message that any explored state of any machine ever sent. */
import { KeyIndex } from '../../collections/key-index.ts'
import type { Envelope, Machines } from '../../program/machines.ts'
import { envelopeKey } from '../../semantics/machines/machines.ts'

/** Stands for no message: the event of an internal transition. */
export const noMessage = -1

/**
 * Messages are numbers; equal envelopes are one message. As the envelope names its sender, all copies of a message are sent by
 * one machine and received by one machine.
 */
export class Messages {
  readonly #machines: ReadonlyMap<string, number>
  readonly #index = new KeyIndex()
  readonly envelopes: Envelope[] = []
  /** By message; -1 for a name that is not a machine of the system. */
  readonly senders: number[] = []
  readonly receivers: number[] = []
  /** Copies under way at the start. */
  readonly copiesAtStart: number[] = []
  /** Messages under way at the start, in order. */
  readonly atStart: readonly number[]
  /** By machine: messages to it. */
  readonly to: readonly number[][]

  constructor(subject: Machines) {
    this.#machines = new Map(subject.machines.map((name, machine) => [name, machine]))
    this.to = subject.machines.map(() => [])
    // What liars may say is there to be delivered, once: a search in which it depends on what others signed is refused (`networks.ts`).
    const said = subject.byzantine?.sayings.map(({ envelope }) => envelope) ?? []
    this.atStart = [...subject.start.underWay, ...said].map((envelope) => this.numberOf(envelope))
    for (const message of this.atStart) this.copiesAtStart[message] = (this.copiesAtStart[message] ?? 0) + 1
  }

  get size(): number {
    return this.envelopes.length
  }

  numberOf(envelope: Envelope): number {
    const key = envelopeKey(envelope)
    const known = this.#index.find(key)
    if (known >= 0) return known
    const message = this.#index.add(key)
    const receiver = this.#machines.get(envelope.to) ?? -1
    this.envelopes.push(envelope)
    this.senders.push(this.#machines.get(envelope.from) ?? -1)
    this.receivers.push(receiver)
    this.copiesAtStart.push(0)
    this.to[receiver]?.push(message)
    return message
  }

  /** Equal for messages between the same two machines, and only for those. */
  channelOf(message: number): number {
    return ((this.senders[message] as number) + 1) * (this.to.length + 1) + (this.receivers[message] as number) + 1
  }

  /** Whether the messages of a channel go to their sender. */
  isToItself(channel: number): boolean {
    return Math.floor(channel / (this.to.length + 1)) === channel % (this.to.length + 1)
  }
}
