/** A history that was recorded in code, judged at once: the twin of `checkResult` for what has already happened. */
import { type Result, success } from '../core/diagnostic.ts'
import type { History } from '../core/history.ts'
import type { Verdict } from '../core/verdict.ts'
import { Witness } from '../core/witness.ts'
import { histories } from '../engines/histories/histories.ts'
import { decideHistory, type HistoryOptions } from '../properties/linearizability/decide-history.ts'
import { historyCounts, historyEvidence } from '../properties/linearizability/history-evidence.ts'
import { type SomeSpecification, specification } from '../properties/linearizability/specification.ts'
import { historyScope } from './scope.ts'

/** Whether the calls can have taken effect one after the other, each between its call and its return. Goes on until that is known. */
export function checkHistory(history: History, object: SomeSpecification, options?: HistoryOptions): Result<Verdict>
export function checkHistory(
  history: History,
  object: SomeSpecification,
  options: HistoryOptions = {},
  ...extra: readonly unknown[]
): Result<Verdict> {
  const decided = decideHistory(history, object, options, ...extra)
  if (!decided.ok) return decided
  const { name } = specification(object)
  const scope = historyScope(name, { engine: histories.name, counted: histories.counted, seed: 0 })
  const counts = historyCounts(history, 0, decided.value.progress)
  const found = historyEvidence(history, decided.value)
  const evidence = found === undefined ? [] : [found]
  if (!decided.value.linearizable) return success({ kind: 'violated', scope, counts, evidence, exhausted: true })
  const witness = new Witness()
  if (history.calls.length === 0) witness.ask('history-without-calls', name, 0)
  const vacuity = witness.open()
  return success({ kind: 'verified', scope, counts, evidence, ...(vacuity.length === 0 ? {} : { vacuity }) })
}
