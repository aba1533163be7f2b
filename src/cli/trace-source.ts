/** The trace a command was given, and the program it belongs to. */
import { resolve } from 'node:path'
import { loadPrograms } from '../check/load.ts'
import { loadTarget } from '../check/objects/target.ts'
import { type Recorded, type ReplayedTrace, replayClassTrace, replayTrace } from '../check/replay-trace.ts'
import { readTrace, type TraceFile, traceNotes } from '../check/trace-file.ts'
import type { TraceNotes } from '../check/trace-notes.ts'
import { failure, type Result, success } from '../core/diagnostic.ts'
import type { Trace } from '../core/trace.ts'
import type { LoadedFile } from '../frontends/frontend.ts'
import { programFile } from './resume.ts'

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

export async function traceSource(typed: string, file: TraceFile, cwd: string): Promise<Result<TraceSource>> {
  const { trace } = file
  const subject = await subjectOf(trace, programFile(trace.program.file, resolve(cwd, typed), cwd))
  if (!subject.ok) return subject
  const { loaded, replayed } = subject.value
  const notes = traceNotes(file, typed)
  const known = notes.ok ? notes.value : undefined
  const { sources } = file.derived as { readonly sources?: unknown }
  const recorded: Recorded = {
    trace,
    violation: known?.counterexample.violation,
    foundIn: known?.counterexample.foundIn ?? trace.decisions.length,
    changes: changedSources(trace.program, sources, loaded),
  }
  const isChanged = loaded.digest !== trace.program.digest
  return success({ recorded, notes: known, isChanged, file: loaded.file, replay: () => replayed(recorded) })
}

interface Subject {
  readonly loaded: Pick<LoadedFile, 'file' | 'digest' | 'sources'>
  readonly replayed: (recorded: Recorded) => Result<ReplayedTrace>
}

async function subjectOf({ program, setting }: Trace, path: string): Promise<Result<Subject>> {
  const { name, origin } = program
  if (origin !== undefined) {
    const specification = setting.options.specification?.toString()
    const target = await loadTarget({ path, origin, specification, hasClients: true })
    if (!target.ok) return target
    return success({
      loaded: target.value.loaded,
      replayed: (recorded) => replayClassTrace(target.value, recorded),
    })
  }
  const loaded = await loadPrograms(path)
  if (!loaded.ok) return loaded
  const found = loaded.value.programs.find((one) => one.program.name === name)
  if (found === undefined) return failure(noSuchProgram(name, loaded.value))
  return success({ loaded: loaded.value, replayed: (recorded) => replayTrace(found.program, recorded) })
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
  return `changed since the trace was written: ${names.join(', ') || program.file}; find the violation again`
}
