/**
 * What was found, with its places, and on disk as traces. That takes as long as executions are: once somebody waits for the end, what
 * replay derives is left out.
 */
import { resolve } from 'node:path'
import { settingWithValues } from '../check/concrete.ts'
import { brokenPlace, placesFound } from '../check/findings.ts'
import { realHost } from '../check/host.ts'
import { type Limits, unlessSpent } from '../check/spent.ts'
import { writeBriefTrace, writingTrace } from '../check/trace-file.ts'
import type { TraceContext } from '../check/trace-notes.ts'
import { version } from '../check/version.ts'
import { type Counterexample, evidenceOf } from '../core/evidence.ts'
import type { Setting } from '../core/setting.ts'
import { type ClassOrigin, type Trace, traceFormat } from '../core/trace.ts'
import { atOnce, type Unhurried } from '../core/unhurried.ts'
import type { LoadedFile } from '../frontends/frontend.ts'
import { traceCommands } from '../reports/commands-to-paste.ts'
import { counted } from '../reports/count-words.ts'
import { mostTold, type Reported, type ReportedFinding } from '../reports/result.ts'
import { scopeSentence } from '../reports/scope.ts'
import { saidFile } from './named-code.ts'
import type { Ended, SearchHost } from './search.ts'
import { typed, unwritten } from './written.ts'

/** Milliseconds for traces without what replay derives, of which the first is written however long it takes. */
const briefPatience = 25

export async function keptFindings(
  ended: Ended,
  host: SearchHost,
): Promise<Required<Pick<Reported, 'findings' | 'suspicions'>>> {
  const { evidence } = ended.checked.verdict
  const all = evidenceOf(evidence, 'execution').slice(0, mostTold)
  const [findings, suspicions]: [ReportedFinding[], ReportedFinding[]] = [[], []]
  const whole = function* (): Unhurried<void> {
    for (const [at, one] of all.entries()) findings.push(yield* keeping(foundIn(ended, one, at), one, host))
    for (const one of evidenceOf(evidence, 'suspected')) suspicions.push(yield* placesFound(one))
  }
  const limits = reportLimits(host)
  if ('answer' in (await unlessSpent(whole(), limits, { patience: 0 }))) return { findings, suspicions }
  const finished = findings.length
  const brief = function* (): Unhurried<void> {
    for (const [at, one] of all.entries()) {
      if (at < finished) continue
      if (at > finished) yield
      findings.push(keptBriefly(foundIn(ended, one, at), one, host))
    }
  }
  await unlessSpent(brief(), limits, { patience: briefPatience })
  const shortened = findings.length - finished
  const left = all.length - findings.length
  const line = (words: string): void => host.io.stderr.line(` note: interrupted: ${words}`)
  if (shortened > 0) line(`${counted(shortened, 'trace')} written without what replay derives`)
  if (left > 0) line(`${counted(left, 'violation')} left without a trace`)
  return { findings, suspicions }
}

/** Reports are not cut by the budgets of searches. */
export function reportLimits({ signal, clock = realHost }: Pick<SearchHost, 'signal' | 'clock'>): Limits {
  return { host: clock, startedAt: clock.now(), budget: {}, signal }
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

/** The `at`-th that was found; causes are known of the first. */
function foundIn({ search, request, checked }: Ended, counterexample: Counterexample, at: number): FoundIn {
  const { scope, evidence } = checked.verdict
  const { loaded, program, origin } = search.selected
  const [causes] = at === 0 ? evidenceOf(evidence, 'sections') : []
  const isRepairable = origin !== undefined && causes !== undefined && causes.repairs.length > 0
  const under = settingWithValues(request.setting, counterexample)
  const { client } = counterexample
  return {
    name: program.name,
    loaded,
    origin,
    setting: client === undefined ? under : { ...under, params: { client: client.text } },
    foundBy: { engine: scope.engine, seed: scope.seed },
    causes,
    repairable: isRepairable ? search.options : undefined,
    scope: scopeSentence(checked.verdict),
  }
}

type Place = Pick<SearchHost, 'io' | 'traceFolder'>

/** A counterexample with its places, and on disk as a trace. */
export function keptTrace(found: FoundIn, counterexample: Counterexample, host: Place): ReportedFinding {
  return atOnce(keeping(found, counterexample, host))
}

function* keeping(found: FoundIn, counterexample: Counterexample, host: Place): Unhurried<ReportedFinding> {
  const finding = yield* placesFound(counterexample)
  const context = { ...contextOf(found, counterexample, finding), places: finding.places }
  try {
    const path = yield* writingTrace(folderOf(host), traceOf(found, counterexample), context)
    return withTrace(finding, path, { found, host })
  } catch (error) {
    return unwritten(error, 'trace', host) ?? finding
  }
}

function keptBriefly(found: FoundIn, counterexample: Counterexample, host: Place): ReportedFinding {
  const finding = brokenPlace(counterexample)
  const context = contextOf(found, counterexample, finding)
  try {
    const path = writeBriefTrace(folderOf(host), traceOf(found, counterexample), context)
    return withTrace(finding, path, { found, host })
  } catch (error) {
    return unwritten(error, 'trace', host) ?? finding
  }
}

function folderOf({ io, traceFolder }: Place): string {
  return resolve(io.cwd, traceFolder)
}

function traceOf({ name, loaded, origin, setting, foundBy }: FoundIn, found: Counterexample): Trace {
  const { file, digest } = loaded
  return {
    format: traceFormat,
    program: { name, file, digest, origin },
    setting,
    decisions: found.decisions,
    repeatsFrom: found.repeatsFrom,
    foundBy: { ...foundBy, version: version() },
  }
}

function contextOf(
  { loaded: { sources }, causes, repairable, scope }: FoundIn,
  counterexample: Counterexample,
  { place, waitingAt }: ReportedFinding,
): Omit<TraceContext, 'places'> {
  return { causes, repairable, scope, counterexample, place, waitingAt, sources }
}

interface Written {
  readonly found: FoundIn
  readonly host: Place
}

function withTrace(finding: ReportedFinding, path: string, { found, host: { io } }: Written): ReportedFinding {
  const tracePath = typed(path, io)
  const isClass = found.origin !== undefined
  const said = saidFile(found.loaded.file, io.cwd)
  return { ...finding, tracePath, ...traceCommands(io.shell, { path: tracePath, isClass, file: said }) }
}
