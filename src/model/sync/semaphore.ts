/** A number of permits. */
import { requireNoMore, requireShape, sharedLockShapes } from '../../core/option-shape.ts'
import { deadlock, Line, lineCells } from './line.ts'
import { cellsOf, type SharedOptions } from './shared-cells.ts'
import { SyncLock } from './sync-lock.ts'

/**
 * Those who wait get permits in the order of their calls, blocked threads and promises in one line, and nobody can take one
 * before them. A permit has no owner: anybody may release, and more than were acquired. Over shared memory every thread
 * makes an object of its own with the same number of permits.
 */
export class Semaphore extends SyncLock {
  /** How many elements of a shared view it needs. */
  static readonly cells = lineCells

  readonly #line: Line

  constructor(permits: number, options: SharedOptions = {}, ...extra: readonly never[]) {
    super()
    if (!Number.isInteger(permits) || permits < 0 || permits > largest) {
      throw new RangeError(`Semaphore: the number of permits must be an integer from 0 to ${largest}, not ${permits}`)
    }
    requireShape(options, sharedLockShapes, 'new Semaphore(…)')
    requireNoMore(extra, 'new Semaphore(permits, options)')
    this.#line = new Line(cellsOf(options.shared, Semaphore.cells, 'Semaphore'), permits)
  }

  /** How many could be acquired without waiting. */
  get available(): number {
    return Math.max(0, this.#line.room)
  }

  acquire(): Promise<void> {
    return this.#line.enterAsync()
  }

  acquireSync(): void {
    if (!this.#line.enter()) {
      const reason = 'no permit is left, and this thread cannot release one while it is blocked'
      throw deadlock('Semaphore.acquireSync()', reason, 'acquire()')
    }
  }

  /** Takes a permit if one is left and nobody waits for it. */
  tryAcquire(): boolean {
    return this.#line.tryEnter()
  }

  /** Gives one permit to the first who waits, or to whoever comes next. */
  release(): void {
    this.#line.admit()
  }
}

/** Counters are apart by no more than half of what they can count. */
const largest = 2 ** 30
