/** One search of the command line: run it, keep what it found on disk, and say how to go on. */
import { resolve } from 'node:path'
import { type Checkpoint, notAddingUp, writeCheckpoint } from '../check/checkpoint.ts'
import { settingsAddUp } from '../check/checkpoint-sum.ts'
import { type Threads, whyAlone } from '../check/drive.ts'
import { loadPrograms } from '../check/load.ts'
import { located } from '../check/locate.ts'
import { searchIdentity } from '../check/merge/search-identity.ts'
import { runPortfolio } from '../check/portfolio.ts'
import { type CheckOptions, type CheckRequest, checkRequest } from '../check/request.ts'
import { type Checked, type Progress, runCheck } from '../check/run.ts'
import { codeFrame, sourceLines } from '../check/source-places.ts'
import type { Limits } from '../check/spent.ts'
import { type Diagnostic, failure, type Result, success } from '../core/diagnostic.ts'
import { evidenceOf } from '../core/evidence.ts'
import { showValue } from '../core/value-text.ts'
import { exploredIn, noCounts } from '../core/verdict.ts'
import { checkCommand, fixCommand, resumeCommand } from '../reports/commands-to-paste.ts'
import type { Reported } from '../reports/result.ts'
import type { Shell } from '../reports/shell.ts'
import { type ClusterSearch, checkpointOf, clusterOf, unfitForWorkers } from './cluster-search.ts'
import { outputFolder } from './flags.ts'
import type { Io } from './io.ts'
import { keptFindings } from './kept-traces.ts'
import { saidFile } from './named-code.ts'
import { progressText, withProgress } from './progress-line.ts'
import type { Job } from './run-searches.ts'
import type { SelectedProgram } from './select-programs.ts'
import { typed, unlessUnwritable } from './written.ts'

export interface ProgramSearch {
  readonly selected: SelectedProgram
  readonly options: CheckOptions
  /** Goes on from here instead of starting. */
  readonly checkpoint?: Checkpoint | undefined
  /** Of what is left there, only so many units from the first on. */
  readonly units?: number | undefined
  /** Two reductions at once, each in a thread of its own. */
  readonly isPortfolio?: boolean | undefined
  /** Workers on other machines. */
  readonly cluster?: ClusterSearch | undefined
}

export interface SearchHost {
  readonly io: Io
  readonly quiet: boolean
  readonly ascii?: boolean | undefined
  readonly traceFolder: string
  readonly signal: AbortSignal
  /** Of the machine, unless something else is said. */
  readonly clock?: Limits['host'] | undefined
  /** Begins to listen for Ctrl-C. */
  readonly listen?: (() => void) | undefined
}

export type Searched = Result<Reported>

/** The search of one program in one setting. */
export function programJob(search: ProgramSearch): Job {
  const { selected, options } = search
  const { engine, network } = options
  const doing = { program: selected.program.name, file: selected.loaded.file, engine, network }
  const run = async (host: SearchHost): Promise<Searched> => {
    const request = checkRequest(selected.program, { ...options, signal: host.signal })
    if (!request.ok) return failure(...request.diagnostics.map(located))
    // Those that nobody named are known from here on.
    doing.engine = request.value.engine.name
    doing.network = request.value.setting.network
    const unfit = unfitForWorkers(search, request.value)
    if (unfit.length > 0) return failure(...(unfit as [Diagnostic]))
    if (search.isPortfolio !== true) tellAlone(request.value, host)
    return await runSearch(search, request, host)
  }
  return { doing, run }
}

function tellAlone(request: CheckRequest, { io, quiet }: SearchHost): void {
  const why = request.workers === 1 ? undefined : whyAlone(request)
  if (why !== undefined && !quiet) io.stderr.line(` note: one thread searches: ${why}`)
}

async function runSearch(
  search: ProgramSearch,
  request: { readonly value: CheckRequest },
  host: SearchHost,
): Promise<Searched> {
  const { checkpoint } = search
  const { counted } = request.value.engine
  const { sweep } = request.value
  if (checkpoint !== undefined && sweep !== undefined && !settingsAddUp(checkpoint, sweep))
    return notAddingUp('the checkpoint')
  const counts = sweep === undefined ? (checkpoint?.counts ?? noCounts) : noCounts
  const before = { explored: exploredIn(counts, counted), share: sweep === undefined ? (checkpoint?.explored ?? 0) : 0 }
  const subject = { label: labelOf(request.value), budget: request.value.budget.milliseconds, before, counted, sweep }
  const text = (progress: Progress): string => progressText(progress, subject)
  const checked = await withProgress(host, text, (onProgress) => checkedBy(search, request.value, { onProgress, host }))
  if (!checked.ok) return checked
  return success(await kept({ search, request: request.value, checked: checked.value }, host))
}

interface Telling {
  readonly onProgress: (progress: Progress) => void
  readonly host: SearchHost
}

