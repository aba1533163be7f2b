/** `linearize`: classes, by their checks or by themselves, and recorded histories. */
import { isHistoryFile } from '../../check/history-names.ts'
import { located } from '../../check/locate.ts'
import { leftBehind } from '../../check/strays.ts'
import { type Diagnostic, success } from '../../core/diagnostic.ts'
import type { TypedFlags } from '../arguments.ts'
import { type ExitCode, exitCodes, worse } from '../exit-codes.ts'
import { fixed } from '../fix.ts'
import { reporters } from '../flags.ts'
import { historyJob } from '../history-search.ts'
import { HtmlPage } from '../html-page.ts'
import { interruptsOf } from '../interrupts.ts'
import type { Io } from '../io.ts'
import { type LinearizeFlags, linearizeFlags, unfitForHistories } from '../linearize-flags.ts'
import { Output } from '../output.ts'
import { refuse } from '../print.ts'
import { resumed } from '../resume.ts'
import { type Job, runSearches, type SearchSession } from '../run-searches.ts'
import { type ProgramSearch, programJob, type Searched } from '../search.ts'
import { selectClasses } from '../select-classes.ts'

export async function linearize(files: readonly string[], typed: TypedFlags, io: Io): Promise<ExitCode> {
  const flags = linearizeFlags(typed, io)
  const forms = reporters(typed)
  if (!flags.ok || !forms.ok) {
    return refuse(
      [flags, forms].flatMap((one) => (one.ok ? [] : one.diagnostics)),
      io,
      typed,
    )
  }
  const { html } = flags.value
  const { traceFolder, allowIncomplete, strict } = flags.value.search
  const output = new Output(io, typed, forms.value)
  const page = html === undefined ? undefined : new HtmlPage(html)
  const interrupts = interruptsOf(io)
  const session: SearchSession = {
    io,
    quiet: typed.quiet === true,
    ascii: typed.ascii,
    traceFolder,
    allowIncomplete,
    strict,
    output,
    page,
    signal: interrupts.signal,
    listen: interrupts.listen,
    interrupts,
  }
  const code = await runAll(files, { typed, flags: flags.value }, session)
  if (typeof code !== 'number') return refuse(code, io, typed)
  const stray = (await leftBehind()).map(located)
  output.diagnostics(stray)
  output.end()
  page?.write(io)
  return stray.length === 0 ? code : worse(code, exitCodes.mistake)
}

interface Told {
  readonly typed: TypedFlags
  readonly flags: LinearizeFlags
}

/** What makes no sense is said before anything is run. */
async function runAll(
  files: readonly string[],
  { typed, flags }: Told,
  session: SearchSession,
): Promise<ExitCode | readonly Diagnostic[]> {
  const { io, output } = session
  const histories = files.filter(isHistoryFile)
  const sources = files.filter((file) => !isHistoryFile(file))
  const unfit = sources.length === 0 && histories.length > 0 ? unfitForHistories(typed) : []
  if (unfit.length > 0) return unfit
  if (typed.resume !== undefined) {
    const search = await resumed(typed.resume, files, {
      typed,
      budget: flags.search.options,
      io,
      command: 'linearize',
    })
    return search.ok ? await runSearches([classJob(search.value, flags)], leftClasses, session) : search.diagnostics
  }
  const recorded = histories.map((file) => historyJob(file, flags, io.cwd))
  const code = await runSearches(recorded, 'histories were not looked at', session)
  if (session.signal.aborted || (histories.length > 0 && sources.length === 0)) return code
  const { programs, diagnostics } = await selectClasses(sources, flags, io.cwd)
  output.diagnostics(diagnostics)
  const { options, engines } = flags.search
  const searches = engines.flatMap((engine) =>
    programs.map((selected) => ({ selected, options: { ...options, engine } })),
  )
  const classes = searches.map((search) => classJob({ ...search, isPortfolio: flags.isPortfolio }, flags))
  const ran = worse(code, await runSearches(classes, leftClasses, session))
  return diagnostics.length > 0 ? worse(ran, exitCodes.mistake) : ran
}

const leftClasses = 'class checks were not started'

/** With the patch that was asked for. */
function classJob(search: ProgramSearch, { fix }: LinearizeFlags): Job {
  const job = programJob(search)
  if (fix === 'no') return job
  const after: Job['after'] = async (result, session) => await fixed(result, { search, way: fix }, session)
  return { ...job, run: async (host) => withoutRepair(await job.run(host)), after }
}

/** The patch is there, or why there is none: no command is needed to ask for it. */
function withoutRepair(searched: Searched): Searched {
  if (!searched.ok) return searched
  const { commands, ...result } = searched.value
  return success({ ...result, commands: { ...commands, repair: undefined } })
}
