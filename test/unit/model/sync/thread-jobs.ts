/** What worker threads do in tests of the sync module; this file is the code of such a thread. */
import { parentPort, workerData } from 'node:worker_threads'
import { Atomic, Mutex, ReadWriteLock, Semaphore } from '../../../../src/model/sync/sync.ts'

export type Job =
  /** Adds 1 to `cell` with two plain accesses, `times` times, under the mutex; every other time with a promise. */
  | { readonly kind: 'count'; readonly lock: Int32Array; readonly cell: Int32Array; readonly times: number }
  | { readonly kind: 'count, async'; readonly lock: Int32Array; readonly cell: Int32Array; readonly times: number }
  | { readonly kind: 'count, reentrant'; readonly lock: Int32Array; readonly cell: Int32Array; readonly times: number }
  /** Answers the largest number of threads it saw between acquire and release. */
  | {
      readonly kind: 'acquire'
      readonly permits: number
      readonly semaphore: Int32Array
      readonly inside: Int32Array
      readonly times: number
    }
  /** Writes the same number to two cells under the lock, or answers how often it read different ones. */
  | { readonly kind: 'write'; readonly lock: Int32Array; readonly pair: Int32Array; readonly times: number }
  | { readonly kind: 'read'; readonly lock: Int32Array; readonly pair: Int32Array; readonly times: number }
  /** Stores its turn in `order` when it has the mutex; says in `arrived` that it is about to ask. */
  | {
      readonly kind: 'queue'
      readonly lock: Int32Array
      readonly order: Int32Array
      readonly name: number
      readonly async: boolean
    }
  | { readonly kind: 'release'; readonly lock: Int32Array }
  | { readonly kind: 'add'; readonly cell: Int32Array; readonly times: number }

async function perform(job: Job): Promise<unknown> {
  switch (job.kind) {
    case 'count':
      return count(job)
    case 'count, async':
      return countAsync(job)
    case 'count, reentrant':
      return countReentrant(job)
    case 'acquire':
      return acquire(job)
    case 'write':
      return write(job)
    case 'read':
      return read(job)
    case 'queue':
      return queue(job)
    case 'release':
      return thrownBy(() => new Mutex({ shared: job.lock }).release())
    case 'add': {
      const atomic = Atomic.shared(job.cell)
      for (let i = 0; i < job.times; i++) atomic.getAndAdd(1)
      return 'done'
    }
  }
}

/** Not atomic, on purpose. */
function increment(cell: Int32Array): void {
  const before = cell[0] ?? 0
  linger()
  cell[0] = before + 1
}

/** Leaves other threads time to come in between. */
function linger(): number {
  let sum = 0
  for (let i = 0; i < 200; i++) sum += Math.sqrt(i)
  return sum
}

function count({ lock, cell, times }: Extract<Job, { kind: 'count' }>): string {
  const mutex = new Mutex({ shared: lock })
  for (let i = 0; i < times; i++) mutex.runSync(() => increment(cell))
  return 'done'
}

function countReentrant({ lock, cell, times }: Extract<Job, { kind: 'count, reentrant' }>): string {
  const mutex = new Mutex({ shared: lock, reentrant: true })
  for (let i = 0; i < times; i++) mutex.runSync(() => mutex.runSync(() => increment(cell)))
  return 'done'
}

async function countAsync({ lock, cell, times }: Extract<Job, { kind: 'count, async' }>): Promise<string> {
  const mutex = new Mutex({ shared: lock })
  const add = () =>
    mutex.run(async () => {
      const before = cell[0] ?? 0
      await undefined
      cell[0] = before + 1
    })
  await Promise.all(Array.from({ length: times }, add))
  return 'done'
}

async function acquire({ permits, semaphore, inside, times }: Extract<Job, { kind: 'acquire' }>): Promise<number> {
  const permit = new Semaphore(permits, { shared: semaphore })
  let most = 0
  for (let i = 0; i < times; i++) {
    if (i % 3 === 0) await permit.acquire()
    else if (i % 3 === 1 || !permit.tryAcquire()) permit.acquireSync()
    most = Math.max(most, Atomics.add(inside, 0, 1) + 1)
    Atomics.sub(inside, 0, 1)
    permit.release()
  }
  return most
}

async function write({ lock, pair, times }: Extract<Job, { kind: 'write' }>): Promise<string> {
  const readWriteLock = new ReadWriteLock({ shared: lock })
  for (let i = 0; i < times; i++) {
    if (i % 2 === 0) readWriteLock.write.acquireSync()
    else await readWriteLock.write.acquire()
    pair[0] = (pair[0] ?? 0) + 1
    linger()
    pair[1] = (pair[1] ?? 0) + 1
    readWriteLock.write.release()
  }
  return 'done'
}

async function read({ lock, pair, times }: Extract<Job, { kind: 'read' }>): Promise<number> {
  const readWriteLock = new ReadWriteLock({ shared: lock })
  let torn = 0
  for (let i = 0; i < times; i++) {
    if (i % 2 === 0) readWriteLock.read.acquireSync()
    else await readWriteLock.read.acquire()
    const first = pair[0]
    linger()
    if (first !== pair[1]) torn++
    readWriteLock.read.release()
  }
  return torn
}

async function queue({ lock, order, name, async }: Extract<Job, { kind: 'queue' }>): Promise<string> {
  const mutex = new Mutex({ shared: lock })
  if (async) await mutex.acquire()
  else mutex.acquireSync()
  order[1 + Atomics.add(order, 0, 1)] = name
  mutex.release()
  return 'done'
}

function thrownBy(body: () => void): string {
  try {
    body()
    return 'nothing'
  } catch (error) {
    return (error as Error).message
  }
}

perform(workerData as Job).then((result) => parentPort?.postMessage(result))
