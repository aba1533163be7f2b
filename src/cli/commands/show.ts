/** `show`: a trace file as a picture, from the file alone. */
import { scopeOf } from '../../check/scope.ts'
import { traceNotes } from '../../check/trace-file.ts'
import type { TraceNotes } from '../../check/trace-notes.ts'
import { execution } from '../../core/evidence.ts'
import type { Trace } from '../../core/trace.ts'
import { countedExecutions, type Verdict } from '../../core/verdict.ts'
import type { Reported, ReportedFinding } from '../../reports/result.ts'
import type { TypedFlags } from '../arguments.ts'
import { traceCommands } from '../commands-to-paste.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { reporters } from '../flags.ts'
import type { Io } from '../io.ts'
import { showObject } from '../object-trace.ts'
import { refuse } from '../print.ts'
import { printRecorded } from '../recorded.ts'
import { readTyped } from '../trace-source.ts'

export async function show(typed: string, flags: TypedFlags, io: Io): Promise<ExitCode> {
  const forms = reporters(flags)
  const file = readTyped(typed, io.cwd)
  if (!forms.ok || !file.ok) {
    return refuse(
      [forms, file].flatMap((one) => (one.ok ? [] : one.diagnostics)),
      io,
      flags,
    )
  }
  if (file.value.kind === 'object') return showObject(typed, file.value, { io, flags, reporters: forms.value })
  const notes = traceNotes(file.value, typed)
  if (!notes.ok) return refuse(notes.diagnostics, io, flags)
  const { trace } = file.value
  const { place, places, scope } = notes.value
  const finding: ReportedFinding = { place, places, tracePath: typed, ...traceCommands(typed) }
  const about = `found by ${trace.foundBy.engine}: ${scope}`
  const result = resultOf(trace, notes.value, finding)
  printRecorded(result, { standing: 'recorded', about }, { io, flags, reporters: forms.value })
  return exitCodes.ok
}

function resultOf(trace: Trace, { counterexample }: TraceNotes, finding: ReportedFinding): Reported {
  const { engine, seed } = trace.foundBy
  const length = counterexample.events.length
  const verdict: Verdict = {
    kind: 'violated',
    scope: scopeOf(trace.setting, { engine, counted: countedExecutions, seed }),
    counts: { executions: 1, blocked: 0, events: length, longest: length },
    evidence: [execution(counterexample)],
    exhausted: false,
  }
  return { program: trace.program.name, file: trace.program.file, verdict, seconds: 0, findings: [finding] }
}
