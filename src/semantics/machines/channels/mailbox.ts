/**
 * Channels of `mailbox`: each machine gets messages in the order in which they were sent, by all machines. Sends of different
 * machines interleave, also while a handler has more to send; so the order is left open as long as nothing shows it.
 *
 * A message stays in the queue of its sender until it is delivered, or until one is delivered that the sender sent later: then it
 * must have been sent as well, and goes to the inbox of its receiver, whose first message is delivered before any that
 * is still with its sender. Nothing is missed by that: take any execution and deliver its messages in the order in which they
 * were sent; each handler still finds the state and the message that it found before, and a message that goes to an inbox
 * finds there what was sent before it.
 */
import type { Machines } from '../../../program/machines.ts'
import type { Carried, Channels, Delivery, Renamed } from './channels.ts'
import { Copies } from './copies.ts'
import { queuesKey, takeable, withQueue } from './queues.ts'

/** Copies in sending order, by machine; none is empty. */
type Queues = ReadonlyMap<number, readonly number[]>

interface Mail {
  /** By sender: sent at any time from now on, as far as machines can tell. */
  readonly outgoing: Queues
  /** By receiver: sent already. */
  readonly inboxes: Queues
}

export class MailboxChannels implements Channels<Mail> {
  readonly nothing: Mail = { outgoing: new Map(), inboxes: new Map() }
  readonly #carried: Carried
  readonly #copies: Copies

  constructor(carried: Carried, machines: Pick<Machines, 'faults'>) {
    this.#carried = carried
    this.#copies = new Copies(carried, machines)
  }

  put({ outgoing, inboxes }: Mail, messages: readonly number[]): Mail {
    const after = new Map(outgoing)
    for (const message of messages) {
      const sender = this.#carried.from(message)
      after.set(sender, [...(after.get(sender) ?? []), ...this.#copies.of(message)])
    }
    return { outgoing: after, inboxes }
  }

  begun(mail: Mail): Mail {
    return mail
  }

  deliveries(mail: Mail): readonly Delivery<Mail>[] {
    const { outgoing, inboxes } = mail
    const deliveries: Delivery<Mail>[] = []
    for (const [receiver, inbox] of inboxes) {
      for (const at of takeable(inbox, this.#copies)) {
        const copy = inbox[at] as number
        const after = { outgoing, inboxes: withQueue(inboxes, receiver, inbox.slice(at + 1)) }
        const spends = this.#copies.spending(copy, inbox.slice(0, at))
        deliveries.push({ message: this.#copies.message(copy), after, spends })
      }
    }
    for (const [sender, queue] of outgoing) {
      for (const at of queue.keys()) deliveries.push(...this.#delivered(mail, sender, at))
    }
    return deliveries
  }

  /** Of a copy that is still with its sender; none, if others come before it. */
  #delivered({ outgoing, inboxes }: Mail, sender: number, at: number): readonly Delivery<Mail>[] {
    const queue = outgoing.get(sender) ?? []
    const copy = queue[at] as number
    const receiver = this.#receiver(copy)
    const earlier = queue.slice(0, at)
    const before = [...(inboxes.get(receiver) ?? []), ...earlier.filter((one) => this.#receiver(one) === receiver)]
    const isNext = before.every((one) => this.#copies.mayVanish(one))
    if (!isNext || this.#copies.isRepetition(copy, earlier.at(-1))) return []
    const left = new Map(inboxes)
    left.delete(receiver)
    for (const one of earlier) {
      const to = this.#receiver(one)
      if (to !== receiver) left.set(to, [...(left.get(to) ?? []), one])
    }
    const after = { outgoing: withQueue(outgoing, sender, queue.slice(at + 1)), inboxes: left }
    return [{ message: this.#copies.message(copy), after, spends: this.#copies.spending(copy, before) }]
  }

  #receiver(copy: number): number {
    return this.#carried.to(this.#copies.message(copy))
  }

  messages({ outgoing, inboxes }: Mail): ReadonlySet<number> {
    const copies = [...outgoing.values(), ...inboxes.values()].flat()
    return new Set(copies.map((copy) => this.#copies.message(copy)))
  }

  key({ outgoing, inboxes }: Mail): string {
    return `${queuesKey(outgoing)}/${queuesKey(inboxes)}`
  }

  renamed({ outgoing, inboxes }: Mail, to: Renamed): Mail {
    const queues = (before: Queues): Queues =>
      new Map(
        [...before].map(([machine, queue]) => [
          to.machine(machine),
          queue.map((copy) => this.#copies.renamed(copy, to)),
        ]),
      )
    return { outgoing: queues(outgoing), inboxes: queues(inboxes) }
  }
}
