/**
 * Recorded histories: there is one execution, which has happened. What is searched is an order of its calls that explains their
 * results; that no order does is the violation, with the part of the history that shows it.
 *
 * A search cannot be split: its parts are searched in turns, and which orders were tried is its memory.
 */
import { type Counts, countedCalls } from '../../core/verdict.ts'
import type { RecordedCalls } from '../../program/recorded.ts'
import { type HistoryProgress, historySearch } from '../../properties/linearizability/decide-history.ts'
import { historyCounts, historyEvidence } from '../../properties/linearizability/history-evidence.ts'
import type { Specification } from '../../properties/linearizability/specification.ts'
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
  const known = historyCounts(history, recorded.failed, { parts: 0, configurations: 0 })
  const counted = ({ parts, configurations }: HistoryProgress): Counts => ({ ...known, parts, steps: configurations })
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
    const evidence = historyEvidence(history, decided)
    if (evidence !== undefined) yield { kind: 'evidence', evidence, decides: true }
    return
  }
}
