/** First in, first out, in one flat array with a head index: a job costs one write and one read. */
export class JobQueue<Item> {
  #items: (Item | undefined)[] = []
  #head = 0

  get length(): number {
    return this.#items.length - this.#head
  }

  push(item: Item): void {
    this.#items.push(item)
  }

  /** The oldest, or nothing. */
  take(): Item | undefined {
    const items = this.#items
    if (this.#head === items.length) return undefined
    const item = items[this.#head]
    items[this.#head++] = undefined
    if (this.#head === items.length) {
      items.length = 0
      this.#head = 0
    } else if (this.#head === compactAt) {
      // A queue that never runs empty must not keep what was taken; moved once per so many, this is nothing per job.
      this.#items = items.slice(compactAt)
      this.#head = 0
    }
    return item
  }

  /** Takes one that need not be the oldest; false if it is not waiting. */
  remove(item: Item): boolean {
    const at = this.#items.indexOf(item, this.#head)
    if (at < 0) return false
    this.#items.splice(at, 1)
    return true
  }

  /** What waits, oldest first. */
  waiting(): Item[] {
    return this.#items.slice(this.#head) as Item[]
  }

  /** Puts back what `waiting()` gave. */
  restore(items: readonly Item[]): void {
    this.#items = [...items]
    this.#head = 0
  }
}

const compactAt = 4096
