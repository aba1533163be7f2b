/** Results about recorded histories in the JSON report. */
import { historyToJson, type JsonCall } from './call-json.ts'
import type { HistoryPicture } from './history-picture.ts'
import type { HistoryCounts, ReportedHistory } from './history-result.ts'
import { historyScopeSentence } from './history-text.ts'
import type { JsonViolation } from './json.ts'
import type { JsonExplanation } from './object-json.ts'

export interface JsonHistoryResult {
  readonly kind: 'history'
  readonly program: string
  readonly file: string
  readonly engine: 'linearizability'
  readonly verdict: 'verified' | 'violated' | 'incomplete'
  readonly scope: string
  readonly counts: HistoryCounts
  readonly seconds: number
  readonly violation: JsonViolation | null
  readonly trace: null
  /** The part of the history that has no linearization. */
  readonly history: readonly JsonCall[] | null
  /** Positions are in `history`. */
  readonly explanation: JsonExplanation | null
}

export function jsonHistory(result: ReportedHistory): JsonHistoryResult {
  const { program, file, verdict } = result
  const isViolated = verdict.kind === 'violated'
  return {
    kind: 'history',
    program,
    file,
    engine: 'linearizability',
    verdict: verdict.kind,
    scope: historyScopeSentence(result),
    counts: verdict.counts,
    seconds: Math.round(result.seconds * 1000) / 1000,
    violation: isViolated
      ? {
          kind: 'linearizability',
          property: 'linearizable',
          message: verdict.picture.words,
          process: null,
          place: verdict.place ?? null,
          steps: verdict.counts.calls,
        }
      : null,
    trace: null,
    history: isViolated ? historyToJson(verdict.picture.history) : null,
    explanation: isViolated ? explanationOf(verdict.picture) : null,
  }
}

function explanationOf({ order = [], stuck, words }: HistoryPicture): JsonExplanation {
  return { order, stuck: stuck ?? null, words }
}
