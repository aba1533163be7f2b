/**
 * Bytes of a connection that have come and are not used yet. They are copied into one buffer that doubles: a piece of one byte,
 * kept as it came, takes a hundred times its size, and joining all pieces anew for each takes quadratic time.
 */

const smallest = 1 << 10
/** A connection that has nothing to say keeps no more than this. */
const mostIdle = 1 << 16

export class UnreadBytes {
  #store = Buffer.alloc(0)
  /** Invariant: what is unread stands from here up to `#end`. Whoever adds bounds how much that may be. */
  #start = 0
  #end = 0

  get size(): number {
    return this.#end - this.#start
  }

  add(bytes: Buffer): void {
    if (this.#end + bytes.length > this.#store.length) this.#makeRoom(this.size + bytes.length)
    bytes.copy(this.#store, this.#end)
    this.#end += bytes.length
  }

  /** The number in the first four bytes, if they are here. */
  firstNumber(): number | undefined {
    return this.size < 4 ? undefined : this.#store.readUInt32BE(this.#start)
  }

  /** How many bytes there are before the first one like this, not looking at the first `from`; -1 if there is none. */
  indexOf(byte: number, from: number): number {
    return this.#store.subarray(this.#start, this.#end).indexOf(byte, from)
  }

  /** Copies: what is left is written over. */
  take(count: number): Buffer {
    const taken = Buffer.from(this.#store.subarray(this.#start, this.#start + count))
    this.#start += count
    if (this.size === 0) this.clear()
    return taken
  }

  clear(): void {
    this.#start = 0
    this.#end = 0
    if (this.#store.length > mostIdle) this.#store = Buffer.alloc(0)
  }

  #makeRoom(needed: number): void {
    const isSparse = 2 * needed <= this.#store.length
    const store = isSparse ? this.#store : Buffer.allocUnsafeSlow(Math.max(smallest, 2 * needed))
    this.#store.copy(store, 0, this.#start, this.#end)
    this.#end = this.size
    this.#start = 0
    this.#store = store
  }
}
