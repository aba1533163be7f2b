/** A Redis that is away, and may be started again: how long it is waited for. */
import { setTimeout as delay } from 'node:timers/promises'
import { type Redis, unanswered, whyFailed } from './connection.ts'

const lookMilliseconds = 100
const awayMilliseconds = 60_000
/** When all that counts is known, so long is worth waiting for what lies there. */
const endMilliseconds = 5_000
/** When nobody wants more of the search, or its time is over: enough for a Redis that is just being started. */
const graceMilliseconds = 1_000

export interface AwayLimits {
  /** How long Redis may be away while the search lasts; a minute unless told. */
  readonly away?: number | undefined
  /** And once the search is to end; a second unless told. */
  readonly grace?: number | undefined
}

export class Absence {
  readonly #redis: Redis
  readonly #told: (why: string) => void
  readonly #grace: number
  #most: number
  #isSpent: () => boolean
  #spentAt: number | undefined
  #since: number | undefined

  constructor(redis: Redis, limits: AwayLimits, isSpent: () => boolean, told: (why: string) => void) {
    this.#redis = redis
    this.#told = told
    this.#isSpent = isSpent
    this.#most = limits.away ?? awayMilliseconds
    this.#grace = limits.grace ?? graceMilliseconds
  }

  /** Whether the search is to end is asked of this from now on. */
  heed(isSpent: () => boolean): void {
    this.#isSpent = isSpent
  }

  /** Nothing but what lies there is waited for from now on. */
  ending(): void {
    this.#most = Math.min(this.#most, endMilliseconds)
  }

  /** What was asked failed; whether Redis is not waited for any more. */
  isOver(error: unknown, askedAt: number): boolean {
    if (this.#since === undefined) this.#told(whyFailed(error))
    this.#since ??= askedAt
    if (this.#isSpent()) this.#spentAt ??= Date.now()
    const now = Date.now()
    const isLate = this.#spentAt !== undefined && now - Math.max(this.#since, this.#spentAt) >= this.#grace
    return isLate || now - this.#since >= this.#most
  }

  /** The answer, unless Redis is not waited for any more: a connection that is lost may take long to fail. */
  async answer<Answer>(asked: Promise<Answer>): Promise<Answer> {
    const ended = new AbortController()
    try {
      const answer = await Promise.race([asked, this.#overWhile(ended.signal)])
      this.#since = undefined
      return answer
    } finally {
      ended.abort()
    }
  }

  async #overWhile(signal: AbortSignal): Promise<never> {
    const askedAt = Date.now()
    for (;;) {
      await delay(lookMilliseconds, undefined, { signal })
      // A Redis that is there may be slow.
      const isAway = this.#since !== undefined || this.#redis.status !== 'ready'
      if (isAway && this.isOver(unanswered, askedAt)) throw unanswered
    }
  }
}
