/** Where a history that a shortcut refused goes wrong: the first return up to which there is no order, by bisection. */
import type { Call } from '../../core/history.ts'
import type { Contradiction } from './part-search.ts'
import type { Ruling, Specification } from './specification.ts'
import { type Timeline, timelineOf } from './timeline.ts'
import { LinearizationSearch } from './wgl.ts'

/** How long to look for the order in front of the contradiction; it is for display only. */
const displayLimit = 50_000

export function shortestViolation(
  calls: readonly Call[],
  specification: Specification,
  whole: Ruling & { readonly linearizable: false },
): Contradiction {
  const timeline = timelineOf(calls)
  let [fine, wrong, decision] = [0, timeline.length, whole]
  while (wrong - fine > 1) {
    const middle = (fine + wrong) >>> 1
    const found = specification.decide?.(prefix(calls, timeline, middle).calls)
    if (found?.linearizable === false) [wrong, decision] = [middle, found]
    else fine = middle
  }
  const stuck = calls[timeline.callAt[wrong - 1] as number] as Call
  const short = prefix(calls, timeline, wrong)
  const before = prefix(calls, timeline, wrong - 1)
  const search = new LinearizationSearch(before.calls, specification)
  search.run(displayLimit)
  return {
    longestPrefix: search.order().map((call) => calls[before.positions[call] as number] as Call),
    stuck,
    reason: decision.reason,
    culprits: decision.culprits.map((call) => calls[short.positions[call] as number] as Call),
    states: [],
  }
}

/** The calls invoked within the first events; those that return later did not return yet, but what they will is known. */
function prefix(calls: readonly Call[], { invoked, returned }: Timeline, events: number) {
  const positions = [...calls.keys()].filter((call) => (invoked[call] as number) < events)
  return {
    positions,
    calls: positions.map((position) => {
      const call = calls[position] as Call
      return (returned[position] as number) < events ? call : { ...call, returned: Number.POSITIVE_INFINITY }
    }),
  }
}
