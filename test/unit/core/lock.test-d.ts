/** The locks of processes and those of threads have the same verbs; threads have some more, because they can block. */
import { expectTypeOf, test } from 'vitest'
import type { AtomicVariable, BlockingLock, Lock, LockPair } from '../../../src/core/lock.ts'
import type { Address, Atomic, Mutex, ReadWriteLock, Semaphore } from '../../../src/index.ts'
import type * as sync from '../../../src/model/sync/sync.ts'

/** What can be called beside that a handle is an address. */
type Verbs<Handle> = Exclude<keyof Handle, keyof Address>
/** Without what only threads can do, and questions whose answer may be out of date when a process gets it. */
type SharedVerbs<OfThreads> = Exclude<keyof OfThreads, Blocking | 'locked' | 'available'>
type Blocking = Exclude<keyof BlockingLock, keyof Lock<'thread'>>

test('both libraries offer the verbs of a lock', () => {
  expectTypeOf<keyof Lock<'process'>>().toEqualTypeOf<'acquire' | 'tryAcquire' | 'release' | 'run'>()
  expectTypeOf<Blocking>().toEqualTypeOf<'acquireSync' | 'runSync'>()
  expectTypeOf<Verbs<Mutex>>().toEqualTypeOf<SharedVerbs<sync.Mutex>>()
  expectTypeOf<Verbs<Semaphore>>().toEqualTypeOf<SharedVerbs<sync.Semaphore>>()
  expectTypeOf<Verbs<ReadWriteLock>>().toEqualTypeOf<SharedVerbs<sync.ReadWriteLock>>()
  expectTypeOf<Verbs<ReadWriteLock['read']>>().toEqualTypeOf<SharedVerbs<sync.ReadWriteLock['read']>>()
  expectTypeOf<Verbs<ReadWriteLock['write']>>().toEqualTypeOf<SharedVerbs<sync.ReadWriteLock['write']>>()
  expectTypeOf<Verbs<Atomic<number>>>().toEqualTypeOf<SharedVerbs<sync.Atomic<number>>>()
})

test('they are what is declared once for both', () => {
  expectTypeOf<Verbs<Mutex>>().toEqualTypeOf<keyof Lock<'process'>>()
  expectTypeOf<Verbs<ReadWriteLock>>().toEqualTypeOf<keyof LockPair<unknown>>()
  expectTypeOf<Verbs<Atomic<number>>>().toEqualTypeOf<keyof AtomicVariable<'process', number>>()
  expectTypeOf<Mutex>().toExtend<Lock<'process'>>()
  expectTypeOf<Semaphore>().toExtend<Lock<'process'>>()
  expectTypeOf<ReadWriteLock>().toExtend<LockPair<Lock<'process'>>>()
  expectTypeOf<Atomic<string>>().toExtend<AtomicVariable<'process', string>>()
  expectTypeOf<sync.Mutex>().toExtend<BlockingLock>()
  expectTypeOf<sync.Semaphore>().toExtend<BlockingLock>()
  expectTypeOf<sync.ReadWriteLock>().toExtend<LockPair<BlockingLock>>()
  expectTypeOf<sync.Atomic<string>>().toExtend<AtomicVariable<'thread', string>>()
})

test('a lock of threads is none of processes', () => {
  expectTypeOf<sync.Mutex>().not.toExtend<Lock<'process'>>()
  expectTypeOf<Mutex>().not.toExtend<Lock<'thread'>>()
})
