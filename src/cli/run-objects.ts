/** Class checks one after the other, for `linearize` and for the check files that `check` finds. */
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { located } from '../check/locate.ts'
import { declaredAt } from '../check/objects/declared-at.ts'
import { type Patch, patchesFor, patchText } from '../check/objects/patch.ts'
import type { Diagnostic } from '../core/diagnostic.ts'
import { evidenceOf } from '../core/evidence.ts'
import type { Counts } from '../core/verdict.ts'
import type { Reported } from '../reports/result.ts'
import type { TypedFlags } from './arguments.ts'
import { type ExitCode, exitCodeOf, exitCodes, worse } from './exit-codes.ts'
import type { HtmlPage } from './html-page.ts'
import { reportInternalError } from './internal-error.ts'
import type { Io } from './io.ts'
import type { ObjectFlags } from './object-flags.ts'
import { runObjectSearch } from './object-search.ts'
import type { Output } from './output.ts'
import { unlessUnwritable } from './search.ts'
import type { SelectedObject } from './select-objects.ts'

export interface ObjectSession {
  readonly io: Io
  readonly typed: TypedFlags
  readonly flags: ObjectFlags
  readonly output: Output
  /** With `--html`. */
  readonly page?: HtmlPage | undefined
  /** What a run that goes on has done before. */
  readonly resume?: Counts | undefined
  readonly signal: AbortSignal
}

export async function runObjects(objects: readonly SelectedObject[], session: ObjectSession): Promise<ExitCode> {
  const { io, signal } = session
  let code: ExitCode = exitCodes.ok
  for (const [at, selected] of objects.entries()) {
    if (signal.aborted) {
      io.stderr.write(` interrupted: ${objects.length - at} of ${objects.length} class checks were not started\n`)
      return worse(code, exitCodes.incomplete)
    }
    code = worse(code, await runOne(selected, session))
  }
  return code
}

async function runOne(selected: SelectedObject, session: ObjectSession): Promise<ExitCode> {
  const { io, flags, output, signal } = session
  try {
    const host = { io, quiet: session.typed.quiet === true, traceFolder: flags.traceFolder, signal }
    const searched = await runObjectSearch(selected, flags, host, session.resume)
    if (searched.kind === 'diagnostics') {
      output.diagnostics(searched.diagnostics)
      return exitCodes.mistake
    }
    const { result } = searched
    output.result(result)
    session.page?.add(result)
    const code = exitCodeOf(result.verdict.kind, flags.allowIncomplete)
    return flags.fix === 'no' ? code : worse(code, fixed(result, selected, session))
  } catch (error) {
    const { check, loaded } = selected
    await reportInternalError(error, io, { program: check.name, file: loaded.file, engine: 'stateful' })
    return exitCodes.internal
  }
}

/** The patch on stdout, or in the files. */
function fixed({ program, verdict }: Reported, { check }: SelectedObject, session: ObjectSession): ExitCode {
  const { output, io, flags } = session
  if (verdict.kind !== 'violated') return exitCodes.ok
  const [causes] = evidenceOf(verdict.evidence, 'sections')
  const sections = causes?.applied?.sections ?? causes?.repairs[0]?.sections
  if (sections === undefined || sections.length === 0) {
    output.diagnostics([located(declaredAt(noRepair(program), check))])
    return exitCodes.mistake
  }
  const patches = patchesFor(sections)
  if (!patches.ok) {
    output.diagnostics(patches.diagnostics)
    return exitCodes.mistake
  }
  if (flags.fix === 'print') output.text(patchText(patches.value).replace(/\n$/, ''))
  else for (const patch of patches.value) write(patch, io)
  return exitCodes.ok
}

function write({ file, after }: Patch, io: Io): void {
  const done = (): string => {
    writeFileSync(resolve(file), after)
    return file
  }
  if (unlessUnwritable(done, 'patch', { io }) !== undefined) io.stderr.write(` patched ${file}; check it again\n`)
}

function noRepair(program: string): Diagnostic {
  return {
    code: 'E305',
    message: `there is no patch for ${program}: no lines were found that would repair it by being atomic`,
    hint: 'the picture shows which steps of other processes come in between',
  }
}
