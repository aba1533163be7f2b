/** The trace a command was given, and the program it belongs to. */
import { resolve } from 'node:path'
import { loadNamed } from '../check/load-named.ts'
import { type Recorded, type ReplayedTrace, replayTrace } from '../check/replay-trace.ts'
import { excessiveParam } from '../check/resolve-setting.ts'
import { readTrace, recordedViolation, type TraceFile, traceNotes } from '../check/trace-file.ts'
import type { TraceNotes } from '../check/trace-notes.ts'
import { failure, type Result, success } from '../core/diagnostic.ts'
import type { Trace } from '../core/trace.ts'
import type { LoadedFile } from '../frontends/frontend.ts'
import { replayCommand } from '../reports/commands-to-paste.ts'
import type { Shell } from '../reports/shell.ts'
import { namedCode, type Trusting } from './named-code.ts'

export interface TraceSource {
  readonly recorded: Recorded
  readonly notes: TraceNotes | undefined
  readonly isChanged: boolean
  /** Of the program. */
  readonly file: string
  replay(): Result<ReplayedTrace>
}

/** Reads a trace by the path the user typed, which diagnostics repeat. */
export function readTyped(typed: string, cwd: string): Result<TraceFile> {
  const path = resolve(cwd, typed)
  const file = readTrace(path)
  if (file.ok) return file
  return failure(...file.diagnostics.map((one) => ({ ...one, message: one.message.replaceAll(path, typed) })))
}

/** `saying` is what the user says about the code that the trace names. */
export async function traceSource(
  typed: string,
  file: TraceFile,
  saying: Omit<Trusting, 'command' | 'ifChanged'> & { readonly shell: Shell },
): Promise<Result<TraceSource>> {
  const { trace } = file
  const naming = { savedAt: resolve(saying.cwd, typed), shown: `the trace ${typed}`, program: trace.program }
  const code = namedCode(naming, { ...saying, command: (path) => replayCommand(saying.shell, typed, path) })
  if (!code.ok) return code
  const named = await loadNamed(code.value.path, trace.program, {
    clients: [String(trace.setting.params.client ?? '')],
    admits: code.value.admits,
    options: trace.setting.options,
  })
  if (!named.ok) return named
  const { loaded, program } = named.value
  const excess = saying.trust === true ? undefined : excessiveParam(program, trace.setting.params)
  if (excess !== undefined)
    return failure({
      code: 'E404',
      message: `the trace does not fit "${program.name}": ${excess}`,
      hint: 'if you know where the trace comes from, add --trust',
    })
  const notes = traceNotes(file, typed)
  const known = notes.ok ? notes.value : undefined
  const { sources } = file.derived as { readonly sources?: unknown }
  const isChanged = loaded.digest !== trace.program.digest
  const recorded: Recorded = {
    trace,
    violation: known?.counterexample.violation ?? recordedViolation(file),
    foundIn: known?.counterexample.foundIn ?? trace.decisions.length,
    changes: changedSources(trace.program, sources, loaded),
    advice: isChanged ? 'find the violation again' : undefined,
  }
  return success({ recorded, notes: known, isChanged, file: loaded.file, replay: () => replayTrace(program, recorded) })
}

/** Which of the user's files differ from those the trace was found in. */
function changedSources(
  program: Trace['program'],
  sources: unknown,
  loaded: Pick<LoadedFile, 'digest' | 'sources'>,
): string {
  if (program.digest === loaded.digest) {
    return 'the sources have not changed since the trace was written, so the program depends on something else'
  }
  const before =
    typeof sources === 'object' && sources !== null ? (sources as { readonly [path: string]: unknown }) : {}
  const changed = Object.entries(loaded.sources).filter(([path, digest]) => before[path] !== digest)
  const gone = Object.keys(before).filter((path) => !Object.hasOwn(loaded.sources, path))
  const names = [...changed.map(([path]) => path), ...gone.map((path) => `${path} (no longer used)`)]
  return `changed since the trace was written: ${names.join(', ') || program.file}`
}
