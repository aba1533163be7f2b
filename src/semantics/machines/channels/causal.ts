/**
 * Channels of `causal`: a message waits for those to the same machine whose sending happened before its own.
 *
 * Messages of one sender happen before each other in the order in which they are sent, so what happened before anything is a
 * beginning of each sender's queue: a vector clock that counts only what is still under way. It changes when something is
 * delivered, and two pasts that differ in nothing that can still matter are equal.
 */
import type { Machines } from '../../../program/machines.ts'
import type { Carried, Channels, Delivery, Renamed } from './channels.ts'
import { Copies } from './copies.ts'

/** How many copies of each sender's queue, by sender; senders without any are left out. */
type Past = ReadonlyMap<number, number>

interface Sent {
  readonly copy: number
  /** What its sender knew when it sent. */
  readonly past: Past
}

interface History {
  /** By sender, in sending order; none is empty. */
  readonly queues: ReadonlyMap<number, readonly Sent[]>
  /** By machine: what happened before all that it does from now on. */
  readonly known: ReadonlyMap<number, Past>
}

interface Place {
  readonly sender: number
  readonly at: number
}

const nothingBefore: Past = new Map()

export class CausalChannels implements Channels<History> {
  readonly nothing: History = { queues: new Map(), known: new Map() }
  readonly #carried: Carried
  readonly #copies: Copies

  constructor(carried: Carried, machines: Pick<Machines, 'faults'>) {
    this.#carried = carried
    this.#copies = new Copies(carried, machines)
  }

  put({ queues, known }: History, messages: readonly number[]): History {
    const after = { queues: new Map(queues), known: new Map(known) }
    for (const message of messages) {
      const sender = this.#carried.from(message)
      for (const copy of this.#copies.of(message)) {
        const queue = after.queues.get(sender) ?? []
        const past = after.known.get(sender) ?? nothingBefore
        after.queues.set(sender, [...queue, { copy, past }])
        after.known.set(sender, new Map(past).set(sender, queue.length + 1))
      }
    }
    return after
  }

  begun({ queues, known }: History, creator: number, created: number): History {
    const past = known.get(creator)
    return past === undefined ? { queues, known } : { queues, known: new Map(known).set(created, past) }
  }

  deliveries(history: History): readonly Delivery<History>[] {
    const deliveries: Delivery<History>[] = []
    for (const [sender, queue] of history.queues) {
      for (const [at, { copy }] of queue.entries()) {
        if (this.#copies.isRepetition(copy, queue[at - 1]?.copy)) continue
        const before = this.#holdingBack(history, { sender, at })
        const vanished = before.map((place) => sentAt(history, place).copy)
        if (!vanished.every((one) => this.#copies.mayVanish(one))) continue
        deliveries.push({
          message: this.#copies.message(copy),
          after: this.#delivered(history, { sender, at }, before),
          spends: this.#copies.spending(copy, vanished),
        })
      }
    }
    return deliveries
  }

  /** Those to the same machine that were sent before. */
  #holdingBack(history: History, place: Place): readonly Place[] {
    const { copy, past } = sentAt(history, place)
    const receiver = this.#receiver(copy)
    return [...past].flatMap(([sender, count]) => {
      const before = (history.queues.get(sender) ?? []).slice(0, count)
      return before.flatMap((one, at) => (this.#receiver(one.copy) === receiver ? [{ sender, at }] : []))
    })
  }

  #delivered(history: History, place: Place, vanished: readonly Place[]): History {
    const { copy, past } = sentAt(history, place)
    const receiver = this.#receiver(copy)
    const learned = joined(past, new Map([[place.sender, place.at + 1]]))
    const known = new Map(history.known).set(receiver, joined(history.known.get(receiver) ?? nothingBefore, learned))
    return without({ queues: history.queues, known }, [place, ...vanished])
  }

  #receiver(copy: number): number {
    return this.#carried.to(this.#copies.message(copy))
  }

  messages({ queues }: History): ReadonlySet<number> {
    return new Set([...queues.values()].flatMap((queue) => queue.map(({ copy }) => this.#copies.message(copy))))
  }

  key({ queues, known }: History): string {
    const sent = [...queues].map(([sender, queue]) => {
      return `${sender}:${queue.map(({ copy, past }) => `${copy}(${pastKey(past)})`).join()}`
    })
    const knowing = [...known].map(([machine, past]) => `${machine}:${pastKey(past)}`)
    return `${sent.sort().join(';')}/${knowing.sort().join(';')}`
  }

  renamed({ queues, known }: History, to: Renamed): History {
    const pastOf = (past: Past): Past => new Map([...past].map(([sender, count]) => [to.machine(sender), count]))
    const sent = [...queues].map(([sender, queue]): [number, readonly Sent[]] => [
      to.machine(sender),
      queue.map(({ copy, past }) => ({ copy: this.#copies.renamed(copy, to), past: pastOf(past) })),
    ])
    const knowing = [...known].map(([machine, past]): [number, Past] => [to.machine(machine), pastOf(past)])
    return { queues: new Map(sent), known: new Map(knowing) }
  }
}

function sentAt({ queues }: History, { sender, at }: Place): Sent {
  return queues.get(sender)?.[at] as Sent
}

function joined(left: Past, right: Past): Past {
  const past = new Map(left)
  for (const [sender, count] of right) past.set(sender, Math.max(count, past.get(sender) ?? 0))
  return past
}

/** Without what was delivered or vanished; places behind it move up. */
function without({ queues, known }: History, gone: readonly Place[]): History {
  const isGone = (sender: number, at: number) => gone.some((place) => place.sender === sender && place.at === at)
  const shortened = (past: Past): Past => {
    const left = [...past].map(([sender, count]): [number, number] => {
      return [sender, count - gone.filter((place) => place.sender === sender && place.at < count).length]
    })
    return new Map(left.filter(([, count]) => count > 0))
  }
  const leftQueues = [...queues].map(([sender, queue]): [number, readonly Sent[]] => {
    const left = queue.filter((_, at) => !isGone(sender, at))
    return [sender, left.map(({ copy, past }) => ({ copy, past: shortened(past) }))]
  })
  const leftKnown = [...known].map(([machine, past]): [number, Past] => [machine, shortened(past)])
  return {
    queues: new Map(leftQueues.filter(([, queue]) => queue.length > 0)),
    known: new Map(leftKnown.filter(([, past]) => past.size > 0)),
  }
}

function pastKey(past: Past): string {
  return [...past]
    .sort(([left], [right]) => left - right)
    .map(([sender, count]) => `${sender}*${count}`)
    .join(' ')
}
