/** Critical sections under any lock of this library. */
import type { BlockingLock } from '../../core/lock.ts'

/** A lock that threads and async functions use; those who wait get it in the order of their calls. */
export abstract class SyncLock implements BlockingLock {
  /** Waits for the lock without blocking the thread. */
  abstract acquire(): Promise<void>

  /** Blocks the thread until it has the lock; throws if only this thread could change that it has to wait. */
  abstract acquireSync(): void

  /** Takes the lock if that is possible without waiting, and says whether it did. */
  abstract tryAcquire(): boolean

  /** Gives the lock back. */
  abstract release(): void

  /** Holds the lock until what `body` returns has settled, and gives its result. */
  async run<Result>(body: () => Promise<Result> | Result): Promise<Result> {
    await this.acquire()
    try {
      return await body()
    } finally {
      this.release()
    }
  }

  /** Holds the lock while `body` runs, and gives its result. */
  runSync<Result>(body: () => Result): Result {
    this.acquireSync()
    try {
      return body()
    } finally {
      this.release()
    }
  }
}
