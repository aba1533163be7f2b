/** A trace replayed against the program as it is now: it reproduces, it no longer fails, or it no longer fits. */
import { type Diagnostic, DiagnosticError, failure, type Place, type Result, success } from '../core/diagnostic.ts'
import type { Event } from '../core/event.ts'
import type { Counterexample } from '../core/evidence.ts'
import { type Options, optionProblem } from '../core/options.ts'
import { sameViolation, type Violation } from '../core/property.ts'
import { running } from '../core/running.ts'
import type { Setting } from '../core/setting.ts'
import { type Decision, describeDecision, type Trace } from '../core/trace.ts'
import { atOnce } from '../core/unhurried.ts'
import { showValue } from '../core/value-text.ts'
import type { Scope } from '../core/verdict.ts'
import type { Paths } from '../program/path.ts'
import type { Program } from '../program/program.ts'
import { comparedReplays } from '../semantics/determinism.ts'
import { untilKnown } from '../semantics/memory/search-error.ts'
import { type Drift, type Replayed, replay } from '../semantics/replay.ts'
import { causedBy, KeptBuiltIns } from './changed-built-ins.ts'
import { guardDeterminism } from './guard.ts'
import { located } from './locate.ts'
import { replaySubject } from './request.ts'
import { resolveFaults, resolveParams } from './resolve-setting.ts'
import { recordedScope } from './scope.ts'

export interface ReplayedTrace {
  readonly scope: Scope
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
  /** What has changed since, in words; and what to do where the trace does not fit any more. */
  readonly changes: string
  readonly advice?: string | undefined
}

/** What a trace is replayed in. */
interface Replayable {
  readonly scope: Scope
  readonly stack?: string | undefined
  readonly place?: Place | undefined
  paths(): Paths | undefined
}

export function replayTrace(program: Program, recorded: Recorded): Result<ReplayedTrace> {
  const { trace } = recorded
  const setting = withPromiseOrder(program, trace.setting)
  const { stack, place } = program
  const params = resolveParams(program, setting.params)
  if (!params.ok)
    return failure(misfit(`the parameters do not fit: ${params.diagnostics[0]?.message}`, recorded, { stack }))
  const unfit = optionsProblem(program, setting.options)
  if (unfit !== undefined) return failure(misfit(unfit, recorded, { stack }))
  const faults = resolveFaults(program, setting.faults)
  if (!faults.ok) return failure(misfit(`${faults.diagnostics[0]?.message}`, recorded, { stack, place }))
  const scope = recordedScope(trace, program)
  const paths = (): Paths | undefined => replaySubject(program, { ...setting, params: params.value })
  return guarded(() => {
    const unclear = program.sweep === undefined ? undefined : sweepProblem(program, setting)
    if (unclear !== undefined) return failure(misfit(unclear.message, recorded, unclear))
    return replayedIn({ scope, paths, stack, place }, recorded)
  })
}

/** Traces of versions that knew no other order than that of all times do not name it. */
function withPromiseOrder({ options: declared }: Program, setting: Setting): Setting {
  return declared.order === undefined ? setting : { ...setting, options: { order: 'any', ...setting.options } }
}

/** A client of a class may be one that it has no operations for. */
function sweepProblem(program: Program, setting: Setting): Diagnostic | undefined {
  try {
    program.sweep?.(setting)
    const hint = 'find the violation again: the trace says too little to repeat it'
    return setting.params.client === undefined ? { code: 'E404', message: 'it names no client', hint } : undefined
  } catch (error) {
    if (error instanceof DiagnosticError) return error.diagnostic
    throw error
  }
}

function guarded<T>(replayed: () => Result<T>): Result<T> {
  const release = guardDeterminism()
  const kept = new KeptBuiltIns('the program', undefined)
  running.mistake = undefined
  try {
    const result = untilKnown(replayed)
    kept.look()
    return result
  } catch (thrown) {
    const error = causedBy(kept, thrown)
    if (error instanceof DiagnosticError) return failure(located(error.diagnostic))
    throw error
  } finally {
    running.mistake = undefined
    release()
  }
}

