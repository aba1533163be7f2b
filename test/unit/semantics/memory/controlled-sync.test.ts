import { expect, test } from 'vitest'
import * as production from '../../../../src/model/sync/sync.ts'
import * as access from '../../../../src/semantics/memory/access.ts'

type AnyClass = (new (...args: never[]) => object) & { readonly [name: string]: unknown }

const names = ['Atomic', 'Mutex', 'ReadWriteLock', 'Semaphore'] as const

function classIn(module: object, name: string): AnyClass {
  return (module as { readonly [name: string]: AnyClass })[name] as AnyClass
}

function methodsOf({ prototype }: AnyClass): readonly string[] {
  const own = Object.getOwnPropertyDescriptors(prototype) as { readonly [name: string]: PropertyDescriptor }
  return Object.entries(own)
    .map(([name, { get }]) => (get === undefined ? name : `get ${name}`))
    .sort()
}

function staticsOf(subject: AnyClass): readonly string[] {
  return Object.getOwnPropertyNames(subject)
    .filter((name) => !['length', 'name', 'prototype'].includes(name))
    .sort()
}

test('allways/sync exports the classes that have twins, and no others', () => {
  expect(Object.keys(production).sort()).toEqual(names)
})

test.each(names)('%s has the same methods, getters and static members under check as in production', (name) => {
  const [original, twin] = [classIn(production, name), classIn(access, name)]
  expect(methodsOf(twin)).toEqual(methodsOf(original))
  expect(staticsOf(twin)).toEqual(staticsOf(original))
  expect(twin.cells).toBe(original.cells)
})

const view = (length: number) => new Int32Array(new SharedArrayBuffer(4 * length))
const wrong: readonly (readonly [string, (module: typeof production) => unknown])[] = [
  ['too little shared memory', ({ Mutex }) => new Mutex({ shared: view(1) })],
  ['memory that is not shared', ({ ReadWriteLock }) => new ReadWriteLock({ shared: new Int32Array(9) })],
  ['half a permit', ({ Semaphore }) => new Semaphore(0.5)],
  ['an element that is not there', ({ Atomic }) => Atomic.shared(view(1), 1)],
  ['an element before the first', ({ Atomic }) => Atomic.shared(view(1), -1)],
  ['a fraction in an element', ({ Atomic }) => Atomic.shared(view(1)).store(0.5)],
  ['an unlock of what nobody holds', ({ Mutex }) => new Mutex().unlock()],
  ['the end of reading that nobody began', ({ ReadWriteLock }) => new ReadWriteLock().readUnlock()],
  ['the end of writing that nobody began', ({ ReadWriteLock }) => new ReadWriteLock().writeUnlock()],
]

test.each(wrong)('%s is refused with the same words', (_, act) => {
  expect(messageOf(() => act(access as never))).toBe(messageOf(() => act(production)))
})

test('an Atomic over an element is that element', () => {
  const cells = view(3)
  const atomic = access.Atomic.shared(cells, 2) as unknown as production.Atomic<number>
  cells[2] = 2 ** 31 - 1
  expect(atomic.getAndAdd(1)).toBe(2 ** 31 - 1)
  expect([...cells]).toEqual([0, 0, -(2 ** 31)])
  expect(atomic.compareAndSet(0, 5)).toBe(false)
  expect(atomic.compareAndSet(-(2 ** 31), 5)).toBe(true)
  expect([atomic.exchange(7), atomic.load()]).toEqual([5, 7])
})

test('locks over the same memory are one lock', () => {
  const cells = view(access.Mutex.cells)
  const [one, other] = [0, 1].map(() => new access.Mutex({ shared: cells })) as unknown as production.Mutex[]
  expect(one?.tryLock()).toBe(true)
  expect([other?.locked, other?.tryLock()]).toEqual([true, false])
  one?.unlock()
  expect([other?.locked, cells[0]]).toEqual([false, 0])
})

function messageOf(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    return String(error)
  }
  return 'nothing was thrown'
}