async function checkedBy(
  search: ProgramSearch,
  request: CheckRequest,
  { onProgress, host }: Telling,
): Promise<Result<Checked>> {
  const { selected, options, checkpoint, units, isPortfolio } = search
  const { path, program, origin } = selected
  if (isPortfolio === true) {
    const { signal, budget } = request
    const told = { ...options, time: budget.milliseconds }
    const data = { path, program: { name: program.name, origin }, options: told }
    const answer = await runPortfolio(data, { signal, onProgress })
    // A search that is over before it began says so in the form of all others.
    return answer ?? (await runCheck({ ...request, budget: { ...request.budget, milliseconds: 0 } }, { onProgress }))
  }
  // Loading a class again would end what is being explored.
  const reloaded = origin === undefined ? { reload: async () => await reload(selected) } : {}
  const threads = { ...threadsOf(selected, options), cluster: clusterOf(search, request, host) }
  return await runCheck(request, { onProgress, resume: begun(checkpoint), units, threads, ...reloaded })
}

/** Where other threads find a program, and how they are to explore it. */
export function threadsOf(selected: SelectedProgram, options: CheckOptions): Threads {
  const { path, program, origin, exportName, loaded } = selected
  const legacy = Object.hasOwn(program.options, 'legacy')
  return { path, options, exportName, digest: loaded.digest, program: { name: program.name, origin }, legacy }
}

/** A run that began with the search goes on from nothing. */
function begun(checkpoint: Checkpoint | undefined): Checkpoint | undefined {
  if (checkpoint === undefined || checkpoint.program.origin !== undefined) return checkpoint
  return checkpoint.units.length === 0 && Object.keys(checkpoint.counts).length === 0 ? undefined : checkpoint
}

function labelOf({ program, scope, sweep }: CheckRequest): string {
  if (sweep !== undefined) return program.name
  const params = Object.entries(scope.params).map(([name, value]) => `${name}=${showValue(value, 12)}`)
  return [program.name, ...params, scope.network ?? scope.engine].join(' ')
}

/** The same program, from the same sources, for the judge. */
export async function reload(selected: SelectedProgram) {
  const legacy = Object.hasOwn(selected.program.options, 'legacy')
  const loaded = await loadPrograms(selected.path, { legacy, again: true })
  if (!loaded.ok || loaded.value.digest !== selected.loaded.digest) return undefined
  return loaded.value.programs.find(({ exportName }) => exportName === selected.exportName)?.program
}

export interface Ended {
  readonly search: ProgramSearch
  readonly request: CheckRequest
  readonly checked: Checked
}

/** As reports need it, with everything that was found on disk. */
export async function kept(ended: Ended, host: SearchHost): Promise<Reported> {
  const { verdict, seconds, peakBytes } = ended.checked
  const { program, loaded, origin, place } = ended.search.selected
  const [proof] = evidenceOf(verdict.evidence, 'proof')
  const [obstacle] = proof?.notCanonical?.places ?? []
  const told = await keptFindings(ended, host)
  const isOpen = verdict.kind === 'incomplete' && proof !== undefined
  const repair = repairCommand(ended, host.io.shell)
  const checkpoint = await keptRest(ended, host)
  const resuming = origin === undefined ? 'check' : 'linearize'
  return {
    program: program.name,
    file: loaded.file,
    verdict,
    seconds,
    peakBytes,
    ...told,
    frame: obstacle === undefined ? undefined : codeFrame(obstacle.place),
    ...(origin === undefined ? {} : { place, sources: sourceLines }),
    commands: {
      repair,
      resume: checkpoint && resumeCommand(host.io.shell, resuming, checkpoint, saidFile(loaded.file, host.io.cwd)),
      check: isOpen ? checkCommand(host.io.shell, loaded.file, program.name) : undefined,
    },
    checkpoint,
    search: ended.request.shard && searchIdentity(ended.request, loaded.digest),
  }
}

/** Prints the repair as a patch, if there is one. */
function repairCommand({ search, checked }: Ended, shell: Shell): string | undefined {
  const { selected, options } = search
  const [causes] = evidenceOf(checked.verdict.evidence, 'sections')
  if (selected.origin === undefined || causes === undefined || causes.repairs.length === 0) return undefined
  return fixCommand(shell, selected.loaded.file, { origin: selected.origin, name: selected.program.name, options })
}

/** The file with what a budget left. */
async function keptRest({ search, request, checked }: Ended, host: SearchHost): Promise<string | undefined> {
  const { rest, verdict } = checked
  if (rest === undefined) return undefined
  const { scope } = verdict
  // Of a portfolio, those of the member whose counts these are.
  const by = { engine: scope.engine, options: scope.options ?? request.options }
  const checkpoint: Checkpoint = { ...checkpointOf(search, request, rest), ...by }
  const folder = resolve(host.io.cwd, outputFolder, 'checkpoints')
  const path = unlessUnwritable(() => writeCheckpoint(checkpoint, folder), 'checkpoint', host)
  return path && typed(path, host.io)
}
