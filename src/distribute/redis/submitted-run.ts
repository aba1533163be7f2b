/** A run as its submitter sees it: begun, collected, and nothing left of it. */
import { setTimeout as delay } from 'node:timers/promises'
import { type Diagnostic, DiagnosticError } from '../../core/diagnostic.ts'
import type { Rest, WorkUnit } from '../../core/verdict.ts'
import type { Carrier, News, Piece, UnitRecord } from '../carrier.ts'
import type { Driven } from '../driver.ts'
import { firstUnit } from '../scattered.ts'
import { Absence, type AwayLimits } from './absence.ts'
import {
  answered,
  isFull,
  isUnanswered,
  type Queue,
  queueOf,
  type Redis,
  unreachable,
  whyFailed,
} from './connection.ts'
import type { Manifest, RunContent } from './run-content.ts'
import { addJobs, forgetRun, keepForADay } from './run-jobs.ts'
import { childId, keysOf, type RunKeys, runsKey } from './run-keys.ts'
import { beginRun, claimRun, keepRecord, openUnits, workersAlive } from './scripts.ts'
import type { RedisUrl } from './url.ts'

/** Between two looks. */
const lookMilliseconds = 100
/** Between two looks at what should not happen: jobs that got lost, records that nobody made. */
const repairMilliseconds = 1_000
/** A submitter that says nothing for so long is dead. */
export const claimMilliseconds = 5_000
/** And a worker. */
const workerMilliseconds = 3_000

export interface Submission extends AwayLimits {
  readonly run: string
  readonly redis: Redis
  readonly url: RedisUrl
  readonly content: RunContent
  readonly after: number
  readonly isBegun: boolean
  /** Made when a run has to begin. */
  readonly prepare: () => Prepared
  /** What happened here before. */
  readonly seen: () => UnitRecord['seen']
  /** What happened elsewhere. */
  readonly heard: (seen: UnitRecord['seen']) => void
  /** Of a unit that ended its workers, how many work units it is, and all that is left, it first. */
  readonly deadly: (id: string, units: number, rest: Rest) => Diagnostic
  /** How another submitter goes on. */
  readonly goOn: string
  readonly note: (note: RunNote) => void
  readonly signal?: { readonly aborted: boolean } | undefined
}

interface Prepared {
  readonly manifest: Manifest
  readonly bundle: Buffer
}

export type RunNote =
  | { readonly kind: 'begun'; readonly run: string }
  | { readonly kind: 'no workers' }
  | { readonly kind: 'refused'; readonly worker: string; readonly why: string }
  | { readonly kind: 'not counted'; readonly unit: string }
  | { readonly kind: 'away'; readonly why: string }

export class SubmittedRun implements Carrier {
  readonly after: number
  readonly isBegun: boolean
  readonly #submission: Submission
  readonly #redis: Redis
  readonly #keys: RunKeys
  readonly #owner = `${process.pid}-${crypto.randomUUID()}`
  #queue: Queue | undefined
  /** Ids of records that were looked at. */
  #looked = 0
  readonly #told = new Set<string>()
  readonly #refused = new Set<string>()
  #claimedAt = 0
  #repairedAt = 0
  #aloneSince: number | undefined
  readonly #absence: Absence
  #looking: Promise<News> | undefined
  #isLost = false
  /** Redis was away: what it has now may be less than what was read. */
  #isAgain = false

