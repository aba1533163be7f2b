/** Numbers strings in the order they are first met, exactly: the whole string is kept and compared, never only its hash. */
export class KeyIndex {
  /** Several, because a `Map` of V8 ends at 2^24 entries. Invariant: all but the last are full. */
  readonly #maps: Map<string, number>[] = [new Map()]
  /** Entries per map. A parameter, so that a test can fill several maps. */
  readonly #limit: number
  #size = 0

  constructor(limit = 1 << 23) {
    this.#limit = limit
  }

  get size(): number {
    return this.#size
  }

  /** The number of the key, or -1. */
  find(key: string): number {
    for (const map of this.#maps) {
      const number = map.get(key)
      if (number !== undefined) return number
    }
    return -1
  }

  /** Numbers a key that has none yet. Not checked: the caller has asked `find` first. */
  add(key: string): number {
    let last = this.#maps[this.#maps.length - 1]!
    if (last.size === this.#limit) {
      last = new Map()
      this.#maps.push(last)
    }
    last.set(key, this.#size)
    return this.#size++
  }
}
