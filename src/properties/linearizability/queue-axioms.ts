/**
 * Queues in which every enqueued value is different, in O(n log n). The axioms are those of Henzinger, Sezgin and Vafeiadis,
 * "Aspect-Oriented Linearizability Proofs" (CONCUR 2013): such a history is linearizable iff
 *
 * 1. every value that is dequeued was enqueued, by a call that did not begin after the dequeue returned, and is dequeued once;
 * 2. if enqueue(x) precedes enqueue(y) and y is dequeued, then so is x, and dequeue → y does not precede dequeue → x;
 * 3. while a dequeue that finds nothing is open there is a moment at which no value is surely inside, that is, between the
 *    return of its enqueue and the call of its dequeue.
 *
 * Why 3 suffices: let t be such a moment. Each value can have both calls before t, or both after t. (Not before means that one
 * of the two is invoked after t. As x is not surely inside at t, neither call of x then returns before t.) Putting all that
 * can be before t there breaks neither real time nor 2, and leaves the queue empty at t.
 *
 * Calls without a return, beyond what `containerHistory` does: a dequeue that may have taken any value can only help, by taking
 * a value that 2 requires to be taken in time, and the earlier it was called the more it helps. A value x needs one called
 * before the first return of a dequeue of a value enqueued after x. Those needs are nested, so they can all be met iff they
 * can in order of urgency. With 3 in play this is no longer so: see `decideWithFreeTakes`.
 */
import type { Call } from '../../core/history.ts'
import type { Value } from '../../core/value.ts'
import { showValue } from '../../core/value-text.ts'
import {
  type ContainerHistory,
  containerHistory,
  isDecision,
  isUntaken,
  type Stay,
  violation,
} from './container-history.ts'
import { decideWithFreeTakes } from './free-takes.ts'
import type { ShowCall } from './operation-table.ts'
import type { Ruling } from './specification.ts'

export function queueDecision(calls: readonly Call[], initial: readonly Value[], show: ShowCall): Ruling | undefined {
  const history = containerHistory(calls, initial, { put: 'enqueue', take: 'dequeue', show })
  if (history === undefined || isDecision(history)) return history
  if (history.empty.length > 0 || history.unknownTakes.length > 0) {
    return decideWithFreeTakes(history, () => outOfOrder(history) ?? neverEmpty(history, 'queue'))
  }
  useOpenTakes(history)
  return outOfOrder(history) ?? { linearizable: true }
}

/** Axiom 2: for every value y, the value enqueued before it that stays longest must begin to leave before y has left. */
function outOfOrder({ stays, show }: ContainerHistory): Ruling | undefined {
  const byEnd = [...stays].sort((left, right) => left.putReturned - right.putReturned)
  const byStart = [...stays].sort((left, right) => left.putInvoked - right.putInvoked)
  let longest: Stay | undefined
  let at = 0
  for (const stay of byStart) {
    for (let one = byEnd[at]; one !== undefined && one.putReturned < stay.putInvoked; one = byEnd[++at]) {
      if (longest === undefined || one.takeInvoked > longest.takeInvoked) longest = one
    }
    if (longest !== undefined && stay.take >= 0 && stay.takeReturned < longest.takeInvoked) {
      return violation(orderWords(longest, stay, show), [longest.put, stay.put, stay.take, longest.take])
    }
  }
  return undefined
}

function orderWords(earlier: Stay, later: Stay, show: ShowCall): string {
  const [first, second] = [showValue(earlier.value, 24), showValue(later.value, 24)]
  const before =
    earlier.put < 0 ? `${first} was in the queue from the beginning` : `${first} was enqueued before ${second}`
  const after = earlier.take < 0 ? 'and never dequeued' : `and ${show(earlier.take)} was called only afterwards`
  return `${show(later.take)} returned, but ${before} ${after}`
}

/** Axiom 3, for queues and stacks alike. */
export function neverEmpty(history: ContainerHistory, object: string): Ruling | undefined {
  const { stays, empty, show, length } = history
  if (empty.length === 0) return undefined
  const change = new Int32Array(length + 1)
  for (const { putReturned, takeInvoked } of stays) {
    if (putReturned >= takeInvoked) continue
    change[putReturned] = (change[putReturned] as number) + 1
    change[takeInvoked] = (change[takeInvoked] as number) - 1
  }
  // How many moments up to each event are covered by no stay; moment i is between the events i and i + 1.
  const free = new Int32Array(length + 1)
  let inside = 0
  for (let at = 0; at < length; at++) {
    inside += change[at] as number
    free[at + 1] = (free[at] as number) + (inside === 0 ? 1 : 0)
  }
  const wrong = empty.find((call) => free[history.returned(call)] === free[history.invoked(call)])
  if (wrong === undefined) return undefined
  const around = stays.filter(
    ({ putReturned, takeInvoked }) => putReturned < history.returned(wrong) && takeInvoked > history.invoked(wrong),
  )
  const words = `${show(wrong)} found nothing, but at every moment while it was open some value was in the ${object}`
  return violation(words, [wrong, ...around.slice(0, 4).flatMap(({ put, take }) => [put, take])])
}

/** Gives open dequeues to the values that need one, the most urgent first. */
function useOpenTakes(history: ContainerHistory): void {
  const { stays, openTakes, invoked, length } = history
  const byStart = [...stays].sort((left, right) => right.putInvoked - left.putInvoked)
  const byEnd = [...stays].sort((left, right) => right.putReturned - left.putReturned)
  const urgent: { readonly stay: Stay; readonly deadline: number }[] = []
  let [deadline, at] = [length, 0]
  for (const stay of byEnd) {
    for (let one = byStart[at]; one !== undefined && one.putInvoked > stay.putReturned; one = byStart[++at]) {
      deadline = Math.min(deadline, one.takeReturned)
    }
    if (isUntaken(stay, history) && stay.takeInvoked > deadline) urgent.push({ stay, deadline })
  }
  urgent.sort((left, right) => left.deadline - right.deadline)
  const available = [...openTakes].sort((left, right) => invoked(left) - invoked(right))
  for (const [place, { stay }] of urgent.entries()) {
    const take = available[place]
    if (take !== undefined) Object.assign(stay, { take, takeInvoked: invoked(take), takeReturned: length + 1 })
  }
}
