/** Searches that are sent to workers of a Redis, and the same by one thread. */
import { join } from 'node:path'
import type { Cluster } from '../../src/check/cluster/cluster.ts'
import { loadPrograms } from '../../src/check/load.ts'
import { type CheckOptions, checkRequest } from '../../src/check/request.ts'
import { runCheck } from '../../src/check/run.ts'
import { orThrow, type Result } from '../../src/core/diagnostic.ts'
import type { Rest } from '../../src/core/verdict.ts'
import type { RunNote } from '../../src/distribute/redis/submitted-run.ts'
import { redisUrl } from '../../src/distribute/redis/url.ts'
import { redisServer, root, TestRedis } from './redis-server.ts'

export { redisServer, root, TestRedis }

if (redisServer === undefined) console.warn('test/cluster is skipped: there is no redis-server on this machine')

export interface Asked {
  readonly file: string
  /** Of the program, or of its export. */
  readonly name: string
  readonly options?: CheckOptions
}

export type Sent = Partial<Pick<Cluster, 'run' | 'isBegun' | 'after' | 'away' | 'grace' | 'key' | 'note' | 'alone'>>

let runs = 0

/** A search that is sent almost at once. */
export async function sent(redis: TestRedis, { file, name, options = {} }: Asked, change: Sent = {}) {
  const path = join(root, file)
  const { programs, digest } = orThrow(await loadPrograms(path))
  const found = programs.find(({ exportName, program }) => program.name === name || exportName === name)
  if (found === undefined) throw new Error(`there is no program "${name}"`)
  const notes: RunNote[] = []
  const run = `run-${(++runs).toString(16).padStart(16, '0')}`
  const cluster: Cluster & { readonly shown: string } = {
    ...{ url: orThrow(redisUrl(redis.href, '--workers')), key: redis.key, run, isBegun: false, after: 10 },
    ...{ saved: '', goOn: 'go on', alone: () => 'run it alone', shown: file },
    note: (note) => notes.push(note),
    ...change,
  }
  const named = { path, program: { name, origin: undefined }, exportName: found.exportName, legacy: false }
  const request = orThrow(checkRequest(found.program, options))
  return { result: await runCheck(request, { threads: { ...named, digest, options, cluster } }), notes }
}

/** One thread. */
export async function alone(asked: Asked, resume?: Rest) {
  return (await goneOn(asked, resume)).verdict
}

/** One thread, from what was left; only so many units of it. */
export async function goneOn({ file, name, options = {} }: Asked, resume?: Rest, units?: number) {
  const { programs } = orThrow(await loadPrograms(join(root, file)))
  const found = programs.find(({ exportName, program }) => program.name === name || exportName === name)
  if (found === undefined) throw new Error(`there is no program "${name}"`)
  return orThrow(await runCheck(orThrow(checkRequest(found.program, options)), { resume, units }))
}

export function codeOf(result: Result<unknown>): string {
  return result.ok ? 'ok' : `${result.diagnostics[0]?.code} ${result.diagnostics[0]?.message}`
}
