/** From a claim of the engine to a counterexample: repeated on a new instance, explained in words. */

import { DiagnosticError } from '../../core/diagnostic.ts'
import type { Event } from '../../core/event.ts'
import type { ClientCounterexample, CodeStep } from '../../core/evidence.ts'
import type { Call } from '../../core/history.ts'
import { invariant } from '../../core/invariant.ts'
import type { Decision } from '../../core/trace.ts'
import { showValue } from '../../core/value-text.ts'
import type { Found } from '../../distribute/driver.ts'
import { printClient } from '../../properties/linearizability/client-text.ts'
import { type ObjectPaths, objectPaths } from '../../semantics/memory/object-path.ts'
import { singleSteps } from '../../semantics/memory/record.ts'
import type { Explanation } from '../../semantics/memory/sequential.ts'
import type { ObjectEnding } from '../../semantics/memory/subject.ts'
import { judged } from '../judge.ts'
import { showResult } from './referee.ts'
import type { ClientSubject } from './subjects.ts'

/** What the judge does not confirm is no finding. */
export function judgedFinding({ client, subject, referee }: ClientSubject, finding: Found): ClientCounterexample {
  const decisions = singleSteps(subject, finding.decisions)
  const paths = objectPaths(subject)
  const confirmed = judged({ engine: 'stateful', subject: paths }, { ...finding, decisions })
  if (!confirmed.ok) {
    const [diagnostic] = confirmed.diagnostics
    invariant(diagnostic !== undefined, 'a failure says why')
    throw new DiagnosticError(diagnostic)
  }
  const { violation, events } = confirmed.value
  const ending = endingOf(paths, decisions)
  const { calls } = ending.history
  const explanation = referee.explain(ending)
  const indexOf = (process: number, call: number): number => indexOfCall(calls, `p${process + 1}`, call)
  const stuck = explanation.stuck === undefined ? undefined : indexOf(explanation.stuck.process, explanation.stuck.call)
  return {
    violation,
    decisions,
    events: [],
    foundIn: decisions.length,
    processes: [],
    client: {
      text: printClient(client),
      steps: events.flatMap(stepOf),
      history: ending.history,
      order: explanation.order.map(([process, call]) => indexOf(process, call)),
      stuck: violation.kind === 'deadlock' ? undefined : stuck,
      words: violation.kind === 'deadlock' ? violation.message : inWords(calls, explanation, indexOf),
    },
  }
}

function endingOf(paths: ObjectPaths, decisions: readonly Decision[]): ObjectEnding {
  const path = paths.begin()
  for (const decision of decisions) path.take(decision)
  return path.outcome()
}

function stepOf(event: Event): readonly CodeStep[] {
  if (event.kind !== 'call' && event.kind !== 'access' && event.kind !== 'return') return []
  const { index: _, ...step } = event
  return [step]
}

function indexOfCall(calls: readonly Call[], process: string, call: number): number {
  const own = calls.flatMap((one, index) => (one.process === process ? [index] : []))
  return own[call] ?? -1
}

function inWords(
  calls: readonly Call[],
  { order, stuck }: Explanation,
  indexOf: (process: number, call: number) => number,
): string {
  if (stuck === undefined) return 'no order of the calls gives these results'
  const name = (index: number): string => {
    const call = calls[index]
    if (call === undefined) return ''
    return `${call.operation}(${call.args.map((arg) => showValue(arg)).join(', ')})`
  }
  const at = indexOf(stuck.process, stuck.call)
  const before = order.map(([process, call]) => name(indexOf(process, call)))
  const after = before.length === 0 ? 'first' : `after ${before.join(', ')}`
  const instead = stuck.instead === undefined ? 'would wait for ever' : `returns ${readable(stuck.instead)}`
  return `no order of the calls gives these results: ${after}, ${name(at)} ${instead}, not ${showResult(calls[at]?.result)}`
}

/** Texts of results are made for comparing; people read the simple ones. */
function readable(text: string): string {
  if (text === 'u') return 'undefined'
  if (text === '0') return 'null'
  return text.startsWith('!')
    ? text.slice(1)
    : text.replace(/^n(?=-?\d)/, '').replace(/^[tf]$/, (mark) => (mark === 't' ? 'true' : 'false'))
}
