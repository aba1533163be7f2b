/**
 * Workers that are killed in the middle of a unit, and a Redis that is killed and started again: totals stay exact. Several runs share the
 * workers, so that what one waits for, until a worker is taken for dead, is used by the others. In each of them a worker is killed that
 * explores a unit of this run, and Redis while the run lasts.
 */
import type { ChildProcess } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { orThrow } from '../../src/core/diagnostic.ts'
import { Random } from '../../src/core/random.ts'
import { long } from '../amount.ts'
import { redisServer, sent, TestRedis } from './redis.ts'

/** Together 20, for every change. */
const groups = 5
const runs = 4
/** With those that are begun for others that were over too soon. */
const mostOfGroup = 100
/** A unit takes a fifth of a second or more: long enough to be killed in. */
const asked = {
  file: 'corpus/microbenchmarks/model.check.ts',
  name: 'nworkers',
  options: { params: { n: 8 }, time: '10m' },
}
/** 8! · 2. */
const executions = 80_640

describe.skipIf(redisServer === undefined)('chaos', long, () => {
  let redis: TestRedis
  let workers: ChildProcess[] = []

  beforeAll(async () => {
    redis = await TestRedis.started()
    workers = await Promise.all([redis.worker(), redis.worker()])
  })

  afterAll(async () => {
    await redis?.ended()
  })

  /** The worker that explores a unit of the run now. */
  const busyWith = async (run: string): Promise<ChildProcess | undefined> => {
    const [lock] = await redis.client.keys(`allways:${run}:*:lock`)
    const token = lock === undefined ? null : await redis.client.get(lock)
    return workers.find(({ pid }) => token?.includes(`-${pid}-`))
  }

  for (let group = 0; group < groups; group++)
    test(`runs ${group * runs} to ${(group + 1) * runs - 1}: all executions are counted once, and no key is left`, async () => {
      const random = new Random(group)
      const open = new Set<string>()
      const searches: ReturnType<typeof searched>[] = []
      const searched = async (run: string) => {
        const answer = await sent(redis, asked, { run })
        open.delete(run)
        return answer
      }
      const begin = (): string => {
        const run = `run-${(group * mostOfGroup + searches.length).toString(16).padStart(16, 'c')}`
        open.add(run)
        searches.push(searched(run))
        return run
      }
      const taken = async (run: string): Promise<ChildProcess | undefined> => {
        for (;;) {
          const worker = await busyWith(run)
          if (worker !== undefined || !open.has(run)) return worker
          await delay(5)
        }
      }
      /** False: the run was over before. */
      const kill = async (run: string): Promise<boolean> => {
        let isKilled = false
        while (!isKilled && open.has(run)) {
          const worker = await taken(run)
          await delay(random.below(100))
          isKilled = worker !== undefined && (await busyWith(run)) === worker && worker.kill('SIGKILL')
        }
        workers = workers.filter((one) => !one.killed)
        while (workers.length < 2) workers.push(await redis.worker())
        return isKilled
      }
      const restartAt = random.below(runs)
      const first = Array.from({ length: runs }, begin)
      for (const [at, run] of first.entries()) {
        // Who is killed too late is no test of anything: where a busy machine was too slow for a run, there is another one.
        for (let next = run; !(await kill(next)); ) next = begin()
        if (at !== restartAt) continue
        while (open.size < runs - 1) await taken(begin())
        await redis.kill()
        await delay(random.below(300))
        await redis.start()
      }
      for (const { result, notes } of await Promise.all(searches)) {
        expect(orThrow(result).verdict).toMatchObject({ kind: 'verified', counts: { executions, blocked: 0 } })
        expect(notes.filter(({ kind }) => kind === 'not counted')).toEqual([])
      }
      expect(await redis.keys()).toEqual([])
    })
})
