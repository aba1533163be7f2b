/**
 * A lock that many can hold to read, or one to write.
 *
 * Readers and writers stand in one line. A reader whose turn it is counts itself and passes the turn on at once; a writer keeps
 * the turn, waits until all counted readers have left, and passes it on when it is done. So readers who follow each other
 * read together, and none of them overtakes a writer (a fair lock: "ticket" in Mellor-Crummey and Scott, "Scalable
 * reader-writer synchronization for shared-memory multiprocessors", 1991, section 3.2).
 */

import type { LockPair } from '../../core/lock.ts'
import { requireNoMore, requireShape, sharedLockShapes } from '../../core/option-shape.ts'
import { deadlock, Line, lineCells } from './line.ts'
import { canBlock, cellsOf, isShared, pauseWhile, type SharedOptions } from './shared-cells.ts'
import { SyncLock } from './sync-lock.ts'

/**
 * Not reentrant: who holds it to read and asks again waits for ever if a writer came in between, and a lock to read does not
 * become one to write. Over shared memory the owner is the object: each thread makes one of its own. A thread that is
 * terminated while it holds or awaits the lock leaves it locked.
 */
export class ReadWriteLock implements LockPair<SyncLock> {
  /** How many elements of a shared view it needs. */
  static readonly cells = lineCells + 1

  readonly #read: ReadLock
  readonly #write: WriteLock

  constructor(options: SharedOptions = {}, ...extra: readonly never[]) {
    requireShape(options, sharedLockShapes, 'new ReadWriteLock(…)')
    requireNoMore(extra, 'new ReadWriteLock(options)')
    const turns = new Turns(cellsOf(options.shared, ReadWriteLock.cells, 'ReadWriteLock'))
    this.#read = new ReadLock(turns)
    this.#write = new WriteLock(turns)
  }

  /** The lock as readers use it: any number at a time, while no writer holds it or waits for it. */
  get read(): SyncLock {
    return this.#read
  }

  /** The lock as writers use it: one at a time, and no reader. */
  get write(): SyncLock {
    return this.#write
  }
}

/** What the two sides of a lock share. */
class Turns {
  readonly cells: Int32Array
  readonly line: Line
  /** Of this thread: how many read, whether one writes, and how many promises wait. */
  reading = 0
  writing = false
  pending = 0
  /** On one thread: wakes the writer whose turn it is when the last reader leaves. */
  drained: (() => void) | undefined

  constructor(cells: Int32Array) {
    this.cells = cells
    this.line = new Line(cells.subarray(0, lineCells), 1)
  }

  async pendingWhile(waits: () => Promise<void>): Promise<void> {
    this.pending++
    try {
      await waits()
    } finally {
      this.pending--
    }
  }
}

class ReadLock extends SyncLock {
  readonly #turns: Turns

  constructor(turns: Turns) {
    super()
    this.#turns = turns
  }

  acquire(): Promise<void> {
    return this.#turns.pendingWhile(() => this.#turns.line.enterAsync(() => this.#begin()))
  }

  acquireSync(): void {
    const { line, writing, pending } = this.#turns
    const hopeless = writing || pending > 0
    if (!(hopeless ? line.tryEnter() : line.enter())) {
      throw deadlock(
        'ReadWriteLock.read.acquireSync()',
        'a writer of this thread holds it or waits for it',
        'acquire()',
      )
    }
    this.#begin()
  }

  /** Over shared memory it may fail, too, at the moment at which another thread is let in to read. */
  tryAcquire(): boolean {
    if (!this.#turns.line.tryEnter()) return false
    this.#begin()
    return true
  }

  /** Throws if this thread does not hold the lock to read. */
  release(): void {
    const { cells, drained, reading } = this.#turns
    if (reading === 0) throw new Error('ReadWriteLock.read.release(): this thread holds no lock to read')
    this.#turns.reading--
    if (Atomics.sub(cells, readers, 1) > 1) return
    if (isShared(cells)) Atomics.notify(cells, readers)
    drained?.()
  }

  #begin(): void {
    this.#turns.reading++
    Atomics.add(this.#turns.cells, readers, 1)
    this.#turns.line.admit()
  }
}

class WriteLock extends SyncLock {
  readonly #turns: Turns

  constructor(turns: Turns) {
    super()
    this.#turns = turns
  }

  acquire(): Promise<void> {
    return this.#turns.pendingWhile(async () => {
      await this.#turns.line.enterAsync()
      await this.#drainAsync()
      this.#turns.writing = true
    })
  }

  acquireSync(): void {
    const { line, reading, writing, pending } = this.#turns
    const hopeless = reading > 0 || writing || pending > 0
    if (hopeless || !line.enter() || !this.#drain()) {
      throw deadlock('ReadWriteLock.write.acquireSync()', 'this thread holds it already or waits for it', 'acquire()')
    }
    this.#turns.writing = true
  }

  tryAcquire(): boolean {
    const { cells, line } = this.#turns
    // A reader that comes takes a ticket before it is counted: if nobody has taken one since, nobody has come to read.
    if (!line.tryEnter(() => Atomics.load(cells, readers) === 0)) return false
    this.#turns.writing = true
    return true
  }

  /** Throws if this thread does not hold the lock to write. */
  release(): void {
    const { line, writing } = this.#turns
    if (!writing) throw new Error('ReadWriteLock.write.release(): this thread does not hold the lock to write')
    this.#turns.writing = false
    line.admit()
  }

  /** With the turn in hand, so that no reader comes: until those who came before have left. False: gives up the turn. */
  #drain(): boolean {
    const { cells, line } = this.#turns
    for (;;) {
      const left = Atomics.load(cells, readers)
      if (left === 0) return true
      if (!isShared(cells) || !canBlock()) {
        line.admit()
        return false
      }
      Atomics.wait(cells, readers, left)
    }
  }

  async #drainAsync(): Promise<void> {
    const { cells } = this.#turns
    for (;;) {
      const left = Atomics.load(cells, readers)
      if (left === 0) return
      if (isShared(cells)) await pauseWhile(cells, readers, left)
      else
        await new Promise<void>((resolve) => {
          this.#turns.drained = resolve
        })
    }
  }
}

const readers = lineCells
