/**
 * What locks and atomic variables offer, declared once for both libraries: `allways`, whose locks are used by the processes of a
 * model, and `allways/sync`, whose locks are used by threads. A process gets an operation from every call. A thread gets a promise
 * where it may have to wait, and the answer itself elsewhere.
 */
import type { CompositeOperation, Operation } from './operation.ts'

type LockUser = 'process' | 'thread'

/** What a call gives that may have to wait. */
type Awaited<User extends LockUser, Result> = { process: CompositeOperation<Result>; thread: Promise<Result> }[User]

/** What a call gives that never waits. */
type Immediate<User extends LockUser, Result> = { process: CompositeOperation<Result>; thread: Result }[User]

/** A mutex, a semaphore, or one side of a read-write lock. */
export interface Lock<User extends LockUser> {
  /** Waits until the lock can be had, and takes it. */
  acquire(): Awaited<User, void>
  /** Takes the lock if that is possible without waiting, and says whether it did. */
  tryAcquire(): Immediate<User, boolean>
  /** Gives the lock back. */
  release(): Immediate<User, void>
  /** Holds the lock while `body` runs, and gives its result. */
  readonly run: Sections[User]
}

interface Sections {
  readonly process: ProcessSection
  readonly thread: ThreadSection
}

/** The body is a generator function or an async function. */
interface ProcessSection {
  <Yielded, Result>(body: () => Performable<Yielded, Result>): CompositeOperation<Result, Yielded | Operation<never>>
  <Result>(body: () => Promise<Result>): CompositeOperation<Result>
}

/** What `yield*` can be put in front of: a generator, or an operation. */
export interface Performable<Yielded, Result> {
  [Symbol.iterator](): Iterator<Yielded, Result, unknown>
}

type ThreadSection = <Result>(body: () => Promise<Result> | Result) => Promise<Result>

/** What threads have beyond: they can block. */
export interface BlockingLock extends Lock<'thread'> {
  acquireSync(): void
  runSync<Result>(body: () => Result): Result
}

/** Many can hold it to read, or one to write. */
export interface LockPair<Side> {
  readonly read: Side
  readonly write: Side
}

/** A variable whose operations nothing can interrupt. */
export interface AtomicVariable<User extends LockUser, in out T> {
  load(): Immediate<User, T>
  store(value: T): Immediate<User, void>
  /** Stores a value and gives the one before. */
  exchange(value: T): Immediate<User, T>
  /** Stores `value` if the present one is `expected`, and says whether it was. */
  compareAndSet(expected: T, value: T): Immediate<User, boolean>
  /** Stores what `change` makes of the present value, with nothing in between, and gives the new one. */
  update(change: (value: T) => T): Immediate<User, T>
  /** Adds to the number and gives the one before. */
  getAndAdd(this: AtomicVariable<User, number>, amount: number): Immediate<User, number>
}
