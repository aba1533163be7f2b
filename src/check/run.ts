/** Runs a request to its verdict: guard, drive, judge; the one way from a program to a verdict for code and command line. */
import { type Diagnostic, DiagnosticError, failure, type Result, success } from '../core/diagnostic.ts'
import { type Counterexample, type Evidence, execution, findingsIn } from '../core/evidence.ts'
import { running } from '../core/running.ts'
import { addCounts, type Counts, noCounts, type Verdict, type WorkUnit } from '../core/verdict.ts'
import { type Driven, type Host, isBudget, type Progress, type Watch } from '../distribute/driver.ts'
import { driveInline } from '../distribute/inline.ts'
import type { Paths } from '../program/path.ts'
import type { Program } from '../program/program.ts'
import { probeDeterminism, repeatedExecution } from '../semantics/determinism.ts'
import { guardDeterminism } from './guard.ts'
import { realHost } from './host.ts'
import { judged } from './judge.ts'
import { locatedInSearch } from './locate.ts'
import { confirmedProof } from './prove/confirm.ts'
import { type CheckRequest, replaySubject } from './request.ts'

export type { Progress } from '../distribute/driver.ts'

export interface RunOptions {
  readonly host?: Host | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
  /** What an earlier run left, and what it had counted. */
  readonly resume?:
    | { readonly units: readonly WorkUnit[]; readonly counts: Counts; readonly explored: number }
    | undefined
  /** Loads the program anew, for the judge. */
  readonly reload?: (() => Promise<Program | undefined>) | undefined
}

export interface Checked {
  readonly verdict: Verdict
  readonly seconds: number
}

export async function runCheck(request: CheckRequest, options: RunOptions = {}): Promise<Result<Checked>> {
  const host = options.host ?? realHost
  const startedAt = host.now()
  const release = guardDeterminism()
  forgetMistakes()
  try {
    const verdict = await reachVerdict(request, options, host)
    if (!verdict.ok) {
      const placed = verdict.diagnostics.map(async (one) => await locatedInSearch(one, request, host))
      return failure(...(await Promise.all(placed)))
    }
    return success({ verdict: verdict.value, seconds: (host.now() - startedAt) / 1000 })
  } finally {
    forgetMistakes()
    release()
  }
}

/** A mistake that user code caught, or one thrown where no process could report it, must not be met in the next check. */
function forgetMistakes(): void {
  running.mistake = undefined
  running.unawaited = 0
}

async function reachVerdict(request: CheckRequest, options: RunOptions, host: Host): Promise<Result<Verdict>> {
  try {
    const driven = await drive(request, options, host)
    if (driven.diagnostic !== undefined) return failure(explained(driven.diagnostic, request.paths))
    const counterexamples = await judgeAll(request, options, driven)
    if (!counterexamples.ok) return counterexamples
    const counts = addCounts(options.resume?.counts ?? noCounts, driven.counts)
    const explored = Math.min(1, (options.resume?.explored ?? 0) + driven.explored)
    const confirmed = await confirmedProof(request, driven)
    return success(verdictOf(request, { ...confirmed, explored }, counts, counterexamples.value))
  } catch (error) {
    if (error instanceof DiagnosticError) return failure(explained(error.diagnostic, request.paths))
    throw error
  }
}

async function drive(request: CheckRequest, options: RunOptions, host: Host): Promise<Driven> {
  const { engine, subject, budget, keepGoing, signal } = request
  const search = { engine, subject, options: request.options, units: options.resume?.units }
  const watch = { budget, keepGoing, signal, audit: auditOf(request), onProgress: options.onProgress }
  try {
    return await driveInline(search, watch, host)
  } catch (error) {
    // A program that does not repeat itself breaks what engines may rely on; only if it does is the defect ours.
    const diagnostic = error instanceof DiagnosticError ? undefined : probeQuietly(request.paths)
    throw diagnostic === undefined ? error : new DiagnosticError(diagnostic)
  }
}

/** Each of the first executions is repeated in several orders, later ones in one: what processes share shows early. */
const thoroughAudits = 16
const ordersOfThorough = 6

function auditOf({ paths, keepGoing }: CheckRequest): Watch['audit'] {
  // Repeating an execution would end the one that is explored.
  if (paths.isExclusive) return undefined
  let audits = 0
  let seed = 0
  return (decisions) => {
    const orders = audits++ < thoroughAudits ? ordersOfThorough : 1
    for (let order = 0; order < orders; order++) {
      const found = repeatedExecution(paths, decisions, { seed: seed++, passed: !keepGoing })
      if (found !== undefined) return found
    }
    return undefined
  }
}

function probeQuietly(subject: Paths): Diagnostic | undefined {
  try {
    return probeDeterminism(subject)
  } catch (error) {
    return error instanceof DiagnosticError ? error.diagnostic : undefined
  }
}

/** The better of two diagnostics for the same mistake: engines see that replay failed, the guard or a probe sees why. */
function explained(diagnostic: Diagnostic, subject: Paths): Diagnostic {
  if (diagnostic.code !== 'E201' || diagnostic.place !== undefined || diagnostic.stack !== undefined) return diagnostic
  return probeQuietly(subject) ?? diagnostic
}

async function judgeAll(
  request: CheckRequest,
  options: RunOptions,
  driven: Driven,
): Promise<Result<readonly Counterexample[]>> {
  if (driven.found.length === 0) return success([])
  const fresh = await freshSubject(request, options)
  const court = { engine: request.engine.name, subject: request.paths, fresh }
  const counterexamples: Counterexample[] = []
  for (const found of driven.found) {
    const verdict = judged(court, found)
    if (!verdict.ok) return verdict
    counterexamples.push(verdict.value)
  }
  return success(counterexamples)
}

async function freshSubject(request: CheckRequest, options: RunOptions): Promise<Paths | undefined> {
  const program = await options.reload?.()
  if (program === undefined) return undefined
  return replaySubject(program, request.setting)
}

function verdictOf(
  request: CheckRequest,
  driven: Driven,
  counts: Counts,
  counterexamples: readonly Counterexample[],
): Verdict {
  const { scope } = request
  const evidence: readonly Evidence[] = [...counterexamples.map(execution), ...driven.evidence]
  const { because, explored, remaining } = driven
  if (findingsIn(evidence).length > 0)
    return { kind: 'violated', scope, counts, evidence, exhausted: because === 'exhausted' }
  if (because === 'exhausted') return { kind: request.engine.claims, scope, counts, evidence }
  const budget = isBudget(because) ? because : undefined
  return { kind: 'incomplete', scope, counts, evidence, because: budget, explored, remaining }
}
