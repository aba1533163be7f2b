import { Atomic, Mutex, ReadWriteLock, Semaphore } from 'allways/sync'
import { expectTypeOf, test } from 'vitest'

test('an atomic has the type of its value, and only numbers can be added to', () => {
  expectTypeOf(new Atomic('a').load()).toEqualTypeOf<string>()
  expectTypeOf(new Atomic<string | null>(null).exchange('a')).toEqualTypeOf<string | null>()
  expectTypeOf(new Atomic(1).getAndAdd(2)).toEqualTypeOf<number>()
  // @ts-expect-error a string cannot be added to
  new Atomic('a').getAndAdd(1)
})

test('runSync and run have the type of what the body gives', () => {
  expectTypeOf(new Mutex().runSync(() => 1)).toEqualTypeOf<number>()
  expectTypeOf(new Mutex().run(async () => 'a')).toEqualTypeOf<Promise<string>>()
  expectTypeOf(new Mutex().run(() => 'a')).toEqualTypeOf<Promise<string>>()
})

test('waiting without blocking gives a promise', () => {
  expectTypeOf(new ReadWriteLock().write.acquire()).toEqualTypeOf<Promise<void>>()
  expectTypeOf(new Semaphore(1).acquire()).toEqualTypeOf<Promise<void>>()
  expectTypeOf(new Mutex().acquire()).toEqualTypeOf<Promise<void>>()
})
