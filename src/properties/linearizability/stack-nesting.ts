/**
 * Stacks in which every pushed value is different, in O(n k log n) for n calls of which at most k are open at once.
 *
 * The bounds of Abdulla et al. (PLDI 2025, O(n²)) and Lee and Mathur (OOPSLA 2025, O(n log n)) are known to us from their
 * abstracts; the method below is our own, by removing values one at a time, as theirs.
 *
 * A value x is surely inside between the return of its push and the call of its pop. A sequence of pushes and pops is one
 * of a stack iff the pairs are nested; taking a pair out, putting an adjacent pair in anywhere, and putting a pair around
 * everything keeps that.
 *
 * 1. A value whose push and pop are open at the same time can be left out: put the pair, adjacent, where both are open.
 * 2. Let t be a moment at which no value is surely inside. Each value can have both calls before t or both after t (the
 *    argument is in `queue-axioms.ts`). In a linearization, take all pairs that can be before t out of it, in order, and put
 *    them in front of the rest: nested still, and no call moves over one it must not. So parts between such moments are
 *    independent, and a pop that finds nothing needs just one such moment while it is open.
 * 3. In a part in which at every moment from a to b, and not beyond, some value is surely inside, the stack is never empty,
 *    so one value x is at the bottom all that time: its push is invoked before a (a is the first return of a push) and its pop
 *    returns after b (b is the last call of a pop). Conversely any x with these two can be the bottom: no call of the part
 *    returned before a, none is invoked after b, so x can be put around all others. If there is none, the history is not
 *    linearizable; else leave x out and go on with what remains of the part. Leaving x out uncovers moments, which splits it.
 *
 * Values never popped are popped after everything. Calls without a return: see `containerHistory`, and `decideWithFreeTakes`
 * for pops that may have taken any value.
 */
import type { Call } from '../../core/history.ts'
import type { Value } from '../../core/value.ts'
import { type ContainerHistory, containerHistory, isDecision, type Stay, violation } from './container-history.ts'
import { Coverage } from './coverage.ts'
import { decideWithFreeTakes } from './free-takes.ts'
import type { ShowCall } from './operation-table.ts'
import { neverEmpty } from './queue-axioms.ts'
import type { Ruling } from './specification.ts'

export function stackDecision(calls: readonly Call[], initial: readonly Value[], show: ShowCall): Ruling | undefined {
  const history = containerHistory(calls, initial, { put: 'push', take: 'pop', show })
  if (history === undefined || isDecision(history)) return history
  return decideWithFreeTakes(history, () => neverEmpty(history, 'stack') ?? notNested(history))
}

/**
 * Ranks of calls for a search: the order this method finds, where it finds one, so that the search has nothing to guess. Calls
 * it does not know (others than push and pop, or whose result is not known) come first.
 */
export function stackRanks(calls: readonly Call[], initial: readonly Value[]): readonly number[] | undefined {
  const ranks = calls.map(() => -1)
  const known = [...calls.keys()].filter((call) => {
    const { operation, result } = calls[call] as Call
    return operation === 'push' || (operation === 'pop' && result.kind === 'returned')
  })
  const chosen = known.map((call) => calls[call] as Call)
  const history = containerHistory(chosen, initial, { put: 'push', take: 'pop', show: String })
  if (history === undefined || isDecision(history)) return undefined
  const setRank = (call: number, rank: number) => {
    if (call >= 0) ranks[known[call] as number] = rank
  }
  for (const { put, take, putInvoked, takeInvoked } of history.stays) {
    const bothOpen = Math.max(putInvoked, takeInvoked)
    setRank(put, bothOpen + 0.5)
    setRank(take, bothOpen + 0.6)
  }
  // Where several begin or end at the same moment the outermost, which is found first, is first in and last out.
  const { bottoms } = nestingOf(history)
  for (const [depth, { stay, from, to }] of bottoms.entries()) {
    const nested = (0.2 * depth) / bottoms.length
    setRank(stay.put, from - 0.25 + nested)
    setRank(stay.take, to + 0.25 - nested)
  }
  return ranks
}

function notNested(history: ContainerHistory): Ruling | undefined {
  const { without } = nestingOf(history)
  return without === undefined ? undefined : noBottom(history, without[0], without[1])
}

interface Nesting {
  /** Values with the moments between which each is at the bottom of what is inside it. */
  readonly bottoms: readonly { readonly stay: Stay; readonly from: number; readonly to: number }[]
  /** A part without a bottom, if there is one. */
  readonly without?: readonly [from: number, to: number]
}

