/**
 * What a service knows of its clients where processes may crash: how often each has asked, and which of its requests are of a process
 * that is gone. A client that has begun again counts on, so its requests have numbers of their own.
 */
import { type ConnectionLost, connectionLost } from '../../core/connection-lost.ts'
import type { Address } from '../../core/value.ts'

/** A request, by its client and its number among those of the client. */
export interface ClientRequest {
  readonly client: string
  readonly number: number
}

export class Clients {
  readonly #asked = new Map<string, number>()
  readonly #gone = new Map<string, number>()

  /** A request has come. */
  noted({ id }: Address<never>): ClientRequest {
    const number = this.askedBy(id) + 1
    this.#asked.set(id, number)
    return { client: id, number }
  }

  /** As they are now. */
  get counts(): ReadonlyMap<string, number> {
    return new Map(this.#asked)
  }

  askedBy(client: string): number {
    return this.#asked.get(client) ?? 0
  }

  /** The service has learned of it. */
  lost({ from, asked }: ConnectionLost): void {
    this.#gone.set(from.id, Math.max(asked, this.#gone.get(from.id) ?? 0))
  }

  /** Whether it is known that nobody waits for the answer. */
  isGone({ client, number }: ClientRequest): boolean {
    return number <= (this.#gone.get(client) ?? 0)
  }
}

/** Whether a request is one of those that its client had sent when it crashed. */
export function concerns({ from, asked }: ConnectionLost, { client, number }: ClientRequest): boolean {
  return from.id === client && number <= asked
}

export function isLoss(message: { readonly kind: string }): message is ConnectionLost {
  return message.kind === connectionLost
}
