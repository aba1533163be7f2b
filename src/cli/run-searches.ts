/** Searches one after the other, of programs, classes and recorded histories: what each reports, and what the shell is told. */
import type { Reported } from '../reports/result.ts'
import { type ExitCode, exitCodeOf, exitCodes, worse } from './exit-codes.ts'
import type { HtmlPage } from './html-page.ts'
import type { ErrorContext } from './internal-error.ts'
import type { Interrupts } from './interrupts.ts'
import type { Output } from './output.ts'
import type { Searched, SearchHost } from './search.ts'

export interface SearchSession extends SearchHost {
  readonly output: Output
  readonly allowIncomplete: boolean
  readonly strict: boolean
  readonly interrupts: Interrupts
  /** With `--html`. */
  readonly page?: HtmlPage | undefined
}

export interface Job {
  readonly doing: ErrorContext
  /** Something is read first, which is ended at once: the job begins to listen by itself. */
  readonly isUnread?: boolean | undefined
  run(host: SearchHost): Promise<Searched>
  /** What is to be done about the result once it was printed. */
  after?(result: Reported, session: SearchSession): Promise<ExitCode>
}

/** `left` says what those that an interrupt leaves are: 'searches were not started'. */
export async function runSearches(jobs: readonly Job[], left: string, session: SearchSession): Promise<ExitCode> {
  const { io, signal, interrupts } = session
  let code: ExitCode = exitCodes.ok
  for (const [at, job] of jobs.entries()) {
    if (job.isUnread !== true) interrupts.listen()
    if (signal.aborted) {
      interrupts.release()
      io.stderr.line(` interrupted: ${jobs.length - at} of ${jobs.length} ${left}`)
      return worse(code, exitCodes.incomplete)
    }
    try {
      code = worse(code, await runOne(job, session))
    } finally {
      interrupts.release()
    }
  }
  return code
}

async function runOne(job: Job, session: SearchSession): Promise<ExitCode> {
  const { output, page } = session
  try {
    const searched = await job.run(session)
    if (!searched.ok) {
      output.diagnostics(searched.diagnostics)
      return exitCodes.mistake
    }
    const result = searched.value
    await output.result(result, session)
    page?.add(result)
    const code = exitCodeOf(result.verdict, session)
    return worse(code, (await job.after?.(result, session)) ?? exitCodes.ok)
  } catch (error) {
    await output.defect(error, job.doing)
    return exitCodes.internal
  }
}
