/**
 * `replay`: the execution of a trace, decision by decision, in the program as it is now. 1 = it is violated again, 0 = the
 * execution is still possible and violates nothing, 2 = the trace no longer fits.
 */
import { foundPlaces } from '../../check/findings.ts'
import { type ReplayedTrace, replayTrace } from '../../check/replay-trace.ts'
import { scopeOf } from '../../check/scope.ts'
import { failure, type Result } from '../../core/diagnostic.ts'
import { type Counterexample, execution } from '../../core/evidence.ts'
import { countedExecutions, type Verdict } from '../../core/verdict.ts'
import type { Reported } from '../../reports/result.ts'
import type { TypedFlags } from '../arguments.ts'
import { traceCommands } from '../commands-to-paste.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { reporters } from '../flags.ts'
import type { Io } from '../io.ts'
import { replayObject } from '../object-trace.ts'
import { refuse } from '../print.ts'
import { printRecorded } from '../recorded.ts'
import { readTyped, type TraceSource, traceSource } from '../trace-source.ts'

export async function replay(typed: string, flags: TypedFlags, io: Io): Promise<ExitCode> {
  const forms = reporters(flags)
  const file = readTyped(typed, io.cwd)
  if (forms.ok && file.ok && file.value.kind === 'object') {
    return await replayObject(typed, file.value, { io, flags, reporters: forms.value })
  }
  const source = file.ok && file.value.kind !== 'object' ? await traceSource(typed, file.value, io.cwd) : failed(file)
  const replayed = source.ok ? replayTrace(source.value.selected.program, source.value.recorded) : source
  if (!forms.ok || !source.ok || !replayed.ok) {
    const diagnostics = [forms, source.ok ? replayed : source].flatMap((one) => (one.ok ? [] : one.diagnostics))
    return refuse(diagnostics, io, flags)
  }
  if (source.value.isChanged) io.stderr.write(` note: ${source.value.recorded.changes}\n`)
  const outcome = replayed.value
  const result = resultOf(typed, source.value, outcome)
  const { trace } = source.value.recorded
  const about = `found by ${trace.foundBy.engine}: ${source.value.notes?.scope ?? `${trace.decisions.length} decisions`}`
  const standing = outcome.isAsRecorded ? 'reproduced' : 'violated otherwise'
  printRecorded(result, { standing, about }, { io, flags, reporters: forms.value })
  return outcome.counterexample === undefined ? exitCodes.ok : exitCodes.violated
}

function failed(file: Result<unknown>): Result<never> {
  return failure(...(file.ok ? [] : file.diagnostics))
}

function resultOf(
  typed: string,
  { recorded, selected }: TraceSource,
  { counterexample, replayed }: ReplayedTrace,
): Reported {
  const { trace } = recorded
  const { engine, seed } = trace.foundBy
  const scope = scopeOf(trace.setting, { engine, counted: countedExecutions, seed, program: selected.program })
  const length = replayed.events.length
  const counts = { executions: 1, blocked: 0, events: length, longest: length }
  const verdict: Verdict =
    counterexample === undefined
      ? { kind: 'passed', scope: { ...scope, engine: 'replay', isReplay: true }, counts, evidence: [] }
      : { kind: 'violated', scope, counts, evidence: [execution(counterexample)], exhausted: false }
  return {
    program: selected.program.name,
    file: selected.loaded.file,
    verdict,
    seconds: 0,
    findings: counterexample === undefined ? [] : [findingOf(typed, counterexample)],
  }
}

function findingOf(typed: string, counterexample: Counterexample) {
  return { ...foundPlaces(counterexample), tracePath: typed, ...traceCommands(typed) }
}
