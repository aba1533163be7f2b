import { expect, test } from 'vitest'
import { Semaphore } from '../../../../src/model/sync/sync.ts'
import { inThreads, sharedCells } from './threads.ts'

test('a semaphore has as many permits as it was given', () => {
  const semaphore = new Semaphore(2)
  expect(semaphore.available).toBe(2)
  semaphore.acquireSync()
  expect(semaphore.tryAcquire()).toBe(true)
  expect(semaphore.available).toBe(0)
  expect(semaphore.tryAcquire()).toBe(false)
  semaphore.release()
  expect(semaphore.available).toBe(1)
})

test('acquiring what only this thread could release is a deadlock', () => {
  expect(() => new Semaphore(0).acquireSync()).toThrow(
    'deadlock: Semaphore.acquireSync() would wait for ever: no permit is left, and this thread cannot release one while it is blocked; use acquire()',
  )
})

test('more can be released than was acquired', () => {
  const semaphore = new Semaphore(0)
  semaphore.release()
  semaphore.release()
  expect(semaphore.available).toBe(2)
})

test('promises get permits in the order of their calls, never more than there are', async () => {
  const semaphore = new Semaphore(2)
  const log: string[] = []
  let inside = 0
  let most = 0
  const use = async (name: string, steps: number) => {
    await semaphore.acquire()
    log.push(name)
    most = Math.max(most, ++inside)
    for (let i = 0; i < steps; i++) await undefined
    inside--
    semaphore.release()
  }
  await Promise.all([use('a', 20), use('b', 2), use('c', 30), use('d', 1), use('e', 1)])
  expect(log).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(most).toBe(2)
  expect(semaphore.available).toBe(2)
})

test('nobody takes a released permit before the one who waits', async () => {
  const semaphore = new Semaphore(1)
  semaphore.acquireSync()
  const waiting = semaphore.acquire()
  semaphore.release()
  expect(semaphore.available).toBe(0)
  expect(semaphore.tryAcquire()).toBe(false)
  await waiting
  semaphore.release()
  expect(semaphore.available).toBe(1)
})

test.each([-1, 0.5, Number.NaN, 2 ** 31])('%d permits are refused', (permits) => {
  expect(() => new Semaphore(permits)).toThrow(RangeError)
})

test.each([1, 2])('no more than %d of four threads are inside at a time', async (permits) => {
  const semaphore = sharedCells(Semaphore.cells)
  const inside = sharedCells(1)
  const job = { kind: 'acquire', permits, semaphore, inside, times: 1500 } as const
  const most = await inThreads([job, job, job, job])
  expect(Math.max(...(most as number[]))).toBeLessThanOrEqual(permits)
  expect(new Semaphore(permits, { shared: semaphore }).available).toBe(permits)
})

test('run and runSync hold a permit, also when the body throws', async () => {
  const semaphore = new Semaphore(1)
  expect(semaphore.runSync(() => semaphore.available)).toBe(0)
  expect(await semaphore.run(async () => semaphore.available)).toBe(0)
  const fail = () => {
    throw new Error('body')
  }
  expect(() => semaphore.runSync(fail)).toThrow('body')
  await expect(semaphore.run(fail)).rejects.toThrow('body')
  expect(semaphore.available).toBe(1)
})
