/**
 * A real Redis for each file of tests, in a temporary folder and on a socket there, and workers as processes or in this one. On Debian
 * `apt-get install -y redis-server` brings it; REDIS_SERVER names another program.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Redis } from 'ioredis'
import type { Cluster } from '../../src/check/cluster/cluster.ts'
import { loadPrograms } from '../../src/check/load.ts'
import { type CheckOptions, checkRequest } from '../../src/check/request.ts'
import { runCheck } from '../../src/check/run.ts'
import { orThrow, type Result } from '../../src/core/diagnostic.ts'
import type { Rest } from '../../src/core/verdict.ts'
import type { RunNote } from '../../src/distribute/redis/submitted-run.ts'
import { redisUrl } from '../../src/distribute/redis/url.ts'

export const root = fileURLToPath(new URL('../..', import.meta.url))

export const redisServer = [env.REDIS_SERVER, 'redis-server'].find(
  (name) => name !== undefined && spawnSync(name, ['--version']).status === 0,
)
if (redisServer === undefined) console.warn('test/cluster is skipped: there is no redis-server on this machine')

/** In megabytes it has at most; and what else is said to it. */
export class TestRedis {
  readonly folder = mkdtempSync(join(tmpdir(), 'allways-redis-'))
  readonly keyFile = join(this.folder, 'key')
  /** For looking into it. */
  client!: Redis
  #process: ChildProcess | undefined
  readonly #workers = new Set<ChildProcess>()

  static async started(): Promise<TestRedis> {
    const redis = new TestRedis()
    writeFileSync(redis.keyFile, 'a key that only tests have\n', { mode: 0o600 })
    await redis.start()
    redis.client = new Redis(redis.href, { retryStrategy: () => 50 })
    redis.client.on('error', () => undefined)
    return redis
  }

  get href(): string {
    return `unix://${this.#socket}`
  }

  get #socket(): string {
    return join(this.folder, 'redis.sock')
  }

  get key(): Buffer {
    return Buffer.from('a key that only tests have')
  }

  /** With what its append-only file says. */
  async start(): Promise<void> {
    const where = ['--port', '0', '--unixsocket', this.#socket, '--dir', this.folder]
    const args = [...where, '--save', '', '--appendonly', 'yes']
    this.#process = spawn(redisServer as string, args, { stdio: 'ignore' })
    while (!(await isListening(this.#socket))) await delay(20)
  }

  async kill(): Promise<void> {
    const ended = this.#process
    if (ended === undefined || ended.exitCode !== null || ended.signalCode !== null) return
    ended.kill('SIGKILL')
    await once(ended, 'exit')
  }

  /** A process that takes units, once it is ready to. */
  async worker(...flags: readonly string[]): Promise<ChildProcess> {
    const argv = [join(root, 'bin/allways.mjs'), 'worker', '--redis', this.href, '--key-file', this.keyFile, ...flags]
    const worker = spawn(process.execPath, argv, { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] })
    this.#workers.add(worker)
    worker.once('exit', () => this.#workers.delete(worker))
    let told = ''
    worker.stderr?.on('data', (text: Buffer) => {
      told += text
    })
    while (!told.includes('until Ctrl-C')) {
      if (worker.exitCode !== null) throw new Error(`a worker ended: ${told}`)
      await delay(20)
    }
    return worker
  }

  /** Whatever is there. */
  async keys(): Promise<readonly string[]> {
    return await this.client.keys('*')
  }

  async empty(): Promise<void> {
    await this.client.flushall()
  }

  async ended(): Promise<void> {
    this.client.disconnect()
    for (const worker of this.#workers) worker.kill('SIGKILL')
    await this.kill()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

async function isListening(path: string): Promise<boolean> {
  const socket = connect(path)
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

export interface Asked {
  readonly file: string
  readonly name: string
  readonly options?: CheckOptions
}

export type Sent = Partial<Pick<Cluster, 'run' | 'isBegun' | 'after' | 'away' | 'key' | 'note' | 'alone'>>

let runs = 0

/** A search that is sent almost at once. */
export async function sent(redis: TestRedis, { file, name, options = {} }: Asked, change: Sent = {}) {
  const path = join(root, file)
  const { programs, digest } = orThrow(await loadPrograms(path))
  const found = programs.find(({ program }) => program.name === name)
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
  const found = programs.find(({ program }) => program.name === name)
  if (found === undefined) throw new Error(`there is no program "${name}"`)
  return orThrow(await runCheck(orThrow(checkRequest(found.program, options)), { resume, units }))
}

export function codeOf(result: Result<unknown>): string {
  return result.ok ? 'ok' : `${result.diagnostics[0]?.code} ${result.diagnostics[0]?.message}`
}
