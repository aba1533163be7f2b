/** What every order of the same events has in common: each process in its own order, and causes before what they cause. */
import { type Event, isStep } from '../core/event.ts'
import { invariant } from '../core/invariant.ts'
import type { PartialOrder } from '../core/partial-order.ts'
import type { Decision } from '../core/trace.ts'
import { SenderQueues } from './network/sender-queue.ts'

interface Before {
  readonly after: readonly number[]
  readonly causes: readonly number[]
}

/** The order of an execution in which every decision is one event, beside those by which processes fail or stop. */
export function partialOrderOf(happened: readonly Event[], decisions: number): PartialOrder {
  const events = happened.filter(isStep)
  invariant(events.length === decisions, 'every decision is one event')
  const known = new Causes()
  const befores = events.map((event, at) => known.before(event, at))
  return { events, after: befores.map(({ after }) => after), causes: befores.map(({ causes }) => causes) }
}

/** Positions of these events, and of all without which one of them cannot happen. */
export function pastOf(events: readonly Event[], of: readonly number[]): ReadonlySet<number> {
  const known = new Causes()
  const causes = events.map((event, at) => known.before(event, at).causes)
  const past = new Set<number>()
  const open = [...of]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (past.has(at)) continue
    past.add(at)
    open.push(...(causes[at] ?? []))
  }
  return past
}

class Causes {
  /** The last event of each process; of one that has done nothing, the event that began it. */
  readonly #last = new Map<string, number>()
  readonly #sent = new Map<number, number>()
  /** Mailboxes keep the order of sending itself, so it is not free. */
  readonly #mailbox = new Map<string, number>()
  readonly #queues = new SenderQueues()
  /** A partition is an event of nobody: what came before it stays before it, and what came after it after it. */
  #partition: number | undefined

  before(event: Event, at: number): Before {
    const before = new Set([this.#last.get(event.process), this.#partition, this.#causeOf(event)])
    before.add(this.#queues.receivedBefore(event, at))
    if (event.kind === 'partition' || event.kind === 'heal') {
      for (let earlier = 0; earlier < at; earlier++) before.add(earlier)
      this.#partition = at
    }
    const sentBefore = event.kind === 'send' && event.network === 'mailbox' ? this.#mailbox.get(event.to) : undefined
    this.#last.set(event.process, at)
    if (event.kind === 'spawn') this.#last.set(event.child, at)
    if (event.kind === 'send') {
      this.#sent.set(event.message, at)
      if (event.network === 'mailbox') this.#mailbox.set(event.to, at)
    }
    const causes = [...before].filter((cause) => cause !== undefined)
    return { after: sentBefore === undefined || before.has(sentBefore) ? causes : [...causes, sentBefore], causes }
  }

  #causeOf(event: Event): number | undefined {
    if (event.kind === 'receive') return this.#sent.get(event.message)
    return event.kind === 'join' ? this.#last.get(event.target) : undefined
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
