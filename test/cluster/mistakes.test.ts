/** What may be wrong between workers, Redis and who submits: a diagnostic each, and nothing is counted that should not be. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { serveRuns } from '../../src/check/cluster/worker.ts'
import { type Diagnostic, orThrow } from '../../src/core/diagnostic.ts'
import type { Rest } from '../../src/core/verdict.ts'
import { RunContent } from '../../src/distribute/redis/run-content.ts'
import { keysOf } from '../../src/distribute/redis/run-keys.ts'
import { claimRun } from '../../src/distribute/redis/scripts.ts'
import { Seal } from '../../src/distribute/redis/seal.ts'
import type { RunNote } from '../../src/distribute/redis/submitted-run.ts'
import { redisUrl } from '../../src/distribute/redis/url.ts'
import { long } from '../amount.ts'
import { allways, fixtures } from '../cli/harness.ts'
import { codeOf, goneOn, redisServer, sent, TestRedis } from './redis.ts'

const asked = { file: 'corpus/microbenchmarks/model.check.ts', name: 'nworkers', options: { params: { n: 7 } } }

describe('without Redis', () => {
  const send = async (...flags: readonly string[]) => {
    const { code, stderr } = await allways(['check', `${fixtures}/holds.check.ts:4`, ...flags])
    return { code, stderr: stderr.split('\n')[0] }
  }

  test.each([
    ['redis://', 'it names no host'],
    ['redis://host:99999', 'it cannot be read'],
    ['redis://host/orders', 'its path is no number of a database'],
    ['rediss://host?family=6', 'it has a query'],
    ['unix://', 'it names no socket'],
  ])('%s is no URL of Redis', async (url, why) => {
    expect(await send('--workers', url)).toEqual({
      code: 2,
      stderr: ` ✗ E107  --workers is not a URL of Redis: ${why}`,
    })
  })

  test('a password is told to nobody', async () => {
    const { stderr } = await allways([
      'check',
      `${fixtures}/holds.check.ts:4`,
      '--workers',
      'redis://me:secret@127.0.0.1:1',
    ])
    expect(stderr).toContain('E801  redis://127.0.0.1:1: nobody listens there (ECONNREFUSED)')
    expect(stderr).not.toContain('secret')
  })

  test.each([
    [
      ['--engine', 'stateful'],
      'this search has no parts for workers: engine "stateful" explores "senders" in one piece',
    ],
    [['--max-executions', '3'], 'this search has no parts for workers: a budget of executions counts them one by one'],
  ])('%j is refused before anything is explored', async (flags, why) => {
    expect(await send(...flags, '--workers', 'redis://127.0.0.1:1')).toEqual({ code: 2, stderr: ` ✗ E802  ${why}` })
  })

  test('a program that reads of this machine what is another one there is refused before anything is explored', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'allways-')), 'host.check.ts')
    writeFileSync(
      file,
      "import { program } from 'allways'\nconst { env } = process\nexport const one = program(env.HOME ?? '', function* () {})\n",
    )
    const { code, stderr } = await allways(['check', file, '--workers', 'redis://127.0.0.1:1'])
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('machines: it uses process as a'),
    })
    expect(stderr).toContain(' ✗ E802 ')
    expect(stderr).toContain('> 2 | const { env } = process')
  })

  test('a class has no parts for workers', async () => {
    const { code, stderr } = await allways(['linearize', '--workers', 'redis://127.0.0.1:1', '--key-file', 'key'])
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('E802') })
  })

  test('a key says nothing without Redis', async () => {
    expect(await send('--key-file', 'key')).toEqual({
      code: 2,
      stderr: ' ✗ E107  --key-file says nothing without Redis',
    })
  })
})

describe.skipIf(redisServer === undefined)('with Redis', long, () => {
  let redis: TestRedis
  let told: (Diagnostic | { readonly joined: string })[] = []
  const stops: (() => Promise<void>)[] = []

  /** In this process. */
  const serve = (key = redis.key): void => {
    const signal = { aborted: false }
    const url = orThrow(redisUrl(redis.href, '--redis'))
    const note = (one: (typeof told)[number]): void => void told.push(one)
    const serving = serveRuns({ url, key, workers: 1, signal, ready: () => undefined, note })
    stops.push(async () => {
      signal.aborted = true
      await serving
    })
  }
  const codes = (): readonly string[] => told.flatMap((one) => ('code' in one ? [one.code] : []))

  /** Once the run is there. */
  const begun = async (): Promise<string> => {
    for (;;) {
      const [run] = await redis.client.zrange('allways:runs', '0', '-1')
      if (run !== undefined) return run
      await delay(5)
    }
  }

  beforeAll(async () => {
    redis = await TestRedis.started()
  })

  afterEach(async () => {
    await Promise.all(stops.splice(0).map((stop) => stop()))
    told = []
  })

  afterAll(async () => {
    await redis?.ended()
  })

  test('a worker with another key takes nothing, and says so to both', async () => {
    serve(Buffer.from('another key than the other'))
    const search = sent(redis, asked)
    while (codes().length === 0) await delay(20)
    expect(codes()).toEqual(['E803'])
    serve()
    const { result, notes } = await search
    expect(orThrow(result).verdict.counts.executions).toBe(10_080)
    expect(notes).toContainEqual({ kind: 'refused', worker: expect.any(String), why: 'key' })
    expect(await redis.keys()).toEqual([])
  })

  /** Ends when a worker says that it takes nothing of it. */
  const refused = async (change: (run: string) => Promise<void>) => {
    const stop = new AbortController()
    const options = { ...asked.options, signal: stop.signal }
    const notes: RunNote[] = []
    const note = (one: RunNote): void => {
      notes.push(one)
      if (one.kind === 'refused') stop.abort()
    }
    const search = sent(redis, { ...asked, options }, { note })
    await change(await begun())
    serve()
    const { verdict } = orThrow((await search).result)
    expect(verdict).toMatchObject({ kind: 'incomplete', because: 'interrupt' })
    expect(await redis.keys()).toEqual([])
    return notes.flatMap((one) => (one.kind === 'refused' ? [one.why] : []))
  }

  test.each([
    ['of another version', { node: '18.0.0' }, 'was submitted by'],
    ['of another time zone, for a program that knows dates,', { locale: 'de, Mars/Olympus' }, 'knows dates'],
  ])('a worker %s takes nothing', async (_, versions, why) => {
    const refusals = await refused(async (run) => {
      const content = new RunContent(new Seal(redis.key), run)
      const manifest = content.manifest.opened((await redis.client.hgetBuffer(keysOf(run).run, 'manifest')) as Buffer)
      if (manifest === undefined) throw new Error('there is no manifest')
      expect(manifest.versions.locale).toBeUndefined()
      const other = { ...manifest, versions: { ...manifest.versions, ...versions } }
      await redis.client.hset(keysOf(run).run, 'manifest', content.manifest.sealed(other))
    })
    expect(told).toMatchObject([{ code: 'E803', message: expect.stringContaining(why) }])
    expect(refusals).toEqual(['versions'])
  })

  test('a program that does not have its digest is not run', async () => {
    const refusals = await refused(async (run) => void (await redis.client.append(keysOf(run).bundle, ' ')))
    expect(told).toMatchObject([{ code: 'E803', message: expect.stringContaining('digest') }])
    expect(refusals).toEqual(['bundle'])
  })

  test('a result that was not made with the key is not counted', async () => {
    const search = sent(redis, asked)
    const { records, done, units } = keysOf(await begun())
    let ids: readonly string[] = []
    while (ids.length < 2) ids = await redis.client.hkeys(units)
    for (const id of ids) await redis.client.hset(records, id, 'forged by somebody who has no key at all')
    await redis.client.rpush(done, ids[0] as string)
    while ((await redis.client.hlen(records)) > 1) await delay(20)
    serve()
    const { result, notes } = await search
    expect(orThrow(result).verdict.counts.executions).toBe(10_080)
    expect(notes.filter(({ kind }) => kind === 'not counted')).toHaveLength(ids.length)
    expect(await redis.keys()).toEqual([])
  })

  test('two who submit with the name of one run: the second is refused', async () => {
    const stop = new AbortController()
    const options = { ...asked.options, signal: stop.signal }
    const search = sent(redis, { ...asked, options }, { run: 'run-00000000000000aa' })
    const run = await begun()
    const second = await sent(redis, asked, { run, isBegun: true })
    expect(codeOf(second.result)).toBe(`E804 ${run} is collected by another command`)
    stop.abort()
    expect(orThrow((await search).result).verdict).toMatchObject({ because: 'interrupt' })
    expect(await redis.keys()).toEqual([])
  })

  test('a run that is not there cannot be collected', async () => {
    const run = 'run-00000000000000bb'
    const flags = ['--workers', redis.href, '--key-file', redis.keyFile]
    const { code, stderr } = await allways(['check', '--resume', run, ...flags])
    expect({ code, stderr: stderr.split('\n')[0] }).toEqual({
      code: 2,
      stderr: ` ✗ E804  there is no ${run} at this Redis`,
    })
    expect(await claimRun(redis.client, keysOf(run), 'somebody', 10)).toBe(true)
  })

  test('a Redis that is full, or throws keys away, is a diagnostic', async () => {
    await redis.client.config('SET', 'maxmemory', '1mb')
    expect(codeOf((await sent(redis, asked)).result)).toMatch(/^E801 .*: the memory of Redis is full$/)
    await redis.client.config('SET', 'maxmemory-policy', 'allkeys-lru')
    expect(codeOf((await sent(redis, asked)).result)).toMatch(/^E801 .*throws keys away/)
    await redis.client.config('SET', 'maxmemory-policy', 'noeviction')
    await redis.client.config('SET', 'maxmemory', '0')
    await redis.empty()
  })

  test('a unit that ends its workers three times is named, and explored alone', async () => {
    const end = (thread: Worker): void => {
      thread.on('message', ({ kind }: { readonly kind: string }) => {
        if (kind === 'ready') setTimeout(() => void thread.terminate(), 30)
      })
    }
    process.on('worker', end)
    try {
      serve()
      let left: readonly [Rest, number] | undefined
      const alone = (rest: Rest, units: number): string => {
        left = [rest, units]
        return 'run it alone'
      }
      const { result } = await sent(redis, asked, { alone })
      expect(codeOf(result)).toMatch(/^E805 unit u[0-9a-f]{20} of "nworkers" ended each of three workers/)
      if (!result.ok) expect(result.diagnostics[0]?.hint).toContain('explore it here, and nothing else: run it alone')
      if (left === undefined) throw new Error('nothing was left')
      const [rest, units] = left
      const first = await goneOn(asked, rest, units)
      expect(first.verdict).toMatchObject({ kind: 'incomplete', because: 'units' })
      // The others are left as they were, and nothing is lost.
      expect(first.rest?.units).toEqual(rest.units.slice(units))
      const { verdict } = await goneOn(asked, first.rest as Rest)
      expect(verdict).toMatchObject({ kind: 'verified', counts: { executions: 10_080, blocked: 0 } })
      expect(await redis.keys()).toEqual([])
    } finally {
      process.off('worker', end)
    }
  })
})
