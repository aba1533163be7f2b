/**
 * Recorded histories: there is one execution, which has happened. What is searched is an order of its calls that explains their
 * results; that no order does is the violation, with the part of the history that shows it.
 *
 * A search cannot be split: its parts are searched in turns, and which orders were tried is its memory.
 */
import type { HistoryEvidence } from '../../core/evidence.ts'
import type { Call, History } from '../../core/history.ts'
import { showValue } from '../../core/value-text.ts'
import { type Counts, countedCalls } from '../../core/verdict.ts'
import type { RecordedCalls } from '../../program/recorded.ts'
import {
  type HistoryProgress,
  type HistoryVerdict,
  historySearch,
} from '../../properties/linearizability/check-history.ts'
import type { Specification } from '../../properties/linearizability/specification.ts'
import { hasReturned } from '../../properties/linearizability/timeline.ts'
import type { Engine, EngineEvent } from '../engine.ts'

export const histories: Engine<'calls'> = {
  name: 'histories',
  summary: 'an order of the calls that explains their results; used by allways linearize',
  needs: 'calls',
  decides: ['linearizability'],
  claims: 'verified',
  options: {},
  counted: countedCalls,
  units: 'whole',
  explore,
}

function* explore(recorded: RecordedCalls): Generator<EngineEvent, void> {
  const { history, specification, objectOf, witness } = recorded
  const search = historySearch(history, specification as Specification, { witness, objectOf })
  const counts = countsOf(recorded)
  const counted = ({ parts, configurations }: HistoryProgress): Counts => ({ ...counts, parts, steps: configurations })
  for (let step = search.next(); ; step = search.next()) {
    if (step.done !== true) {
      const { operations, decidedOperations } = step.value
      yield { kind: 'progress', counts: counted(step.value), explored: decidedOperations / operations }
      continue
    }
    if (!step.value.ok) {
      for (const diagnostic of step.value.diagnostics) yield { kind: 'diagnostic', diagnostic }
      return
    }
    const decided = step.value.value
    yield { kind: 'progress', counts: counted(decided.progress), explored: 1 }
    const evidence = evidenceOf(history, decided)
    if (evidence !== undefined) yield { kind: 'evidence', evidence, decides: true }
    return
  }
}

/** An order, if one is known; or the part that has none. */
function evidenceOf(history: History, decided: HistoryVerdict): HistoryEvidence | undefined {
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

/** What is known before anything is searched. */
function countsOf({ history: { calls }, failed }: RecordedCalls): Counts {
  return {
    calls: calls.length,
    processes: new Set(calls.map(({ process }) => process)).size,
    pending: calls.filter((call) => !hasReturned(call)).length,
    failed,
  }
}
