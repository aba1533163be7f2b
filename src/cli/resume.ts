/** `--resume`: a search exactly as it was set up, of a program or of a class, going on from its checkpoint with new budgets. */
import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { optionsOfEngines } from '../check/catalogue.ts'
import { type Checkpoint, readCheckpoint } from '../check/checkpoint.ts'
import { loadPrograms } from '../check/load.ts'
import { sweepOptions } from '../check/objects/sweep.ts'
import { loadTarget } from '../check/objects/target.ts'
import type { CheckOptions } from '../check/request.ts'
import { failure, type Result, success } from '../core/diagnostic.ts'
import type { ClassOrigin } from '../core/trace.ts'
import type { TypedFlags } from './arguments.ts'
import type { ObjectFlags } from './object-flags.ts'
import { classJob } from './object-search.ts'
import type { Job } from './run-searches.ts'
import { programJob } from './search.ts'

/** Flags that would change what is explored, in whichever command. */
const fixedFlags: readonly (keyof TypedFlags)[] = [
  'engine',
  'network',
  'param',
  'faults',
  'seed',
  'keepGoing',
  'deadlock',
  'maxSteps',
  'testName',
  'class',
  'client',
  'args',
  'processes',
  'calls',
  'spec',
  'reduction',
  'static',
  'stateless',
  'order',
  'granularity',
  'criterion',
]

/** What a resumed search is told anew. */
interface Told {
  readonly typed: TypedFlags
  readonly budget: Pick<CheckOptions, 'time' | 'memory' | 'maxExecutions'>
  /** For a class. */
  readonly flags: ObjectFlags
  readonly cwd: string
}

interface Resumed {
  readonly job: Job
  readonly isClass: boolean
}

export async function resumed(typed: string, files: readonly string[], told: Told): Promise<Result<Resumed>> {
  const unfit = fixedBefore(files, told.typed)
  if (!unfit.ok) return unfit
  const path = resolve(told.cwd, typed)
  const checkpoint = await readCheckpoint(path, typed)
  if (!checkpoint.ok) return checkpoint
  const { program, units } = checkpoint.value
  // What was left of a class are clients; of anything else it is units, and a search without any is over.
  if (program.origin === undefined && units.length === 0) return misfit(typed, 'no work is left in it')
  const saved = { checkpoint: checkpoint.value, typed, path: programFile(program.file, path, told.cwd) }
  const isClass = program.origin !== undefined
  const job = await (program.origin === undefined ? ofProgram(saved, told) : ofClass(saved, program.origin, told))
  return job.ok ? success({ job: job.value, isClass }) : job
}

interface Saved {
  readonly checkpoint: Checkpoint
  readonly typed: string
  /** Of the program. */
  readonly path: string
}

async function ofProgram(
  { checkpoint, typed, path }: Saved,
  { budget: { time, memory, maxExecutions } }: Told,
): Promise<Result<Job>> {
  const { program } = checkpoint
  const loaded = await loadPrograms(path)
  if (!loaded.ok) return loaded
  const selected = loaded.value.programs.find((one) => one.program.name === program.name)
  if (selected === undefined) return misfit(typed, `${program.file} no longer has a program "${program.name}"`)
  if (loaded.value.digest !== program.digest) return misfit(typed, changed(program.file))
  const options = { ...optionsOf(checkpoint), time, memory, maxExecutions }
  return success(programJob({ selected: { ...selected, path, loaded: loaded.value }, options, checkpoint }))
}

async function ofClass(
  { checkpoint, typed, path }: Saved,
  origin: ClassOrigin,
  { flags, budget: { time, memory } }: Told,
): Promise<Result<Job>> {
  const { program, setting, counts } = checkpoint
  const options = { ...sweepOptions(checkpoint), time, memory }
  const specification = setting.options.specification?.toString()
  const target = { path, origin, specification, hasClients: options.clients !== undefined }
  const loaded = await loadTarget(target)
  if (!loaded.ok) return loaded
  if (loaded.value.loaded.digest !== program.digest) return misfit(typed, changed(program.file))
  const place = loaded.value.loaded.checks.find(({ check }) => check === loaded.value.check)?.place
  return success(classJob({ ...loaded.value, target, place }, { ...flags, options, isPortfolio: false }, counts))
}

/** What a resumed search cannot be told any more. */
function fixedBefore(files: readonly string[], flags: TypedFlags): Result<undefined> {
  const names = [...fixedFlags, ...optionsOfEngines('exploring').map(({ name }) => name)]
  const fixed = [...new Set(names)].filter((name) => flags[name as keyof TypedFlags] !== undefined)
  if (fixed.length === 0 && files.length === 0) return success(undefined)
  return failure({
    code: 'E107',
    message: `${[...fixed.map(flagText), ...files].join(', ')} cannot be given together with --resume`,
    hint: 'a resumed search is set up as it was; only budgets and outputs may change',
  })
}

/** Where the program of a trace or checkpoint lies: seen from here, or from the folder that `.allways` is in. */
export function programFile(file: string, savedAt: string, cwd: string): string {
  const fromHere = resolve(cwd, file)
  const fromSaved = resolve(dirname(savedAt), '..', '..', file)
  return !existsSync(fromHere) && existsSync(fromSaved) ? fromSaved : fromHere
}

function optionsOf({ setting, engine, options, keepGoing }: Checkpoint): CheckOptions {
  const { params, network, faults, bounds, start } = setting
  const deadlock = setting.options.deadlock as CheckOptions['deadlock']
  return { engine, network, params, faults, deadlock, options, start, maxSteps: bounds.maxSteps, keepGoing }
}

function changed(file: string): string {
  return `${file}, or a file it imports, has changed since`
}

function misfit(typed: string, why: string): Result<never> {
  return failure({
    code: 'E405',
    message: `the checkpoint ${typed} does not fit: ${why}`,
    hint: 'start the search again, without --resume',
  })
}

function flagText(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}