function replayedIn(subject: Replayable, recorded: Recorded): Result<ReplayedTrace> {
  const { decisions, repeatsFrom, program } = recorded.trace
  const paths = subject.paths()
  if (paths === undefined) return failure(misfit('the program cannot be run', recorded, subject))
  const replayed = replay(paths, decisions, { places: true, repeatsFrom })
  if (replayed.drift !== undefined) return failure(drifted(replayed.drift, replayed, recorded, subject))
  if (program.origin !== undefined && !replayed.ended)
    return failure(misfit('where it ends, the calls have not ended', recorded, subject))
  const different = atOnce(comparedReplays(replayed, replay(paths, decisions, { places: true, repeatsFrom })))
  return different === undefined
    ? success(outcome(subject, { ...replayed, ...paths.drawn?.(replayed) }, recorded))
    : failure(located(different))
}

/** A trace says of every option of its program what it was: without that, what is violated could seem to hold. */
function optionsProblem({ options: declared }: Program, given: Options): string | undefined {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(declared, name))
  if (unknown !== undefined) return `the program has no option "${unknown}"`
  for (const [name, declaration] of Object.entries(declared)) {
    const expected = optionProblem(declaration, given[name])
    if (expected !== undefined) return `its option "${name}" must be ${expected}`
  }
  return undefined
}

function outcome({ scope }: Replayable, replayed: Replayed, { trace, violation, foundIn }: Recorded): ReplayedTrace {
  const { violations, events, eventsBeforeRound, processes, client } = replayed
  const same = violations.find((one) => violation !== undefined && sameViolation(one, violation))
  const found = same ?? violations[0]
  const { decisions, repeatsFrom } = trace
  const round = { repeatsFrom, eventsBeforeRound }
  const counterexample = found && { violation: found, decisions, ...round, events, foundIn, processes, client }
  return { scope, replayed, counterexample, isAsRecorded: same !== undefined }
}

function drifted(drift: Drift, { events }: Replayed, recorded: Recorded, subject: Replayable): Diagnostic {
  const { decisions, program } = recorded.trace
  const step = `step ${drift.step + 1} of ${decisions.length}`
  if (program.origin !== undefined) {
    const moving = drift.enabled.map(({ process }) => process)
    const possible = moving.length === 0 ? 'nothing can move any more' : `${moving.join(' and ')} can move`
    return misfit(`${step}: ${drift.decision.process} cannot move; ${possible}`, recorded, subject)
  }
  const enabled = drift.enabled.map((decision) => inWords(decision, events))
  const possible = enabled.length === 0 ? 'nothing is possible there any more' : `possible there: ${enabled.join(', ')}`
  const what = `${step}: "${inWords(drift.decision, events)}" is not possible; ${possible}`
  const last = events.findLast(
    ({ process, stack, place }) => process === drift.decision.process && (stack ?? place) !== undefined,
  )
  return misfit(what, recorded, { stack: last?.stack ?? subject.stack, place: last?.place })
}

/** 'worker receives #3 Vote{term: 1} from n1', as far as the message has been sent. */
function inWords(decision: Decision, events: readonly Event[]): string {
  // A process that polls, or a machine that acts by itself: a timer, a restart.
  if (decision.kind === 'timeout') return `${decision.process} goes on without a message`
  const words = describeDecision(decision)
  if (decision.kind !== 'deliver') return words
  const sent = events.find((event) => event.kind === 'send' && event.message === decision.message)
  return sent?.kind === 'send' ? `${words} ${showValue(sent.value, 40)} from ${sent.process}` : words
}

function misfit(
  what: string,
  { trace, changes, advice }: Recorded,
  { stack, place }: Pick<Diagnostic, 'stack' | 'place'>,
) {
  const { name, origin } = trace.program
  const who = origin === undefined ? `program "${name}"` : `"${name}"`
  const hint = advice === undefined ? changes : `${changes}; ${advice}`
  return located({ code: 'E404', message: `the trace does not fit ${who}: ${what}`, hint, stack, place })
}
