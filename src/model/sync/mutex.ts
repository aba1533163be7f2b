/** A lock that one can hold at a time. */
import { mutexShapes, requireNoMore, requireShape } from '../../core/option-shape.ts'
import { deadlock, Line, lineCells } from './line.ts'
import { cellsOf, type SharedOptions } from './shared-cells.ts'
import { SyncLock } from './sync-lock.ts'

export interface MutexOptions extends SharedOptions {
  /**
   * The thread that holds the mutex may acquire it again; it is free after as many releases. The owner is the thread, and on
   * one thread all calls have the same owner: it cannot keep two async functions apart. So `acquire` and `run` refuse a
   * reentrant mutex, which is for `acquireSync` and `runSync`, and one should not be held across an `await`.
   */
  readonly reentrant?: boolean
}

/**
 * Those who wait get it in the order of their calls, blocked threads and promises in one line, and nobody can take it before
 * them. Over shared memory the owner is the object: each thread makes one of its own. A thread that is terminated while it
 * holds or awaits a mutex leaves it locked.
 */
export class Mutex extends SyncLock {
  /** How many elements of a shared view it needs. */
  static readonly cells = lineCells

  readonly #line: Line
  readonly #reentrant: boolean
  /** How often this thread has acquired it. */
  #depth = 0
  #pending = 0

  constructor(options: MutexOptions = {}, ...extra: readonly never[]) {
    super()
    requireShape(options, mutexShapes, 'new Mutex(…)')
    requireNoMore(extra, 'new Mutex(options)')
    this.#line = new Line(cellsOf(options.shared, Mutex.cells, 'Mutex'), 1)
    this.#reentrant = options.reentrant ?? false
  }

  /** True if somebody holds it or is about to get it. */
  get locked(): boolean {
    return this.#line.room <= 0
  }

  async acquire(): Promise<void> {
    if (this.#reentrant) throw new TypeError('Mutex.acquire(): a reentrant mutex cannot tell async functions apart')
    this.#pending++
    try {
      await this.#line.enterAsync()
      this.#depth = 1
    } finally {
      this.#pending--
    }
  }

  acquireSync(): void {
    if (this.#reenter()) return
    const hopeless = this.#depth > 0 || this.#pending > 0
    if (!(hopeless ? this.#line.tryEnter() : this.#line.enter())) {
      throw deadlock(
        'Mutex.acquireSync()',
        'the mutex is locked, and no other thread will release it while this one is blocked',
        'acquire()',
      )
    }
    this.#depth = 1
  }

  /** Takes the mutex if nobody holds it or waits for it. */
  tryAcquire(): boolean {
    if (this.#reenter()) return true
    if (!this.#line.tryEnter()) return false
    this.#depth = 1
    return true
  }

  /** Gives the mutex to the first who waits; throws if this thread does not hold it. */
  release(): void {
    if (this.#depth === 0) throw new Error('Mutex.release(): this thread does not hold the mutex')
    this.#depth--
    if (this.#depth === 0) this.#line.admit()
  }

  #reenter(): boolean {
    if (!this.#reentrant || this.#depth === 0) return false
    this.#depth++
    return true
  }
}
