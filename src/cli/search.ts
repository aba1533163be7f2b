/** One search of the command line: run it, keep what it found on disk, and say how to go on. */
import { relative, resolve } from 'node:path'
import { type Checkpoint, notAddingUp, writeCheckpoint } from '../check/checkpoint.ts'
import { settingsAddUp } from '../check/checkpoint-sum.ts'
import { settingWithValues } from '../check/concrete.ts'
import { foundPlaces } from '../check/findings.ts'
import { loadPrograms } from '../check/load.ts'
import { located } from '../check/locate.ts'
import { runPortfolio } from '../check/portfolio.ts'
import { type CheckOptions, type CheckRequest, checkRequest } from '../check/request.ts'
import { type Checked, type Progress, runCheck } from '../check/run.ts'
import { codeFrame, displayPath, sourceLines } from '../check/source-places.ts'
import { writeTrace } from '../check/trace-file.ts'
import type { TraceContext } from '../check/trace-notes.ts'
import { version } from '../check/version.ts'
import { failure, type Result, success } from '../core/diagnostic.ts'
import { type Counterexample, evidenceOf } from '../core/evidence.ts'
import type { Setting } from '../core/setting.ts'
import { type ClassOrigin, type Trace, traceFormat } from '../core/trace.ts'
import { showValue } from '../core/value-text.ts'
import { exploredIn, noCounts } from '../core/verdict.ts'
import type { LoadedFile } from '../frontends/frontend.ts'
import { mostTold, type Reported, type ReportedFinding } from '../reports/result.ts'
import { scopeSentence } from '../reports/scope.ts'
import { checkCommand, fixCommand, resumeCommand, traceCommands } from './commands-to-paste.ts'
import { outputFolder } from './flags.ts'
import type { Io } from './io.ts'
import { saidFile } from './named-code.ts'
import { progressText, withProgress } from './progress-line.ts'
import type { Job } from './run-searches.ts'
import type { SelectedProgram } from './select-programs.ts'
import type { Shell } from './shell.ts'

export interface ProgramSearch {
  readonly selected: SelectedProgram
  readonly options: CheckOptions
  /** Goes on from here instead of starting. */
  readonly checkpoint?: Checkpoint | undefined
  /** Two reductions at once, each in a thread of its own. */
  readonly isPortfolio?: boolean | undefined
}

export interface SearchHost {
  readonly io: Io
  readonly quiet: boolean
  readonly traceFolder: string
  readonly signal: AbortSignal
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
    return await runSearch(search, request, host)
  }
  return { doing, run }
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
  const checked = await withProgress(host, text, (onProgress) => checkedBy(search, request.value, onProgress))
  if (!checked.ok) return checked
  return success(await kept({ search, request: request.value, checked: checked.value }, host))
}

async function checkedBy(
  { selected, options, checkpoint, isPortfolio }: ProgramSearch,
  request: CheckRequest,
  onProgress: (progress: Progress) => void,
): Promise<Result<Checked>> {
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
  return await runCheck(request, { onProgress, resume: checkpoint, ...reloaded })
}

function labelOf({ program, scope, sweep }: CheckRequest): string {
  if (sweep !== undefined) return program.name
  const params = Object.entries(scope.params).map(([name, value]) => `${name}=${showValue(value, 12)}`)
  return [program.name, ...params, scope.network ?? scope.engine].join(' ')
}

