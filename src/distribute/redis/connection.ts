/** Connections to Redis. The packages are loaded here and nowhere else, and only when a URL of Redis was given. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Queue, Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import { type Diagnostic, failure, type Result, success } from '../../core/diagnostic.ts'
import type { RedisUrl } from './url.ts'

export type { Queue, Redis, Worker }

/** `soon`: a command fails when Redis cannot be reached for a moment. `never`: it waits until it can. */
export type Patience = 'soon' | 'never'

const connectMilliseconds = 5_000
const againMilliseconds = 200
/** A machine that is gone without a word answers nothing, ever. */
const answerMilliseconds = 5_000

/** Units are added and taken with scripts that older ones do not have. */
const oldest = [6, 2] as const

export async function connected(url: RedisUrl, gives: { readonly up: Patience }): Promise<Result<Redis>> {
  const { Redis } = whole(await import('ioredis'))
  let isBegun = false
  const redis = new Redis(url.href, {
    lazyConnect: true,
    connectTimeout: connectMilliseconds,
    maxRetriesPerRequest: gives.up === 'soon' ? 1 : null,
    ...(gives.up === 'soon' ? { commandTimeout: answerMilliseconds } : {}),
    retryStrategy: () => (isBegun ? againMilliseconds : null),
  })
  let last: Error | undefined
  redis.on('error', (error: Error) => {
    last = error
  })
  try {
    await redis.connect()
    const about = `${await redis.info('server')}\n${await redis.info('memory')}`
    const unfit = unfitServer(about, url)
    if (unfit !== undefined) {
      redis.disconnect()
      return failure(unfit)
    }
    isBegun = true
    return success(redis)
  } catch (error) {
    redis.disconnect()
    return failure(unreachable(url, whyFailed(last ?? error)))
  }
}

function unfitServer(about: string, { shown }: RedisUrl): Diagnostic | undefined {
  const value = (name: string): string => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(about)?.[1] ?? ''
  const [major = 0, minor = 0] = value('redis_version')
    .split('.')
    .map((part) => Number(part))
  const isOld = major < oldest[0] || (major === oldest[0] && minor < oldest[1])
  if (isOld)
    return {
      code: 'E801',
      message: `${shown}: this is Redis ${value('redis_version')}, and ${oldest.join('.')} is needed`,
      hint: 'run a newer one',
    }
  const policy = value('maxmemory_policy')
  if (value('maxmemory') === '0' || policy === 'noeviction' || policy === '') return undefined
  return {
    code: 'E801',
    message: `${shown}: Redis throws keys away when its memory is full (maxmemory-policy ${policy})`,
    hint: 'nothing of a search may get lost: configure it with maxmemory-policy noeviction',
  }
}

export const unanswered = new Error('it does not answer')

/** For what waits until Redis is there: it is waited for no longer than a command would be, and may be asked for again. */
export async function answered<Answer>(asked: Promise<Answer>): Promise<Answer> {
  const over = new AbortController()
  const late = delay(answerMilliseconds, undefined, { signal: over.signal }).then(
    () => Promise.reject(unanswered),
    () => Promise.reject(unanswered),
  )
  try {
    return await Promise.race([asked, late])
  } finally {
    over.abort()
  }
}

export function isUnanswered(error: unknown): boolean {
  return error === unanswered
}

/** What Node and Redis say of it, in one line. */
export function whyFailed(error: unknown): string {
  const { code, name, message = '' } = error as Partial<Record<'code' | 'name' | 'message', string>>
  const isLate = /^(?:Connection is closed\.|Command timed out)$/.test(message)
  if (name === 'MaxRetriesPerRequestError' || isLate) return unanswered.message
  switch (code) {
    case 'ECONNREFUSED':
      return 'nobody listens there (ECONNREFUSED)'
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `the host is not known (${code})`
    default:
      return (message === '' ? `${code ?? error}` : message).split('\n')[0] as string
  }
}

export function unreachable({ shown }: RedisUrl, why: string): Diagnostic {
  return {
    code: 'E801',
    message: `${shown}: ${why}`,
    hint: 'look whether Redis runs there, and whether name, password and rediss:// are as it wants them',
  }
}

/** Redis has no room for more; what is there stays. */
export function isFull(error: unknown): boolean {
  return /\bOOM\b/.test((error as { readonly message?: string }).message ?? '')
}

async function bullmq(): Promise<typeof import('bullmq')> {
  return whole(await import('bullmq'))
}

/** Where this package is bundled, all that a CommonJS package exports is its default export. */
function whole<Module>(module: Module): Module {
  return (module as Partial<{ readonly default: Module }>).default ?? module
}

/** All keys begin with it. */
export const prefix = 'allways'

/** Whoever adds units of a run to be taken. */
export async function queueOf(run: string, redis: Redis): Promise<Queue> {
  const { Queue } = await bullmq()
  const queue = new Queue(run, { connection: redis, prefix, streams: { events: { maxLen: 10 } } })
  queue.on('error', () => undefined)
  return queue
}

/**
 * A worker that hangs for this long is taken for dead. It explores in another thread, so it hangs only if the machine does; and
 * whoever was taken for dead by mistake has explored in vain, which changes no count.
 */
export const lockMilliseconds = 4_000

/** Whoever takes units of a run; jobs of workers that died wait again. */
export async function takerOf(run: string, redis: Redis): Promise<Worker> {
  const { Worker } = await bullmq()
  const taker = new Worker(run, null, {
    connection: redis,
    prefix,
    autorun: false,
    lockDuration: lockMilliseconds,
    stalledInterval: lockMilliseconds / 2,
    // Deaths are counted with the units.
    maxStalledCount: Number.MAX_SAFE_INTEGER,
  })
  taker.on('error', () => undefined)
  return taker
}
