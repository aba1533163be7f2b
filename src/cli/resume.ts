/** `--resume`: a search exactly as it was set up, going on from its checkpoint with new budgets. */
import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { optionsOfEngines } from '../check/catalogue.ts'
import { type Checkpoint, readCheckpoint } from '../check/checkpoint.ts'
import { loadPrograms } from '../check/load.ts'
import type { CheckOptions } from '../check/request.ts'
import { failure, type Result, success } from '../core/diagnostic.ts'
import type { TypedFlags } from './arguments.ts'
import type { SearchFlags } from './flags.ts'
import type { Search } from './search.ts'

/** Flags that would change what is explored. */
const fixedFlags = [
  'engine',
  'network',
  'param',
  'faults',
  'seed',
  'keepGoing',
  'deadlock',
  'maxSteps',
  'testName',
] as const

interface Place {
  readonly search: SearchFlags
  readonly cwd: string
}

export async function resumedSearch(
  typed: string,
  files: readonly string[],
  flags: TypedFlags,
  place: Place,
): Promise<Result<Search>> {
  const unfit = fixedBefore([...fixedFlags, ...optionsOfEngines('exploring').map(({ name }) => name)], files, flags)
  if (!unfit.ok) return unfit
  const path = resolve(place.cwd, typed)
  const checkpoint = await readCheckpoint(path, typed)
  if (!checkpoint.ok) return checkpoint
  const { program } = checkpoint.value
  const file = programFile(program.file, path, place.cwd)
  const loaded = await loadPrograms(file)
  if (!loaded.ok) return loaded
  const selected = loaded.value.programs.find((one) => one.program.name === program.name)
  if (selected === undefined) return misfit(typed, `${program.file} no longer has a program "${program.name}"`)
  if (loaded.value.digest !== program.digest)
    return misfit(typed, `${program.file}, or a file it imports, has changed since`)
  return success({
    selected: { ...selected, path: file, loaded: loaded.value },
    options: { ...place.search.options, ...optionsOf(checkpoint.value) },
    checkpoint: checkpoint.value,
  })
}

/** What a resumed search cannot be told any more. */
export function fixedBefore(names: readonly string[], files: readonly string[], flags: TypedFlags): Result<undefined> {
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

export function misfit(typed: string, why: string): Result<never> {
  return failure({
    code: 'E405',
    message: `the checkpoint ${typed} does not fit: ${why}`,
    hint: 'start the search again, without --resume',
  })
}

function flagText(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}
