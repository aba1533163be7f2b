/** Checkpoints: what a budget left of a search, as a versioned file that a later run goes on from. */
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { failure, type Result, success } from '../core/diagnostic.ts'
import { type FaultBudget, faultProblems } from '../core/faults.ts'
import type { Options } from '../core/options.ts'
import type { Params } from '../core/trace.ts'
import { type Json, valueFromJson, valueToJson } from '../core/value-json.ts'
import { type Counts, type MessageScope, unitFormat, type WorkUnit } from '../core/verdict.ts'
import { makeFolder } from '../runtime/folder.ts'
import { isRecord } from './trace-fields.ts'

const checkpointFormat = 'allways-checkpoint/2'

export interface Checkpoint {
  readonly program: { readonly name: string; readonly file: string; readonly digest: string }
  readonly setting: CheckpointSetting
  readonly engine: string
  /** Of the engine. */
  readonly options: Options
  /** Summed over all runs so far. */
  readonly counts: Counts
  /** Share of the search explored so far, as estimated. */
  readonly explored: number
  readonly units: readonly WorkUnit[]
}

/** Everything but budgets that decides what is explored. */
interface CheckpointSetting {
  readonly params: Params
  readonly network: MessageScope['network']
  readonly faults?: FaultBudget | undefined
  readonly deadlock: 'error' | 'allow'
  readonly maxSteps: number | null
  readonly keepGoing: boolean
}

/** Writes the checkpoint below `folder` and returns its path. Equal checkpoints have equal names. */
export async function writeCheckpoint(checkpoint: Checkpoint, folder: string): Promise<string> {
  const { program, setting, engine, options, counts, explored, units } = checkpoint
  const params = valueToJson(setting.params)
  const content = {
    format: checkpointFormat,
    program,
    setting: { ...setting, params },
    engine,
    options,
    counts,
    explored,
    units,
  }
  return await writeCheckpointFile(program.name, content, folder)
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
  if (!isCheckpoint(content.value)) return refused(shown, 'is damaged')
  const { setting } = content.value
  return success({ ...content.value, setting: { ...setting, params: valueFromJson(setting.params as Json) as Params } })
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

function isCheckpoint(content: unknown): content is Checkpoint {
  if (!isRecord(content)) return false
  const { program, setting, engine, options, counts, explored, units } = content
  return (
    isRecord(program) &&
    ['name', 'file', 'digest'].every((field) => typeof program[field] === 'string') &&
    isSetting(setting) &&
    typeof engine === 'string' &&
    isRecord(options) &&
    Object.values(options).every((value) => ['string', 'number', 'boolean'].includes(typeof value)) &&
    isRecord(counts) &&
    Object.values(counts).every(isCount) &&
    typeof explored === 'number' &&
    Array.isArray(units) &&
    units.every((unit) => isUnit(unit, engine))
  )
}

function isSetting(setting: unknown): boolean {
  return (
    isRecord(setting) &&
    isRecord(setting.params) &&
    typeof setting.network === 'string' &&
    (setting.faults === undefined || faultProblems(setting.faults).length === 0) &&
    (setting.deadlock === 'error' || setting.deadlock === 'allow') &&
    (setting.maxSteps === null || isCount(setting.maxSteps)) &&
    typeof setting.keepGoing === 'boolean'
  )
}

function isUnit(unit: unknown, engine: string): boolean {
  return isRecord(unit) && unit.format === unitFormat && unit.engine === engine && 'state' in unit
}

export function isCount(candidate: unknown): boolean {
  return Number.isSafeInteger(candidate) && (candidate as number) >= 0
}
