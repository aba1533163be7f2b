/** The cache that keeps promises instead of values: an entry is there from the moment its load begins. */
export class LruCache<Value> {
  readonly #capacity: number
  readonly #load: (key: string) => Promise<Value>
  /** Least recently used first: a Map remembers the order of insertion. */
  readonly #entries = new Map<string, Promise<Value>>()
  #loads = 0

  constructor(capacity: number, load: (key: string) => Promise<Value>) {
    this.#capacity = capacity
    this.#load = load
  }

  async get(key: string): Promise<Value> {
    const cached = this.#entries.get(key)
    if (cached !== undefined) {
      this.#store(key, cached)
      return await cached
    }
    this.#loads++
    const loading = this.#load(key)
    this.#store(key, loading)
    try {
      return await loading
    } catch (error) {
      // The next one may have more luck, unless somebody has put a value there meanwhile.
      if (this.#entries.get(key) === loading) this.#entries.delete(key)
      throw error
    }
  }

  /** Gives the key that had to make room, if any. */
  put(key: string, value: Value): string | null {
    return this.#store(key, Promise.resolve(value))
  }

  stats(): { loads: number; keys: string[] } {
    return { loads: this.#loads, keys: [...this.#entries.keys()] }
  }

  #store(key: string, value: Promise<Value>): string | null {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size <= this.#capacity) return null
    const [oldest] = this.#entries.keys()
    this.#entries.delete(oldest as string)
    return oldest as string
  }
}
