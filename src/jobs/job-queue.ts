/** First in, first out, in one flat array with a head and an end: a job costs one write and one read. */
export class JobQueue<Item> {
  #items: (Item | undefined)[] = []
  #head = 0
  /** Behind the newest. The array may be longer: making it shorter and longer again is what costs. */
  #end = 0

  get length(): number {
    return this.#end - this.#head
  }

  push(item: Item): void {
    this.#items[this.#end++] = item
  }

  /** The oldest, or nothing. */
  take(): Item | undefined {
    const head = this.#head
    if (head === this.#end) return undefined
    const item = this.#items[head]
    this.#items[head] = undefined
    this.#head = head + 1
    if (this.#head === this.#end) this.#begin()
    else if (this.#head >= compactFrom && this.#head * 2 > this.#end) this.restore(this.waiting())
    return item
  }

  /** Takes one that need not be the oldest; false if it is not waiting. */
  remove(item: Item): boolean {
    const waiting = this.waiting()
    const at = waiting.indexOf(item)
    if (at < 0) return false
    waiting.splice(at, 1)
    this.restore(waiting)
    return true
  }

  /** What waits, oldest first. */
  waiting(): Item[] {
    return this.#items.slice(this.#head, this.#end) as Item[]
  }

  /** Puts back what `waiting()` gave. */
  restore(items: readonly Item[]): void {
    this.#items = [...items]
    this.#head = 0
    this.#end = items.length
  }

  #begin(): void {
    if (this.#end > compactFrom) this.#items = []
    this.#head = 0
    this.#end = 0
  }
}

/** A queue that was long, or never runs empty, must not keep the room of what was taken. */
const compactFrom = 4096
