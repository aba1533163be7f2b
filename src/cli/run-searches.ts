/** Searches one after the other, of programs, classes and recorded histories: what each reports, and what the shell is told. */
import type { Reported } from '../reports/result.ts'
import { type ExitCode, exitCodeOf, exitCodes, worse } from './exit-codes.ts'
import type { HtmlPage } from './html-page.ts'
import type { ErrorContext } from './internal-error.ts'
import type { Output } from './output.ts'
import type { Searched, SearchHost } from './search.ts'

export interface SearchSession extends SearchHost {
  readonly output: Output
  readonly allowIncomplete: boolean
  readonly strict: boolean
  /** With `--html`. */
  readonly page?: HtmlPage | undefined
}

export interface Job {
  readonly doing: ErrorContext
  run(host: SearchHost): Promise<Searched>
  /** What is to be done about the result once it was printed. */
  after?(result: Reported, session: SearchSession): ExitCode
}

/** `left` says what those that an interrupt leaves are: 'searches were not started'. */
export async function runSearches(jobs: readonly Job[], left: string, session: SearchSession): Promise<ExitCode> {
  const { io, signal } = session
  let code: ExitCode = exitCodes.ok
  for (const [at, job] of jobs.entries()) {
    if (signal.aborted) {
      io.stderr.write(` interrupted: ${jobs.length - at} of ${jobs.length} ${left}\n`)
      return worse(code, exitCodes.incomplete)
    }
    code = worse(code, await runOne(job, session))
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
    output.result(result)
    page?.add(result)
    const code = exitCodeOf(result.verdict, session)
    return worse(code, job.after?.(result, session) ?? exitCodes.ok)
  } catch (error) {
    await output.defect(error, job.doing)
    return exitCodes.internal
  }
}
