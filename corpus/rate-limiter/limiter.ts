/** The token bucket with a mutex per user around reading and writing back. */
import { Mutex } from 'allways/sync'
import type { Store } from './store.ts'

export class RateLimiter {
  readonly #store: Store
  readonly #capacity: number
  readonly #mutexes = new Map<string, Mutex>()

  constructor(store: Store, capacity: number) {
    this.#store = store
    this.#capacity = capacity
  }

  /** Says whether the user may go on, and takes a token if so. */
  async tryTake(user: string): Promise<boolean> {
    const mutex = this.#mutexOf(user)
    await mutex.acquire()
    try {
      const tokens = await this.remaining(user)
      if (tokens === 0) return false
      await this.#store.set(user, tokens - 1)
      return true
    } finally {
      mutex.release()
    }
  }

  /** Adds tokens up to the capacity, as a timer would, and gives how many there are then. */
  async refill(user: string, amount: number): Promise<number> {
    const mutex = this.#mutexOf(user)
    await mutex.acquire()
    try {
      const tokens = Math.min(this.#capacity, (await this.remaining(user)) + amount)
      await this.#store.set(user, tokens)
      return tokens
    } finally {
      mutex.release()
    }
  }

  /** One read: no lock needed. */
  async remaining(user: string): Promise<number> {
    return (await this.#store.get(user)) ?? this.#capacity
  }

  #mutexOf(user: string): Mutex {
    const known = this.#mutexes.get(user)
    if (known !== undefined) return known
    const mutex = new Mutex()
    this.#mutexes.set(user, mutex)
    return mutex
  }
}
