/** A run as one of its workers sees it: units are taken one after the other, and what came of each is recorded. */
import type { Diagnostic } from '../../core/diagnostic.ts'
import type { WorkUnit } from '../../core/verdict.ts'
import type { UnitRecord } from '../carrier.ts'
import { lockMilliseconds, prefix, type Queue, queueOf, type Redis, takerOf, type Worker } from './connection.ts'
import type { Manifest, RunContent } from './run-content.ts'
import { addJobs, keepForADay } from './run-jobs.ts'
import { keysOf, type RunKeys, runsKey } from './run-keys.ts'
import { beatOf, keepRecord, noteDeadly, type RunState, sayIn, takeUnit } from './scripts.ts'

/** A unit that was begun so often, and never recorded, ends whoever explores it. */
const mostDeaths = 3
const beatMilliseconds = 250

/** Why a worker takes nothing of a run. */
export type Refusal = 'key' | 'versions' | 'bundle' | 'program' | 'forged'

export interface TakenUnit {
  readonly id: string
  readonly units: readonly WorkUnit[]
  /** Times that somebody began with it, this one included. */
  readonly starts: number
  /** Few units wait, so that others may have nothing to do. */
  readonly isScarce: boolean
  readonly sealed: Buffer
  /** It has a record, or nobody needs one; or somebody else shall take it. */
  readonly done: (isDone: boolean) => Promise<void>
}

/** Runs at this Redis, the oldest first. */
export async function runsAt(redis: Redis): Promise<readonly string[]> {
  const runs = await redis.zrange(runsKey, '0', '-1')
  const present: string[] = []
  for (const run of runs) {
    // Of a run that nobody has collected only its name is left.
    if ((await redis.exists(keysOf(run).run)) === 1) present.push(run)
    else await redis.zrem(runsKey, run)
  }
  return present
}

export class TakenRun {
  readonly run: string
  readonly #redis: Redis
  readonly #worker: string
  readonly #content: RunContent
  readonly #keys: RunKeys
  #taker: Worker | undefined
  #queue: Queue | undefined
  #beating: NodeJS.Timeout | undefined
  /** The unit that is explored. */
  #unit = ''
  state: RunState = 'running'
  /** Of the unit that is explored. */
  isNeeded = true

  constructor(redis: Redis, run: string, worker: string, content: RunContent) {
    this.run = run
    this.#redis = redis
    this.#worker = worker
    this.#content = content
    this.#keys = keysOf(run)
  }

  /** Says that somebody is there, from now on; false if the run does not begin anything any more. */
  async join(): Promise<boolean> {
    await this.#beat()
    if (this.state !== 'running') {
      await this.leave()
      return false
    }
    this.#beating = setInterval(() => void this.#beat().catch(() => undefined), beatMilliseconds)
    return true
  }

  async #beat(): Promise<void> {
    const unit = this.#unit
    const { state, isNeeded } = await beatOf(this.#redis, this.#keys, this.#worker, unit)
    this.state = state
    if (unit === this.#unit) this.isNeeded = isNeeded
  }

  /** Nothing if it was not made with the key. */
  async manifest(): Promise<Manifest | undefined> {
    const sealed = await this.#redis.hgetBuffer(this.#keys.run, 'manifest')
    return sealed === null ? undefined : this.#content.manifest.opened(sealed)
  }

  async bundle(): Promise<Buffer> {
    return (await this.#redis.getBuffer(this.#keys.bundle)) ?? Buffer.alloc(0)
  }

  async refuse(why: Refusal): Promise<void> {
    await sayIn(this.#redis, this.#keys, { key: this.#keys.refused, worker: this.#worker, what: why })
  }

  /** Whether somebody wants more units than there are is seen from how many wait. */
  async take(): Promise<TakenUnit | undefined> {
    if (this.#taker === undefined) {
      this.#taker = await takerOf(this.run, this.#redis)
      await this.#taker.startStalledCheckTimer()
    }
    const token = this.#worker
    const job = await this.#taker.getNextJob(token, { block: false })
    if (job?.id === undefined) return undefined
    const locking = setInterval(
      () => void job.extendLock(token, lockMilliseconds).catch(() => undefined),
      lockMilliseconds / 4,
    )
    const done = async (isDone: boolean): Promise<void> => {
      clearInterval(locking)
      this.#unit = ''
      // Who was taken for dead has no job to end.
      if (isDone) await job.moveToCompleted(true, token, false).catch(() => undefined)
      else await job.moveToWait(token).catch(() => undefined)
    }
    const { id } = job
    await keepForADay(this.#redis, this.run)
    const taken = await takeUnit(this.#redis, this.#keys, id)
    const units = taken && this.#content.unit.opened(id, taken.sealed)
    if (taken === undefined || units === undefined || taken.starts > mostDeaths) {
      if (taken !== undefined && units === undefined) await this.refuse('forged')
      else if (taken !== undefined) await noteDeadly(this.#redis, this.#keys, id)
      await done(true)
      return undefined
    }
    this.#unit = id
    this.isNeeded = true
    const [waiting, workers] = await Promise.all([
      this.#redis.llen(`${prefix}:${this.run}:wait`),
      this.#redis.zcard(this.#keys.workers),
    ])
    return { id, units, starts: taken.starts, isScarce: waiting < 2 * workers, sealed: taken.sealed, done }
  }

  /** A second record of a unit is dropped. */
  async keep(unit: TakenUnit, record: UnitRecord, left: readonly (readonly WorkUnit[])[]): Promise<void> {
    const children = record.children.map(({ id }, at) => {
      return [id, this.#content.unit.sealed(id, left[at] ?? [])] as const
    })
    const sealed = this.#content.record.sealed(record)
    const kept = await keepRecord(this.#redis, this.#keys, { id: unit.id, sealed, children, unit: unit.sealed })
    if (kept !== 'kept' || children.length === 0) return
    this.#queue ??= await queueOf(this.run, this.#redis)
    const ids = record.children.map(({ id }) => id)
    await addJobs(this.#queue, this.#redis, this.run, ids)
  }

  async say(wrong: Diagnostic | undefined): Promise<void> {
    const sealed = this.#content.finished.sealed(this.#worker, wrong)
    await sayIn(this.#redis, this.#keys, { key: this.#keys.finished, worker: this.#worker, what: sealed })
  }

  /** Nothing is written to the run after it. */
  async leave(): Promise<void> {
    clearInterval(this.#beating)
    await this.#taker?.close(true).catch(() => undefined)
    await this.#queue?.close().catch(() => undefined)
    await this.#redis.zrem(this.#keys.workers, this.#worker).catch(() => undefined)
  }
}
