/** One search of the command line: run it, keep what it found on disk, and say how to go on. */
import { relative, resolve } from 'node:path'
import { type Checkpoint, writeCheckpoint } from '../check/checkpoint.ts'
import { foundPlaces } from '../check/findings.ts'
import { loadPrograms } from '../check/load.ts'
import { located } from '../check/locate.ts'
import { type CheckOptions, type CheckRequest, checkRequest } from '../check/request.ts'
import { type Checked, type Progress, runCheck } from '../check/run.ts'
import { codeFrame, displayPath } from '../check/source-places.ts'
import { writeTrace } from '../check/trace-file.ts'
import type { TraceContext } from '../check/trace-notes.ts'
import { version } from '../check/version.ts'
import { failure, type Result, success } from '../core/diagnostic.ts'
import { type Counterexample, evidenceOf } from '../core/evidence.ts'
import type { Setting } from '../core/setting.ts'
import { type ClassOrigin, type Trace, traceFormat } from '../core/trace.ts'
import { showValue } from '../core/value-text.ts'
import { exploredIn, noCounts, type Verdict } from '../core/verdict.ts'
import type { LoadedFile } from '../frontends/frontend.ts'
import type { Reported, ReportedFinding } from '../reports/result.ts'
import { scopeSentence } from '../reports/scope.ts'
import { checkCommand, resumeCommand, traceCommands } from './commands-to-paste.ts'
import { outputFolder } from './flags.ts'
import type { Io } from './io.ts'
import { progressText, withProgress } from './progress-line.ts'
import type { Job } from './run-searches.ts'
import type { SelectedProgram } from './select-programs.ts'

export interface Search {
  readonly selected: SelectedProgram
  readonly options: CheckOptions
  /** Goes on from here instead of starting. */
  readonly checkpoint?: Checkpoint | undefined
}

export interface SearchHost {
  readonly io: Io
  readonly quiet: boolean
  readonly traceFolder: string
  readonly signal: AbortSignal
}

export type Searched = Result<Reported>

/** The search of one program in one setting. */
export function programJob(search: Search): Job {
  const { selected, options } = search
  const { engine, network } = options
  const doing = { program: selected.program.name, file: selected.loaded.file, engine, network }
  return { doing, run: async (host) => await runSearch(search, host) }
}

async function runSearch(search: Search, host: SearchHost): Promise<Searched> {
  const { selected, options, checkpoint } = search
  const request = checkRequest(selected.program, { ...options, signal: host.signal })
  if (!request.ok) return failure(...request.diagnostics.map(located))
  const { counted } = request.value.engine
  const before = { explored: exploredIn(checkpoint?.counts ?? noCounts, counted), share: checkpoint?.explored ?? 0 }
  const subject = { label: labelOf(request.value), budget: request.value.budget.milliseconds, before, counted }
  const text = (progress: Progress): string => progressText(progress, subject)
  const run = { resume: checkpoint, reload: async () => await reload(selected) }
  const checked = await withProgress(host, text, (onProgress) => runCheck(request.value, { onProgress, ...run }))
  if (!checked.ok) return checked
  return success(await kept({ search, request: request.value, checked: checked.value }, host))
}

function labelOf({ program, scope }: CheckRequest): string {
  const params = Object.entries(scope.params).map(([name, value]) => `${name}=${showValue(value, 12)}`)
  return [program.name, ...params, scope.network ?? scope.engine].join(' ')
}

/** The same program, from the same sources, for the judge. */
export async function reload(selected: SelectedProgram) {
  const loaded = await loadPrograms(selected.path)
  if (!loaded.ok || loaded.value.digest !== selected.loaded.digest) return undefined
  return loaded.value.programs.find(({ exportName }) => exportName === selected.exportName)?.program
}

export interface Ended {
  readonly search: Search
  readonly request: CheckRequest
  readonly checked: Checked
}

/** As reports need it, with everything that was found on disk. */
export async function kept(ended: Ended, host: SearchHost): Promise<Reported> {
  const { verdict, seconds } = ended.checked
  const { selected } = ended.search
  const [proof] = evidenceOf(verdict.evidence, 'proof')
  const [obstacle] = proof?.notCanonical?.places ?? []
  const isOpen = verdict.kind === 'incomplete' && proof !== undefined
  return {
    program: selected.program.name,
    file: selected.loaded.file,
    verdict,
    seconds,
    findings: evidenceOf(verdict.evidence, 'execution').map((one) => keptFinding(ended, one, host)),
    frame: obstacle === undefined ? undefined : codeFrame(obstacle.place),
    commands: {
      resume: await keptRest(ended, verdict, host),
      check: isOpen ? checkCommand(selected.loaded.file, selected.program.name) : undefined,
    },
  }
}

