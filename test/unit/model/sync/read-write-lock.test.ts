import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ReadWriteLock } from '../../../../src/model/sync/sync.ts'
import { inThread, inThreads, sharedCells, untilStored } from './threads.ts'

test('readers read together, and a writer is alone', () => {
  const lock = new ReadWriteLock()
  lock.readLock()
  lock.readLock()
  expect(() => lock.writeLock()).toThrow(
    'deadlock: ReadWriteLock.writeLock() would wait for ever: this thread holds it already or waits for it; use writeLockAsync()',
  )
  lock.readUnlock()
  expect(() => lock.writeLock()).toThrow('deadlock')
  lock.readUnlock()
  lock.writeLock()
  expect(() => lock.readLock()).toThrow(
    'deadlock: ReadWriteLock.readLock() would wait for ever: a writer of this thread holds it or waits for it; use readLockAsync()',
  )
  expect(() => lock.writeLock()).toThrow('deadlock')
  lock.writeUnlock()
  lock.readLock()
})

test('unlocking what is not locked that way throws', () => {
  const lock = new ReadWriteLock()
  expect(() => lock.readUnlock()).toThrow('ReadWriteLock.readUnlock(): this thread holds no lock to read')
  expect(() => lock.writeUnlock()).toThrow('ReadWriteLock.writeUnlock(): this thread does not hold the lock to write')
  lock.writeLock()
  expect(() => lock.readUnlock()).toThrow('holds no lock to read')
  lock.writeUnlock()
  lock.readLock()
  expect(() => lock.writeUnlock()).toThrow('does not hold the lock to write')
})

/** Enters in the order of `names`, where a capital letter writes, and logs who enters and leaves. */
async function turns(lock: ReadWriteLock, names: string): Promise<string> {
  const log: string[] = []
  const turn = async (name: string) => {
    const writes = name === name.toUpperCase()
    await (writes ? lock.writeLockAsync() : lock.readLockAsync())
    log.push(`+${name}`)
    for (let i = 0; i < 50; i++) await undefined
    log.push(`-${name}`)
    if (writes) lock.writeUnlock()
    else lock.readUnlock()
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
  await lock.readLockAsync()
  const writing = lock.writeLockAsync()
  expect(() => lock.readLock()).toThrow('deadlock')
  let read = false
  const reading = lock.readLockAsync().then(() => {
    read = true
  })
  lock.readUnlock()
  await writing
  expect(read).toBe(false)
  lock.writeUnlock()
  await reading
  lock.readUnlock()
  lock.writeLock()
})

test('a thread that writes waits for the readers of other threads', async () => {
  const cells = sharedCells(ReadWriteLock.cells)
  const pair = sharedCells(2)
  const lock = new ReadWriteLock({ shared: cells })
  lock.readLock()
  const writing = inThread({ kind: 'write', lock: cells, pair, times: 1 })
  // The first cell counts those who came.
  await untilStored(cells, 0, 2)
  for (let i = 0; i < 20; i++) await setTimeout(1)
  expect([...pair]).toEqual([0, 0])
  lock.readUnlock()
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
