/** Which calls of a history to show around the one that has no place. */
import { type Call, precedes } from '../../core/history.ts'
import type { Contradiction } from './part-search.ts'
import type { Part } from './parts.ts'
import { hasReturned } from './timeline.ts'

export interface HistoryWindow {
  /** In order of invocation. */
  readonly calls: readonly Call[]
  /** How many calls of the part ended before the first one shown and are left out. */
  readonly before: number
  /** How many calls of the part are left out otherwise: invoked after `stuck` returned, or too many. */
  readonly others: number
}

const usually = 12

/**
 * What the reason speaks of, then what is open together with `stuck`, then what took effect last before it, as many as fit.
 * Calls invoked after `stuck` returned have no part in the contradiction.
 */
export function contradictionWindow(
  { part, stuck, culprits, longestPrefix }: Contradiction & { readonly part: Part },
  most = usually,
): HistoryWindow {
  const relevant = part.calls.filter((call) => !precedes(stuck, call))
  const chosen = new Set<Call>([stuck, ...culprits])
  const overlapping = relevant.filter((call) => hasReturned(call) && !precedes(call, stuck))
  const recent = [...longestPrefix].reverse()
  for (const call of [...overlapping.reverse(), ...recent]) if (chosen.size < most) chosen.add(call)
  const calls = relevant.filter((call) => chosen.has(call))
  const first = Math.min(...calls.map(({ invoked }) => invoked))
  const before = part.calls.filter((call) => !chosen.has(call) && call.returned < first).length
  return { calls, before, others: part.calls.length - calls.length - before }
}
