/** Checks a recorded history against a specification, until the end or until a budget is spent. */
import { type Diagnostic, failure, type Result, success } from '../core/diagnostic.ts'
import { findingsIn, type HistoryEvidence } from '../core/evidence.ts'
import type { Call, History } from '../core/history.ts'
import { showValue } from '../core/value-text.ts'
import { type BudgetName, type Counts, countedCalls, type Scope, type Verdict } from '../core/verdict.ts'
import type { Budget, Host } from '../distribute/driver.ts'
import {
  type HistoryVerdict as Decided,
  type HistoryProgress,
  historySearch,
} from '../properties/linearizability/check-history.ts'
import type { Specification } from '../properties/linearizability/specification.ts'
import { specificationNames } from '../properties/linearizability/specifications/catalogue.ts'
import { hasReturned } from '../properties/linearizability/timeline.ts'
import { type RecordedHistory, readHistory } from './history-file.ts'
import { realHost } from './host.ts'
import { located } from './locate.ts'
import { specificationNamed } from './specification-named.ts'

export interface HistoryRequest {
  /** As the user sees it. */
  readonly file: string
  /** The name of a specification, instead of the one that the file names. */
  readonly specification: string | undefined
  readonly budget: Budget
  readonly signal: AbortSignal | undefined
  /** Whether an order is wanted, for a picture of a history that holds. */
  readonly witness: boolean
}

export interface HistoryProgressNow extends HistoryProgress {
  readonly milliseconds: number
}

export interface HistoryRunOptions {
  readonly host?: Host | undefined
  readonly onProgress?: ((progress: HistoryProgressNow) => void) | undefined
}

export interface HistoryChecked {
  readonly verdict: Verdict
  readonly seconds: number
  readonly specification: string
}

export async function runHistoryCheck(
  request: HistoryRequest,
  { host = realHost, onProgress }: HistoryRunOptions = {},
): Promise<Result<HistoryChecked>> {
  const recorded = recordedHistory(request)
  if (!recorded.ok) return recorded
  const { history, specification, objectOf } = recorded.value
  const counted = (progress: HistoryProgress): Counts => countsOf(recorded.value, progress)
  const scope = scopeOf(specification)
  const { budget, signal, witness } = request
  const startedAt = host.now()
  const search = historySearch(history, specification, { witness, objectOf })
  const ended = (verdict: Verdict): Result<HistoryChecked> => {
    // Histories may be long: those that violate nothing are kept only for a picture.
    const evidence = witness ? verdict.evidence : findingsIn(verdict.evidence)
    const seconds = (host.now() - startedAt) / 1000
    return success({ verdict: { ...verdict, evidence }, specification: specification.name, seconds })
  }
  for (;;) {
    const step = search.next()
    if (step.done === true) {
      if (!step.value.ok) return failure(...step.value.diagnostics.map(located))
      const { value } = step.value
      return ended(decidedVerdict(history, value, { scope, counts: counted(value.progress) }))
    }
    const milliseconds = host.now() - startedAt
    onProgress?.({ ...step.value, milliseconds })
    const because = spent(budget, signal, milliseconds, host)
    if (because !== undefined) {
      const words = 'whether it is linearizable was not settled'
      const evidence = [{ kind: 'history', history, words } as const]
      const counts = counted(step.value)
      return ended({ kind: 'incomplete', scope, counts, evidence, because, explored: 0, remaining: [] })
    }
    await host.pause()
  }
}

type WithSpecification = RecordedHistory & { readonly specification: Specification }

function recordedHistory({ file, specification }: HistoryRequest): Result<WithSpecification> {
  if (file.endsWith('.edn')) return failure(notJson(file))
  const named = specification === undefined ? success(undefined) : specificationNamed(specification)
  if (!named.ok) return named
  const recorded = readHistory(file, { specification })
  if (!recorded.ok) return recorded
  const { specification: found } = recorded.value
  if (found !== undefined) return success({ ...recorded.value, specification: found })
  return failure({
    code: 'E107',
    message: `${file} does not name a specification, so there is nothing to judge it by`,
    hint: `name a specification, as in --spec register; there are ${specificationNames.join(', ')}`,
  })
}

/** What Jepsen writes beside its JSON. */
function notJson(file: string): Diagnostic {
  return {
    code: 'E501',
    message: `${file} is written in EDN, and histories are read as JSON`,
    hint: 'write one event per line, as in {"process": 0, "type": "invoke", "f": "write", "value": 3}, to a *.history.jsonl',
  }
}

function spent(
  { milliseconds, bytes }: Budget,
  signal: AbortSignal | undefined,
  elapsed: number,
  host: Host,
): BudgetName | undefined {
  if (signal?.aborted === true) return 'interrupt'
  if (milliseconds !== undefined && elapsed > milliseconds) return 'time'
  return bytes !== undefined && host.memory() > bytes ? 'memory' : undefined
}

function scopeOf({ name }: Specification): Scope {
  return {
    engine: 'linearizability',
    counted: countedCalls,
    params: {},
    seed: 0,
    deadlock: 'allow',
    criterion: 'linearizable',
    specification: name,
  }
}

function decidedVerdict(history: History, decided: Decided, said: Pick<Verdict, 'scope' | 'counts'>): Verdict {
  if (decided.linearizable) {
    const order = decided.witness?.map((call) => history.calls.indexOf(call))
    const words = 'an order of the calls explains their results'
    return { kind: 'verified', ...said, evidence: [{ kind: 'history', history, order, words }] }
  }
  const { part, stuck, longestPrefix, reason } = decided
  const indexOf = (call: Call): number => part.calls.indexOf(call)
  const where = [part.object, part.key].filter((one) => one !== undefined).map((one) => showValue(one, 40))
  const words = where.length === 0 ? reason : `${where.join(', ')}: ${reason}`
  const found: HistoryEvidence = {
    kind: 'history',
    history: { calls: part.calls },
    order: longestPrefix.map(indexOf),
    stuck: indexOf(stuck),
    words,
    violation: { kind: 'linearizability', property: 'linearizable', message: words },
    place: stuck.place,
  }
  return { kind: 'violated', ...said, evidence: [found], exhausted: false }
}

function countsOf({ history: { calls }, failed }: RecordedHistory, { parts, configurations }: HistoryProgress): Counts {
  return {
    calls: calls.length,
    processes: new Set(calls.map(({ process }) => process)).size,
    pending: calls.filter((call) => !hasReturned(call)).length,
    failed,
    parts,
    steps: configurations,
  }
}
