/**
 * The same execution in another order. Decisions of different processes that do not depend on each other may swap without any
 * process noticing; a process that does notice shares something with the others that is not a message.
 */
import type { Event } from '../core/event.ts'
import { invariant } from '../core/invariant.ts'
import type { Random } from '../core/random.ts'
import type { Decision } from '../core/trace.ts'
import { SenderQueues } from '../semantics/network/sender-queue.ts'

/** A random linear extension of what happens before what; messages are numbered anew, in the new sending order. */
export function reordered(
  decisions: readonly Decision[],
  events: readonly Event[],
  random: Random,
): readonly Decision[] {
  const decided = events.filter(({ kind }) => kind !== 'fail' && kind !== 'stop')
  invariant(decided.length === decisions.length, 'every decision is one event')
  const waitsFor = dependencies(decided)
  const followers = waitsFor.map((): number[] => [])
  for (const [at, befores] of waitsFor.entries()) for (const before of befores) followers[before]?.push(at)
  const open = waitsFor.map((befores) => befores.size)
  const ready = open.flatMap((count, at) => (count === 0 ? [at] : []))
  const numbers = new Map<number, number>()
  const result: Decision[] = []
  while (ready.length > 0) {
    const [at] = ready.splice(random.below(ready.length), 1) as [number]
    result.push(renumbered(decisions[at] as Decision, decided[at] as Event, numbers))
    for (const follower of followers[at] ?? []) {
      open[follower] = (open[follower] ?? 0) - 1
      if (open[follower] === 0) ready.push(follower)
    }
  }
  return result
}

function renumbered(decision: Decision, event: Event, numbers: Map<number, number>): Decision {
  if (event.kind === 'send') numbers.set(event.message, numbers.size)
  return decision.kind === 'deliver' ? { ...decision, message: numbers.get(decision.message) ?? -1 } : decision
}

/** For each event, those that must come before it. */
function dependencies(events: readonly Event[]): readonly ReadonlySet<number>[] {
  const last = new Map<string, number>()
  const spawned = new Map<string, number>()
  const sent = new Map<number, number>()
  /** Mailboxes keep the order of sending itself, so it is not free. */
  const mailbox = new Map<string, number>()
  const queues = new SenderQueues()
  return events.map((event, at) => {
    const befores = [last.get(event.process) ?? spawned.get(event.process)]
    last.set(event.process, at)
    if (event.kind === 'spawn') spawned.set(event.child, at)
    if (event.kind === 'join') befores.push(last.get(event.target) ?? spawned.get(event.target))
    if (event.kind === 'receive') befores.push(sent.get(event.message))
    if (event.kind === 'send') sent.set(event.message, at)
    befores.push(queues.receivedBefore(event, at))
    if (event.kind === 'send' && event.network === 'mailbox') {
      befores.push(mailbox.get(event.to))
      mailbox.set(event.to, at)
    }
    return new Set(befores.filter((before) => before !== undefined))
  })
}
