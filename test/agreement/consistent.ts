/** Consistency of execution graphs, written as in the paper (seed 000, Definitions 3.4 to 3.8): relations over events. */
import type { Event } from '../../src/core/event.ts'
import { type NetworkName, networkNames } from '../../src/core/operation.ts'

type Send = Extract<Event, { kind: 'send' }>

/** Whether a well-formed graph is consistent under each network it uses. `matches` is mval. */
export function isConsistent(events: readonly Event[], matches: (send: Send, receive: Event) => boolean): boolean {
  const po = relation(events, (a, b) => a.process === b.process && a.index < b.index)
  const rf = relation(events, (a, b) => a.kind === 'send' && b.kind === 'receive' && a.message === b.message)
  const mval = relation(
    events,
    (a, b) => a.kind === 'send' && (b.kind === 'receive' || b.kind === 'timeout') && matches(a, b),
  )
  const porf = closure(union(union(po, rf), union(starts(events), joins(events))))
  const relations = { po, rf, mval, porf }
  return networkNames.every((network) => isConsistentUnder(network, events, relations))
}

/** A set of pairs of events: row a, column b holds when a is related to b. */
type Relation = readonly (readonly boolean[])[]

interface Relations {
  readonly po: Relation
  readonly rf: Relation
  readonly mval: Relation
  readonly porf: Relation
}

function isConsistentUnder(network: NetworkName, events: readonly Event[], relations: Relations): boolean {
  const on = (event: Event | undefined) => event?.kind === 'send' && event.network === network
  const within = (order: Relation) =>
    relation(events, (_a, _b, a, b) => on(events[a]) && on(events[b]) && related(order, a, b))
  switch (network) {
    case 'bag':
      return true
    case 'fifo':
      return inOrder(within(relations.po), events, relations)
    case 'causal':
      return inOrder(within(relations.porf), events, relations)
    case 'mailbox': {
      const sends = events.flatMap((event, at) => (on(event) ? [at] : []))
      return totalOrders(sends, relations.porf).some((so) => inOrder(so, events, relations))
    }
    case 'sender-queue':
      return isHeadFirst(within(relations.po), events, relations)
  }
}

/** Nothing is received before all that its sender sent earlier, over this network: by anybody, at any time. */
function isHeadFirst(so: Relation, events: readonly Event[], { porf, rf }: Relations): boolean {
  const isRead = (at: number) => (rf[at] ?? []).includes(true)
  const overtakesUnread = relation(events, (_a, _b, a, b) => related(so, a, b) && !isRead(a) && isRead(b))
  const received = compose(compose(inverse(rf), so), rf)
  const before = closure(relation(events, (_a, _b, a, b) => related(porf, a, b) || related(received, a, b)))
  return isEmpty(overtakesUnread) && isIrreflexive(before)
}

/** Conditions (b) and (c) of Definitions 3.5 to 3.7, for the given order `so` of sends. */
function inOrder(so: Relation, events: readonly Event[], { po, rf, mval }: Relations): boolean {
  const soDst = relation(
    events,
    (a, b, at, bt) => a.kind === 'send' && b.kind === 'send' && a.to === b.to && related(so, at, bt),
  )
  const unread = relation(events, (a, _b, at, bt) => at === bt && a.kind === 'send' && !(rf[at] ?? []).includes(true))
  // (b) [US]; so|dst; rf ∩ mval is empty
  const overtakesUnread = intersection(compose(compose(unread, soDst), rf), mval)
  // (c) po; rf⁻¹; (so|dst; rf ∩ mval) is irreflexive
  const overtakesRead = compose(compose(po, inverse(rf)), intersection(compose(soDst, rf), mval))
  return isEmpty(overtakesUnread) && isIrreflexive(overtakesRead)
}

/**
 * Every total order of the sends that respects causality. The definition does not ask for that in so many words, but an order
 * in which messages "were sent" has to, and Di Giusto et al. (2023, Definition 4.2), whom the paper follows, do.
 */
function totalOrders(sends: readonly number[], porf: Relation): Relation[] {
  return permutations(sends, porf).map((order) =>
    porf.map((row, a) =>
      row.map((_, b) => order.includes(a) && order.includes(b) && order.indexOf(a) < order.indexOf(b)),
    ),
  )
}

function permutations(sends: readonly number[], porf: Relation): number[][] {
  if (sends.length === 0) return [[]]
  const first = sends.filter((send) => !sends.some((other) => related(porf, other, send)))
  return first.flatMap((send) =>
    permutations(
      sends.filter((other) => other !== send),
      porf,
    ).map((order) => [send, ...order]),
  )
}

/** A spawn comes before everything its child does. */
function starts(events: readonly Event[]): Relation {
  return relation(events, (a, b) => a.kind === 'spawn' && a.child === b.process)
}

/** Everything a process does comes before the join that waits for its end. */
function joins(events: readonly Event[]): Relation {
  return relation(events, (a, b) => b.kind === 'join' && b.target === a.process)
}

function relation(events: readonly Event[], holds: (a: Event, b: Event, at: number, bt: number) => boolean): Relation {
  return events.map((a, at) => events.map((b, bt) => holds(a, b, at, bt)))
}

function related(pairs: Relation, a: number, b: number): boolean {
  return pairs[a]?.[b] === true
}

function union(left: Relation, right: Relation): Relation {
  return left.map((row, a) => row.map((held, b) => held || related(right, a, b)))
}

function intersection(left: Relation, right: Relation): Relation {
  return left.map((row, a) => row.map((held, b) => held && related(right, a, b)))
}

function compose(left: Relation, right: Relation): Relation {
  return left.map((row) => row.map((_, c) => row.some((held, b) => held && related(right, b, c))))
}

function inverse(pairs: Relation): Relation {
  return pairs.map((row, a) => row.map((_, b) => related(pairs, b, a)))
}

function closure(pairs: Relation): Relation {
  const larger = union(pairs, compose(pairs, pairs))
  return isEmpty(difference(larger, pairs)) ? pairs : closure(larger)
}

function difference(left: Relation, right: Relation): Relation {
  return left.map((row, a) => row.map((held, b) => held && !related(right, a, b)))
}

function isEmpty(pairs: Relation): boolean {
  return !pairs.some((row) => row.includes(true))
}

function isIrreflexive(pairs: Relation): boolean {
  return !pairs.some((row, at) => row[at])
}
