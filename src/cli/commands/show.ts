/** `show`: a trace file as a picture, from the file alone; and the states of machines that a program declares. */
import type { ClientNotes } from '../../check/client-notes.ts'
import { recordedScope } from '../../check/scope.ts'
import { traceNotes } from '../../check/trace-file.ts'
import type { Diagnostic } from '../../core/diagnostic.ts'
import type { Reported } from '../../reports/result.ts'
import type { TypedFlags } from '../arguments.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { reporters } from '../flags.ts'
import type { Io } from '../io.ts'
import { refuse } from '../print.ts'
import { aboutOf, printRecorded, recordedResult } from '../recorded.ts'
import { selectPrograms } from '../select-programs.ts'
import { diagramsText } from '../state-diagrams.ts'
import { readTyped } from '../trace-source.ts'

export async function show(typed: string, flags: TypedFlags, io: Io): Promise<ExitCode> {
  if (isSource(typed)) return await showProgram(typed, flags, io)
  const forms = reporters(flags)
  const file = readTyped(typed, io.cwd)
  const notes = file.ok ? traceNotes(file.value, typed) : file
  if (!forms.ok || !file.ok || !notes.ok) {
    return refuse(
      [forms, notes].flatMap((one) => (one.ok ? [] : one.diagnostics)),
      io,
      flags,
    )
  }
  const { trace } = file.value
  const { counterexample, place, places, scope, ofClass } = notes.value
  const result = recordedResult({
    shell: io.shell,
    typed,
    trace,
    file: trace.program.file,
    scope: recordedScope(trace),
    counterexample,
    found: { place, places },
    ofClass,
    length: counterexample.events.length,
    sources: ofClass && sourcesIn(ofClass),
    told: ofClass === undefined ? scope : undefined,
  })
  printRecorded(result, { standing: 'recorded', about: aboutOf(trace, scope) }, { io, flags, reporters: forms.value })
  return exitCodes.ok
}

/** No trace has such a name. */
function isSource(typed: string): boolean {
  return /\.(?:p|pproj|check\.m?[jt]s)$/u.test(typed)
}

async function showProgram(typed: string, flags: TypedFlags, io: Io): Promise<ExitCode> {
  const forms = reporters(flags)
  if (!forms.ok) return refuse(forms.diagnostics, io, flags)
  if (forms.value.includes('json')) return refuse([onlyDrawn], io, flags)
  const { programs, diagnostics } = await selectPrograms([typed], undefined, io.cwd)
  if (diagnostics.length > 0) return refuse(diagnostics, io, flags)
  const text = diagramsText(programs)
  if (text === '') return refuse([withoutStates(typed)], io, flags)
  io.stdout.write(text)
  return exitCodes.ok
}

const onlyDrawn: Diagnostic = {
  code: 'E107',
  message: 'the states of a program are shown as diagrams, and not as JSON',
  hint: 'leave out --json, or list what there is: allways list --json',
}

function withoutStates(file: string): Diagnostic {
  return {
    code: 'E107',
    message: `${file} declares no machines with states, and nothing else is shown of a program`,
    hint: 'give a trace file, or a file in P',
  }
}

function sourcesIn({ lines }: ClientNotes): NonNullable<Reported['sources']> {
  return (file) => {
    const known = lines.get(file)
    if (known === undefined) return undefined
    const last = Math.max(0, ...known.keys())
    return Array.from({ length: last }, (_, at) => known.get(at + 1) ?? '')
  }
}