  constructor(submission: Submission) {
    this.#submission = submission
    this.after = submission.after
    this.isBegun = submission.isBegun
    this.#redis = submission.redis
    this.#keys = keysOf(submission.run)
    const { redis, signal, note } = submission
    const isAborted = (): boolean => signal?.aborted === true
    this.#absence = new Absence(redis, submission, isAborted, (why) => note({ kind: 'away', why }))
    this.#redis.on('ready', () => {
      this.#isAgain = true
    })
  }

  async begin(driven: Driven, left: readonly Piece[]): Promise<void> {
    const { run, content, prepare, seen, note } = this.#submission
    const { manifest, bundle } = prepare()
    const ids = left.map((_, at) => childId(firstUnit, at))
    const children = left.map(({ weight }, at) => ({ id: ids[at] as string, weight }))
    const sealed = content.record.sealed({ id: firstUnit, driven: plain(driven), children, seen: seen() })
    const units = left.map((piece, at) => {
      const id = ids[at] as string
      return [id, content.unit.sealed(id, piece.units)] as const
    })
    try {
      await beginRun(this.#redis, this.#keys, { run, manifest: content.manifest.sealed(manifest), bundle })
      await claimRun(this.#redis, this.#keys, this.#owner, claimMilliseconds)
      await keepRecord(this.#redis, this.#keys, { id: firstUnit, sealed, children: units, unit: undefined })
      this.#queue = await queueOf(run, this.#redis)
      await this.#absence.answer(answered(addJobs(this.#queue, this.#redis, run, ids)))
    } catch (error) {
      throw new DiagnosticError(this.#failed(error))
    }
    note({ kind: 'begun', run })
  }

  #failed(error: unknown): Diagnostic {
    const { url, goOn } = this.#submission
    const why = whyFailed(error)
    if (!isFull(error)) return unreachable(url, why)
    const hint = `what it holds stays: give it more memory (maxmemory), then go on: ${goOn}`
    return { code: 'E801', message: `${url.shown}: the memory of Redis is full`, hint }
  }

  async news(): Promise<News> {
    // A queue waits until Redis is there. What is looked up once is told once, however late.
    this.#looking ??= this.#look()
    const askedAt = Date.now()
    try {
      const news = await this.#absence.answer(answered(this.#looking))
      this.#looking = undefined
      return news
    } catch (error) {
      if (!isUnanswered(error)) this.#looking = undefined
      return this.#away(error, askedAt)
    }
  }

  /** Redis may be started again. */
  #away(error: unknown, askedAt: number): News {
    if (error instanceof DiagnosticError) return { records: [], wrong: error.diagnostic }
    const wrong = this.#failed(error)
    if (isFull(error)) return this.#lost(wrong)
    return this.#absence.isOver(error, askedAt) ? this.#lost(this.#goneAway(wrong)) : { records: [] }
  }

  heed(isSpent: () => boolean): void {
    this.#absence.heed(isSpent)
  }

  #goneAway(wrong: Diagnostic): Diagnostic {
    return { ...wrong, hint: `if it comes back, what it holds is there; then go on: ${this.#submission.goOn}` }
  }

  /** What lies there is left to another submitter. */
  #lost(wrong: Diagnostic): News & { readonly wrong: Diagnostic } {
    this.#isLost = true
    return { records: [], wrong }
  }

  async #look(): Promise<News> {
    const { run, goOn } = this.#submission
    const now = Date.now()
    if (now - this.#claimedAt > claimMilliseconds / 5) {
      if (!(await claimRun(this.#redis, this.#keys, this.#owner, claimMilliseconds)))
        return this.#lost(collectedElsewhere(run))
      this.#claimedAt = now
    }
    if ((await this.#redis.exists(this.#keys.run)) === 0) return this.#lost(goneRun(run))
    const anew = this.#isAgain
    if (anew) {
      this.#isAgain = false
      this.#looked = 0
      this.#told.clear()
    }
    const records = await this.#newRecords()
    const ended = await this.#redis.smembers(this.#keys.deadly)
    const left = ended.length === 0 ? new Map() : await this.unitsOf(ended)
    const deadly = ended.find((id) => left.has(id))
    for (const [worker, why] of Object.entries(await this.#redis.hgetall(this.#keys.refused))) {
      if (why === 'forged') return { records, anew, wrong: forgedRun(run, goOn) }
      if (!this.#refused.has(worker)) this.#submission.note({ kind: 'refused', worker, why })
      this.#refused.add(worker)
    }
    if (now - this.#repairedAt > repairMilliseconds) {
      this.#repairedAt = now
      await this.#repair(now)
    }
    return { records, anew, deadly }
  }

  async #newRecords(): Promise<readonly UnitRecord[]> {
    const { content, note } = this.#submission
    const ids = await this.#redis.lrange(this.#keys.done, this.#looked, -1)
    if (ids.length === 0) return []
    const sealed = await this.#redis.hmgetBuffer(this.#keys.records, ...ids)
    const records: UnitRecord[] = []
    for (const [at, id] of ids.entries()) {
      const one = sealed[at] ?? undefined
      const record = one && content.record.opened(id, one)
      if (record !== undefined && !this.#told.has(id)) {
        this.#told.add(id)
        records.push(record)
      } else if (one && record === undefined) {
        note({ kind: 'not counted', unit: id })
        await this.#redis.hdel(this.#keys.records, id)
      }
    }
    this.#looked += ids.length
    return records
  }

  /** Each unit without a record has a job; and nobody but workers says that it has a record. */
  async #repair(now: number): Promise<void> {
    const { run, note } = this.#submission
    const { units, forged } = await openUnits(this.#redis, this.#keys)
    for (const unit of forged) note({ kind: 'not counted', unit })
    this.#queue ??= await queueOf(run, this.#redis)
    await addJobs(this.#queue, this.#redis, run, units)
    await keepForADay(this.#redis, run)
    if ((await workersAlive(this.#redis, this.#keys, workerMilliseconds)) > 0) this.#aloneSince = undefined
    else if (this.#aloneSince === undefined) this.#aloneSince = now
    else if (now - this.#aloneSince > workerMilliseconds && this.#aloneSince > 0) {
      note({ kind: 'no workers' })
      this.#aloneSince = 0
    }
  }

  deadly(id: string, units: number, rest: Rest): Diagnostic {
    return this.#submission.deadly(id, units, rest)
  }

  async drop(ids: readonly string[]): Promise<void> {
    await this.#patiently(() => this.#redis.hdel(this.#keys.units, ...ids))
  }

  async leave(): Promise<void> {
    await this.#patiently(() => this.#redis.hset(this.#keys.run, 'state', 'leaving'))
  }

  async busy(): Promise<number> {
    return await this.#patiently(() => this.#redis.hlen(this.#keys.starts))
  }

  async unitsOf(ids: readonly string[]): Promise<ReadonlyMap<string, readonly WorkUnit[]>> {
    if (ids.length === 0) return new Map()
    const sealed = await this.#patiently(() => this.#redis.hmgetBuffer(this.#keys.units, ...ids))
    const known = ids.flatMap((id, at) => {
      const one = sealed[at]
      const units = one && this.#submission.content.unit.opened(id, one)
      return units ? [[id, units] as const] : []
    })
    return new Map(known)
  }

  async finish(): Promise<Diagnostic | 'aborted' | undefined> {
    await this.#patiently(() => this.#redis.hset(this.#keys.run, 'state', 'finishing'))
    while ((await this.#alive()) > 0) {
      if (this.#submission.signal?.aborted === true) return 'aborted'
      await this.wait()
    }
    const said = await this.#patiently(() => this.#redis.hkeys(this.#keys.finished))
    for (const worker of said) {
      const sealed = await this.#patiently(() => this.#redis.hgetBuffer(this.#keys.finished, worker))
      const wrong = sealed && this.#submission.content.finished.opened(worker, sealed)?.wrong
      if (wrong) return wrong
    }
    return undefined
  }

  async #alive(): Promise<number> {
    return await this.#patiently(() => workersAlive(this.#redis, this.#keys, workerMilliseconds))
  }

  tell(seen: ReadonlyMap<string, UnitRecord['seen']>): void {
    // What was explored here has been seen here.
    for (const [id, one] of seen) if (id !== firstUnit || this.isBegun) this.#submission.heard(one)
  }

  async wait(): Promise<void> {
    await delay(lookMilliseconds)
  }

  /** Workers have left, or are dead, before the last key is removed: nobody makes another one. */
  async end(): Promise<void> {
    const { run } = this.#submission
    try {
      if (this.#isLost) return
      this.#absence.ending()
      await this.#patiently(() => this.#redis.zrem(runsKey, run))
      if ((await this.#patiently(() => this.#redis.exists(this.#keys.run))) === 0) return
      await this.#patiently(() => this.#overNow())
      while ((await this.#alive()) > 0) await this.wait()
      await this.#patiently(() => forgetRun(this.#redis, run))
    } catch {
      // What cannot be removed now is gone in a day.
    } finally {
      await this.#queue?.close().catch(() => undefined)
      this.#redis.disconnect()
    }
  }

  /** Nobody writes to a run that is not there, either; a Redis that is full can only forget. */
  async #overNow(): Promise<unknown> {
    return await this.#redis
      .hset(this.#keys.run, 'state', 'over')
      .catch((error) => (isFull(error) ? this.#redis.del(this.#keys.run) : Promise.reject(error)))
  }

  /** What is left cannot be had: the run stays as it is. */
  unfinished(): Diagnostic {
    const { run, url, goOn } = this.#submission
    this.#isLost = true
    const message = `${url.shown}: what is left of ${run} could not be read`
    return { code: 'E801', message, hint: `it stays there; go on: ${goOn}` }
  }

  /** Redis may be started again meanwhile. Whoever gives up leaves all that lies there to another submitter. */
  async #patiently<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    for (;;) {
      const askedAt = Date.now()
      try {
        return await this.#absence.answer(ask())
      } catch (error) {
        const wrong = this.#failed(error)
        const isOver = isFull(error) || this.#absence.isOver(error, askedAt)
        if (isOver) throw new DiagnosticError(this.#lost(isFull(error) ? wrong : this.#goneAway(wrong)).wrong)
        await this.wait()
      }
    }
  }
}

/** Without functions, which cannot be sent. */
function plain(driven: Driven): Driven {
  const found = driven.found.map(({ expand, ...one }) => ({
    ...one,
    decisions: expand === undefined ? one.decisions : expand(),
    violation: { ...one.violation, stack: undefined },
  }))
  return { ...driven, found }
}

export function collectedElsewhere(run: string): Diagnostic {
  return {
    code: 'E804',
    message: `${run} is collected by another command`,
    hint: 'wait until that has ended; a command that died lets go after five seconds',
  }
}

export function goneRun(run: string): Diagnostic {
  return {
    code: 'E804',
    message: `there is no ${run} at this Redis`,
    hint: 'a run is there until it has been collected, and for a day at most; start the search again',
  }
}

function forgedRun(run: string, goOn: string): Diagnostic {
  return {
    code: 'E803',
    message: `a unit of ${run} was changed by somebody who does not have the key`,
    hint: `find out who writes to this Redis, then start the search again, without ${goOn.includes('--resume') ? '--resume' : 'it'}`,
  }
}
