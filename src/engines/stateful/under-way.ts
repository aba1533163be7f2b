/**
 * Messages under way in a state of the whole system, and which of them can be delivered.
 *
 * Loss needs no step of its own. On a `bag` a message that is lost is one that stays under way for ever; on `fifo` a message
 * that is delivered takes those before it out of the way. What machines can come to is the same, with fewer states.
 */
import type { MachineNetwork } from '../../program/machines.ts'
import type { LocalGraph } from '../../semantics/machines/local-graph.ts'

/** On a `bag` one list, sorted, in which each copy stands; on `fifo` a queue for each pair of machines that has messages. */
export type UnderWay = ReadonlyMap<number, readonly number[]>

export interface Delivery {
  readonly message: number
  readonly after: UnderWay
}

export class Network {
  readonly #graph: LocalGraph
  readonly #network: MachineNetwork
  /** How often one sending can be delivered. On `fifo` an entry of a queue is message × copies + deliveries so far. */
  readonly #copies: number

  constructor(graph: LocalGraph) {
    this.#graph = graph
    this.#network = graph.machines.network
    this.#copies = 1 + this.#network.duplicates
  }

  sent(before: UnderWay, messages: readonly number[]): UnderWay {
    if (messages.length === 0) return before
    const after = new Map(before)
    for (const message of messages) {
      const channel = this.#channelOf(message)
      const queue = after.get(channel) ?? []
      after.set(channel, this.#isBag ? sorted(queue, message, this.#copies) : [...queue, message * this.#copies])
    }
    return after
  }

  key(underWay: UnderWay): string {
    const channels = [...underWay].sort(([left], [right]) => left - right)
    return channels.map(([channel, queue]) => `${channel}:${queue.join(',')}`).join(';')
  }

  deliveries(underWay: UnderWay): readonly Delivery[] {
    const deliveries: Delivery[] = []
    for (const [channel, queue] of underWay) {
      for (const { message, rest } of this.#isBag ? fromBag(queue) : this.#fromQueue(queue)) {
        const after = new Map(underWay)
        if (rest.length === 0) after.delete(channel)
        else after.set(channel, rest)
        deliveries.push({ message, after })
      }
    }
    return deliveries
  }

  get #isBag(): boolean {
    return this.#network.order === 'bag'
  }

  #channelOf(message: number): number {
    if (this.#isBag) return 0
    const { from, to } = this.#graph.messageAt(message)
    return from * this.#graph.machines.machines.length + to
  }

  /** An entry of a queue says which message, and how often it has been delivered already. */
  *#fromQueue(queue: readonly number[]): Generator<Taken> {
    for (const [at, entry] of queue.entries()) {
      const message = Math.floor(entry / this.#copies)
      const behind = queue.slice(at + 1)
      yield { message, rest: behind }
      const delivered = 1 + (entry % this.#copies)
      if (delivered < this.#copies) yield { message, rest: [entry + 1, ...behind] }
      if (!this.#network.loses) return
    }
  }
}

interface Taken {
  readonly message: number
  readonly rest: readonly number[]
}

/** Sorted, so that bags with the same messages have the same key, and equal messages lie side by side for `fromBag`. */
function sorted(queue: readonly number[], message: number, copies: number): readonly number[] {
  const at = queue.findIndex((other) => other > message)
  const [before, behind] = at < 0 ? [queue, []] : [queue.slice(0, at), queue.slice(at)]
  return [...before, ...Array.from({ length: copies }, () => message), ...behind]
}

/** Equal messages lead to the same state: the first of each run stands for all. */
function* fromBag(bag: readonly number[]): Generator<Taken> {
  for (const [at, message] of bag.entries()) {
    if (bag[at - 1] !== message) yield { message, rest: bag.toSpliced(at, 1) }
  }
}
