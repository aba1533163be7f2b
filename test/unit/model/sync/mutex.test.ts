import { expect, test } from 'vitest'
import { Mutex } from '../../../../src/model/sync/sync.ts'
import { inThread, inThreads, sharedCells, untilStored } from './threads.ts'

test('a mutex is locked from acquire to release', () => {
  const mutex = new Mutex()
  expect(mutex.locked).toBe(false)
  mutex.acquireSync()
  expect(mutex.locked).toBe(true)
  mutex.release()
  expect(mutex.locked).toBe(false)
})

test('locking twice on one thread is a deadlock that says so, and leaves the mutex as it was', () => {
  const mutex = new Mutex()
  mutex.acquireSync()
  expect(() => mutex.acquireSync()).toThrow(
    'deadlock: Mutex.acquireSync() would wait for ever: the mutex is locked, and no other thread will release it while this one is blocked; use acquire()',
  )
  mutex.release()
  expect(mutex.tryAcquire()).toBe(true)
})

test('tryAcquire succeeds only if nobody holds the mutex', () => {
  const mutex = new Mutex()
  expect(mutex.tryAcquire()).toBe(true)
  expect(mutex.tryAcquire()).toBe(false)
  mutex.release()
  expect(mutex.tryAcquire()).toBe(true)
})

test('releasing a free mutex throws', () => {
  const mutex = new Mutex()
  expect(() => mutex.release()).toThrow('Mutex.release(): this thread does not hold the mutex')
  mutex.acquireSync()
  mutex.release()
  expect(() => mutex.release()).toThrow('this thread does not hold the mutex')
})

test('promises get the mutex one at a time, in the order of their calls', async () => {
  const mutex = new Mutex()
  const log: string[] = []
  const section = async (name: string) => {
    await mutex.acquire()
    log.push(`${name} in`)
    for (let i = 0; i < 5; i++) await undefined
    log.push(`${name} out`)
    mutex.release()
  }
  await Promise.all([section('a'), section('b'), section('c')])
  expect(log).toEqual(['a in', 'a out', 'b in', 'b out', 'c in', 'c out'])
})

test('nobody slips in between a release and the one who waits', async () => {
  const mutex = new Mutex()
  await mutex.acquire()
  const waiting = mutex.acquire()
  mutex.release()
  expect(mutex.locked).toBe(true)
  expect(mutex.tryAcquire()).toBe(false)
  expect(() => mutex.acquireSync()).toThrow('deadlock')
  await waiting
  mutex.release()
  expect(mutex.tryAcquire()).toBe(true)
})

test('a lock that is asked for with a promise is taken before the call returns', async () => {
  const mutex = new Mutex()
  const taking = mutex.acquire()
  expect(mutex.locked).toBe(true)
  await taking
  mutex.release()
})

test('a hundred thousand promises wait in one line', async () => {
  const mutex = new Mutex()
  let inside = 0
  let most = 0
  const section = () =>
    mutex.run(async () => {
      inside++
      most = Math.max(most, inside)
      await undefined
      inside--
    })
  await Promise.all(Array.from({ length: 100_000 }, section))
  expect(most).toBe(1)
  expect(mutex.locked).toBe(false)
})

test('runSync and run give the result, and release when the body throws', async () => {
  const mutex = new Mutex()
  expect(mutex.runSync(() => 7)).toBe(7)
  expect(await mutex.run(() => 8)).toBe(8)
  expect(await mutex.run(async () => 9)).toBe(9)
  const fail = () => {
    throw new Error('body')
  }
  expect(() => mutex.runSync(fail)).toThrow('body')
  expect(mutex.locked).toBe(false)
  await expect(mutex.run(fail)).rejects.toThrow('body')
  await expect(mutex.run(async () => fail())).rejects.toThrow('body')
  expect(mutex.locked).toBe(false)
})

