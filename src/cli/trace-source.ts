/** The trace a command was given, and the program it belongs to. */
import { resolve } from 'node:path'
import { loadPrograms } from '../check/load.ts'
import type { ObjectTraceFile } from '../check/objects/trace-object.ts'
import type { Recorded } from '../check/replay-trace.ts'
import { readAnyTrace, type TraceFile, traceNotes } from '../check/trace-file.ts'
import type { TraceNotes } from '../check/trace-notes.ts'
import { failure, type Result, success } from '../core/diagnostic.ts'
import type { Trace } from '../core/trace.ts'
import type { LoadedFile } from '../frontends/frontend.ts'
import { programFile } from './resume.ts'
import type { SelectedProgram } from './select-programs.ts'

export interface TraceSource {
  readonly recorded: Recorded
  readonly notes: TraceNotes | undefined
  readonly selected: SelectedProgram
  readonly isChanged: boolean
}

/** Reads a trace by the path the user typed, which diagnostics repeat. */
export function readTyped(typed: string, cwd: string): Result<TraceFile | ObjectTraceFile> {
  const file = readAnyTrace(resolve(cwd, typed))
  if (file.ok) return file
  const path = resolve(cwd, typed)
  return failure(...file.diagnostics.map((one) => ({ ...one, message: one.message.replaceAll(path, typed) })))
}

export async function traceSource(typed: string, file: TraceFile, cwd: string): Promise<Result<TraceSource>> {
  const { trace } = file
  const path = programFile(trace.program.file, resolve(cwd, typed), cwd)
  const loaded = await loadPrograms(path)
  if (!loaded.ok) return loaded
  const found = loaded.value.programs.find(({ program }) => program.name === trace.program.name)
  if (found === undefined) return failure(noSuchProgram(trace.program.name, loaded.value))
  const notes = traceNotes(file, typed)
  const known = notes.ok ? notes.value : undefined
  const { sources } = file.derived as { readonly sources?: unknown }
  const changes = changedSources(trace.program, sources, loaded.value)
  const recorded: Recorded = {
    trace,
    violation: known?.counterexample.violation,
    foundIn: known?.counterexample.foundIn ?? trace.decisions.length,
    changes,
  }
  const isChanged = loaded.value.digest !== trace.program.digest
  return success({ recorded, notes: known, selected: { ...found, path, loaded: loaded.value }, isChanged })
}

function noSuchProgram(name: string, loaded: LoadedFile) {
  const names = loaded.programs.map(({ program }) => `"${program.name}"`).join(', ')
  return {
    code: 'E404' as const,
    message: `${loaded.file} has no program "${name}", which the trace is about`,
    hint: `it has ${names}`,
  }
}

/** Which of the user's files differ from those the trace was found in. */
export function changedSources(
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
  return `changed since the trace was written: ${names.join(', ') || program.file}; find the violation again`
}