function nestingOf(history: ContainerHistory): Nesting {
  const stays = history.stays.filter(isSurelyInside)
  const coverage = new Coverage(history.length)
  for (const { putReturned, takeInvoked } of stays) coverage.add(putReturned, takeInvoked, 1)
  const pushes = new OpenPushes(stays, history.length)
  const parts = coveredParts(coverage, 0, history.length)
  const bottoms: { readonly stay: Stay; readonly from: number; readonly to: number }[] = []
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    const [from, to] = part
    const stay = pushes.openAt(from, ({ takeInvoked, takeReturned }) => takeInvoked <= to && to <= takeReturned)
    if (stay === undefined) return { bottoms, without: part }
    bottoms.push({ stay, from, to })
    pushes.remove(stay)
    coverage.add(stay.putReturned, stay.takeInvoked, -1)
    for (const inner of coveredParts(coverage, from, to)) parts.push(inner)
  }
  return { bottoms }
}

function isSurelyInside({ putReturned, takeInvoked }: Stay): boolean {
  return putReturned < takeInvoked
}

/** Maximal runs of covered moments, from the event before the first to the event after the last. */
function coveredParts(coverage: Coverage, from: number, to: number): (readonly [from: number, to: number])[] {
  const parts: (readonly [number, number])[] = []
  for (let start = coverage.firstCovered(from, to); start < to; ) {
    const end = coverage.firstUncovered(start, to)
    parts.push([start, end])
    start = coverage.firstCovered(end, to)
  }
  return parts
}

function noBottom({ show, length, stays }: ContainerHistory, from: number, to: number): Ruling {
  const first = stays.find(({ putReturned }) => putReturned === from)
  const last = stays.find(({ takeInvoked }) => takeInvoked === to)
  const [push, pop] = [first?.put ?? -1, last?.take ?? -1]
  const since = push < 0 ? 'from the beginning' : `since ${show(push)} returned`
  const until = pop < 0 || to === length ? 'to the end' : `until ${show(pop)} was called`
  const inside = stays
    .filter(isSurelyInside)
    .filter(({ putReturned, takeInvoked }) => putReturned >= from && takeInvoked <= to)
  const words = `some value is on the stack at every moment ${since} ${until}, but none can be at the bottom all that time`
  return violation(words, [push, pop, ...inside.slice(0, 4).flatMap(({ put, take }) => [put, take])])
}

/** Which pushes are open at a position: a tournament tree of returns, over pushes in order of invocation. */
class OpenPushes {
  readonly #stays: readonly Stay[]
  readonly #places: ReadonlyMap<Stay, number>
  /** How many pushes are invoked before each position. */
  readonly #invokedBefore: Int32Array
  readonly #leaves: number
  /** By tree element, root 1: the latest return of a push below it. */
  readonly #latest: Int32Array

  constructor(stays: readonly Stay[], length: number) {
    this.#stays = [...stays].sort((left, right) => left.putInvoked - right.putInvoked)
    this.#places = new Map(this.#stays.map((stay, place) => [stay, place]))
    this.#invokedBefore = new Int32Array(length + 2)
    for (const { putInvoked } of stays) this.#invokedBefore[putInvoked + 1] = 1
    for (let at = 1; at < this.#invokedBefore.length; at++) {
      this.#invokedBefore[at] = (this.#invokedBefore[at] as number) + (this.#invokedBefore[at - 1] as number)
    }
    this.#leaves = 1 << Math.ceil(Math.log2(Math.max(2, stays.length)))
    this.#latest = new Int32Array(2 * this.#leaves).fill(-1)
    for (const [place, { putReturned }] of this.#stays.entries()) this.#latest[this.#leaves + place] = putReturned
    for (let at = this.#leaves - 1; at > 0; at--) this.#update(at)
  }

  /** A push that is invoked before the position and returns there or later, and whose value is as wanted. */
  openAt(position: number, isWanted: (stay: Stay) => boolean): Stay | undefined {
    return this.#find(1, 0, this.#leaves, { position, count: this.#invokedBefore[position] as number, isWanted })
  }

  remove(stay: Stay): void {
    let at = this.#leaves + (this.#places.get(stay) ?? 0)
    this.#latest[at] = -1
    for (at >>>= 1; at > 0; at >>>= 1) this.#update(at)
  }

  #find(at: number, low: number, high: number, query: PushQuery): Stay | undefined {
    if (low >= query.count || (this.#latest[at] as number) < query.position) return undefined
    if (high - low === 1) {
      const stay = this.#stays[low]
      return stay !== undefined && query.isWanted(stay) ? stay : undefined
    }
    const middle = (low + high) >>> 1
    return this.#find(2 * at, low, middle, query) ?? this.#find(2 * at + 1, middle, high, query)
  }

  #update(at: number): void {
    this.#latest[at] = Math.max(this.#latest[2 * at] as number, this.#latest[2 * at + 1] as number)
  }
}

interface PushQuery {
  readonly position: number
  readonly count: number
  readonly isWanted: (stay: Stay) => boolean
}
