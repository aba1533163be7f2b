/**
 * What services learn of a process that crashes. The last thing that it does is to send each service at which it holds something that
 * the connection is lost, as the system on which it ran would. These messages overtake others, so a service learns of it at any moment
 * from then on, also long after the process has begun again.
 */
import { type ConnectionLost, connectionLost } from '../core/connection-lost.ts'
import { Operation, reliable, type SpawnDetail } from '../core/operation.ts'
import type { OwnConnections } from '../core/running.ts'
import { Address, freezeValue } from '../core/value.ts'

/** What a process keeps when it begins again: its children have had names, and services were asked. */
export interface EarlierLife {
  readonly children: readonly SpawnDetail[]
  readonly connections: Connections | undefined
}

export const firstLife: EarlierLife = { children: [], connections: undefined }

export class Connections implements OwnConnections {
  readonly life: number
  /** Requests in all lives, by service. */
  readonly #asked: Map<string, number>
  /** By service, what is held in this life. */
  readonly #held = new Map<string, number>()
  /** By service, what was given back in this life, if it has a number. */
  readonly #settled = new Map<string, readonly number[]>()

  constructor(earlier?: Connections) {
    this.life = earlier === undefined ? 0 : earlier.life + 1
    this.#asked = new Map(earlier === undefined ? [] : earlier.#asked)
  }

  asks(service: string): void {
    this.#asked.set(service, (this.#asked.get(service) ?? 0) + 1)
  }

  holds(service: string, more: 1 | -1, which?: number): void {
    this.#held.set(service, (this.#held.get(service) ?? 0) + more)
    if (which !== undefined) this.#settled.set(service, [...(this.#settled.get(service) ?? []), which])
  }

  get isHolding(): boolean {
    return this.#holding.length > 0
  }

  get #holding(): readonly string[] {
    return [...this.#held].filter(([, count]) => count > 0).map(([service]) => service)
  }

  /** What is still sent when the process crashes. */
  lastWords(process: string): readonly Operation[] {
    return this.#holding.map((service) => {
      const asked = this.#asked.get(service) ?? 0
      const settled = this.#settled.get(service)
      const base = { kind: connectionLost, from: Address.of<never>(process), asked } as const
      const lost: ConnectionLost = settled === undefined ? base : { ...base, settled }
      freezeValue(lost)
      return new Operation('send', Address.of(service), lost, reliable, 'bag', withoutPlace)
    })
  }
}

/** No line of the program sends it. */
const withoutPlace = { stack: undefined }
