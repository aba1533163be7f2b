/** Worker processes that are killed at any time, and a Redis that is killed and started again: totals stay exact. */
import type { ChildProcess } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { orThrow } from '../../src/core/diagnostic.ts'
import { Random } from '../../src/core/random.ts'
import { amount, cut } from '../amount.ts'
import { redisServer, sent, TestRedis } from './redis.ts'

const runs = amount({ quick: 1, rest: 9, thorough: 20, all: 100 })
const kills = 2

describe.skipIf(redisServer === undefined)('chaos', cut, () => {
  let redis: TestRedis
  let workers: ChildProcess[] = []

  beforeAll(async () => {
    redis = await TestRedis.started()
    workers = await Promise.all([redis.worker(), redis.worker()])
  })

  afterAll(async () => {
    await redis?.ended()
  })

  for (let seed = 0; seed < runs; seed++)
    test(`run ${seed}: all executions are counted once, and no key is left`, async () => {
      const random = new Random(seed)
      let isOver = false
      const search = sent(redis, {
        file: 'corpus/microbenchmarks/model.check.ts',
        name: 'nworkers',
        options: { params: { n: 8 }, time: '10m' },
      }).finally(() => {
        isOver = true
      })
      const soon = async (): Promise<boolean> => {
        await delay(random.below(800))
        return !isOver
      }
      const disturb = async (): Promise<void> => {
        while ((await redis.client.exists('allways:runs')) === 0 && !isOver) await delay(5)
        const restartAt = random.below(kills)
        for (let kill = 0; kill < kills && (await soon()); kill++) {
          const [killed] = workers.splice(random.below(workers.length), 1)
          killed?.kill('SIGKILL')
          if (kill === restartAt && (await soon())) {
            await redis.kill()
            await redis.start()
          }
          workers.push(await redis.worker())
        }
      }
      const [{ result, notes }] = await Promise.all([search, disturb()])
      // 8! · 2.
      expect(orThrow(result).verdict).toMatchObject({ kind: 'verified', counts: { executions: 80_640, blocked: 0 } })
      expect(notes.filter(({ kind }) => kind === 'not counted')).toEqual([])
      expect(await redis.keys()).toEqual([])
    })
})
