/** `linearize`: classes, by their checks or by themselves, and recorded histories. */
import { loadPrograms } from '../../check/load.ts'
import type { Diagnostic } from '../../core/diagnostic.ts'
import type { TypedFlags } from '../arguments.ts'
import { type ExitCode, exitCodes, worse } from '../exit-codes.ts'
import { reporters } from '../flags.ts'
import { historyJob } from '../history-search.ts'
import { HtmlPage } from '../html-page.ts'
import type { Io } from '../io.ts'
import { type ObjectFlags, objectFlags, unfitForHistories } from '../object-flags.ts'
import { classJob } from '../object-search.ts'
import { Output } from '../output.ts'
import { refuse } from '../print.ts'
import { resumed } from '../resume.ts'
import { runSearches, type SearchSession } from '../run-searches.ts'
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
  const { html, traceFolder, allowIncomplete } = flags.value
  const output = new Output(io, typed, forms.value)
  const page = html === undefined ? undefined : new HtmlPage(html)
  const controller = new AbortController()
  const release = io.onInterrupt(() => controller.abort())
  const { signal } = controller
  const session = { io, quiet: typed.quiet === true, traceFolder, allowIncomplete, output, page, signal }
  try {
    const code = await runAll(files, { typed, flags: flags.value }, session)
    if (typeof code !== 'number') return refuse(code, io, typed)
    output.end()
    page?.write(io)
    return code
  } finally {
    release()
  }
}

interface Told {
  readonly typed: TypedFlags
  readonly flags: ObjectFlags
}

/** What makes no sense is said before anything is run. */
async function runAll(
  files: readonly string[],
  { typed, flags }: Told,
  session: SearchSession,
): Promise<ExitCode | readonly Diagnostic[]> {
  const { io, output } = session
  const histories = files.filter((file) => historyFile.test(file))
  const sources = files.filter((file) => !historyFile.test(file))
  const unfit = sources.length === 0 && histories.length > 0 ? unfitForHistories(typed) : []
  if (unfit.length > 0) return unfit
  if (typed.resume !== undefined) {
    const search = await resumed(typed.resume, files, { typed, budget: flags.options, flags, cwd: io.cwd })
    return search.ok ? await runSearches([search.value.job], leftClasses, session) : search.diagnostics
  }
  const recorded = histories.map((file) => historyJob(file, flags, io.cwd))
  const code = await runSearches(recorded, 'histories were not looked at', session)
  if (histories.length > 0 && sources.length === 0) return code
  const { objects, diagnostics } = await selected(sources, flags, io)
  output.diagnostics(diagnostics)
  const classes = objects.map((object) => classJob(object, flags))
  const ran = worse(code, await runSearches(classes, leftClasses, session))
  return diagnostics.length > 0 ? worse(ran, exitCodes.mistake) : ran
}

const leftClasses = 'class checks were not started'

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
