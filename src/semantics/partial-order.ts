/** What every order of the same events has in common: each process in its own order, and causes before what they cause. */
import type { Event } from '../core/event.ts'
import { invariant } from '../core/invariant.ts'
import type { PartialOrder } from '../core/partial-order.ts'
import type { Decision } from '../core/trace.ts'

/** The order of an execution in which every decision is one event, beside those by which processes fail or stop. */
export function partialOrderOf(happened: readonly Event[], decisions: number): PartialOrder {
  const events = happened.filter(({ kind }) => kind !== 'fail' && kind !== 'stop')
  invariant(events.length === decisions, 'every decision is one event')
  const causes = new Causes()
  return { events, after: events.map((event, at) => causes.before(event, at)) }
}

class Causes {
  /** The last event of each process; of one that has done nothing, the event that began it. */
  readonly #last = new Map<string, number>()
  readonly #sent = new Map<number, number>()
  /** Mailboxes keep the order of sending itself, so it is not free. */
  readonly #mailbox = new Map<string, number>()
  /** A partition is an event of nobody: what came before it stays before it, and what came after it after it. */
  #partition: number | undefined

  before(event: Event, at: number): readonly number[] {
    const before = new Set([this.#last.get(event.process), this.#partition, ...this.#causes(event)])
    if (event.kind === 'partition' || event.kind === 'heal') {
      for (let earlier = 0; earlier < at; earlier++) before.add(earlier)
      this.#partition = at
    }
    this.#last.set(event.process, at)
    if (event.kind === 'spawn') this.#last.set(event.child, at)
    if (event.kind === 'send') {
      this.#sent.set(event.message, at)
      if (event.network === 'mailbox') this.#mailbox.set(event.to, at)
    }
    return [...before].filter((cause) => cause !== undefined)
  }

  #causes(event: Event): readonly (number | undefined)[] {
    if (event.kind === 'receive') return [this.#sent.get(event.message)]
    if (event.kind === 'join') return [this.#last.get(event.target)]
    return event.kind === 'send' && event.network === 'mailbox' ? [this.#mailbox.get(event.to)] : []
  }
}

/** Some decisions in another order, by position. Messages are numbered in sending order, which is another one then. */
export function renumbered(
  decisions: readonly Decision[],
  events: readonly Event[],
  order: readonly number[],
): readonly Decision[] {
  const numbers = new Map<number, number>()
  return order.map((at) => {
    const [decision, event] = [decisions[at] as Decision, events[at]]
    if (event?.kind === 'send') numbers.set(event.message, numbers.size)
    return decision.kind === 'deliver' ? { ...decision, message: numbers.get(decision.message) ?? -1 } : decision
  })
}
