/** Checks a recorded history against a specification: loads it, and leaves the rest to the check of the program that it is. */
import { type Diagnostic, failure, type Result, success } from '../core/diagnostic.ts'
import { histories } from '../engines/histories/histories.ts'
import type { Program } from '../program/program.ts'
import type { RecordedCalls } from '../program/recorded.ts'
import { specificationNames } from '../properties/linearizability/specifications/catalogue.ts'
import { readHistory } from './history-file.ts'
import { historyProgram } from './history-program.ts'
import { located } from './locate.ts'
import { type CheckOptions, checkRequest } from './request.ts'
import { type Checked, type RunOptions, runCheck } from './run.ts'
import { specificationNamed } from './specification-named.ts'

export interface HistoryRequest extends Pick<CheckOptions, 'time' | 'memory' | 'signal'> {
  /** As the user sees it. */
  readonly file: string
  /** The name of a specification, instead of the one that the file names. */
  readonly specification: string | undefined
  /** Whether an order is wanted, for a picture of a history that holds. */
  readonly witness: boolean
  /** Called when the file has been read. */
  readonly onRead?: (() => void) | undefined
}

export async function runHistoryCheck(asked: HistoryRequest, options: RunOptions = {}): Promise<Result<Checked>> {
  const recorded = recordedCalls(asked)
  if (!recorded.ok) return recorded
  asked.onRead?.()
  const judged = await judgedHistory(recorded.value, asked, options)
  if (!asked.witness || !judged.ok) return judged
  const { verdict, seconds } = judged.value
  const left = typeof asked.time === 'number' ? asked.time - seconds * 1000 : asked.time
  const isDrawn = verdict.evidence.some(({ kind }) => kind === 'history')
  // An order takes longer to find than whether there is one: a picture changes nothing of the answer.
  if (verdict.kind !== 'incomplete' && !isDrawn && (left === undefined || typeof left === 'string' || left >= 1)) {
    const drawn = await judgedHistory({ ...recorded.value, witness: true }, { ...asked, time: left }, options)
    if (drawn.ok && drawn.value.verdict.kind === verdict.kind)
      return success({ ...drawn.value, seconds: seconds + drawn.value.seconds })
  }
  const words = verdict.kind === 'incomplete' ? 'whether it is linearizable was not settled' : 'no order was looked for'
  const picture = { kind: 'history', history: recorded.value.history, words } as const
  const evidence = isDrawn ? verdict.evidence : [picture]
  return success({ ...judged.value, verdict: { ...verdict, evidence } })
}

async function judgedHistory(
  recorded: RecordedCalls,
  { time, memory, signal }: HistoryRequest,
  options: RunOptions,
): Promise<Result<Checked>> {
  const request = checkRequest(historyProgram(recorded), { engine: histories.name, time, memory, signal })
  return request.ok ? await runCheck(request.value, options) : failure(...request.diagnostics.map(located))
}

/** What a file has recorded, as the program that it is an execution of. */
export function recordedProgram(asked: Recorded): Result<Program> {
  const recorded = recordedCalls(asked)
  return recorded.ok ? success(historyProgram(recorded.value)) : recorded
}

type Recorded = Pick<HistoryRequest, 'file' | 'specification'>

function recordedCalls({ file, specification }: Recorded): Result<RecordedCalls> {
  if (file.endsWith('.edn')) return failure(notJson(file))
  const named = specification === undefined ? success(undefined) : specificationNamed(specification)
  if (!named.ok) return named
  const recorded = readHistory(file, { specification })
  if (!recorded.ok) return recorded
  const { specification: found } = recorded.value
  if (found !== undefined) return success({ ...recorded.value, specification: found, witness: false })
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
