/** Checkpoints: what a budget left of a search, as a versioned file that a later run goes on from. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { isSealed, longestArtifact, parsedJson, sealed } from '../artifact/artifact.ts'
import { namedText } from '../artifact/named-file.ts'
import { schemaProblems } from '../artifact/schemas.ts'
import { writeWhole } from '../artifact/write.ts'
import { DiagnosticError, failure, type Result, success } from '../core/diagnostic.ts'
import type { Options } from '../core/options.ts'
import type { Setting } from '../core/setting.ts'
import type { ProgramRef } from '../core/trace.ts'
import { type Counts, unitFormat, type WorkUnit } from '../core/verdict.ts'
import { unitsAddUp } from './checkpoint-sum.ts'
import { optionFromJson, settingFromJson, settingToJson } from './setting-json.ts'
import { Field, isRecord, programFromJson } from './trace-fields.ts'

const checkpointFormat = 'allways-checkpoint/3'

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
export function writeCheckpoint(checkpoint: Checkpoint, folder: string): string {
  const text = checkpointText(checkpoint)
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 8)
  const path = join(folder, `${slug(checkpoint.program.name)}.${digest}.json`)
  writeWhole(path, text)
  return path
}

export function checkpointText({ setting, ...rest }: Checkpoint): string {
  const content = { format: checkpointFormat, ...rest, setting: settingToJson(setting) }
  return `${JSON.stringify(sealed(content))}\n`
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

export function readCheckpoint(path: string, shown: string): Result<Checkpoint> {
  const text = namedText(path, checkpointFile, shown)
  if (!text.ok) return text
  const checkpoint = checkpointIn(text.value, shown)
  // How many clients a class has is known when it is loaded.
  if (!checkpoint.ok || checkpoint.value.program.origin !== undefined) return checkpoint
  return addsUp(checkpoint.value) ? checkpoint : notAddingUp(shown)
}

/** Whether it adds up is not asked. */
export function checkpointIn(text: string, shown: string): Result<Checkpoint> {
  const parsed = parsedJson(text)
  if ('why' in parsed) return refused(shown, `is not a checkpoint: ${parsed.why}`)
  const content = isRecord(parsed.json) ? parsed.json : {}
  const { format } = content
  if (typeof format !== 'string' || !format.startsWith('allways-checkpoint/'))
    return refused(shown, 'is not a checkpoint')
  if (format !== checkpointFormat)
    return refused(shown, `has format "${format}", and this version reads "${checkpointFormat}"`)
  if (!isSealed(content)) return refused(shown, 'is damaged: its digest is wrong')
  const problems: string[] = []
  const checkpoint = checkpointFromJson(new Field(content, '', problems))
  if (problems.length === 0) problems.push(...schemaProblems('checkpoint-3', content))
  if (problems.length > 0) return refused(shown, `is damaged: ${problems[0]}`)
  return success(checkpoint)
}

const checkpointFile = {
  what: 'checkpoint',
  longest: longestArtifact,
  hint: 'an incomplete check prints its path',
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

/** A unit that its engine did not make adds nothing up. */
function addsUp(checkpoint: Checkpoint): boolean {
  try {
    return unitsAddUp(checkpoint)
  } catch (error) {
    if (error instanceof DiagnosticError) return false
    throw error
  }
}

export function notAddingUp(shown: string): Result<never> {
  return refused(shown, 'does not add up: what it says is explored and what it says is left are not all of one search')
}

function refused(shown: string, why: string): Result<never> {
  return failure({ code: 'E405', message: `${shown} ${why}`, hint: 'start the search again, without --resume' })
}

function isUnit(unit: unknown, engine: string): boolean {
  return isRecord(unit) && unit.format === unitFormat && unit.engine === engine && 'state' in unit
}
