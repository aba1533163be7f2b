/**
 * What lies in Redis of a run. Which units are left and what is known of the others is in keys of our own, and is the truth; the queue of
 * BullMQ holds ids of units, says whose turn it is and notices who died. A job too many or too few does no harm: a unit that has a
 * record is not explored again, and who submitted the run adds jobs for all units that have none.
 */
import { createHash } from 'node:crypto'
import { prefix } from './connection.ts'

/** By when they began. */
export const runsKey = `${prefix}:runs`

/** A run that nobody has touched for so long is gone. */
export const runMilliseconds = 24 * 60 * 60 * 1000

export interface RunKeys {
  /** `manifest`, sealed; `state`. */
  readonly run: string
  readonly bundle: string
  /** By id of those without a record, sealed. */
  readonly units: string
  /** By id of those without a record: how often somebody has begun with it. */
  readonly starts: string
  /** By id, sealed. */
  readonly records: string
  /** Ids in the order of their records. */
  readonly done: string
  /** By worker: when it was heard of last. */
  readonly workers: string
  /** By worker: why it takes nothing of this run; one of a few words. */
  readonly refused: string
  /** By worker: what it says at the end, sealed. */
  readonly finished: string
  /** Ids of units that ended their workers. */
  readonly deadly: string
  /** Who collects. */
  readonly submitter: string
}

const names = [
  'run',
  'bundle',
  'units',
  'starts',
  'records',
  'done',
  'workers',
  'refused',
  'finished',
  'deadly',
  'submitter',
] as const

export function keysOf(run: string): RunKeys {
  return Object.fromEntries(names.map((name) => [name, `${prefix}:${run}:of-${name}`])) as unknown as RunKeys
}

/** Keys of the queue that are not those of single jobs. */
export function queueKeysOf(run: string): readonly string[] {
  const own = ['active', 'wait', 'id', 'meta', 'events', 'stalled', 'marker', 'completed', 'failed', 'pc', 'delayed']
  return own.map((name) => `${prefix}:${run}:${name}`)
}

/** The same whoever splits a unit in the same way; BullMQ wants no numbers. */
export function childId(parent: string, at: number): string {
  return `u${createHash('sha256').update(`${parent}/${at}`).digest('hex').slice(0, 20)}`
}
