/** Recorded histories, checked one after the other. */
import { resolve } from 'node:path'
import { runHistoryCheck } from '../check/history-run.ts'
import type { Checked, Progress } from '../check/run.ts'
import { displayPath } from '../check/source-places.ts'
import type { Reported } from '../reports/result.ts'
import { htmlCommand } from './commands-to-paste.ts'
import { type ExitCode, exitCodeOf, exitCodes, worse } from './exit-codes.ts'
import { reportInternalError } from './internal-error.ts'
import type { ObjectFlags } from './object-flags.ts'
import { clock, ProgressLine, rough, whole } from './progress-line.ts'
import type { ObjectSession } from './run-objects.ts'

export async function runHistories(files: readonly string[], session: ObjectSession): Promise<ExitCode> {
  const { io, signal } = session
  let code: ExitCode = exitCodes.ok
  for (const [at, typed] of files.entries()) {
    if (signal.aborted) {
      io.stderr.write(` interrupted: ${files.length - at} of ${files.length} histories were not looked at\n`)
      return worse(code, exitCodes.incomplete)
    }
    code = worse(code, await runOne(displayPath(resolve(io.cwd, typed)), session))
  }
  return code
}

async function runOne(file: string, session: ObjectSession): Promise<ExitCode> {
  const { io, flags, output, signal } = session
  const { time, memory } = flags.options
  const limit = typeof time === 'number' ? time : undefined
  const line = new ProgressLine(io, (progress: Progress) => progressText(file, progress, limit))
  const onProgress = (progress: Progress): void => {
    if (session.typed.quiet !== true) line.update(progress)
  }
  const witness = flags.html !== undefined
  try {
    const request = { file, specification: flags.specification, time, memory, signal, witness }
    const checked = await runHistoryCheck(request, { onProgress })
    line.clear()
    if (!checked.ok) {
      output.diagnostics(checked.diagnostics)
      return exitCodes.mistake
    }
    const result = reported(file, checked.value, flags)
    output.result(result)
    session.page?.add(result)
    return exitCodeOf(result.verdict.kind, flags.allowIncomplete)
  } catch (error) {
    await reportInternalError(error, io, { program: flags.specification, file, engine: 'histories' })
    return exitCodes.internal
  } finally {
    line.clear()
  }
}

function reported(file: string, { verdict, seconds }: Checked, { html, specification }: ObjectFlags): Reported {
  const command = verdict.kind === 'violated' && html === undefined ? htmlCommand(file, specification) : undefined
  const program = verdict.scope.specification ?? file
  return { program, file, verdict, seconds, findings: [], commands: { page: command } }
}

/** ' run.history.jsonl  120 of 400 calls placed · 18,204 configurations · 61k/s · 0:03 of 1:00' */
function progressText(file: string, progress: Progress, limit: number | undefined): string {
  const { counts, explored, milliseconds } = progress
  const { calls = 0, steps = 0 } = counts
  const rate = milliseconds === 0 ? 0 : (steps * 1000) / milliseconds
  const parts = [
    `${whole(Math.round(explored * calls))} of ${whole(calls)} calls settled`,
    `${whole(steps)} configurations`,
    `${rough(rate)}/s`,
    `${clock(milliseconds)}${limit === undefined ? '' : ` of ${clock(limit)}`}`,
  ]
  return ` ${file}  ${parts.join(' · ')}`
}
