/**
 * A real Redis in a temporary folder and on a socket there, and workers as processes. On Debian `apt-get install -y redis-server` brings it;
 * REDIS_SERVER names another program.
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

export const root = fileURLToPath(new URL('../..', import.meta.url))

export const redisServer = [env.REDIS_SERVER, 'redis-server'].find(
  (name) => name !== undefined && spawnSync(name, ['--version']).status === 0,
)

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
