/** One class check of the command line: run it, keep what it found on disk, and say how to go on. */
import type { Checkpoint } from '../check/checkpoint.ts'
import { located } from '../check/locate.ts'
import { type ObjectCheckOptions, objectRequest } from '../check/objects/options.ts'
import { runPortfolio } from '../check/objects/portfolio.ts'
import type { ObjectProgress, ObjectRunOptions } from '../check/objects/request.ts'
import { type ObjectChecked, runObjectCheck } from '../check/objects/run.ts'
import { clientSetting, sweepSetting } from '../check/objects/sweep.ts'
import { sourceLines } from '../check/source-places.ts'
import { failure, type Result, success } from '../core/diagnostic.ts'
import { evidenceOf } from '../core/evidence.ts'
import type { Counts } from '../core/verdict.ts'
import type { Reported } from '../reports/result.ts'
import { scopeSentence } from '../reports/scope.ts'
import { fixCommand } from './commands-to-paste.ts'
import { exitCodes } from './exit-codes.ts'
import { fixed } from './fix.ts'
import type { ObjectFlags } from './object-flags.ts'
import { objectProgressText } from './object-progress.ts'
import { withProgress } from './progress-line.ts'
import type { Job } from './run-searches.ts'
import { keptCheckpoint, keptTrace, type Searched, type SearchHost } from './search.ts'
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
  const { scope } = verdict
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
      const known = at === 0 ? { causes, repairCommand: repair } : {}
      const setting = clientSetting({ check, options, scope, specification }, counterexample.client.text)
      const { engine, seed } = scope
      const found = {
        name: check.name,
        loaded,
        origin,
        setting,
        foundBy: { engine, seed },
        scope: scopeSentence(verdict),
      }
      return keptTrace({ ...found, ...known }, counterexample, host)
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