function keptFinding(
  { search, request, checked }: Ended,
  counterexample: Counterexample,
  host: SearchHost,
): ReportedFinding {
  const { engine, seed } = request.scope
  const { loaded, program } = search.selected
  const scope = scopeSentence(checked.verdict)
  const found = { name: program.name, loaded, setting: request.setting, foundBy: { engine, seed }, scope }
  return keptTrace(found, counterexample, host)
}

interface FoundIn extends Pick<TraceContext, 'causes' | 'repairCommand'> {
  /** Of the program. */
  readonly name: string
  readonly loaded: Pick<LoadedFile, 'file' | 'digest' | 'sources'>
  /** Of a class. */
  readonly origin?: ClassOrigin | undefined
  readonly setting: Setting
  readonly foundBy: { readonly engine: string; readonly seed: number }
  /** What had been explored, in words. */
  readonly scope: string
}

/** A counterexample with its places, and on disk as a trace. */
export function keptTrace(
  { name, loaded, origin, setting, foundBy, ...known }: FoundIn,
  counterexample: Counterexample,
  host: Pick<SearchHost, 'io' | 'traceFolder'>,
): ReportedFinding {
  const { file, digest, sources } = loaded
  const finding = foundPlaces(counterexample)
  const trace: Trace = {
    format: traceFormat,
    program: { name, file, digest, origin },
    setting,
    decisions: counterexample.decisions,
    repeatsFrom: counterexample.repeatsFrom,
    foundBy: { ...foundBy, version: version() },
  }
  const { places, place } = finding
  const context = { ...known, counterexample, places, place, sources }
  const folder = resolve(host.io.cwd, host.traceFolder)
  const path = unlessUnwritable(() => writeTrace(folder, trace, context), 'trace', host)
  if (path === undefined) return finding
  const tracePath = typed(path, host.io)
  return { ...finding, tracePath, ...traceCommands(tracePath, origin !== undefined) }
}

/** A result is not lost because a file about it cannot be written. */
export function unlessUnwritable<T>(write: () => T, what: string, host: Pick<SearchHost, 'io'>): T | undefined {
  try {
    return write()
  } catch (error) {
    return unwritten(error, what, host)
  }
}

function unwritten(error: unknown, what: string, host: Pick<SearchHost, 'io'>): undefined {
  const { code, path } = error as { readonly code?: string; readonly path?: string }
  if (code === undefined || path === undefined) throw error
  host.io.stderr.write(` note: the ${what} could not be written (${code}: ${typed(path, host.io)})\n`)
  return undefined
}

async function keptRest({ search, request }: Ended, verdict: Verdict, host: SearchHost): Promise<string | undefined> {
  if (verdict.kind !== 'incomplete' || verdict.remaining.length === 0) return undefined
  const { loaded, program } = search.selected
  const { scope, options } = request
  const checkpoint: Checkpoint = {
    program: { name: program.name, file: loaded.file, digest: loaded.digest },
    setting: request.setting,
    engine: scope.engine,
    options,
    keepGoing: request.keepGoing,
    counts: verdict.counts,
    explored: verdict.explored,
    units: verdict.remaining,
  }
  return await keptCheckpoint(checkpoint, 'check', host)
}

/** The command that goes on from it. */
export async function keptCheckpoint(
  checkpoint: Checkpoint,
  command: 'check' | 'linearize',
  host: SearchHost,
): Promise<string | undefined> {
  const folder = resolve(host.io.cwd, outputFolder, 'checkpoints')
  const path = await writeCheckpoint(checkpoint, folder).catch((error) => unwritten(error, 'checkpoint', host))
  return path === undefined ? undefined : resumeCommand(command, typed(path, host.io))
}

/** A path as the user would type it. */
export function typed(path: string, io: Io): string {
  const fromHere = relative(io.cwd, path)
  return fromHere.startsWith('..') ? displayPath(path) : displayPath(resolve(io.cwd, fromHere))
}
