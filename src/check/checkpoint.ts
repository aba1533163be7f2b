/** Checkpoints: what a budget left of a search, as a versioned file that a later run goes on from. */
import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { failure, type Result, success } from '../core/diagnostic.ts'
import type { Params } from '../core/trace.ts'
import { type Json, valueFromJson, valueToJson } from '../core/value-json.ts'
import { type Counts, type Scope, unitFormat, type WorkUnit } from '../core/verdict.ts'
import { scheduleNames } from './request.ts'

const checkpointFormat = 'allways-checkpoint/1'

export interface Checkpoint {
  readonly program: { readonly name: string; readonly file: string; readonly digest: string }
  readonly setting: CheckpointSetting
  readonly engine: string
  /** Summed over all runs so far. */
  readonly counts: Counts
  /** Share of the search explored so far, as estimated. */
  readonly explored: number
  readonly units: readonly WorkUnit[]
}

/** Everything but budgets that decides what is explored. */
interface CheckpointSetting {
  readonly params: Params
  readonly network: Scope['network']
  readonly deadlock: 'error' | 'allow'
  readonly seed: number
  readonly schedule: string
  readonly samples: number
  readonly depth: number
  readonly maxSteps: number | null
  readonly keepGoing: boolean
}

/** Writes the checkpoint below `folder` and returns its path. Equal checkpoints have equal names. */
export async function writeCheckpoint(checkpoint: Checkpoint, folder: string): Promise<string> {
  const { program, setting, engine, counts, explored, units } = checkpoint
  const params = valueToJson(setting.params)
  const content = {
    format: checkpointFormat,
    program,
    setting: { ...setting, params },
    engine,
    counts,
    explored,
    units,
  }
  const text = `${JSON.stringify(content)}\n`
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 8)
  const path = join(folder, `${slug(program.name)}.${digest}.json`)
  await mkdir(folder, { recursive: true })
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
    return failure({
      code: 'E101',
      message: `there is no checkpoint ${shown}`,
      hint: 'an incomplete check prints its path',
    })
  }
  return parseCheckpoint(text, shown)
}

function parseCheckpoint(text: string, shown: string): Result<Checkpoint> {
  const refuse = (why: string) =>
    failure({ code: 'E405', message: `${shown} ${why}`, hint: 'start the search again, without --resume' })
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    return refuse('is not a checkpoint: it is not JSON')
  }
  const { format } = isRecord(content) ? content : {}
  if (typeof format !== 'string' || !format.startsWith('allways-checkpoint/')) return refuse('is not a checkpoint')
  if (format !== checkpointFormat) return refuse(`has format "${format}", and this version reads "${checkpointFormat}"`)
  if (!isCheckpoint(content)) return refuse('is damaged')
  const { setting } = content
  return success({ ...content, setting: { ...setting, params: valueFromJson(setting.params as Json) as Params } })
}

function isCheckpoint(content: unknown): content is Checkpoint {
  if (!isRecord(content)) return false
  const { program, setting, engine, counts, explored, units } = content
  return (
    isRecord(program) &&
    ['name', 'file', 'digest'].every((field) => typeof program[field] === 'string') &&
    isSetting(setting) &&
    typeof engine === 'string' &&
    isRecord(counts) &&
    ['executions', 'blocked', 'events', 'longest'].every((field) => isCount(counts[field])) &&
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
    (setting.deadlock === 'error' || setting.deadlock === 'allow') &&
    Number.isSafeInteger(setting.seed) &&
    scheduleNames.some((name) => name === setting.schedule) &&
    isCount(setting.samples) &&
    isCount(setting.depth) &&
    (setting.maxSteps === null || isCount(setting.maxSteps)) &&
    typeof setting.keepGoing === 'boolean'
  )
}

function isUnit(unit: unknown, engine: string): boolean {
  return isRecord(unit) && unit.format === unitFormat && unit.engine === engine && 'state' in unit
}

function isCount(candidate: unknown): boolean {
  return Number.isSafeInteger(candidate) && (candidate as number) >= 0
}

function isRecord(candidate: unknown): candidate is { readonly [field: string]: unknown } {
  return typeof candidate === 'object' && candidate !== null && !Array.isArray(candidate)
}
