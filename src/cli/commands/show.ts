/** `show`: a trace file as a picture, from the file alone. */
import { traceNotes } from '../../check/trace-file.ts'
import type { TraceNotes } from '../../check/trace-notes.ts'
import { execution } from '../../core/evidence.ts'
import type { Trace } from '../../core/trace.ts'
import { countedExecutions, type Verdict } from '../../core/verdict.ts'
import { jsonText } from '../../reports/json.ts'
import { mermaid } from '../../reports/mermaid.ts'
import type { Reported, ReportedFinding } from '../../reports/result.ts'
import { textResult } from '../../reports/text.ts'
import type { TypedFlags } from '../arguments.ts'
import { traceCommands } from '../commands-to-paste.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { reporters } from '../flags.ts'
import type { Io } from '../io.ts'
import { showObject } from '../object-trace.ts'
import { refuse, textOptions } from '../print.ts'
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
  for (const form of forms.value) {
    io.stdout.write(`${rendered(form, typed, trace, notes.value, () => textOptions(io, flags))}\n`)
  }
  return exitCodes.ok
}

function rendered(
  form: string,
  typed: string,
  trace: Trace,
  notes: TraceNotes,
  options: () => ReturnType<typeof textOptions>,
): string {
  const { counterexample, places, place, scope } = notes
  if (form === 'mermaid') return mermaid(counterexample)
  const finding: ReportedFinding = { place, places, tracePath: typed, ...traceCommands(typed) }
  const result = resultOf(trace, notes, finding)
  if (form === 'json') return jsonText([result])
  const about = `found by ${trace.foundBy.engine}: ${scope}`
  return textResult(result, { ...options(), recorded: { standing: 'recorded', about } })
}

function resultOf(trace: Trace, { counterexample }: TraceNotes, finding: ReportedFinding): Reported {
  const { engine, seed } = trace.foundBy
  const length = counterexample.events.length
  const verdict: Verdict = {
    kind: 'violated',
    scope: { engine, counted: countedExecutions, seed, ...trace.setting, deadlock: 'error' },
    counts: { executions: 1, blocked: 0, events: length, longest: length },
    evidence: [execution(counterexample)],
    exhausted: false,
  }
  return { program: trace.program.name, file: trace.program.file, verdict, seconds: 0, findings: [finding] }
}
