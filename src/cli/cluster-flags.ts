/** `--workers redis://…`: where workers take from, and the key that they and we share. */
import { type Diagnostic, failure, type Result, success } from '../core/diagnostic.ts'
import { isRedisUrl, isRunId, type RedisUrl, redisUrl } from '../distribute/redis/url.ts'
import type { TypedFlags } from './arguments.ts'
import type { Io } from './io.ts'
import { keyIn, type SharedKey } from './key-file.ts'

export interface ClusterFlags {
  readonly url: RedisUrl
  readonly key: SharedKey
}

/** Nothing if workers are threads. */
export function clusterFlags(
  command: 'check' | 'fuzz' | 'linearize',
  { workers, keyFile, resume }: TypedFlags,
  io: Pick<Io, 'cwd'>,
): Result<ClusterFlags | undefined> {
  if (workers === undefined || !isRedisUrl(workers)) {
    if (keyFile !== undefined) return failure(needsRedis('--key-file'))
    if (resume !== undefined && isRunId(resume)) return failure(needsRedis(`--resume ${resume}`))
    return success(undefined)
  }
  const url = redisUrl(workers, '--workers')
  if (!url.ok) return url
  if (command === 'linearize') return failure(ofClasses)
  const key = keyIn(keyFile, io.cwd)
  return key.ok ? success({ url: url.value, key: key.value }) : key
}

const ofClasses: Diagnostic = {
  code: 'E802',
  message: 'this search has no parts for workers: clients of a class are checked one after the other',
  hint: 'use threads: --workers auto',
}

function needsRedis(what: string): Diagnostic {
  const hint = 'say where workers take from: --workers redis://host:6379'
  return { code: 'E107', message: `${what} says nothing without Redis`, hint }
}
