/** Checkpoints: what a budget left of a search, as a versioned file that a later run goes on from. */
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { failure, type Result, success } from '../core/diagnostic.ts'
import type { Options } from '../core/options.ts'
import type { Setting } from '../core/setting.ts'
import { type Counts, unitFormat, type WorkUnit } from '../core/verdict.ts'
import { makeFolder } from '../runtime/folder.ts'
import { optionFromJson, settingFromJson, settingToJson } from './setting-json.ts'
import { Field, isRecord, programFromJson } from './trace-fields.ts'

const checkpointFormat = 'allways-checkpoint/2'

export interface Checkpoint {
  readonly program: { readonly name: string; readonly file: string; readonly digest: string }
  readonly setting: Setting
  readonly engine: string
  /** Of the engine. */
  readonly options: Options
  /** Collect all violations. */
  readonly keepGoing: boolean
  /** Summed over all runs so far. */
  readonly counts: Counts
  /** Share of the search explored so far, as estimated. */
  readonly explored: number
  readonly units: readonly WorkUnit[]
}

/** Writes the checkpoint below `folder` and returns its path. Equal checkpoints have equal names. */
export async function writeCheckpoint(checkpoint: Checkpoint, folder: string): Promise<string> {
  const { setting, ...rest } = checkpoint
  const content = { format: checkpointFormat, ...rest, setting: settingToJson(setting) }
  return await writeCheckpointFile(checkpoint.program.name, content, folder)
}

export async function writeCheckpointFile(name: string, content: object, folder: string): Promise<string> {
  const text = `${JSON.stringify(content)}\n`
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 8)
  const path = join(folder, `${slug(name)}.${digest}.json`)
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
  const content = await readCheckpointFile(path, shown, checkpointFormat)
  if (!content.ok) return content
  const problems: string[] = []
  const checkpoint = checkpointFromJson(new Field(content.value, '', problems))
  return problems.length > 0 ? refused(shown, 'is damaged') : success(checkpoint)
}

function checkpointFromJson(file: Field): Checkpoint {
  const engine = file.at('engine').text()
  return {
    program: programFromJson(file.at('program')),
    setting: settingFromJson(file.at('setting')),
    engine,
    options: namedIn(file.at('options'), optionFromJson),
    keepGoing: file.at('keepGoing').flag(),
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

/** Which command goes on with a checkpoint of which kind. */
const resumers = { 'allways-checkpoint/': 'check', 'allways-clients/': 'linearize' } as const

/** The content of a checkpoint of this format; nothing in it is checked but that. */
export async function readCheckpointFile(path: string, shown: string, wanted: string): Promise<Result<unknown>> {
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
  if (typeof format !== 'string') return refused(shown, 'is not a checkpoint')
  const kind = Object.entries(resumers).find(([prefix]) => format.startsWith(prefix))
  if (kind === undefined) return refused(shown, 'is not a checkpoint')
  const [prefix, command] = kind
  if (!wanted.startsWith(prefix))
    return refused(shown, `is a checkpoint of allways ${command}`, `write allways ${command} --resume ${shown}`)
  if (format !== wanted) return refused(shown, `has format "${format}", and this version reads "${wanted}"`)
  return success(content)
}

export function refused(shown: string, why: string, hint = 'start the search again, without --resume'): Result<never> {
  return failure({ code: 'E405', message: `${shown} ${why}`, hint })
}

function isUnit(unit: unknown, engine: string): boolean {
  return isRecord(unit) && unit.format === unitFormat && unit.engine === engine && 'state' in unit
}

export function isCount(candidate: unknown): boolean {
  return Number.isSafeInteger(candidate) && (candidate as number) >= 0
}
