/** `linearize`: classes, by their checks or by themselves, and recorded histories. */
import { loadPrograms } from '../../check/load.ts'
import type { Diagnostic } from '../../core/diagnostic.ts'
import type { TypedFlags } from '../arguments.ts'
import { type ExitCode, exitCodes, worse } from '../exit-codes.ts'
import { reporters } from '../flags.ts'
import { runHistories } from '../history-search.ts'
import { HtmlPage } from '../html-page.ts'
import type { Io } from '../io.ts'
import { type ObjectFlags, objectFlags, unfitForHistories } from '../object-flags.ts'
import { Output } from '../output.ts'
import { refuse } from '../print.ts'
import { resumedObject } from '../resume-objects.ts'
import { type ObjectSession, runObjects } from '../run-objects.ts'
import { type SelectedFile, selectFiles } from '../select-files.ts'
import { type ObjectSelection, selectObjects } from '../select-objects.ts'

/** Everything else is the source of a class. */
const historyFile = /\.(jsonl|ndjson|edn|log|txt)$/

export async function linearize(files: readonly string[], typed: TypedFlags, io: Io): Promise<ExitCode> {
  const flags = objectFlags(typed, io)
  const forms = reporters(typed)
  if (!flags.ok || !forms.ok) {
    return refuse(
      [flags, forms].flatMap((one) => (one.ok ? [] : one.diagnostics)),
      io,
      typed,
    )
  }
  const output = new Output(io, typed, forms.value)
  const controller = new AbortController()
  const release = io.onInterrupt(() => controller.abort())
  try {
    const { html } = flags.value
    const page = html === undefined ? undefined : new HtmlPage(html)
    const session = { io, typed, flags: flags.value, output, signal: controller.signal, page }
    const histories = files.filter((file) => historyFile.test(file))
    const sources = files.filter((file) => !historyFile.test(file))
    const unfit = sources.length === 0 && histories.length > 0 ? unfitForHistories(typed) : []
    if (unfit.length > 0) return refuse(unfit, io, typed)
    if (typed.resume !== undefined) return await resumed(typed.resume, files, session)
    let code = await runHistories(histories, session)
    if (histories.length === 0 || sources.length > 0) {
      const { objects, diagnostics } = await selected(sources, flags.value, io)
      output.diagnostics(diagnostics)
      if (diagnostics.length > 0) code = worse(code, exitCodes.mistake)
      code = worse(code, await runObjects(objects, session))
    }
    output.end()
    page?.write(io)
    return code
  } finally {
    release()
  }
}

/** The one class that the checkpoint is about. */
async function resumed(checkpoint: string, files: readonly string[], session: ObjectSession): Promise<ExitCode> {
  const { io, typed, output, page } = session
  const search = await resumedObject(checkpoint, files, session)
  if (!search.ok) return refuse(search.diagnostics, io, typed)
  const { selected: object, flags, counts } = search.value
  const code = await runObjects([object], { ...session, flags, resume: counts })
  output.end()
  page?.write(io)
  return code
}

async function selected(files: readonly string[], flags: ObjectFlags, io: Io): Promise<ObjectSelection> {
  const found = await selectFiles(files, io.cwd)
  if (!found.ok) return { objects: [], diagnostics: found.diagnostics }
  if (files.length > 0) return await selectObjects(found.value, flags)
  const declaring = await withChecks(found.value)
  const { objects, diagnostics } = await selectObjects(declaring.files, flags)
  const isEmpty = declaring.files.length === 0 && declaring.diagnostics.length === 0
  return { objects, diagnostics: [...declaring.diagnostics, ...diagnostics, ...(isEmpty ? [noChecks] : [])] }
}

/** Of the files that were found, not named, those that declare checks of classes. */
async function withChecks(files: readonly SelectedFile[]) {
  const declaring: SelectedFile[] = []
  const diagnostics: Diagnostic[] = []
  for (const file of files) {
    const loaded = await loadPrograms(file.path)
    if (!loaded.ok) diagnostics.push(...loaded.diagnostics)
    else if (loaded.value.objects.length > 0) declaring.push(file)
  }
  return { files: declaring, diagnostics }
}

const noChecks: Diagnostic = {
  code: 'E308',
  message: 'no check file below this folder declares the check of a class',
  hint: 'name the file of a class, or export a check: export default linearizable(Stack, { operations: { … } })',
}
