/**
 * `replay`: the execution of a trace, decision by decision, in the program or class as it is now. 1 = it is violated again, 0 =
 * the execution is still possible and violates nothing, 2 = the trace no longer fits.
 */
import { foundPlaces } from '../../check/findings.ts'
import type { ReplayedTrace } from '../../check/replay-trace.ts'
import { clientBounds } from '../../check/scope.ts'
import { sourceLines } from '../../check/source-places.ts'
import type { Diagnostic } from '../../core/diagnostic.ts'
import type { Trace } from '../../core/trace.ts'
import type { Reported } from '../../reports/result.ts'
import type { TypedFlags } from '../arguments.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { reporters } from '../flags.ts'
import type { Io } from '../io.ts'
import { saidFile } from '../named-code.ts'
import { refuse } from '../print.ts'
import { aboutOf, printRecorded, recordedResult } from '../recorded.ts'
import { readTyped, type TraceSource, traceSource } from '../trace-source.ts'

interface Replaying {
  readonly trace: string
  /** Of the program, if the user names it. */
  readonly file: string | undefined
  readonly flags: TypedFlags
}

export async function replay({ trace: typed, file: code, flags }: Replaying, io: Io): Promise<ExitCode> {
  const forms = reporters(flags)
  const file = readTyped(typed, io.cwd)
  const saying = { cwd: io.cwd, shell: io.shell, file: code, trust: flags.trust }
  const source = file.ok ? await traceSource(typed, file.value, saying) : file
  const replayed = source.ok ? source.value.replay() : source
  if (!forms.ok || !source.ok || !replayed.ok) {
    const diagnostics = [forms, replayed].flatMap((one) => (one.ok ? [] : one.diagnostics))
    return refuse(diagnostics, io, flags)
  }
  const { recorded, notes, isChanged } = source.value
  const isLost = replayed.value.counterexample === undefined && recorded.violation !== undefined && !isChanged
  if (isLost) return refuse([notReproduced(recorded.trace)], io, flags)
  if (isChanged) io.stderr.line(` note: ${recorded.changes}`)
  const { counterexample, isAsRecorded } = replayed.value
  const result = resultOf({ typed, io }, source.value, replayed.value)
  const standing = isAsRecorded ? 'reproduced' : 'violated otherwise'
  printRecorded(
    result,
    { standing, about: aboutOf(recorded.trace, notes?.scope) },
    { io, flags, reporters: forms.value },
  )
  return counterexample === undefined ? exitCodes.ok : exitCodes.violated
}

/** The sources are those in which the violation was found, so one of the two is not what it was. */
function notReproduced({ program }: Trace): Diagnostic {
  return {
    code: 'E404',
    message: `the trace does not fit "${program.name}": where it ends, the recorded violation has not come about`,
    hint: 'the sources have not changed: the trace was damaged, or the program depends on something else; find the violation again',
  }
}

function resultOf(
  { typed, io }: { readonly typed: string; readonly io: Io },
  { recorded, notes, isChanged, file }: TraceSource,
  { counterexample, scope, replayed, isAsRecorded }: ReplayedTrace,
): Reported {
  const { trace } = recorded
  const isClass = trace.program.origin !== undefined
  // What was found out about causes is true of the sources it was found in.
  const isKnown = isAsRecorded && !isChanged
  return recordedResult({
    shell: io.shell,
    typed,
    trace,
    file,
    said: saidFile(file, io.cwd),
    scope: isClass ? { ...scope, params: isKnown ? clientBounds(trace.setting) : {} } : scope,
    counterexample,
    found: counterexample === undefined ? {} : foundPlaces(counterexample),
    ofClass: isKnown ? notes?.ofClass : undefined,
    length: replayed.events.length,
    sources: isClass ? sourceLines : undefined,
    told: isKnown && !isClass ? notes?.scope : undefined,
  })
}
