/** Jobs of a run's queue: ids of units. They live as long as the run, however it ends. */
import type { Queue, Redis } from './connection.ts'
import { prefix } from './connection.ts'
import { queueKeysOf, runMilliseconds, runsKey } from './run-keys.ts'

/** A job that is there already stays as it is. */
export async function addJobs(queue: Queue, redis: Redis, run: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await queue.addBulk(
    ids.map((id) => ({ name: 'unit', data: {}, opts: { jobId: id, removeOnComplete: true, removeOnFail: true } })),
  )
  await keepForADay(
    redis,
    run,
    ids.map((id) => `${prefix}:${run}:${id}`),
  )
}

/** Keys of BullMQ have no end by themselves. */
export async function keepForADay(redis: Redis, run: string, jobKeys: readonly string[] = []): Promise<void> {
  const pipeline = redis.pipeline()
  for (const key of [...queueKeysOf(run), ...jobKeys, runsKey]) pipeline.pexpire(key, runMilliseconds)
  await pipeline.exec()
}

/** All keys of a run, whoever made them. */
export async function forgetRun(redis: Redis, run: string): Promise<void> {
  for (let cursor = '0'; ; ) {
    const [next, keys] = await redis.scan(cursor, 'MATCH', `${prefix}:${run}:*`, 'COUNT', 1_000)
    if (keys.length > 0) await redis.unlink(...keys)
    cursor = next
    if (cursor === '0') return
  }
}
