/** A trace replayed against the program as it is now: it reproduces, it no longer fails, or it no longer fits. */
import { type Diagnostic, DiagnosticError, failure, type Result, success } from '../core/diagnostic.ts'
import type { Event } from '../core/event.ts'
import type { Counterexample } from '../core/evidence.ts'
import { sameViolation, type Violation } from '../core/property.ts'
import { type Decision, describeDecision, type Trace } from '../core/trace.ts'
import { showValue } from '../core/value-text.ts'
import type { Program } from '../program/program.ts'
import { comparedReplays } from '../semantics/determinism.ts'
import { type Drift, type Replayed, replay } from '../semantics/replay.ts'
import { guardDeterminism } from './guard.ts'
import { located } from './locate.ts'
import { replaySubject, resolveParams } from './request.ts'

export interface ReplayedTrace {
  /** The execution as it is now. */
  readonly replayed: Replayed
  /** What it violates, if anything: the recorded violation when that comes about again. */
  readonly counterexample: Counterexample | undefined
  readonly isAsRecorded: boolean
}

export interface Recorded {
  readonly trace: Trace
  /** What the trace was kept for, when the file says so. */
  readonly violation: Violation | undefined
  readonly foundIn: number
  /** What has changed since, in words, for the diagnostic. */
  readonly changes: string
}

export function replayTrace(program: Program, recorded: Recorded): Result<ReplayedTrace> {
  const { trace } = recorded
  const params = resolveParams(program, trace.setting.params)
  if (!params.ok)
    return failure(misfit(`the parameters do not fit: ${params.diagnostics[0]?.message}`, recorded, program))
  const release = guardDeterminism()
  try {
    const subject = replaySubject(program, { ...trace.setting, params: params.value })
    if (subject === undefined) return failure(misfit('the program cannot be run', recorded, program))
    const replayed = replay(subject, trace.decisions, { places: true })
    if (replayed.drift !== undefined) return failure(drifted(replayed.drift, replayed, recorded, program))
    const different = comparedReplays(replayed, replay(subject, trace.decisions, { places: true }))
    return different === undefined ? success(outcome(replayed, recorded)) : failure(located(different))
  } catch (error) {
    if (error instanceof DiagnosticError) return failure(located(error.diagnostic))
    throw error
  } finally {
    release()
  }
}

function outcome(replayed: Replayed, { trace, violation, foundIn }: Recorded): ReplayedTrace {
  const { violations, events, processes } = replayed
  const same = violations.find((one) => violation !== undefined && sameViolation(one, violation))
  const found = same ?? violations[0]
  return {
    replayed,
    counterexample: found && { violation: found, decisions: trace.decisions, events, foundIn, processes },
    isAsRecorded: same !== undefined,
  }
}

function drifted(drift: Drift, { events }: Replayed, recorded: Recorded, program: Program): Diagnostic {
  const { trace } = recorded
  const enabled = drift.enabled.map((decision) => inWords(decision, events))
  const possible = enabled.length === 0 ? 'nothing is possible there any more' : `possible there: ${enabled.join(', ')}`
  const what = `step ${drift.step + 1} of ${trace.decisions.length}: "${inWords(drift.decision, events)}" is not possible; ${possible}`
  const last = events.findLast((event) => event.process === drift.decision.process && event.stack !== undefined)
  return misfit(what, recorded, program, last?.stack)
}

/** 'worker receives #3 Vote{term: 1} from n1', as far as the message has been sent. */
function inWords(decision: Decision, events: readonly Event[]): string {
  const words = describeDecision(decision)
  if (decision.kind !== 'deliver') return words
  const sent = events.find((event) => event.kind === 'send' && event.message === decision.message)
  return sent?.kind === 'send' ? `${words} ${showValue(sent.value, 40)} from ${sent.process}` : words
}

function misfit(what: string, { trace, changes }: Recorded, program: Program, stack = program.stack): Diagnostic {
  return located({
    code: 'E404',
    message: `the trace does not fit program "${trace.program.name}": ${what}`,
    hint: changes,
    stack,
  })
}
