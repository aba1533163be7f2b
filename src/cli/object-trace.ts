/** `replay` and `show` for traces of classes. */
import { resolve } from 'node:path'
import { loadTarget, type ObjectTarget } from '../check/objects/target.ts'
import type { ObjectTrace, ObjectTraceFile, ObjectTraceNotes } from '../check/objects/trace-object.ts'
import { type ReplayedObjectTrace, replayObjectTrace } from '../check/objects/trace-replay.ts'
import { sourceLines } from '../check/source-places.ts'
import { type Evidence, execution } from '../core/evidence.ts'
import type { ClassOrigin } from '../core/trace.ts'
import { countedClients, type Scope, type Verdict } from '../core/verdict.ts'
import type { Reported } from '../reports/result.ts'
import { traceCommands } from './commands-to-paste.ts'
import { type ExitCode, exitCodes } from './exit-codes.ts'
import { refuse } from './print.ts'
import { printRecorded, type TraceTerminal } from './recorded.ts'
import { programFile } from './resume.ts'
import { changedSources } from './trace-source.ts'

/** 1 = it is violated again, 0 = still possible and fine, 2 = the trace no longer fits. */
export async function replayObject(typed: string, file: ObjectTraceFile, terminal: TraceTerminal): Promise<ExitCode> {
  const { io, flags } = terminal
  const { trace, notes, sources } = file
  const target = await loadTarget(targetOf(trace, programFile(trace.program.file, resolve(io.cwd, typed), io.cwd)))
  if (!target.ok) return refuse(target.diagnostics, io, flags)
  const { loaded } = target.value
  const changes = changedSources(trace.program, sources, loaded)
  const replayed = replayObjectTrace(target.value, trace, changes)
  if (!replayed.ok) return refuse(replayed.diagnostics, io, flags)
  const isChanged = loaded.digest !== trace.program.digest
  if (isChanged) io.stderr.write(` note: ${changes}\n`)
  const { counterexample } = replayed.value
  const isAsRecorded = counterexample?.violation.message === notes?.counterexample.violation.message
  // What was found out about causes is true of the sources it was found in.
  const known = isAsRecorded && !isChanged ? notes : undefined
  const result = resultOf(typed, trace, replayed.value, { ...known, sources: sourceLines })
  const standing = isAsRecorded ? 'reproduced' : 'violated otherwise'
  printRecorded(result, { standing, about: aboutOf(trace, notes) }, terminal)
  return counterexample === undefined ? exitCodes.ok : exitCodes.violated
}

export function showObject(typed: string, { trace, notes }: ObjectTraceFile, terminal: TraceTerminal): ExitCode {
  if (notes === undefined) {
    const hint = 'allways replay derives them from the class'
    return refuse(
      [{ code: 'E402', message: `the trace ${typed} has no steps to show`, hint }],
      terminal.io,
      terminal.flags,
    )
  }
  const { counterexample, lines } = notes
  const result = resultOf(
    typed,
    trace,
    { scope: scopeOf(trace), counterexample },
    { ...notes, sources: recorded(lines) },
  )
  printRecorded(result, { standing: 'recorded', about: aboutOf(trace, notes) }, terminal)
  return exitCodes.ok
}

function targetOf({ setting }: ObjectTrace, path: string): ObjectTarget {
  return { path, origin: originOf(setting), specification: setting.specification, hasClients: true }
}

function originOf({ subject }: ObjectTrace['setting']): ClassOrigin {
  return 'class' in subject
    ? { kind: 'class', name: subject.class, args: [] }
    : { kind: 'export', name: subject.export }
}

function resultOf(
  typed: string,
  trace: ObjectTrace,
  { counterexample, scope }: ReplayedObjectTrace,
  { causes, bounds, repairCommand, sources }: Partial<ObjectTraceNotes> & Pick<Reported, 'sources'>,
): Reported {
  const { name, file } = trace.program
  const found: readonly Evidence[] = [
    ...(counterexample === undefined ? [] : [execution(counterexample)]),
    ...(causes === undefined ? [] : [{ kind: 'sections', ...causes } as const]),
  ]
  const said = { scope: { ...scope, params: { ...bounds } }, counts: {} }
  const verdict: Verdict =
    counterexample === undefined
      ? { kind: 'passed', ...said, evidence: [] }
      : { kind: 'violated', ...said, evidence: found, exhausted: false }
  const finding = { tracePath: typed, replayCommand: traceCommands(typed).replayCommand }
  return {
    program: name,
    file,
    verdict,
    seconds: 0,
    findings: counterexample === undefined ? [] : [finding],
    sources,
    commands: { repair: repairCommand },
  }
}

/** What a trace says about the search it was found in. */
function scopeOf({ setting, foundBy }: ObjectTrace): Scope {
  const { granularity, criterion, deadlock, specification } = setting
  const { engine, seed } = foundBy
  return {
    engine,
    counted: countedClients,
    params: {},
    seed,
    deadlock,
    criterion,
    specification,
    granularity,
    isReplay: true,
  }
}

function recorded(lines: ObjectTraceNotes['lines']): NonNullable<Reported['sources']> {
  return (file) => {
    const known = lines.get(file)
    if (known === undefined) return undefined
    const last = Math.max(0, ...known.keys())
    return Array.from({ length: last }, (_, at) => known.get(at + 1) ?? '')
  }
}

function aboutOf({ foundBy, decisions }: ObjectTrace, notes: ObjectTraceNotes | undefined): string {
  return `found by ${foundBy.engine}: ${notes?.scope || `${decisions.length} decisions`}`
}
