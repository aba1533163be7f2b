/** One class check of the command line: run it, keep what it found on disk, and say how to go on. */
import { resolve } from 'node:path'
import type { Checkpoint } from '../check/checkpoint.ts'
import { located } from '../check/locate.ts'
import { type ObjectCheckOptions, objectRequest } from '../check/objects/options.ts'
import { runPortfolio } from '../check/objects/portfolio.ts'
import type { ObjectProgress, ObjectRunOptions } from '../check/objects/request.ts'
import { type ObjectChecked, runObjectCheck } from '../check/objects/run.ts'
import { sweepSetting } from '../check/objects/sweep.ts'
import type { ObjectTrace } from '../check/objects/trace-object.ts'
import { writeObjectTrace } from '../check/objects/trace-write.ts'
import { sourceLines } from '../check/source-places.ts'
import { version } from '../check/version.ts'
import { failure, type Result, success } from '../core/diagnostic.ts'
import { type ClientCounterexample, evidenceOf, type SectionsEvidence } from '../core/evidence.ts'
import { traceFormat } from '../core/trace.ts'
import type { Counts, Verdict } from '../core/verdict.ts'
import type { Reported, ReportedFinding } from '../reports/result.ts'
import { scopeSentence } from '../reports/scope.ts'
import { fixCommand, traceCommands } from './commands-to-paste.ts'
import { exitCodes } from './exit-codes.ts'
import { fixed } from './fix.ts'
import type { ObjectFlags } from './object-flags.ts'
import { objectProgressText } from './object-progress.ts'
import { withProgress } from './progress-line.ts'
import type { Job } from './run-searches.ts'
import { keptCheckpoint, type Searched, type SearchHost, typed, unlessUnwritable } from './search.ts'
import type { SelectedObject } from './select-objects.ts'

/** The check of one class; `resume` is what a run that goes on has done before. */
export function classJob(selected: SelectedObject, flags: ObjectFlags, resume?: Counts): Job {
  const { check, loaded } = selected
  const { fix } = flags
  return {
    doing: { program: check.name, file: loaded.file, engine: flags.options.engine ?? 'stateful' },
    run: async (host) => await runObjectSearch(selected, flags, host, resume),
    after: (result, session) => (fix === 'no' ? exitCodes.ok : fixed(result, { check, way: fix }, session)),
  }
}

async function runObjectSearch(
  selected: SelectedObject,
  flags: ObjectFlags,
  host: SearchHost,
  resume: Counts | undefined,
): Promise<Searched> {
  const { time } = flags.options
  const subject = { label: selected.check.name, budget: typeof time === 'number' ? time : undefined }
  const text = (progress: ObjectProgress): string => objectProgressText(progress, subject)
  const checked = await withProgress(host, text, (onProgress) => ran(selected, flags, host, { onProgress, resume }))
  return checked.ok ? success(await kept(selected, flags, checked.value, host)) : checked
}

async function ran(
  { check, loaded, target }: SelectedObject,
  { options, isPortfolio }: ObjectFlags,
  { signal }: SearchHost,
  own: Pick<ObjectRunOptions, 'onProgress' | 'resume'>,
): Promise<Result<ObjectChecked>> {
  const request = objectRequest(check, loaded.modules, { ...options, signal })
  if (!request.ok) return failure(...request.diagnostics.map(located))
  if (!isPortfolio) return await runObjectCheck(request.value, own)
  return await runPortfolio({ target, options }, { signal, onProgress: own.onProgress })
}

async function kept(
  selected: SelectedObject,
  { options }: ObjectFlags,
  checked: ObjectChecked,
  host: SearchHost,
): Promise<Reported> {
  const { verdict, seconds } = checked
  const { check, loaded, place, target } = selected
  const { origin, specification } = target
  const [causes] = evidenceOf(verdict.evidence, 'sections')
  const repair =
    causes === undefined || causes.repairs.length === 0
      ? undefined
      : fixCommand(loaded.file, { origin, name: check.name, options, specification })
  const clients = evidenceOf(verdict.evidence, 'execution').flatMap(({ client, ...found }) =>
    client === undefined ? [] : [{ ...found, client }],
  )
  return {
    program: check.name,
    file: loaded.file,
    place,
    verdict,
    seconds,
    findings: clients.map((counterexample, at) => {
      const known = at === 0 ? { causes, repair } : { causes: undefined, repair: undefined }
      return keptFinding({ selected, verdict, counterexample, ...known }, host)
    }),
    sources: sourceLines,
    commands: { repair, resume: await keptSweep(selected, options, checked, host) },
  }
}

/** Unless not even the first client was done: then going on would be starting again. */
async function keptSweep(
  { check, loaded, target }: SelectedObject,
  options: ObjectCheckOptions,
  { verdict, done }: ObjectChecked,
  host: SearchHost,
): Promise<string | undefined> {
  if (verdict.kind !== 'incomplete' || (done.clients ?? 0) === 0) return undefined
  const { origin, specification } = target
  const { scope, explored } = verdict
  const checkpoint: Checkpoint = {
    program: { name: check.name, file: loaded.file, digest: loaded.digest, origin },
    setting: sweepSetting({ check, options, scope, specification }),
    engine: scope.engine,
    // Of a portfolio, those of the member whose counts these are.
    options: scope.options ?? {},
    keepGoing: options.keepGoing ?? false,
    causes: options.causes,
    counts: done,
    explored,
    units: [],
  }
  return await keptCheckpoint(checkpoint, 'linearize', host)
}

interface Found {
  readonly selected: SelectedObject
  readonly verdict: Verdict
  readonly counterexample: ClientCounterexample
  /** Of the first one. */
  readonly causes: SectionsEvidence | undefined
  readonly repair: string | undefined
}

function keptFinding({ selected, verdict, counterexample, causes, repair }: Found, host: SearchHost): ReportedFinding {
  const { processes, calls } = verdict.scope.params
  const context = {
    counterexample,
    causes,
    scope: scopeSentence(verdict),
    bounds: processes === undefined ? undefined : { processes: Number(processes), calls: Number(calls) },
    repairCommand: repair,
    sources: selected.loaded.sources,
  }
  const trace = traceOf(selected, verdict, counterexample)
  const folder = resolve(host.io.cwd, host.traceFolder)
  const path = unlessUnwritable(() => writeObjectTrace(folder, trace, context), 'trace', host)
  if (path === undefined) return {}
  const tracePath = typed(path, host.io)
  return { tracePath, replayCommand: traceCommands(tracePath).replayCommand }
}

function traceOf(
  { check, loaded, target }: SelectedObject,
  { scope }: Verdict,
  found: ClientCounterexample,
): ObjectTrace {
  const { granularity = 'access', criterion = 'linearizable', deadlock, engine, seed } = scope
  const { origin, specification } = target
  return {
    format: traceFormat,
    program: { name: check.name, file: loaded.file, digest: loaded.digest },
    setting: {
      client: found.client.text,
      subject: origin.kind === 'export' ? { export: origin.name } : { class: origin.name },
      granularity,
      criterion,
      deadlock,
      ...(specification === undefined ? {} : { specification }),
    },
    decisions: found.decisions,
    foundBy: { engine, seed, version: version() },
  }
}
