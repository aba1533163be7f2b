import { linearizable } from 'allways'
import { RacyLimiter } from './broken.ts'
import { RateLimiter } from './limiter.ts'
import type { Store } from './store.ts'

class MemoryStore implements Store {
  readonly #values = new Map<string, number>()

  async get(key: string): Promise<number | undefined> {
    return this.#values.get(key)
  }

  async set(key: string, value: number): Promise<void> {
    this.#values.set(key, value)
  }
}

const operations = { tryTake: ['ann'], refill: [['ann', 1]], remaining: ['ann'] }

export default linearizable(RateLimiter, {
  name: 'rate limiter',
  create: () => new RateLimiter(new MemoryStore(), 1),
  operations,
})

/** Users do not get in each other's way. */
export const twoUsers = linearizable(RateLimiter, {
  name: 'rate limiter for two users',
  create: () => new RateLimiter(new MemoryStore(), 2),
  operations: { tryTake: ['ann', 'ben'], refill: [['ann', 1]] },
})

export const racy = linearizable(RacyLimiter, {
  name: 'racy rate limiter',
  create: () => new RacyLimiter(new MemoryStore(), 1),
  operations,
})
