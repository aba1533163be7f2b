/**
 * Checkpoints of class checks. Clients are enumerated in the same order every time, so how many of them are done says where to
 * go on; a client that was not finished is explored from its beginning.
 */
import { failure, type Result, success } from '../../core/diagnostic.ts'
import type { Counts, Scope } from '../../core/verdict.ts'
import { isCount, readCheckpointFile, refused, writeCheckpointFile } from '../checkpoint.ts'
import { isRecord } from '../trace-fields.ts'
import type { ObjectCheckOptions } from './options.ts'
import type { ObjectTarget } from './target.ts'

const clientsFormat = 'allways-clients/2'

export interface ObjectCheckpoint {
  readonly program: { readonly name: string; readonly file: string; readonly digest: string }
  readonly target: Omit<ObjectTarget, 'path'>
  readonly options: ResumableOptions
  /** Of the clients that are done, summed over all runs so far. */
  readonly counts: Counts
}

/** Everything but budgets that decides what is explored. */
type ResumableOptions = Pick<ObjectCheckOptions, (typeof optionNames)[number]>

const optionNames = [
  'engine',
  'options',
  'reduction',
  'safeSets',
  'stateless',
  'order',
  'seed',
  'granularity',
  'criterion',
  'clients',
  'processes',
  'calls',
  'keepGoing',
  'causes',
  'deadlock',
] as const

/** With the reduction that was used: of a portfolio, that of the member whose counts these are. */
export function resumableOptions(options: ObjectCheckOptions, scope: Scope): ResumableOptions {
  const reduction = scope.options?.reduction as ResumableOptions['reduction']
  const chosen = reduction === undefined ? {} : { reduction }
  return { ...Object.fromEntries(optionNames.map((name) => [name, options[name]])), ...chosen }
}

export async function writeObjectCheckpoint(checkpoint: ObjectCheckpoint, folder: string): Promise<string> {
  return await writeCheckpointFile(checkpoint.program.name, { format: clientsFormat, ...checkpoint }, folder)
}

export async function readObjectCheckpoint(path: string, shown: string): Promise<Result<ObjectCheckpoint>> {
  const content = await readCheckpointFile(path, shown, clientsFormat)
  if (!content.ok) return failure(...content.diagnostics)
  return isObjectCheckpoint(content.value) ? success(content.value) : refused(shown, 'is damaged')
}

/** What the options say is checked where all options are. */
function isObjectCheckpoint(content: unknown): content is ObjectCheckpoint {
  if (!isRecord(content)) return false
  const { program, target, options, counts } = content
  return (
    isRecord(program) &&
    ['name', 'file', 'digest'].every((field) => typeof program[field] === 'string') &&
    isRecord(target) &&
    isOrigin(target.origin) &&
    typeof target.hasClients === 'boolean' &&
    (target.specification === undefined || typeof target.specification === 'string') &&
    isRecord(options) &&
    (options.clients === undefined || isTexts(options.clients)) &&
    isRecord(counts) &&
    isCount(counts.clients) &&
    Object.values(counts).every(isCount)
  )
}

function isOrigin(origin: unknown): boolean {
  if (!isRecord(origin) || typeof origin.name !== 'string') return false
  return origin.kind === 'export' || (origin.kind === 'class' && isTexts(origin.args))
}

function isTexts(candidate: unknown): boolean {
  return Array.isArray(candidate) && candidate.every((text) => typeof text === 'string')
}
