import { expect, test } from 'vitest'
import { Atomic } from '../../../../src/model/sync/sync.ts'
import { inThreads, sharedCells } from './threads.ts'

test('load gives what was stored last', () => {
  const atomic = new Atomic<string | null>('a')
  expect(atomic.load()).toBe('a')
  atomic.store(null)
  expect(atomic.load()).toBe(null)
  expect(atomic.exchange('b')).toBe(null)
  expect(atomic.load()).toBe('b')
})

test('compareAndSet compares by Object.is', () => {
  const first = {}
  const atomic = new Atomic<unknown>(first)
  expect(atomic.compareAndSet({}, 1)).toBe(false)
  expect(atomic.compareAndSet(first, Number.NaN)).toBe(true)
  expect(atomic.compareAndSet(Number.NaN, 0)).toBe(true)
  expect(atomic.compareAndSet(-0, 1)).toBe(false)
  expect(atomic.compareAndSet(0, 1)).toBe(true)
  expect(atomic.load()).toBe(1)
})

test('getAndAdd gives the number before', () => {
  const atomic = new Atomic(5)
  expect(atomic.getAndAdd(2)).toBe(5)
  expect(atomic.getAndAdd(-1)).toBe(7)
  expect(atomic.load()).toBe(6)
})

test('a shared atomic is the element of the view', () => {
  const cells = sharedCells(3)
  cells[1] = 40
  const atomic = Atomic.shared(cells, 1)
  expect(atomic.load()).toBe(40)
  expect(atomic.getAndAdd(2)).toBe(40)
  expect(atomic.exchange(-7)).toBe(42)
  expect(atomic.compareAndSet(0, 1)).toBe(false)
  expect(atomic.compareAndSet(-7, 8)).toBe(true)
  atomic.store(9)
  expect([...cells]).toEqual([0, 9, 0])
})

test('a shared atomic holds integers of 32 bits and nothing that looks like one', () => {
  const atomic = Atomic.shared(sharedCells(1))
  for (const value of [1.5, 2 ** 31, Number.NaN]) {
    expect(() => atomic.store(value)).toThrow(RangeError)
    expect(() => atomic.exchange(value)).toThrow(RangeError)
    expect(() => atomic.getAndAdd(value)).toThrow(RangeError)
    expect(() => atomic.compareAndSet(0, value)).toThrow(RangeError)
  }
  for (const expected of [0.5, 2 ** 32, Number.NaN, -0]) expect(atomic.compareAndSet(expected, 1)).toBe(false)
  expect(atomic.load()).toBe(0)
})

test('a place outside of the view is refused', () => {
  expect(() => Atomic.shared(sharedCells(2), 2)).toThrow(
    'Atomic.shared: needs 3 cells of shared memory, and the view has 2',
  )
  expect(() => Atomic.shared(sharedCells(2), -1)).toThrow(RangeError)
})

test('threads that add to a shared atomic lose nothing', async () => {
  const cell = sharedCells(1)
  const job = { kind: 'add', cell, times: 20_000 } as const
  await inThreads([job, job, job])
  expect(cell[0]).toBe(60_000)
})

test.each([
  ['of its own', () => new Atomic(5)],
  ['over shared memory', () => Atomic.shared(sharedCells(1).fill(5))],
])('update stores what the function gives, and tries again if another came in between, %s', (_, create) => {
  const atomic = create()
  expect(atomic.update((value) => value + 1)).toBe(6)
  let calls = 0
  const result = atomic.update((value) => {
    if (++calls === 1) atomic.store(10)
    return value * 2
  })
  expect([result, calls, atomic.load()]).toEqual([20, 2, 20])
})
