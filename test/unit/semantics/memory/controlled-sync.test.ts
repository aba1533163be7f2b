import { expect, test } from 'vitest'
import * as production from '../../../../src/model/sync/sync.ts'
import * as access from '../../../../src/semantics/memory/access.ts'

type AnyClass = (new (...args: never[]) => object) & { readonly [name: string]: unknown }

const names = ['Atomic', 'Mutex', 'ReadWriteLock', 'Semaphore'] as const

function classIn(module: object, name: string): AnyClass {
  return (module as { readonly [name: string]: AnyClass })[name] as AnyClass
}

/** Those of classes it extends, too. */
function methodsOf(prototype: object): readonly string[] {
  const names = new Set<string>()
  for (let each = prototype; each !== Object.prototype; each = Object.getPrototypeOf(each) as object) {
    const own = Object.getOwnPropertyDescriptors(each) as { readonly [name: string]: PropertyDescriptor }
    for (const [name, { get }] of Object.entries(own)) names.add(get === undefined ? name : `get ${name}`)
  }
  return [...names].sort()
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
  expect(methodsOf(twin.prototype as object)).toEqual(methodsOf(original.prototype as object))
  expect(staticsOf(twin)).toEqual(staticsOf(original))
  expect(twin.cells).toBe(original.cells)
})

test.each(['read', 'write'] as const)(
  'the side to %s has the same methods as a mutex has, and as in production',
  (side) => {
    const [original, twin] = [new production.ReadWriteLock()[side], new access.ReadWriteLock()[side]]
    expect(methodsOf(Object.getPrototypeOf(twin) as object)).toEqual(
      methodsOf(Object.getPrototypeOf(original) as object),
    )
    expect([...methodsOf(Object.getPrototypeOf(original) as object), 'get locked'].sort()).toEqual(
      [...methodsOf(production.Mutex.prototype)].sort(),
    )
  },
)

const view = (length: number) => new Int32Array(new SharedArrayBuffer(4 * length))
const wrong: readonly (readonly [string, (module: typeof production) => unknown])[] = [
  ['too little shared memory', ({ Mutex }) => new Mutex({ shared: view(1) })],
  ['memory that is not shared', ({ ReadWriteLock }) => new ReadWriteLock({ shared: new Int32Array(9) })],
  ['half a permit', ({ Semaphore }) => new Semaphore(0.5)],
  ['an element that is not there', ({ Atomic }) => Atomic.shared(view(1), 1)],
  ['an element before the first', ({ Atomic }) => Atomic.shared(view(1), -1)],
  ['a fraction in an element', ({ Atomic }) => Atomic.shared(view(1)).store(0.5)],
  ['a release of what nobody holds', ({ Mutex }) => new Mutex().release()],
  ['the end of reading that nobody began', ({ ReadWriteLock }) => new ReadWriteLock().read.release()],
  ['the end of writing that nobody began', ({ ReadWriteLock }) => new ReadWriteLock().write.release()],
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
  expect(one?.tryAcquire()).toBe(true)
  expect([other?.locked, other?.tryAcquire()]).toEqual([true, false])
  one?.release()
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
