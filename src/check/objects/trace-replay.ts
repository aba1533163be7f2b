/** A trace of an object replayed against the class as it is now: it reproduces, it no longer fails, or it no longer fits. */
import { type Diagnostic, DiagnosticError, failure, type Result, success } from '../../core/diagnostic.ts'
import type { ClientCounterexample } from '../../core/evidence.ts'
import { running } from '../../core/running.ts'
import type { Decision } from '../../core/trace.ts'
import type { Scope } from '../../core/verdict.ts'
import { executed } from '../../semantics/memory/record.ts'
import { AssignedAfterAllError } from '../../semantics/memory/search-error.ts'
import { ObjectWorld } from '../../semantics/memory/world.ts'
import { guardDeterminism } from '../guard.ts'
import { located } from '../locate.ts'
import { judgedFinding } from './counterexample.ts'
import { objectRequest } from './options.ts'
import { type ObjectRequest, scopeOf } from './request.ts'
import { type ClientSubject, subjectOf } from './subjects.ts'
import type { LoadedTarget } from './target.ts'
import type { ObjectTrace } from './trace-object.ts'

export interface ReplayedObjectTrace {
  readonly scope: Scope
  /** What the execution violates now, if anything. */
  readonly counterexample: ClientCounterexample | undefined
}

/** `changes` says what has changed since the trace was written. */
export function replayObjectTrace(
  { loaded, check }: LoadedTarget,
  trace: ObjectTrace,
  changes: string,
): Result<ReplayedObjectTrace> {
  const { client, granularity, criterion, deadlock } = trace.setting
  const request = objectRequest(check, loaded.modules, { clients: [client], granularity, criterion, deadlock })
  if (!request.ok) {
    const [first] = request.diagnostics
    return failure({ ...misfit(trace, first?.message ?? 'the client cannot be made', changes), place: first?.place })
  }
  const release = guardDeterminism()
  running.mistake = undefined
  try {
    return patiently(() => replayed(request.value, trace, changes))
  } catch (error) {
    if (error instanceof DiagnosticError) return failure(located(error.diagnostic))
    throw error
  } finally {
    running.mistake = undefined
    release()
  }
}

function replayed(request: ObjectRequest, trace: ObjectTrace, changes: string): Result<ReplayedObjectTrace> {
  const [client] = request.clients.kind === 'given' ? request.clients.clients : []
  if (client === undefined) return failure(misfit(trace, 'it names no client', changes))
  const scope: Scope = { ...scopeOf(request), isReplay: true }
  const found = subjectOf(request, client, [])
  // Traces are made of single steps, whatever the search took together.
  const subject = { ...found, subject: { ...found.subject, isFused: false } }
  const { decisions } = trace
  const execution = executed(new ObjectWorld(subject.subject), decisions)
  if (execution === undefined) return failure(misfit(trace, driftWords(subject, decisions), changes))
  if (!execution.isEnded) {
    return failure(misfit(trace, `after its ${decisions.length} steps the calls have not ended`, changes))
  }
  const { violation } = execution
  if (violation === undefined) return success({ scope, counterexample: undefined })
  return success({ scope, counterexample: judgedFinding(subject, { violation, decisions, foundIn: decisions.length }) })
}

/** The first decision that is impossible, and what is possible instead. */
function driftWords({ subject }: ClientSubject, decisions: readonly Decision[]): string {
  const world = new ObjectWorld(subject)
  const walk = world.walk()
  for (const [at, { process }] of decisions.entries()) {
    const moves = walk.moves().map((move) => world.processes[move.process] ?? '')
    if (moves.includes(process)) {
      walk.step(world.processes.indexOf(process))
      continue
    }
    const possible = moves.length === 0 ? 'nothing can move any more' : `${moves.join(' and ')} can move`
    return `step ${at + 1} of ${decisions.length}: ${process} cannot move; ${possible}`
  }
  return 'a step is not possible'
}

/** Once a field is known to change, its reads are accesses, and the execution begins anew. */
function patiently<T>(repeat: () => T): T {
  for (;;) {
    try {
      return repeat()
    } catch (error) {
      if (!(error instanceof AssignedAfterAllError)) throw error
    }
  }
}

function misfit({ program }: ObjectTrace, what: string, changes: string): Diagnostic {
  return { code: 'E404', message: `the trace does not fit "${program.name}": ${what}`, hint: changes }
}
