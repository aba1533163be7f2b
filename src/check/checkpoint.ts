/** Checkpoints: what a budget left of a search, as a versioned file that a later run goes on from. */
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { failure, type Result, success } from '../core/diagnostic.ts'
import type { Options } from '../core/options.ts'
import type { Setting } from '../core/setting.ts'
import type { ProgramRef } from '../core/trace.ts'
import { type Counts, unitFormat, type WorkUnit } from '../core/verdict.ts'
import { makeFolder } from '../runtime/folder.ts'
import { optionFromJson, settingFromJson, settingToJson } from './setting-json.ts'
import { Field, isRecord, programFromJson } from './trace-fields.ts'

const checkpointFormat = 'allways-checkpoint/2'

export interface Checkpoint {
  readonly program: ProgramRef
  readonly setting: Setting
  readonly engine: string
  /** Of the engine. */
  readonly options: Options
  /** Collect all violations. */
  readonly keepGoing: boolean
  /** Of a class: look for the lines that must be atomic. */
  readonly causes?: boolean | undefined
  /** Summed over all runs so far. */
  readonly counts: Counts
  /** Share of the search explored so far, as estimated. */
  readonly explored: number
  /** None of a class, whose counts say how many clients are done. */
  readonly units: readonly WorkUnit[]
}

/** Writes the checkpoint below `folder` and returns its path. Equal checkpoints have equal names. */
export async function writeCheckpoint(checkpoint: Checkpoint, folder: string): Promise<string> {
  const { setting, ...rest } = checkpoint
  const content = { format: checkpointFormat, ...rest, setting: settingToJson(setting) }
  const text = `${JSON.stringify(content)}\n`
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 8)
  const path = join(folder, `${slug(checkpoint.program.name)}.${digest}.json`)
  makeFolder(folder)
  await writeFile(path, text)
  return path
}

function slug(name: string): string {
  return (
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 60) || 'program'
  )
}

export async function readCheckpoint(path: string, shown: string): Promise<Result<Checkpoint>> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch {
    const hint = 'an incomplete check prints its path'
    return failure({ code: 'E101', message: `there is no checkpoint ${shown}`, hint })
  }
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    return refused(shown, 'is not a checkpoint: it is not JSON')
  }
  const { format } = isRecord(content) ? content : {}
  if (typeof format !== 'string' || !format.startsWith('allways-checkpoint/'))
    return refused(shown, 'is not a checkpoint')
  if (format !== checkpointFormat)
    return refused(shown, `has format "${format}", and this version reads "${checkpointFormat}"`)
  const problems: string[] = []
  const checkpoint = checkpointFromJson(new Field(content, '', problems))
  return problems.length > 0 ? refused(shown, 'is damaged') : success(checkpoint)
}

function checkpointFromJson(file: Field): Checkpoint {
  const engine = file.at('engine').text()
  const causes = file.at('causes')
  return {
    program: programFromJson(file.at('program')),
    setting: settingFromJson(file.at('setting')),
    engine,
    options: namedIn(file.at('options'), optionFromJson),
    keepGoing: file.at('keepGoing').flag(),
    causes: causes.isPresent ? causes.flag() : undefined,
    counts: namedIn(file.at('counts'), (field) => field.count()),
    explored: file.at('explored').share(),
    units: file
      .at('units')
      .items()
      .map((field) => (isUnit(field.raw, engine) ? (field.raw as WorkUnit) : field.wrong('a unit of work', noUnit))),
  }
}

const noUnit: WorkUnit = { format: unitFormat, engine: '', state: undefined }

function namedIn<T>(field: Field, read: (field: Field) => T): { readonly [name: string]: T } {
  return Object.fromEntries(field.entries().map(([name, one]) => [name, read(one)]))
}

function refused(shown: string, why: string): Result<never> {
  return failure({ code: 'E405', message: `${shown} ${why}`, hint: 'start the search again, without --resume' })
}

function isUnit(unit: unknown, engine: string): boolean {
  return isRecord(unit) && unit.format === unitFormat && unit.engine === engine && 'state' in unit
}
