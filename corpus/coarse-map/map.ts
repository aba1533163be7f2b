/** A hash map that grows, under one lock. */
import { Mutex } from 'allways/sync'

export class Entry {
  readonly key: number
  value: number
  next: Entry | null

  constructor(key: number, value: number, next: Entry | null) {
    this.key = key
    this.value = value
    this.next = next
  }
}

export class CoarseMap {
  protected readonly lock = new Mutex()
  protected chains: (Entry | null)[] = [null]
  protected count = 0

  get(key: number): number | null {
    this.lock.acquireSync()
    try {
      return this.find(key)?.value ?? null
    } finally {
      this.lock.release()
    }
  }

  /** The value the key had before. */
  put(key: number, value: number): number | null {
    this.lock.acquireSync()
    try {
      const entry = this.find(key)
      if (entry !== null) {
        const old = entry.value
        entry.value = value
        return old
      }
      if (this.count === this.chains.length) {
        this.grow()
      }
      this.prepend(new Entry(key, value, null))
      this.count++
      return null
    } finally {
      this.lock.release()
    }
  }

  /** The value the key had. */
  remove(key: number): number | null {
    this.lock.acquireSync()
    try {
      const chains = this.chains
      const index = key % chains.length
      let previous: Entry | null = null
      let entry = chains[index] ?? null
      while (entry !== null && entry.key !== key) {
        previous = entry
        entry = entry.next
      }
      if (entry === null) {
        return null
      }
      if (previous === null) {
        chains[index] = entry.next
      } else {
        previous.next = entry.next
      }
      this.count--
      return entry.value
    } finally {
      this.lock.release()
    }
  }

  size(): number {
    this.lock.acquireSync()
    try {
      return this.count
    } finally {
      this.lock.release()
    }
  }

  protected find(key: number): Entry | null {
    const chains = this.chains
    let entry = chains[key % chains.length] ?? null
    while (entry !== null && entry.key !== key) {
      entry = entry.next
    }
    return entry
  }

  /** Twice as many chains, with the same entries. */
  protected grow(): void {
    const old = this.chains
    this.chains = new Array<Entry | null>(2 * old.length).fill(null)
    for (const first of old) {
      let entry = first
      while (entry !== null) {
        const next: Entry | null = entry.next
        this.prepend(entry)
        entry = next
      }
    }
  }

  protected prepend(entry: Entry): void {
    const chains = this.chains
    const index = entry.key % chains.length
    entry.next = chains[index] ?? null
    chains[index] = entry
  }
}
