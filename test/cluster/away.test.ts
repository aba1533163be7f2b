/** A Redis that dies, is away for some time, or is full while somebody wants to stop: nothing of a search is lost. */
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { serveRuns } from '../../src/check/cluster/worker.ts'
import type { CheckOptions } from '../../src/check/request.ts'
import { orThrow } from '../../src/core/diagnostic.ts'
import type { RunNote } from '../../src/distribute/redis/submitted-run.ts'
import { redisUrl } from '../../src/distribute/redis/url.ts'
import { long } from '../amount.ts'
import { alone, redisServer, type Sent, sent, TestRedis } from './redis.ts'

/** 7! · 2 executions. */
const asked = { file: 'corpus/microbenchmarks/model.check.ts', name: 'nworkers', options: { params: { n: 7 } } }
const executions = 10_080
/** No test lasts so long. */
const forever = 3_600_000

describe.skipIf(redisServer === undefined)('when a search is interrupted', long, () => {
  let redis: TestRedis
  const stops: (() => Promise<void>)[] = []

  const serve = (): void => {
    const signal = { aborted: false }
    const url = orThrow(redisUrl(redis.href, '--redis'))
    const told = { ready: () => undefined, note: () => undefined }
    const serving = serveRuns({ url, key: redis.key, workers: 1, signal, ...told })
    stops.push(async () => {
      signal.aborted = true
      await serving
    })
  }

  /** A run that nobody takes anything of: what is left of it is most of it. */
  const begun = async (run: string, change: Sent & Pick<CheckOptions, 'time'> = {}, { isAtOnce = false } = {}) => {
    const stop = new AbortController()
    const notes: RunNote[] = []
    let killed: Promise<void> | undefined
    const { time, ...limits } = change
    const search = sent(
      redis,
      { ...asked, options: { ...asked.options, signal: stop.signal, ...(time === undefined ? {} : { time }) } },
      {
        run,
        ...limits,
        // Before the run is looked at for the first time.
        note: (note) => {
          if (isAtOnce && note.kind === 'begun') killed = redis.kill()
          notes.push(note)
        },
      },
    )
    let isOver = false
    const over = (): void => {
      isOver = true
    }
    search.then(over, over)
    while (notes.length === 0 && !isOver) await delay(5)
    expect(notes[0]).toMatchObject({ kind: 'begun' })
    await killed
    return { search, stop, notes }
  }

  /** All of it, each execution once. */
  const collected = async (run: string) => {
    serve()
    const { result } = await sent(redis, asked, { run, isBegun: true })
    expect(orThrow(result).verdict).toMatchObject({ kind: 'verified', counts: { executions, blocked: 0 } })
    expect(await redis.keys()).toEqual([])
  }

  beforeAll(async () => {
    redis = await TestRedis.started()
  })

  afterEach(async () => {
    await Promise.all(stops.splice(0).map((stop) => stop()))
  })

  afterAll(async () => {
    await redis?.ended()
  })

  test('and Redis comes back, what is left is written down, and nothing of it is lost', async () => {
    const { search, stop, notes } = await begun('run-00000000000000c1', { grace: forever })
    await redis.kill()
    stop.abort()
    while (!notes.some(({ kind }) => kind === 'away')) await delay(5)
    expect(notes).toContainEqual({ kind: 'away', why: 'it does not answer' })
    await redis.start()
    const { verdict, rest } = orThrow((await search).result)
    expect(verdict).toMatchObject({ kind: 'incomplete', because: 'interrupt' })
    expect(await redis.keys()).toEqual([])
    expect((await alone(asked, rest)).counts).toMatchObject({ executions, blocked: 0 })
  })

  test('and Redis stays away, it says how to go on, and what lies there is not removed', async () => {
    const run = 'run-00000000000000c2'
    const { search, stop } = await begun(run, { away: 300 })
    await redis.kill()
    stop.abort()
    const { result } = await search
    expect(result).toMatchObject({
      diagnostics: [
        {
          code: 'E801',
          message: `${redis.href}: it does not answer`,
          hint: 'if it comes back, what it holds is there; then go on: go on',
        },
      ],
    })
    await redis.start()
    // Workers find it as well if its name got lost.
    await redis.client.del('allways:runs')
    await collected(run)
  })

  // It never comes back, and would be waited for without an end.
  test.each([
    ['Ctrl-C', 'run-00000000000000c7', {}],
    ['the end of its time', 'run-00000000000000c8', { time: '5s' }],
  ] as const)('and Redis stays away, %s ends it, and nothing of it is lost', async (_, run, options) => {
    const { search, stop, notes } = await begun(run, { away: forever, ...options })
    await redis.kill()
    while (!notes.some(({ kind }) => kind === 'away')) await delay(5)
    if (!('time' in options)) stop.abort()
    const hint = 'if it comes back, what it holds is there; then go on: go on'
    expect((await search).result).toMatchObject({ diagnostics: [{ code: 'E801', hint }] })
    await redis.start()
    await collected(run)
  })

  test('and Redis is full, it says how to go on, and workers find the run again', async () => {
    const run = 'run-00000000000000c3'
    const { search, stop } = await begun(run)
    await redis.client.config('SET', 'maxmemory', '1mb')
    stop.abort()
    const { result } = await search
    expect(result).toMatchObject({
      diagnostics: [{ code: 'E801', message: `${redis.href}: the memory of Redis is full` }],
    })
    if (!result.ok) expect(result.diagnostics[0]?.hint).toMatch(/go on: go on$/)
    await redis.client.config('SET', 'maxmemory', '0')
    expect(await redis.client.zrange('allways:runs', '0', '-1')).toEqual([run])
    await collected(run)
  })

  test('and Redis stays away at once, it ends all the same', async () => {
    const { search, stop } = await begun('run-00000000000000c6', { away: 300 }, { isAtOnce: true })
    stop.abort()
    expect((await search).result.ok).toBe(false)
    await redis.start()
    await collected('run-00000000000000c6')
  })

  test('whatever lies in Redis while a search lasts has an end', async () => {
    const { search, stop } = await begun('run-00000000000000c5')
    const keys = await redis.keys()
    expect(keys.length).toBeGreaterThan(5)
    for (const key of keys) expect([key, (await redis.client.pttl(key)) > 0]).toEqual([key, true])
    stop.abort()
    await search
    expect(await redis.keys()).toEqual([])
  })
})
