/**
 * How long states of processes last in one execution, and which of them are met together by some order of its events.
 *
 * States of several processes are met together if there is a cut of the execution, a set of events with all their causes, that has the
 * beginning of each and the end of none. The least candidate is the union of what came before the beginnings, beginnings included:
 * every such cut contains it, and as a union of such sets it has all causes. So if it has the end of one of the states, every cut with
 * all the beginnings does, and the states are never met together; otherwise it is a cut where they are. It has the end of one if and only
 * if what came before another's beginning has it: hence states are met together if and only if any two of them are.
 *
 * That is about causes alone. Any such cut is a state that is met, whatever the network: its events in the order of the execution are an
 * execution (`PartialOrder.causes`), as messages of events that are left out hold back nothing.
 */
import type { PartialOrder } from '../core/partial-order.ts'
import type { Value } from '../core/value.ts'

/** A state of a process from the event that begins it to the one that ends it. */
export interface Lifetime {
  /** Nothing: the process is not there, or has not exposed a state. */
  readonly state: Value | undefined
  /** By number of a process in the execution: how many of its events came before, the beginning included. */
  readonly past: readonly number[]
  /** Which event of which process ends it, counted from 0. */
  readonly endOf: number
  readonly end: number
  /** Whether its beginning was not there when states were judged before. */
  readonly isNew: boolean
}

/** Of a process, in the order in which they are met. */
export interface Lifetimes {
  readonly process: string
  readonly lifetimes: readonly Lifetime[]
}

/** Of a process that is not there. */
export const never: Lifetime = { state: undefined, past: [], endOf: 0, end: Number.POSITIVE_INFINITY, isNew: false }

/**
 * The least cut in which each process is in one of the states, and what of them is left from there on, that cut's first (Garg and
 * Waldecker, "Detection of Weak Unstable Predicates in Distributed Programs", 1994): a state that ends before another one that cannot be
 * avoided begins is of no use to any later cut. Nothing if there is none.
 */
export function leastCut(
  states: readonly (readonly Lifetime[])[],
): { readonly states: readonly (readonly Lifetime[])[]; readonly events: readonly number[] } | undefined {
  const at = states.map(() => 0)
  const events: number[] = []
  for (const lifetimes of states) {
    if (lifetimes.length === 0) return undefined
    include(events, (lifetimes[0] as Lifetime).past)
  }
  for (let isStable = false; !isStable; ) {
    isStable = true
    for (let process = 0; process < states.length; process++) {
      const lifetimes = states[process] as readonly Lifetime[]
      let current = lifetimes[at[process] as number] as Lifetime
      if (!hasEnded(current, events)) continue
      isStable = false
      for (let next = (at[process] as number) + 1; hasEnded(current, events); next++) {
        if (next === lifetimes.length) return undefined
        current = lifetimes[next] as Lifetime
        at[process] = next
      }
      include(events, current.past)
    }
  }
  const left = states.map((lifetimes, process) => (at[process] === 0 ? lifetimes : lifetimes.slice(at[process])))
  return { states: left, events }
}

function hasEnded({ endOf, end }: Lifetime, events: readonly number[]): boolean {
  return (events[endOf] ?? 0) > end
}

function include(events: number[], past: readonly number[]): void {
  while (events.length < past.length) events.push(0)
  for (let process = 0; process < past.length; process++)
    if ((past[process] as number) > (events[process] as number)) events[process] = past[process] as number
}

/** Processes that are in another state after a decision, its own and one that it begins. */
type Changes = readonly (readonly [process: string, state: Value])[]

/** An execution that was followed step by step. */
export interface Followed {
  readonly order: PartialOrder
  /** Before the first decision. */
  readonly states: ReadonlyMap<string, Value>
  /** By decision. */
  readonly changes: readonly Changes[]
}

/** Processes by number are those of the events, in order of their first. */
export function lifetimesIn({ order, states, changes }: Followed): readonly Lifetimes[] {
  const { numbers, pasts } = pastsIn(order)
  const known = new Map<string, { state: Value | undefined; past: readonly number[] }[]>()
  const ends = new Map<string, { endOf: number; end: number }[]>()
  for (const [process, state] of states) {
    known.set(process, [{ state, past: [] }])
    ends.set(process, [])
  }
  for (const [at, changed] of changes.entries()) {
    const past = pasts[at] as readonly number[]
    const endOf = numbers.get(order.events[at]?.process as string) as number
    for (const [process, state] of changed) {
      const all = known.get(process) ?? [{ state: undefined, past: [] }]
      known.set(process, [...all, { state, past }])
      ends.set(process, [...(ends.get(process) ?? []), { endOf, end: (past[endOf] as number) - 1 }])
    }
  }
  return [...known].map(([process, all]) => ({
    process,
    lifetimes: all.map((one, at) => ({ ...never, ...one, ...ends.get(process)?.[at], isNew: true })),
  }))
}

/** By event: how many of each process came before it or are it. */
function pastsIn({ events, causes }: PartialOrder) {
  const numbers = new Map<string, number>()
  const pasts: (readonly number[])[] = []
  const counts: number[] = []
  for (const [at, { process }] of events.entries()) {
    const number = numbers.get(process) ?? numbers.size
    numbers.set(process, number)
    const past: number[] = []
    for (const cause of causes[at] ?? []) include(past, pasts[cause] as readonly number[])
    counts[number] = (counts[number] ?? 0) + 1
    while (past.length <= number) past.push(0)
    past[number] = counts[number]
    pasts.push(past)
  }
  return { numbers, pasts }
}

/** The events of a cut, in the order of the execution. */
export function eventsOf({ events }: PartialOrder, cut: readonly number[]): readonly number[] {
  const numbers = new Map<string, number>()
  const counts: number[] = []
  return [...events.keys()].filter((at) => {
    const { process } = events[at] as (typeof events)[number]
    const number = numbers.get(process) ?? numbers.size
    numbers.set(process, number)
    counts[number] = (counts[number] ?? 0) + 1
    return counts[number] <= (cut[number] ?? 0)
  })
}
