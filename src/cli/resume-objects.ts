/** `linearize --resume`: the check of a class exactly as it was set up, going on after the clients that are done. */
import { resolve } from 'node:path'
import { readObjectCheckpoint } from '../check/objects/checkpoint.ts'
import { loadTarget } from '../check/objects/target.ts'
import { type Result, success } from '../core/diagnostic.ts'
import type { Counts } from '../core/verdict.ts'
import type { TypedFlags } from './arguments.ts'
import type { Io } from './io.ts'
import type { ObjectFlags } from './object-flags.ts'
import { fixedBefore, misfit, programFile } from './resume.ts'
import type { SelectedObject } from './select-objects.ts'

/** Flags that would change what is explored. */
const fixedFlags: readonly (keyof TypedFlags)[] = [
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
  'seed',
  'granularity',
  'criterion',
  'deadlock',
  'keepGoing',
]

interface ResumedObject {
  readonly selected: SelectedObject
  readonly flags: ObjectFlags
  readonly counts: Counts
}

export async function resumedObject(
  typed: string,
  files: readonly string[],
  { flags, typed: given, io }: { readonly flags: ObjectFlags; readonly typed: TypedFlags; readonly io: Io },
): Promise<Result<ResumedObject>> {
  const unfit = fixedBefore(fixedFlags, files, given)
  if (!unfit.ok) return unfit
  const path = resolve(io.cwd, typed)
  const read = await readObjectCheckpoint(path, typed)
  if (!read.ok) return read
  const { program, options, counts } = read.value
  const target = { ...read.value.target, path: programFile(program.file, path, io.cwd) }
  const loaded = await loadTarget(target)
  if (!loaded.ok) return loaded
  if (loaded.value.loaded.digest !== program.digest)
    return misfit(typed, `${program.file}, or a file it imports, has changed since`)
  const { time, memory } = flags.options
  const place = loaded.value.loaded.checks.find(({ check }) => check === loaded.value.check)?.place
  return success({
    selected: { ...loaded.value, target, place },
    flags: { ...flags, options: { ...options, time, memory }, isPortfolio: false },
    counts,
  })
}
