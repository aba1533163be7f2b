/**
 * Priority queues in which every inserted value is different, in O(n log n). The bound is that of Lee and Mathur (OOPSLA
 * 2025), known to us from its abstract; the argument is our own.
 *
 * A value is surely inside between the return of its insert and the call of its deletion. The history is linearizable iff
 * for every value v that is deleted there is a moment, while its deletion is open and after its insert was called, at which
 * no value below v is surely inside; and for every deletion that finds nothing one at which no value at all is.
 *
 * It is necessary, as values below v are not inside when v is deleted. It suffices: go through the values from the least to
 * the greatest, with a linearization of those below v at hand. Let t be v's moment. As in `queue-axioms.ts`, each value below v
 * can have both calls before t or both after it; those that can be before t go in front, which keeps a sequence of a priority
 * queue one, and then nothing is inside at t, where v is deleted. Its insert goes anywhere real time allows before t. Being
 * the greatest so far, v is in the way of no other value.
 *
 * Calls without a return: see `containerHistory`. The deletion of a known value has taken effect if it can have a moment,
 * since then the value is inside for a shorter time. See `decideWithFreeTakes` for deletions that may have taken any
 * value.
 */
import type { Call } from '../../core/history.ts'
import type { Value } from '../../core/value.ts'
import { type ContainerHistory, containerHistory, isDecision, type Stay, violation } from './container-history.ts'
import { decideWithFreeTakes } from './free-takes.ts'
import type { ShowCall } from './operation-table.ts'
import { neverEmpty } from './queue-axioms.ts'
import type { Ruling } from './specification.ts'

export function priorityQueueDecision<P extends Value>(
  calls: readonly Call[],
  initial: readonly P[],
  compare: (left: P, right: P) => number,
  show: ShowCall,
): Ruling | undefined {
  const history = containerHistory(calls, initial, { put: 'insert', take: 'deleteMin', show })
  if (history === undefined || isDecision(history)) return history
  const ascending = [...history.stays].sort((left, right) => compare(left.value as P, right.value as P))
  return decideWithFreeTakes(history, () => {
    const stays = ascending.map((stay) => ({ ...stay }))
    return outOfOrder({ ...history, stays }) ?? neverEmpty({ ...history, stays }, 'priority queue')
  })
}

/** What is wrong with the deletions, values ascending. Those that turn out not to have been deleted now stay to the end. */
function outOfOrder({ show, length, stays }: ContainerHistory): Ruling | undefined {
  const covered = new CoveredMoments(length)
  for (const [place, stay] of stays.entries()) {
    const moment = covered.firstFree(Math.max(stay.takeInvoked, stay.putInvoked))
    if (stay.take >= 0 && moment >= stay.takeReturned) return notLeast(stay, stays.slice(0, place), show)
    // A deletion without a return for which there is no moment did not happen.
    if (stay.take >= 0 && moment >= length) stay.takeInvoked = length
    covered.cover(stay.putReturned, stay.takeInvoked)
  }
  return undefined
}

function notLeast(stay: Stay, smaller: readonly Stay[], show: ShowCall): Ruling {
  const around = smaller.filter(
    ({ putReturned, takeInvoked }) => putReturned < stay.takeReturned && takeInvoked > stay.takeInvoked,
  )
  const words = `${show(stay.take)} returned, but at every moment at which it could take effect a smaller value was inside`
  return violation(words, [stay.take, stay.put, ...around.slice(0, 4).flatMap(({ put, take }) => [put, take])])
}

/** Moments that are covered once and for all, with the next free one after each: union-find over runs. */
class CoveredMoments {
  readonly #length: number
  readonly #next: Int32Array

  constructor(length: number) {
    this.#length = length
    this.#next = Int32Array.from({ length: length + 1 }, (_, moment) => moment)
  }

  /** The first moment from `from` on that is not covered; the number of moments if there is none. */
  firstFree(from: number): number {
    let found = Math.min(from, this.#length)
    while (this.#next[found] !== found) found = this.#next[found] as number
    for (let at = Math.min(from, this.#length); at !== found; ) {
      const next = this.#next[at] as number
      this.#next[at] = found
      at = next
    }
    return found
  }

  cover(from: number, to: number): void {
    for (let at = this.firstFree(from); at < to; at = this.firstFree(at)) this.#next[at] = at + 1
  }
}
