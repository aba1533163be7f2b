/** The check of one recorded history. */
import { resolve } from 'node:path'
import { runHistoryCheck } from '../check/history-run.ts'
import type { Checked, Progress } from '../check/run.ts'
import { displayPath } from '../check/source-places.ts'
import { success } from '../core/diagnostic.ts'
import { htmlCommand } from '../reports/commands-to-paste.ts'
import type { Reported } from '../reports/result.ts'
import type { Shell } from '../reports/shell.ts'
import type { LinearizeFlags } from './linearize-flags.ts'
import { clock, rough, whole, withProgress } from './progress-line.ts'
import type { Job } from './run-searches.ts'
import type { Searched, SearchHost } from './search.ts'

export function historyJob(typed: string, flags: LinearizeFlags, cwd: string): Job {
  const file = displayPath(resolve(cwd, typed))
  return {
    doing: { program: flags.search.options.specification, file, engine: 'histories' },
    isUnread: true,
    run: async (host) => await runHistory(file, flags, host),
  }
}

async function runHistory(file: string, flags: LinearizeFlags, host: SearchHost): Promise<Searched> {
  const { html, search } = flags
  const { specification, time, memory } = search.options
  const limit = typeof time === 'number' ? time : undefined
  const { signal, listen } = host
  const request = { file, specification, time, memory, signal, witness: html !== undefined, onRead: listen }
  const text = (progress: Progress): string => progressText(file, progress, limit)
  const checked = await withProgress(host, text, (onProgress) => runHistoryCheck(request, { onProgress }))
  return checked.ok ? success(reported(file, checked.value, { flags, shell: host.io.shell })) : checked
}

interface Asked {
  readonly flags: LinearizeFlags
  readonly shell: Shell
}

function reported(file: string, { verdict, seconds }: Checked, { flags, shell }: Asked): Reported {
  const { html, search } = flags
  const { specification } = search.options
  const isDrawn = verdict.kind === 'violated' && html === undefined
  const command = isDrawn ? htmlCommand(shell, file, specification) : undefined
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
