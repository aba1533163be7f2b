import { expect, test } from 'vitest'
import { ReadWriteLock } from '../../../../src/model/sync/sync.ts'
import { inThread, inThreads, sharedCells, untilAsleep } from './threads.ts'

test('readers read together, and a writer is alone', () => {
  const lock = new ReadWriteLock()
  lock.read.acquireSync()
  lock.read.acquireSync()
  expect(() => lock.write.acquireSync()).toThrow(
    'deadlock: ReadWriteLock.write.acquireSync() would wait for ever: this thread holds it already or waits for it; use acquire()',
  )
  lock.read.release()
  expect(() => lock.write.acquireSync()).toThrow('deadlock')
  lock.read.release()
  lock.write.acquireSync()
  expect(() => lock.read.acquireSync()).toThrow(
    'deadlock: ReadWriteLock.read.acquireSync() would wait for ever: a writer of this thread holds it or waits for it; use acquire()',
  )
  expect(() => lock.write.acquireSync()).toThrow('deadlock')
  lock.write.release()
  lock.read.acquireSync()
})

test('releasing what is not held that way throws', () => {
  const lock = new ReadWriteLock()
  expect(() => lock.read.release()).toThrow('ReadWriteLock.read.release(): this thread holds no lock to read')
  expect(() => lock.write.release()).toThrow(
    'ReadWriteLock.write.release(): this thread does not hold the lock to write',
  )
  lock.write.acquireSync()
  expect(() => lock.read.release()).toThrow('holds no lock to read')
  lock.write.release()
  lock.read.acquireSync()
  expect(() => lock.write.release()).toThrow('does not hold the lock to write')
})

/** Enters in the order of `names`, where a capital letter writes, and logs who enters and leaves. */
async function turns(lock: ReadWriteLock, names: string): Promise<string> {
  const log: string[] = []
  const turn = async (name: string) => {
    const writes = name === name.toUpperCase()
    await (writes ? lock.write.acquire() : lock.read.acquire())
    log.push(`+${name}`)
    for (let i = 0; i < 50; i++) await undefined
    log.push(`-${name}`)
    if (writes) lock.write.release()
    else lock.read.release()
  }
  await Promise.all([...names].map(turn))
  return log.join(' ')
}

test.each([
  ['on one thread', () => new ReadWriteLock()],
  ['over shared memory', () => new ReadWriteLock({ shared: sharedCells(ReadWriteLock.cells) })],
])('nobody overtakes anybody else %s, and readers who follow each other read together', async (_, create) => {
  expect(await turns(create(), 'abCdeFG')).toBe('+a +b -a -b +C -C +d +e -d -e +F -F +G -G')
})

test('a reader does not slip in before a writer who waits', async () => {
  const lock = new ReadWriteLock()
  await lock.read.acquire()
  const writing = lock.write.acquire()
  expect(() => lock.read.acquireSync()).toThrow('deadlock')
  let read = false
  const reading = lock.read.acquire().then(() => {
    read = true
  })
  lock.read.release()
  await writing
  expect(read).toBe(false)
  lock.write.release()
  await reading
  lock.read.release()
  lock.write.acquireSync()
})

test('a thread that writes waits for the readers of other threads', async () => {
  const cells = sharedCells(ReadWriteLock.cells)
  const pair = sharedCells(2)
  const lock = new ReadWriteLock({ shared: cells })
  lock.read.acquireSync()
  const writing = inThread({ kind: 'write', lock: cells, pair, times: 1 })
  // Whoever was woken without a reason looks again: who sleeps once more has found that it must wait.
  await untilAsleep(cells, writing)
  await untilAsleep(cells, writing)
  expect([...pair]).toEqual([0, 0])
  lock.read.release()
  expect(await writing).toBe('done')
  expect([...pair]).toEqual([1, 1])
})

test('threads that read under the lock never see half of a write', async () => {
  const lock = sharedCells(ReadWriteLock.cells)
  const pair = sharedCells(2)
  const times = 1000
  const answers = await inThreads([
    { kind: 'write', lock, pair, times },
    { kind: 'read', lock, pair, times },
    { kind: 'write', lock, pair, times },
    { kind: 'read', lock, pair, times },
  ])
  expect(answers).toEqual(['done', 0, 'done', 0])
  expect([...pair]).toEqual([2000, 2000])
})

test.each([
  ['on one thread', () => new ReadWriteLock()],
  ['over shared memory', () => new ReadWriteLock({ shared: sharedCells(ReadWriteLock.cells) })],
])('who tries never waits %s', async (_, create) => {
  const lock = create()
  expect([lock.read.tryAcquire(), lock.read.tryAcquire(), lock.write.tryAcquire()]).toEqual([true, true, false])
  const writing = lock.write.acquire()
  expect(lock.read.tryAcquire()).toBe(false)
  lock.read.release()
  lock.read.release()
  await writing
  expect([lock.read.tryAcquire(), lock.write.tryAcquire()]).toEqual([false, false])
  lock.write.release()
  expect([lock.write.tryAcquire(), lock.read.tryAcquire()]).toEqual([true, false])
  lock.write.release()
  expect(lock.read.tryAcquire()).toBe(true)
})

test('readers who waited for a writer read from the moment it has left', () => {
  const lock = new ReadWriteLock()
  lock.write.acquireSync()
  void lock.read.acquire()
  void lock.read.acquire()
  lock.write.release()
  expect([lock.read.tryAcquire(), lock.write.tryAcquire()]).toEqual([true, false])
})

test('a hundred thousand readers are let in by one writer', async () => {
  const lock = new ReadWriteLock()
  lock.write.acquireSync()
  const reading = Promise.all(Array.from({ length: 100_000 }, () => lock.read.acquire()))
  lock.write.release()
  await reading
  expect(lock.write.tryAcquire()).toBe(false)
})

test('run and runSync hold their side of the lock', async () => {
  const lock = new ReadWriteLock()
  const sides = () => [lock.read.tryAcquire(), lock.write.tryAcquire()]
  expect(lock.write.runSync(sides)).toEqual([false, false])
  expect(await lock.write.run(sides)).toEqual([false, false])
  expect(await lock.read.run(async () => lock.write.tryAcquire())).toBe(false)
  expect(lock.write.tryAcquire()).toBe(true)
})
