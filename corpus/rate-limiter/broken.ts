/** A token bucket per user in a store: what is read may be outdated by the time it is written back. */
import type { Store } from './store.ts'

export class RacyLimiter {
  readonly #store: Store
  readonly #capacity: number

  constructor(store: Store, capacity: number) {
    this.#store = store
    this.#capacity = capacity
  }

  /** Says whether the user may go on, and takes a token if so. */
  async tryTake(user: string): Promise<boolean> {
    const tokens = await this.remaining(user)
    if (tokens === 0) return false
    await this.#store.set(user, tokens - 1)
    return true
  }

  /** Adds tokens up to the capacity, as a timer would, and gives how many there are then. */
  async refill(user: string, amount: number): Promise<number> {
    const tokens = Math.min(this.#capacity, (await this.remaining(user)) + amount)
    await this.#store.set(user, tokens)
    return tokens
  }

  async remaining(user: string): Promise<number> {
    return (await this.#store.get(user)) ?? this.#capacity
  }
}
