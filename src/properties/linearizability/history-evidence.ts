/** What the decision on a recorded history rests on: an order of its calls, or the part that has none, and what was counted. */
import type { HistoryEvidence } from '../../core/evidence.ts'
import type { Call, History } from '../../core/history.ts'
import { showValue } from '../../core/value-text.ts'
import type { Counts } from '../../core/verdict.ts'
import type { HistoryDecision, HistoryProgress } from './decide-history.ts'
import { hasReturned } from './timeline.ts'

/** Nothing where calls can be ordered and no order was wanted. */
export function historyEvidence(history: History, decided: HistoryDecision): HistoryEvidence | undefined {
  if (decided.linearizable) {
    const order = decided.witness?.map((call) => history.calls.indexOf(call))
    const words = 'an order of the calls explains their results'
    return order === undefined ? undefined : { kind: 'history', history, order, words }
  }
  const { part, stuck, longestPrefix, reason } = decided
  const indexOf = (call: Call): number => part.calls.indexOf(call)
  const where = [part.object, part.key].filter((one) => one !== undefined).map((one) => showValue(one, 40))
  const words = where.length === 0 ? reason : `${where.join(', ')}: ${reason}`
  return {
    kind: 'history',
    history: { calls: part.calls },
    order: longestPrefix.map(indexOf),
    stuck: indexOf(stuck),
    words,
    violation: { kind: 'linearizability', property: 'linearizable', message: words },
    place: stuck.place,
  }
}

/** What is known before anything is searched, and how far the search has come. */
export function historyCounts(
  { calls }: History,
  failed: number,
  { parts, configurations }: Pick<HistoryProgress, 'parts' | 'configurations'>,
): Counts {
  return {
    calls: calls.length,
    processes: new Set(calls.map(({ process }) => process)).size,
    pending: calls.filter((call) => !hasReturned(call)).length,
    failed,
    parts,
    steps: configurations,
  }
}
