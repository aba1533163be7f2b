/**
 * Channels that are queues beside each other: of `fifo` one for each pair of machines, of `sender-queue` one for each sender, over
 * all whom it sends to. The head must be delivered before what is behind it, unless it vanishes.
 */
import type { Machines } from '../../../program/machines.ts'
import type { Carried, Channels, Delivery, Renamed } from './channels.ts'
import { Copies } from './copies.ts'

/** Copies in sending order, by queue; none is empty. */
type Queues = ReadonlyMap<string, readonly number[]>

export class QueueChannels implements Channels<Queues> {
  readonly nothing: Queues = new Map()
  readonly #copies: Copies
  readonly #queueOf: (message: number) => string

  constructor(carried: Carried, machines: Pick<Machines, 'faults'>, queueOf: (message: number) => string) {
    this.#copies = new Copies(carried, machines)
    this.#queueOf = queueOf
  }

  put(queues: Queues, messages: readonly number[]): Queues {
    if (messages.length === 0) return queues
    const after = new Map(queues)
    for (const message of messages) {
      const name = this.#queueOf(message)
      after.set(name, [...(after.get(name) ?? []), ...this.#copies.of(message)])
    }
    return after
  }

  begun(queues: Queues): Queues {
    return queues
  }

  deliveries(queues: Queues): readonly Delivery<Queues>[] {
    const deliveries: Delivery<Queues>[] = []
    for (const [name, queue] of queues) {
      for (const at of takeable(queue, this.#copies)) {
        const copy = queue[at] as number
        const after = withQueue(queues, name, queue.slice(at + 1))
        const spends = this.#copies.spending(copy, queue.slice(0, at))
        deliveries.push({ message: this.#copies.message(copy), after, spends })
      }
    }
    return deliveries
  }

  messages(queues: Queues): ReadonlySet<number> {
    return new Set([...queues.values()].flatMap((queue) => queue.map((copy) => this.#copies.message(copy))))
  }

  key(queues: Queues): string {
    return queuesKey(queues)
  }

  renamed(queues: Queues, to: Renamed): Queues {
    const renamed = [...queues.values()].map((queue): [string, readonly number[]] => {
      const copies = queue.map((copy) => this.#copies.renamed(copy, to))
      return [this.#queueOf(this.#copies.message(copies[0] as number)), copies]
    })
    return new Map(renamed)
  }
}

/** Places in a queue from which a copy can be taken, when all before it vanish. */
export function* takeable(queue: readonly number[], copies: Copies): Generator<number> {
  for (const [at, copy] of queue.entries()) {
    if (!copies.isRepetition(copy, queue[at - 1])) yield at
    if (!copies.mayVanish(copy)) return
  }
}

export function withQueue<Name>(
  queues: ReadonlyMap<Name, readonly number[]>,
  name: Name,
  queue: readonly number[],
): Map<Name, readonly number[]> {
  const after = new Map(queues)
  if (queue.length === 0) after.delete(name)
  else after.set(name, queue)
  return after
}

export function queuesKey(queues: ReadonlyMap<string | number, readonly number[]>): string {
  const texts = [...queues].map(([name, queue]) => `${name}:${queue.join()}`)
  return texts.sort().join(';')
}
