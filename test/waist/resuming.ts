/** A check that is stopped at random moments and resumed until it is done, through the files that `--resume` reads. */
import { cwd } from 'node:process'
import { type CheckOptions, type CheckRequest, checkRequest } from '../../src/check/request.ts'
import { type Checked, runCheck } from '../../src/check/run.ts'
import { ioOf } from '../../src/cli/io.ts'
import { resumed } from '../../src/cli/resume.ts'
import { kept, type ProgramSearch, type SearchHost } from '../../src/cli/search.ts'
import { orThrow } from '../../src/core/diagnostic.ts'
import type { Verdict } from '../../src/core/verdict.ts'
import type { Host } from '../../src/distribute/driver.ts'

export interface Ran {
  readonly request: CheckRequest
  readonly checked: Checked
}

/** Where a check is run, and how long. */
export interface Run {
  readonly milliseconds: number
  readonly host: Host
}

/** Nothing if the engine is not one for the program. */
export async function ran(
  { selected, options, checkpoint }: ProgramSearch,
  { milliseconds, host }: Run,
): Promise<Ran | undefined> {
  const request = checkRequest(selected.program, { ...options, time: milliseconds })
  if (!request.ok) return undefined
  const checked = await runCheck(request.value, { host, resume: checkpoint })
  return checked.ok ? { request: request.value, checked: checked.value } : undefined
}

export function isStopped(verdict: Verdict): boolean {
  return verdict.kind === 'incomplete' || (verdict.kind === 'violated' && verdict.because !== undefined)
}

export interface Done {
  readonly verdict: Verdict
  readonly resumes: number
  readonly restarts: number
}

/** For what is written into a folder. */
export function resumingHost(folder: string): SearchHost {
  const silent = { write: () => {}, isTTY: false, columns: 100 }
  return {
    io: ioOf({ cwd: folder, env: {}, stdout: silent, stderr: silent, onInterrupt: () => () => {} }),
    quiet: true,
    traceFolder: `${folder}/traces`,
    signal: new AbortController().signal,
  }
}

/** As `--resume` reads what was kept. */
export async function resumedSearch(checkpoint: string): Promise<ProgramSearch> {
  const typed = { typed: {}, budget: {}, io: { cwd: cwd(), shell: 'sh' }, command: 'check' } as const
  return orThrow(await resumed(checkpoint, [], typed))
}

/** Runs are as long as the next of `runs`, which become longer, so that those that start again come to their end. */
export async function untilDone(asked: ProgramSearch, runs: Iterable<Run>, host: SearchHost): Promise<Done> {
  let search = asked
  let [resumes, restarts] = [0, 0]
  for (const run of runs) {
    const ended = await ran(search, run)
    if (ended === undefined) throw new Error('a search that was begun fits its program')
    const { verdict } = ended.checked
    if (!isStopped(verdict)) return { verdict, resumes, restarts }
    const { checkpoint } = await kept({ search, ...ended }, host)
    if (checkpoint === undefined) restarts++
    else resumes++
    search = checkpoint === undefined ? asked : await resumedSearch(checkpoint)
  }
  throw new Error('runs go on until a search is done')
}

/** The most nodes of diagrams at a time, and how often what handlers do is computed anew, depend on where a search was stopped. */
export function totalOf({
  kind,
  counts: { bddNodes: _, bddBytes: _bytes, handlers: _runs, ...counts },
  evidence,
}: Verdict): unknown {
  return { kind, counts, evidence: evidence.map((one) => one.kind) }
}

/** Options under which a search ends, and can go on if anything of its engine can. */
export function resumable(engine: string, own: CheckOptions = {}): CheckOptions {
  const samples = engine === 'random' || engine === 'pct' ? { samples: 20 } : {}
  // Other modes, and what is on trial, start again.
  const mode = engine === 'symbolic' ? { mode: 'states' } : {}
  return { ...own, engine, keepGoing: true, options: { ...samples, ...mode }, causes: false }
}
