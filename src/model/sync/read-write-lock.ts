/**
 * A lock that many can hold to read, or one to write.
 *
 * Readers and writers stand in one line. A reader whose turn it is counts itself and passes the turn on at once; a writer keeps
 * the turn, waits until all counted readers have left, and passes it on when it is done. So readers who follow each other
 * read together, and none of them overtakes a writer (a fair lock: "ticket" in Mellor-Crummey and Scott, "Scalable
 * reader-writer synchronization for shared-memory multiprocessors", 1991, section 3.2).
 */
import { deadlock, Line, lineCells } from './line.ts'
import { canBlock, cellsOf, isShared, pauseWhile, type SharedOptions } from './shared-cells.ts'

/**
 * Not reentrant: who holds it to read and asks again waits for ever if a writer came in between, and a lock to read does not
 * become one to write. Over shared memory the owner is the object: each thread makes one of its own. A thread that is
 * terminated while it holds or awaits the lock leaves it locked.
 */
export class ReadWriteLock {
  /** How many elements of a shared view it needs. */
  static readonly cells = lineCells + 1

  readonly #cells: Int32Array
  readonly #line: Line
  /** Of this thread: how many read, whether one writes, and how many promises wait. */
  #reading = 0
  #writing = false
  #pending = 0
  /** On one thread: wakes the writer whose turn it is when the last reader leaves. */
  #drained: (() => void) | undefined

  constructor(options: SharedOptions = {}) {
    this.#cells = cellsOf(options.shared, ReadWriteLock.cells, 'ReadWriteLock')
    this.#line = new Line(this.#cells.subarray(0, lineCells), 1)
  }

  /** Blocks the thread until no writer holds the lock or waits for it; throws if only this thread could change that. */
  readLock(): void {
    const hopeless = this.#writing || this.#pending > 0
    if (!(hopeless ? this.#line.tryEnter() : this.#line.enter())) {
      throw deadlock('ReadWriteLock.readLock()', 'a writer of this thread holds it or waits for it', 'readLockAsync()')
    }
    this.#beginReading()
  }

  /** Waits to read without blocking the thread. */
  async readLockAsync(): Promise<void> {
    this.#pending++
    try {
      await this.#line.enterAsync()
      this.#beginReading()
    } finally {
      this.#pending--
    }
  }

  /** Throws if this thread does not hold the lock to read. */
  readUnlock(): void {
    if (this.#reading === 0) throw new Error('ReadWriteLock.readUnlock(): this thread holds no lock to read')
    this.#reading--
    if (Atomics.sub(this.#cells, readers, 1) > 1) return
    if (isShared(this.#cells)) Atomics.notify(this.#cells, readers)
    this.#drained?.()
  }

  /** Blocks the thread until nobody else holds the lock; throws if only this thread could change that. */
  writeLock(): void {
    const hopeless = this.#reading > 0 || this.#writing || this.#pending > 0
    if (hopeless || !this.#line.enter() || !this.#drain()) {
      throw deadlock('ReadWriteLock.writeLock()', 'this thread holds it already or waits for it', 'writeLockAsync()')
    }
    this.#writing = true
  }

  /** Waits to write without blocking the thread. */
  async writeLockAsync(): Promise<void> {
    this.#pending++
    try {
      await this.#line.enterAsync()
      await this.#drainAsync()
      this.#writing = true
    } finally {
      this.#pending--
    }
  }

  /** Throws if this thread does not hold the lock to write. */
  writeUnlock(): void {
    if (!this.#writing) throw new Error('ReadWriteLock.writeUnlock(): this thread does not hold the lock to write')
    this.#writing = false
    this.#line.admit()
  }

  #beginReading(): void {
    this.#reading++
    Atomics.add(this.#cells, readers, 1)
    this.#line.admit()
  }

  /** With the turn in hand, so that no reader comes: until those who came before have left. False: gives up the turn. */
  #drain(): boolean {
    for (;;) {
      const left = Atomics.load(this.#cells, readers)
      if (left === 0) return true
      if (!isShared(this.#cells) || !canBlock()) {
        this.#line.admit()
        return false
      }
      Atomics.wait(this.#cells, readers, left)
    }
  }

  async #drainAsync(): Promise<void> {
    for (;;) {
      const left = Atomics.load(this.#cells, readers)
      if (left === 0) return
      if (isShared(this.#cells)) await pauseWhile(this.#cells, readers, left)
      else
        await new Promise<void>((resolve) => {
          this.#drained = resolve
        })
    }
  }
}

const readers = lineCells
