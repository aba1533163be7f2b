/** A trace on stdout, in the forms asked for: its own heading, and below it exactly what was printed when it was found. */
import type { ReporterName } from '../check/catalogue.ts'
import type { ClientContext } from '../check/client-notes.ts'
import { type Counterexample, type Evidence, execution } from '../core/evidence.ts'
import type { Trace } from '../core/trace.ts'
import { atOnce } from '../core/unhurried.ts'
import type { Scope, Verdict } from '../core/verdict.ts'
import { fixCommand, traceCommands } from '../reports/commands-to-paste.ts'
import { jsonText } from '../reports/json.ts'
import { mermaidDiagrams } from '../reports/mermaid.ts'
import type { RecordedHeading } from '../reports/page.ts'
import type { Reported, ReportedFinding } from '../reports/result.ts'
import type { Shell } from '../reports/shell.ts'
import { textResult } from '../reports/text.ts'
import type { TypedFlags } from './arguments.ts'
import type { Io } from './io.ts'
import { textOptions } from './print.ts'

export interface TraceTerminal {
  readonly io: Io
  readonly flags: TypedFlags
  readonly reporters: readonly ReporterName[]
}

export function printRecorded(result: Reported, recorded: RecordedHeading, terminal: TraceTerminal): void {
  const { io, flags, reporters } = terminal
  // With JSON among the forms, stdout holds that one object and nothing else.
  const sink = reporters.includes('json') ? io.stderr : io.stdout
  for (const form of reporters) {
    if (form === 'json') io.stdout.json(jsonText([result]))
    if (form === 'text') sink.write(`${textResult(result, { ...textOptions(io, flags), recorded })}\n`)
    if (form === 'mermaid') for (const text of atOnce(mermaidDiagrams(result.verdict))) sink.write(`${text}\n`)
    if (form === 'mermaid' && result.verdict.scope.criterion !== undefined)
      io.stderr.line(` note: ${result.program} exchanges no messages to draw`)
  }
}

interface RecordedTrace {
  /** That commands are pasted into. */
  readonly shell: Shell
  readonly typed: string
  readonly trace: Trace
  /** Of the program. */
  readonly file: string
  /** The same, if the command must say it. */
  readonly said?: string | undefined
  readonly scope: Scope
  /** What the execution violates, if anything, and what is known about it. */
  readonly counterexample: Counterexample | undefined
  readonly found: ReportedFinding
  readonly ofClass?: ClientContext | undefined
  /** How many events there were. */
  readonly length: number
  readonly sources?: Reported['sources']
  /** As the trace has it, if what was found is what it tells. */
  readonly told?: string | undefined
}

/** As reports need it. */
export function recordedResult(recorded: RecordedTrace): Reported {
  const { shell, typed, trace, file, said, scope, counterexample, found, ofClass, length, sources, told } = recorded
  const isClass = trace.program.origin !== undefined
  const { causes, repairable } = ofClass ?? {}
  const { origin, name } = trace.program
  const counts = isClass ? {} : { executions: 1, blocked: 0, events: length, longest: length }
  const evidence: readonly Evidence[] = [
    ...(counterexample === undefined ? [] : [execution(counterexample)]),
    ...(causes === undefined ? [] : [{ kind: 'sections', ...causes } as const]),
  ]
  const commands = traceCommands(shell, { path: typed, isClass, file: said })
  const verdict: Verdict =
    counterexample === undefined
      ? { kind: 'passed', scope: { ...scope, ...(isClass ? {} : replayed) }, counts, evidence: [] }
      : { kind: 'violated', scope, counts, evidence, exhausted: false }
  return {
    program: trace.program.name,
    file,
    verdict,
    // An empty text is none, as where a trace is shown.
    recordedScope: told || undefined,
    seconds: 0,
    findings: counterexample === undefined ? [] : [{ ...found, tracePath: typed, ...commands }],
    sources,
    commands: { repair: repairable && origin && fixCommand(shell, file, { origin, name, options: repairable }) },
  }
}

const replayed = { engine: 'replay', isReplay: true } as const

export function aboutOf({ foundBy, decisions }: Trace, scope: string | undefined): string {
  return `found by ${foundBy.engine}: ${scope || `${decisions.length} decisions`}`
}
