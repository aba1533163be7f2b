/** A cache in front of a slow source, as it is usually written first. */
export class RacyCache<Value> {
  readonly #capacity: number
  readonly #load: (key: string) => Promise<Value>
  /** Least recently used first: a Map remembers the order of insertion. */
  readonly #entries = new Map<string, Value>()
  #loads = 0

  constructor(capacity: number, load: (key: string) => Promise<Value>) {
    this.#capacity = capacity
    this.#load = load
  }

  async get(key: string): Promise<Value> {
    const cached = this.#entries.get(key)
    if (cached !== undefined) {
      this.#store(key, cached)
      return cached
    }
    const value = await this.#load(key)
    this.#loads++
    this.#store(key, value)
    return value
  }

  /** Gives the key that had to make room, if any. */
  put(key: string, value: Value): string | null {
    return this.#store(key, value)
  }

  stats(): { loads: number; keys: string[] } {
    return { loads: this.#loads, keys: [...this.#entries.keys()] }
  }

  #store(key: string, value: Value): string | null {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size <= this.#capacity) return null
    const [oldest] = this.#entries.keys()
    this.#entries.delete(oldest as string)
    return oldest as string
  }
}
