/**
 * Locks, semaphores and atomic variables for programs that run: on one thread between async functions, and over shared
 * memory between worker threads. Under check a class meets twins of them whose every call is one step of the exploration.
 */

export { Atomic } from './atomic.ts'
export { Mutex, type MutexOptions } from './mutex.ts'
export { ReadWriteLock } from './read-write-lock.ts'
export { Semaphore } from './semaphore.ts'
export type { SharedOptions } from './shared-cells.ts'