/** The same program, from the same sources, for the judge. */
export async function reload(selected: SelectedProgram) {
  const loaded = await loadPrograms(selected.path, { legacy: Object.hasOwn(selected.program.options, 'legacy') })
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
  const { verdict, seconds } = ended.checked
  const { program, loaded, origin, place } = ended.search.selected
  const [proof] = evidenceOf(verdict.evidence, 'proof')
  const [obstacle] = proof?.notCanonical?.places ?? []
  const isOpen = verdict.kind === 'incomplete' && proof !== undefined
  const repair = repairCommand(ended, host.io.shell)
  const checkpoint = await keptRest(ended, host)
  const resuming = origin === undefined ? 'check' : 'linearize'
  return {
    program: program.name,
    file: loaded.file,
    verdict,
    seconds,
    findings: evidenceOf(verdict.evidence, 'execution')
      .slice(0, mostTold)
      .map((one, at) => {
        const [causes] = at === 0 ? evidenceOf(verdict.evidence, 'sections') : []
        const repairable = at > 0 || repair === undefined ? undefined : ended.search.options
        return keptFinding(ended, one, { causes, repairable }, host)
      }),
    suspicions: evidenceOf(verdict.evidence, 'suspected').map(foundPlaces),
    frame: obstacle === undefined ? undefined : codeFrame(obstacle.place),
    ...(origin === undefined ? {} : { place, sources: sourceLines }),
    commands: {
      repair,
      resume: checkpoint && resumeCommand(host.io.shell, resuming, checkpoint, saidFile(loaded.file, host.io.cwd)),
      check: isOpen ? checkCommand(host.io.shell, loaded.file, program.name) : undefined,
    },
    checkpoint,
  }
}

/** Prints the repair as a patch, if there is one. */
function repairCommand({ search, checked }: Ended, shell: Shell): string | undefined {
  const { selected, options } = search
  const [causes] = evidenceOf(checked.verdict.evidence, 'sections')
  if (selected.origin === undefined || causes === undefined || causes.repairs.length === 0) return undefined
  return fixCommand(shell, selected.loaded.file, { origin: selected.origin, name: selected.program.name, options })
}

function keptFinding(
  { search, request, checked }: Ended,
  counterexample: Counterexample,
  known: Pick<FoundIn, 'causes' | 'repairable'>,
  host: SearchHost,
): ReportedFinding {
  const { engine, seed } = checked.verdict.scope
  const { loaded, program, origin } = search.selected
  const { client } = counterexample
  const under = settingWithValues(request.setting, counterexample)
  const setting = client === undefined ? under : { ...under, params: { client: client.text } }
  const found = { name: program.name, loaded, origin, setting, foundBy: { engine, seed } }
  return keptTrace({ ...found, ...known, scope: scopeSentence(checked.verdict) }, counterexample, host)
}

interface FoundIn extends Pick<TraceContext, 'causes' | 'repairable'> {
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
  const { places, place, waitingAt } = finding
  const context = { ...known, counterexample, places, place, waitingAt, sources }
  const folder = resolve(host.io.cwd, host.traceFolder)
  const path = unlessUnwritable(() => writeTrace(folder, trace, context), 'trace', host)
  if (path === undefined) return finding
  const tracePath = typed(path, host.io)
  const isClass = origin !== undefined
  const said = saidFile(file, host.io.cwd)
  return { ...finding, tracePath, ...traceCommands(host.io.shell, { path: tracePath, isClass, file: said }) }
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
  const { code, path, syscall } = error as { readonly [field in 'code' | 'path' | 'syscall']?: string }
  // A full disk is noticed when something is written, and that is told without a path.
  if (code === undefined || syscall === undefined) throw error
  const where = path === undefined ? '' : `: ${typed(path, host.io)}`
  host.io.stderr.line(` note: the ${what} could not be written (${code}${where})`)
  return undefined
}

/** The file with what a budget left. */
async function keptRest({ search, request, checked }: Ended, host: SearchHost): Promise<string | undefined> {
  const { rest, verdict } = checked
  if (rest === undefined) return undefined
  const { loaded, program, origin } = search.selected
  const { scope } = verdict
  const checkpoint: Checkpoint = {
    program: { name: program.name, file: loaded.file, digest: loaded.digest, origin },
    setting: request.setting,
    engine: scope.engine,
    // Of a portfolio, those of the member whose counts these are.
    options: scope.options ?? request.options,
    keepGoing: request.keepGoing,
    causes: search.options.causes,
    ...rest,
  }
  const folder = resolve(host.io.cwd, outputFolder, 'checkpoints')
  const path = unlessUnwritable(() => writeCheckpoint(checkpoint, folder), 'checkpoint', host)
  return path && typed(path, host.io)
}

/** A path as the user would type it. */
export function typed(path: string, io: Io): string {
  const fromHere = relative(io.cwd, path)
  return fromHere.startsWith('..') ? displayPath(path) : displayPath(resolve(io.cwd, fromHere))
}
