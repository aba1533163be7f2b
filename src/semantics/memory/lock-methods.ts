/** What the operations of locks do under check, each as one action. */
import type { Method, Methods } from './controlled-atomic.ts'
import type { Mutex, ReadWriteLock, Semaphore } from './controlled-sync.ts'
import type { Heap } from './heap.ts'
import type { ObjectProcess } from './process.ts'

/** The four ways to a lock: blocking, awaited, at once or not at all, and back. */
interface Verbs {
  readonly acquire: Method
  readonly tryAcquire: Method['perform']
  readonly release: Method['perform']
}

function verbs({ acquire, tryAcquire, release }: Verbs): Methods {
  return {
    acquireSync: acquire,
    acquire: { ...acquire, isAsync: true },
    tryAcquire: { mode: 'write', perform: tryAcquire },
    release: { mode: 'write', perform: release },
  }
}

function isFree(self: Mutex, { number }: ObjectProcess): boolean {
  return self.owner === null || (self.reentrant && self.owner === number)
}

function take(self: Mutex, heap: Heap, { number }: ObjectProcess): void {
  heap.change(self, 'owner', number)
  heap.change(self, 'depth', self.depth + 1)
}

function giveBack(self: Mutex, heap: Heap, process: ObjectProcess): void {
  if (self.owner === null || (self.reentrant && self.owner !== process.number)) {
    throw new Error('Mutex.release(): this thread does not hold the mutex')
  }
  heap.change(self, 'depth', self.depth - 1)
  if (self.depth === 0) heap.change(self, 'owner', null)
}

export const mutexMethods: Methods = {
  ...verbs({
    acquire: { mode: 'write', isEnabled: isFree, perform: take },
    tryAcquire: (self: Mutex, heap, process) => {
      const free = isFree(self, process)
      if (free) take(self, heap, process)
      return free
    },
    release: giveBack,
  }),
  acquire: {
    mode: 'write',
    isAsync: true,
    isEnabled: (self: Mutex, process) => self.reentrant || isFree(self, process),
    perform: (self: Mutex, heap, process) => {
      if (self.reentrant) throw new TypeError('Mutex.acquire(): a reentrant mutex cannot tell async functions apart')
      take(self, heap, process)
    },
  },
}

function isOpen(self: ReadWriteLock): boolean {
  return self.writer === null
}

function read(self: ReadWriteLock, heap: Heap): void {
  heap.change(self, 'readers', self.readers + 1)
}

export const readMethods: Methods = verbs({
  acquire: { mode: 'write', isEnabled: isOpen, perform: read },
  tryAcquire: (self: ReadWriteLock, heap) => {
    const open = isOpen(self)
    if (open) read(self, heap)
    return open
  },
  release: (self: ReadWriteLock, heap) => {
    if (self.readers === 0) throw new Error('ReadWriteLock.read.release(): this thread holds no lock to read')
    heap.change(self, 'readers', self.readers - 1)
  },
})

function isEmpty(self: ReadWriteLock): boolean {
  return self.writer === null && self.readers === 0
}

function write(self: ReadWriteLock, heap: Heap, process: ObjectProcess): void {
  heap.change(self, 'writer', process.number)
  heap.change(self, 'isWriting', true)
}

export const writeMethods: Methods = verbs({
  acquire: { mode: 'write', isEnabled: isEmpty, perform: write },
  tryAcquire: (self: ReadWriteLock, heap, process) => {
    const empty = isEmpty(self)
    if (empty) write(self, heap, process)
    return empty
  },
  release: (self: ReadWriteLock, heap) => {
    if (!self.isWriting) {
      throw new Error('ReadWriteLock.write.release(): this thread does not hold the lock to write')
    }
    heap.change(self, 'writer', null)
    heap.change(self, 'isWriting', false)
  },
})

/** The first half of `write.acquire`; what it answers is shown. */
const takeTurn: Method = {
  mode: 'write',
  shown: 'acquireSync',
  isEnabled: isOpen,
  perform: (self: ReadWriteLock, heap, process) => {
    heap.change(self, 'writer', process.number)
    if (self.readers > 0) return 'waits for readers'
    heap.change(self, 'isWriting', true)
    return undefined
  },
}

/** The other half: no reader can come any more. */
const drain: Method = {
  mode: 'write',
  shown: 'acquireSync',
  isEnabled: (self: ReadWriteLock) => self.readers === 0,
  perform: (self: ReadWriteLock, heap) => heap.change(self, 'isWriting', true),
}

export const halvesOfWriting: Methods = {
  '(turn)': takeTurn,
  '(drain)': drain,
  '(turn) async': { ...takeTurn, shown: 'acquire', waits: true },
  '(drain) async': { ...drain, shown: 'acquire', waits: true },
}

function hasPermit(self: Semaphore): boolean {
  return self.permits > 0
}

function takePermit(self: Semaphore, heap: Heap): void {
  heap.change(self, 'permits', self.permits - 1)
}

export const semaphoreMethods: Methods = verbs({
  acquire: { mode: 'write', isEnabled: hasPermit, perform: takePermit },
  tryAcquire: (self: Semaphore, heap) => {
    const permitted = hasPermit(self)
    if (permitted) takePermit(self, heap)
    return permitted
  },
  release: (self: Semaphore, heap) => heap.change(self, 'permits', self.permits + 1),
})
