/** What `allways worker` does until it is told to stop: joins runs at a Redis one after the other, and serves all that it has joined. */
import { hostname } from 'node:os'
import { pid } from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { type Diagnostic, type Result, success } from '../../core/diagnostic.ts'
import { connected, type Redis } from '../../distribute/redis/connection.ts'
import { RunContent } from '../../distribute/redis/run-content.ts'
import { Seal } from '../../distribute/redis/seal.ts'
import { type Refusal, runsAt, TakenRun } from '../../distribute/redis/taken-run.ts'
import type { RedisUrl } from '../../distribute/redis/url.ts'
import { otherKey, otherVersions, type Sent } from './cluster.ts'
import { digestOf } from './portable-bundle.ts'
import { UnitExplorer } from './worker-service.ts'

const lookMilliseconds = { idle: 200, serving: 30 } as const

export interface WorkerOptions {
  readonly url: RedisUrl
  readonly key: Buffer
  /** Threads that explore. */
  readonly workers: number
  readonly signal: { readonly aborted: boolean }
  readonly ready: () => void
  readonly note: (told: Diagnostic | { readonly joined: string; readonly program: string }) => void
}

export async function serveRuns(options: WorkerOptions): Promise<Result<undefined>> {
  const first = await connected(options.url, { up: 'never' })
  if (!first.ok) return first
  const seal = new Seal(options.key)
  const slots = [new Slot(first.value, seal, options, 0)]
  for (let number = 1; number < options.workers; number++) {
    const another = await connected(options.url, { up: 'never' })
    if (!another.ok) return another
    slots.push(new Slot(another.value, seal, options, number))
  }
  options.ready()
  await Promise.all(slots.map((slot) => slot.serve()))
  return success(undefined)
}

interface Joined {
  readonly taken: TakenRun
  readonly explorer: UnitExplorer
}

class Slot {
  readonly #redis: Redis
  readonly #seal: Seal
  readonly #options: WorkerOptions
  readonly #name: string
  readonly #joined = new Map<string, Joined>()
  /** Nothing is taken of them; told once. */
  readonly #refused = new Set<string>()

  constructor(redis: Redis, seal: Seal, options: WorkerOptions, number: number) {
    this.#redis = redis
    this.#seal = seal
    this.#options = options
    this.#name = `${hostname().replaceAll(/[^\w.-]/g, '')}-${pid}-${number}`
  }

  async serve(): Promise<void> {
    const isStopped = (): boolean => this.#options.signal.aborted
    while (!isStopped()) {
      // Redis may be started again; nothing of what was explored meanwhile has been counted.
      const isBusy = await unlessStopped(
        this.#serveOnce().catch(() => false),
        isStopped,
        this.#isAway,
      )
      if (isBusy !== true) await delay(this.#joined.size === 0 ? lookMilliseconds.idle : lookMilliseconds.serving)
    }
    if (!this.#isAway())
      await Promise.race([Promise.all([...this.#joined.keys()].map((run) => this.#leave(run))), delay(1_000)])
    this.#redis.disconnect()
  }

  /** Nobody can be told anything then. */
  readonly #isAway = (): boolean => this.#redis.status !== 'ready'

  /** Whether something was explored. */
  async #serveOnce(): Promise<boolean> {
    for (const run of this.#joined.keys()) if (await this.#hasServed(run)) return true
    for (const run of await runsAt(this.#redis)) {
      if (this.#joined.has(run) || this.#refused.has(run)) continue
      await this.#join(run)
      if (this.#joined.has(run) && (await this.#hasServed(run))) return true
    }
    return false
  }

  async #hasServed(run: string): Promise<boolean> {
    const joined = this.#joined.get(run)
    if (joined === undefined) return false
    const { taken, explorer } = joined
    if (taken.state === 'finishing') await taken.say(await explorer.finish())
    if (taken.state === 'finishing' || taken.state === 'over') await this.#leave(run)
    if (taken.state !== 'running') return false
    const unit = await taken.take()
    if (unit === undefined) return false
    const isAlive = await explorer.explore(unit)
    if (!isAlive && !(await explorer.begin())) await this.#refuse(taken, 'program')
    return true
  }

  async #join(run: string): Promise<void> {
    const content = new RunContent(this.#seal, run)
    const taken = new TakenRun(this.#redis, run, this.#name, content)
    const manifest = await taken.manifest()
    if (manifest === undefined) return await this.#refuse(taken, 'key', otherKey(run))
    const unfit = otherVersions(manifest, run)
    if (unfit !== undefined) return await this.#refuse(taken, 'versions', unfit)
    const bundle = await taken.bundle()
    if (digestOf(bundle) !== manifest.bundleDigest) return await this.#refuse(taken, 'bundle', changedBundle(run))
    if (!(await taken.join())) return
    const sent = manifest.search as Sent
    const explorer = new UnitExplorer(taken, sent, bundle, () => this.#options.signal.aborted)
    this.#joined.set(run, { taken, explorer })
    const isLoaded = await explorer.begin()
    if (this.#options.signal.aborted) return
    if (!isLoaded) return await this.#refuse(taken, 'program', unloadable(run, sent.shown))
    this.#options.note({ joined: run, program: sent.source.program.name })
  }

  async #refuse(taken: TakenRun, why: Refusal, told?: Diagnostic): Promise<void> {
    this.#refused.add(taken.run)
    if (told !== undefined) this.#options.note(told)
    await taken.refuse(why)
    await this.#leave(taken.run)
  }

  async #leave(run: string): Promise<void> {
    const joined = this.#joined.get(run)
    this.#joined.delete(run)
    joined?.explorer.dismiss()
    await joined?.taken.leave()
  }
}

/** Commands wait while Redis is away; whoever wants to stop does not. */
async function unlessStopped<Answer>(
  work: Promise<Answer>,
  isStopped: () => boolean,
  isAway: () => boolean,
): Promise<Answer | undefined> {
  let ended: { readonly answer: Answer } | undefined
  const ending = work.then((answer) => {
    ended = { answer }
  })
  for (let stoppedAt: number | undefined; ended === undefined; ) {
    await Promise.race([ending, delay(100)])
    if (isStopped()) stoppedAt ??= performance.now()
    if (stoppedAt !== undefined && isAway()) return undefined
    if (stoppedAt !== undefined && performance.now() - stoppedAt > 4_000) return undefined
  }
  return ended.answer
}

function changedBundle(run: string): Diagnostic {
  return {
    code: 'E803',
    message: `the program of ${run} is not the one that was submitted: it does not have its digest`,
    hint: 'find out who writes to this Redis, then start the search again',
  }
}

function unloadable(run: string, shown: string): Diagnostic {
  return {
    code: 'E803',
    message: `${shown} of ${run} cannot be loaded here, or is another search here`,
    hint: 'look whether it reads files or anything else of the machine it was submitted on',
  }
}
