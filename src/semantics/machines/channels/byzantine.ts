/**
 * Channels of a system in which some machines are Byzantine. What those may say is under way from the beginning, or from when the last signature that
 * it needs was sent, and is held back by nothing: they choose when to say it, and in which order. To be said and to be delivered is one step, because
 * nobody sees what lies between. What is sent to them is not carried: they have seen it when it was sent.
 */
import { invariant } from '../../../core/invariant.ts'
import type { Channels, Delivery } from './channels.ts'

/** Sayings, where messages are numbers. */
export interface Said {
  readonly sayings: readonly {
    readonly message: number
    /** Signatures, as texts. */
    readonly needs: readonly string[]
    /** It can be said. */
    readonly note: () => void
  }[]
  /** Signatures in a message that sayings need. */
  shownBy(message: number): readonly string[]
  /** Whether a message goes to a Byzantine machine. */
  isForLiar(message: number): boolean
}

interface Heard {
  readonly underWay: unknown
  /** Sayings that were delivered, by number, in order. */
  readonly said: readonly number[]
  /** Signatures that were sent, in order. */
  readonly seen: readonly string[]
}

const free = { losses: 0, duplicates: 0 } as const

export class ByzantineChannels implements Channels<Heard> {
  readonly nothing: Heard
  readonly #channels: Channels
  readonly #said: Said

  constructor(channels: Channels, said: Said) {
    this.#channels = channels
    this.#said = said
    this.nothing = { underWay: channels.nothing, said: [], seen: [] }
  }

  put(heard: Heard, messages: readonly number[]): Heard {
    const shown = messages.flatMap((message) => this.#said.shownBy(message))
    const seen = shown.some((one) => !heard.seen.includes(one)) ? [...new Set([...heard.seen, ...shown])] : heard.seen
    const carried = messages.filter((message) => !this.#said.isForLiar(message))
    return { ...heard, underWay: this.#channels.put(heard.underWay, carried), seen: [...seen].sort() }
  }

  begun(heard: Heard, creator: number, created: number): Heard {
    return { ...heard, underWay: this.#channels.begun(heard.underWay, creator, created) }
  }

  deliveries(heard: Heard): readonly Delivery<Heard>[] {
    const carried = this.#channels.deliveries(heard.underWay).map((one) => {
      return { ...one, after: { ...heard, underWay: one.after } }
    })
    const spoken = this.#said.sayings.flatMap(({ message, needs, note }, at) => {
      if (heard.said.includes(at) || !needs.every((signature) => heard.seen.includes(signature))) return []
      note()
      return [{ message, after: { ...heard, said: [...heard.said, at].sort(byNumber) }, spends: free, isSaid: true }]
    })
    return [...carried, ...spoken]
  }

  /** Of what is said nothing travels. */
  messages({ underWay }: Heard): ReadonlySet<number> {
    return this.#channels.messages(underWay)
  }

  key({ underWay, said, seen }: Heard): string {
    return `${said.join()}|${JSON.stringify(seen)}|${this.#channels.key(underWay)}`
  }

  renamed(): Heard {
    invariant(false, 'machines that liars know by name do not change places')
  }
}

function byNumber(left: number, right: number): number {
  return left - right
}