test('a reentrant mutex is free after as many releases as acquires', () => {
  const mutex = new Mutex({ reentrant: true })
  mutex.acquireSync()
  mutex.acquireSync()
  expect(mutex.tryAcquire()).toBe(true)
  mutex.release()
  mutex.release()
  expect(mutex.locked).toBe(true)
  mutex.release()
  expect(mutex.locked).toBe(false)
  expect(() => mutex.release()).toThrow('this thread does not hold the mutex')
})

test('a reentrant mutex refuses promises, which it could not tell apart', async () => {
  const mutex = new Mutex({ reentrant: true })
  await expect(mutex.acquire()).rejects.toThrow('a reentrant mutex cannot tell async functions apart')
  await expect(mutex.run(() => 1)).rejects.toThrow(TypeError)
  expect(mutex.locked).toBe(false)
})

test('threads that count under a shared mutex lose nothing', async () => {
  const lock = sharedCells(Mutex.cells)
  const cell = sharedCells(1)
  await inThreads([
    { kind: 'count', lock, cell, times: 5000 },
    { kind: 'count', lock, cell, times: 5000 },
    { kind: 'count, reentrant', lock, cell, times: 5000 },
    { kind: 'count, async', lock, cell, times: 1000 },
    { kind: 'count, async', lock, cell, times: 1000 },
  ])
  expect(cell[0]).toBe(17_000)
  expect(new Mutex({ shared: lock }).locked).toBe(false)
})

test('blocked threads and promises get a shared mutex in the order in which they came', async () => {
  const lock = sharedCells(Mutex.cells)
  const order = sharedCells(5)
  const mutex = new Mutex({ shared: lock })
  mutex.acquireSync()
  const answers: Promise<unknown>[] = []
  for (const [name, async] of [false, true, true, false].entries()) {
    answers.push(inThread({ kind: 'queue', lock, order, name, async }))
    // The first cell counts those who came: this one, and the holder.
    await untilStored(lock, 0, name + 2)
  }
  mutex.release()
  await Promise.all(answers)
  expect([...order]).toEqual([4, 0, 1, 2, 3])
})

test('the ticket counters of a shared mutex may wrap around', async () => {
  const lock = sharedCells(Mutex.cells)
  lock.fill(2 ** 31 - 3)
  const cell = sharedCells(1)
  await inThreads([
    { kind: 'count', lock, cell, times: 1000 },
    { kind: 'count, async', lock, cell, times: 200 },
  ])
  expect(cell[0]).toBe(1200)
  expect([...lock]).toEqual([-(2 ** 31) + 1197, -(2 ** 31) + 1197])
})

test('a thread cannot release what another thread has acquired', async () => {
  const lock = sharedCells(Mutex.cells)
  const mutex = new Mutex({ shared: lock })
  mutex.acquireSync()
  expect(await inThread({ kind: 'release', lock })).toBe('Mutex.release(): this thread does not hold the mutex')
  mutex.release()
})

test('a shared mutex that this thread holds or awaits is a deadlock to acquire', async () => {
  const mutex = new Mutex({ shared: sharedCells(Mutex.cells) })
  mutex.acquireSync()
  expect(() => mutex.acquireSync()).toThrow('deadlock')
  const waiting = mutex.acquire()
  mutex.release()
  expect(() => mutex.acquireSync()).toThrow('deadlock')
  await waiting
  mutex.release()
  mutex.acquireSync()
  mutex.release()
})

test('several mutexes live in one buffer', () => {
  const cells = sharedCells(2 * Mutex.cells)
  const first = new Mutex({ shared: cells })
  const second = new Mutex({ shared: cells.subarray(Mutex.cells) })
  first.acquireSync()
  expect(second.locked).toBe(false)
  second.acquireSync()
  first.release()
  expect(second.locked).toBe(true)
})

test('memory that is not shared, or too small, is refused', () => {
  expect(() => new Mutex({ shared: new Int32Array(2) })).toThrow(
    'Mutex: shared memory must be an Int32Array over a SharedArrayBuffer',
  )
  expect(() => new Mutex({ shared: sharedCells(1) })).toThrow(
    'Mutex: needs 2 cells of shared memory, and the view has 1',
  )
})
