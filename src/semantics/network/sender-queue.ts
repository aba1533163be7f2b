/**
 * Sender queue (one-to-many, `1-n`): each process has one outgoing queue over all whom it sends to. The head must be received
 * before anything the same process sent later can be, by any process, whether or not its receiver wants it.
 */
import type { Event } from '../../core/event.ts'
import type { Network } from './network.ts'

export const senderQueue: Network = {
  name: 'sender-queue',
  spansReceivers: true,
  holdsBack: (earlier, later) => earlier.sender === later.sender,
}

/** What that means for events that are told in order: a message is received after the one before it, whatever process that is for. */
export class SenderQueues {
  readonly #queued = new Set<number>()
  readonly #last = new Map<string, number>()

  /** The place of that receive, if this event at `at` is a receive that has one before it. */
  receivedBefore(event: Event, at: number): number | undefined {
    if (event.kind === 'send' && event.network === 'sender-queue') this.#queued.add(event.message)
    if (event.kind !== 'receive' || !this.#queued.has(event.message)) return undefined
    const before = this.#last.get(event.from)
    this.#last.set(event.from, at)
    return before
  }
}
