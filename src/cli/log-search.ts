/** The check of a run by its logs. */
import { resolve } from 'node:path'
import { runLogCheck } from '../check/logs/log-run.ts'
import type { Checked, Progress } from '../check/run.ts'
import { displayPath } from '../check/source-places.ts'
import { type Diagnostic, success } from '../core/diagnostic.ts'
import { type Counterexample, evidenceOf } from '../core/evidence.ts'
import type { Reported, ReportedFinding } from '../reports/result.ts'
import type { TypedFlags } from './arguments.ts'
import type { SearchFlags } from './flags.ts'
import { clock, whole, withProgress } from './progress-line.ts'
import type { Job } from './run-searches.ts'
import type { Searched, SearchHost } from './search.ts'
import { selectSystem } from './select-system.ts'

export interface LogsAsked {
  /** The file with the system, as typed. */
  readonly file: string
  readonly logs: readonly string[]
  readonly search: SearchFlags
}

export function logJob({ file, logs, search }: LogsAsked, cwd: string): Job {
  const files = logs.map((log) => displayPath(resolve(cwd, log)))
  const run = async (host: SearchHost): Promise<Searched> => {
    const selected = await selectSystem(file, search.testName, cwd)
    if (!selected.ok) return selected
    const { program, loaded } = selected.value
    const { time, memory } = search.options
    const request = { program, files, time, memory, signal: host.signal, onRead: host.listen }
    const text = (progress: Progress): string => progressText(program.name, progress)
    const checked = await withProgress(host, text, (onProgress) => runLogCheck(request, { onProgress }))
    return checked.ok ? success(reported(program.name, loaded.file, checked.value)) : checked
  }
  return { doing: { program: undefined, file, engine: 'logs' }, isUnread: true, run }
}

/** What a log leaves nothing to choose of, or nothing to do with. */
export function unfitForLogs(files: readonly string[], flags: TypedFlags): readonly Diagnostic[] {
  const { engine, network, param, faults, maxExecutions, maxSteps, resume, print, monitors, values, coverage } = flags
  const { seed, log = [] } = flags
  const about = { engine, network, param, faults, 'max-executions': maxExecutions, 'max-steps': maxSteps, resume }
  const more = { print, monitors, values, coverage, seed, deadlock: flags.deadlock, 'keep-going': flags.keepGoing }
  const all = { ...about, ...more }
  const unfit = Object.entries(all).filter(([, value]) => value !== undefined)
  const hint = 'the log says how the machines ran, and is judged as it is: it takes -t and budgets'
  const said: readonly Diagnostic[] = unfit.map(([flag]) => ({
    code: 'E107',
    message: `--${flag} says nothing about a log`,
    hint,
  }))
  if (log.some((one) => one.trim() === ''))
    return [
      ...said,
      { code: 'E107', message: '--log names no file', hint: 'name a file that allways run --log has written' },
    ]
  if (files.length === 1) return said
  const message = `--log needs the one file with the system that ran, and got ${files.length === 0 ? 'none' : files.length}`
  return [...said, { code: 'E107', message, hint: 'allways check lease.check.ts --log run.jsonl' }]
}

/** Nothing is written down: what happened is in the log. */
function reported(program: string, file: string, { verdict, seconds }: Checked): Reported {
  return {
    program,
    file,
    verdict,
    seconds,
    findings: evidenceOf(verdict.evidence, 'execution').map(placed),
    suspicions: evidenceOf(verdict.evidence, 'undecided').map(placed),
  }
}

function placed({ violation, events }: Counterexample): ReportedFinding {
  const places = events.flatMap((event) => (event.place === undefined ? [] : [[event, event.place] as const]))
  return { place: violation.place, places: new Map(places) }
}

function progressText(program: string, { counts, milliseconds }: Progress): string {
  const { calls = 0, states = 0 } = counts
  return ` ${program}  orders of ${whole(calls)} calls · ${whole(states)} states · ${clock(milliseconds)}`
}
