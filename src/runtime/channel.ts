/**
 * From one machine to another: the session, its numbers, and what waits for it. A session is one incarnation of the sender and
 * one of the receiver; it begins when the sender learns the latter. So a receiver that lost its memory of what it has seen is
 * sent nothing that was meant for its earlier life, and replays of that are told by the incarnation.
 */

/** One message, numbered by its sender over all channels. */
export interface OutgoingMessage {
  readonly number: number
  /** The latest snapshot its sender had recorded when it sent this. */
  readonly snapshot: number
  readonly body: Buffer
}

/** A place in the sequence of messages: everything up to `cut` was sent before it. */
export interface Mark {
  /** Undefined as long as the session has not begun and earlier messages have no numbers. */
  readonly cut: number | undefined
  /** Of the receiver, for which the cut is meant. */
  readonly incarnation: number
}

type Waiting =
  | { readonly kind: 'message'; readonly message: OutgoingMessage }
  | { readonly kind: 'mark'; readonly mark: { cut: number | undefined; incarnation: number } }

/** Messages for a receiver that has not been heard of, and their bytes; more are lost. */
const mostWaiting = 10_000
const mostWaitingBytes = 16 << 20

export class Channel {
  readonly #transmit: (message: OutgoingMessage, sequence: number) => void
  readonly #onLoss: () => void
  /** Until the session begins. Marks wait among the messages, because their cut is the number of messages before them. */
  #waiting: Waiting[] = []
  #waitingBytes = 0
  #waitingMessages = 0
  /** Number of the last message of the session, from 1. */
  #sequence = 0
  /** Incarnation of the receiver; 0 as long as it is not known. */
  #receiver = 0

  constructor(transmit: (message: OutgoingMessage, sequence: number) => void, onLoss: () => void) {
    this.#transmit = transmit
    this.#onLoss = onLoss
  }

  get receiver(): number {
    return this.#receiver
  }

  send(message: OutgoingMessage): void {
    if (this.#receiver !== 0) this.#transmit(message, ++this.#sequence)
    else if (this.#isFullFor(message)) this.#onLoss()
    else {
      this.#waiting.push({ kind: 'message', message })
      this.#waitingBytes += message.body.length
      this.#waitingMessages++
    }
  }

  /** For a repetition in the network's place: with the same number the receiver would take it for a replay. */
  nextSequence(): number {
    return ++this.#sequence
  }

  /** Two marks without a message between them are one: a receiver that is never heard of must not fill the memory with them. */
  mark(): Mark {
    const last = this.#waiting.at(-1)
    if (last?.kind === 'mark') return last.mark
    const mark = { cut: this.#receiver === 0 ? undefined : this.#sequence, incarnation: this.#receiver }
    if (this.#receiver === 0) this.#waiting.push({ kind: 'mark', mark })
    return mark
  }

  /** The receiver lives, perhaps again: numbers start afresh, and what has waited leaves. */
  begin(receiver: number): void {
    if (receiver <= this.#receiver) return
    this.#receiver = receiver
    this.#sequence = 0
    const waiting = this.#waiting
    this.#waiting = []
    this.#waitingBytes = 0
    this.#waitingMessages = 0
    for (const one of waiting) {
      if (one.kind === 'message') this.#transmit(one.message, ++this.#sequence)
      else Object.assign(one.mark, { cut: this.#sequence, incarnation: receiver })
    }
  }

  #isFullFor({ body }: OutgoingMessage): boolean {
    return this.#waitingMessages >= mostWaiting || this.#waitingBytes + body.length > mostWaitingBytes
  }
}
