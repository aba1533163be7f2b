/** A lock that one can hold at a time. */
import { deadlock, Line, lineCells } from './line.ts'
import { cellsOf, type SharedOptions } from './shared-cells.ts'

export interface MutexOptions extends SharedOptions {
  /**
   * The thread that holds the mutex may lock it again; it is free after as many unlocks. The owner is the thread, and on one
   * thread all calls have the same owner: it cannot keep two async functions apart. So `lockAsync` and `runAsync` refuse a
   * reentrant mutex, and one should not be held across an `await`.
   */
  readonly reentrant?: boolean
}

/**
 * Those who wait get it in the order of their calls, blocked threads and promises in one line, and nobody can take it before
 * them. Over shared memory the owner is the object: each thread makes one of its own. A thread that is terminated while it
 * holds or awaits a mutex leaves it locked.
 */
export class Mutex {
  /** How many elements of a shared view it needs. */
  static readonly cells = lineCells

  readonly #line: Line
  readonly #reentrant: boolean
  /** How often this thread has locked it. */
  #depth = 0
  #pending = 0

  constructor(options: MutexOptions = {}) {
    this.#line = new Line(cellsOf(options.shared, Mutex.cells, 'Mutex'), 1)
    this.#reentrant = options.reentrant ?? false
  }

  /** True if somebody holds it or is about to get it. */
  get locked(): boolean {
    return this.#line.room <= 0
  }

  /** Blocks the thread until it has the mutex; throws if only this thread could unlock it. */
  lock(): void {
    if (this.#reenter()) return
    const hopeless = this.#depth > 0 || this.#pending > 0
    if (!(hopeless ? this.#line.tryEnter() : this.#line.enter())) {
      throw deadlock(
        'Mutex.lock()',
        'the mutex is locked, and no other thread will unlock it while this one is blocked',
        'lockAsync()',
      )
    }
    this.#depth = 1
  }

  /** Takes the mutex if nobody holds it or waits for it. */
  tryLock(): boolean {
    if (this.#reenter()) return true
    if (!this.#line.tryEnter()) return false
    this.#depth = 1
    return true
  }

  /** Gives the mutex to the first who waits; throws if this thread does not hold it. */
  unlock(): void {
    if (this.#depth === 0) throw new Error('Mutex.unlock(): this thread does not hold the mutex')
    this.#depth--
    if (this.#depth === 0) this.#line.admit()
  }

  /** Waits for the mutex without blocking the thread. */
  async lockAsync(): Promise<void> {
    if (this.#reentrant) throw new TypeError('Mutex.lockAsync(): a reentrant mutex cannot tell async functions apart')
    this.#pending++
    try {
      await this.#line.enterAsync()
      this.#depth = 1
    } finally {
      this.#pending--
    }
  }

  /** Holds the mutex while `body` runs, and gives its result. */
  run<T>(body: () => T): T {
    this.lock()
    try {
      return body()
    } finally {
      this.unlock()
    }
  }

  /** Holds the mutex until what `body` returns has settled, and gives its result. */
  async runAsync<T>(body: () => Promise<T> | T): Promise<T> {
    await this.lockAsync()
    try {
      return await body()
    } finally {
      this.unlock()
    }
  }

  #reenter(): boolean {
    if (!this.#reentrant || this.#depth === 0) return false
    this.#depth++
    return true
  }
}
