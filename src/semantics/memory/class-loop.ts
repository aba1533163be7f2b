/**
 * The event loop of classes under check. What promises do among themselves are jobs, first come, first served, and all of them are
 * done when a step ends, so that they are no state. What goes on with code of the user's is no job here but a process of its own,
 * which waits until the search takes it: what a stand-in resolves at once takes time in production.
 */
import { JobQueue } from '../../jobs/job-queue.ts'
import {
  type Callbacks,
  type Job,
  type Journal,
  Loop,
  type LoopOwner,
  setCurrentLoop,
  type Undoable,
} from '../../jobs/loop.ts'
import { core } from '../../jobs/promise-core.ts'
import type { Rejectable } from '../../jobs/rejections.ts'
import { accessModes, wholeObject } from '../../program/stateful.ts'
import { userSite } from './code.ts'
import type { Heap, HostState } from './heap.ts'
import { refuse } from './search-error.ts'

const owner: LoopOwner = {
  unhandledRejection: () => {},
  rejectionHandled: () => {},
  uncaughtException: (error) => {
    throw error
  },
  foreignPromise: (promise) => {
    // Outside of all walks a module is loaded, which may wait for what it likes.
    if (loop.journal !== undefined && !core.isPromise(promise)) refuseForeignPromise()
  },
  endlessJobs: () =>
    refuse({
      code: 'E304',
      message: 'promises go on settling each other for ever',
      hint: 'every operation must come to an end: bound what it does',
    }),
}

/** While a module is loaded nobody takes steps: what is due is done soon, by a job of the host's. */
class ClassJobs extends JobQueue<Job> {
  #isAsked = false

  override push(job: Job): void {
    super.push(job)
    // An operation that is taken back, to be performed as a step, takes its jobs along.
    if (loop.journal instanceof Changes) loop.journal.onRollBack(() => void this.remove(job))
    if (loop.journal !== undefined || this.#isAsked) return
    this.#isAsked = true
    void hostPromise.resolve().then(() => {
      this.#isAsked = false
      if (loop.journal === undefined) loop.runJobs()
    })
  }
}

const hostPromise = Promise

class ClassLoop extends Loop {
  override readonly microtasks = new ClassJobs()

  /** Who handles rejections is asked when an execution ends: a handler may come late. */
  override rejected({ promise }: Rejectable): void {
    if (this.journal instanceof Changes) this.journal.rejected(promise)
  }

  override handled(promise: object): void {
    if (this.journal instanceof Changes) this.journal.handled(promise)
  }
}

const loop: Loop = new ClassLoop(owner)

/** How callbacks are called, which other files say. */
export function callBackBy(callbacks: Callbacks): void {
  loop.callbacks = callbacks
}

/** What changes promises is seen and undone as all other changes of this heap are; of none, while modules are loaded. */
export function loopWith(heap: Heap | undefined): void {
  loop.journal = heap === undefined ? undefined : new Changes(heap)
  // Of an instance that was made to be looked at, nothing goes on.
  loop.microtasks.restore([])
}

/** Code of a class begins to run; gives the loop to leave it with. */
export function enterLoop(): Loop {
  return setCurrentLoop(loop)
}

export function leaveLoop(before: Loop): void {
  setCurrentLoop(before)
}

/** Does what settled promises have left to do. */
export function runJobs(): void {
  if (loop.microtasks.length > 0) loop.runJobs()
  publishChanged()
}

/** What a promise that all can reach was settled with, they can reach. */
export function publishChanged(): void {
  if (loop.journal instanceof Changes) loop.journal.publish()
}

/** Loads a module: its promises are those of classes too. */
export async function withLoop<Result>(load: () => Promise<Result>): Promise<Result> {
  const before = setCurrentLoop(loop)
  try {
    return await load()
  } finally {
    setCurrentLoop(before)
  }
}

class Changes implements Journal {
  readonly #heap: Heap
  #changed: object[] = []

  constructor(heap: Heap) {
    this.#heap = heap
  }

  /** Two parts that settle do not commute: each touches the promises that wait for both. */
  changing(record: Undoable): void {
    const { of } = record
    if (core.isPromise(of)) {
      this.#heap.touch(of, wholeObject, core.stateOf(of) === 'pending' ? accessModes.write : accessModes.read)
    }
    this.#heap.onRollBack(record.saved())
    this.#changed.push(of)
  }

  onRollBack(undo: () => void): void {
    this.#heap.onRollBack(undo)
  }

  ignored(promise: object): void {
    this.#heap.touch(promise, wholeObject, accessModes.read)
  }

  rejected(promise: object): void {
    const { site, callers } = this.#heap.position
    this.#keep((rejected) => [...rejected, { promise, site: userSite(site, callers) }])
  }

  handled(promise: object): void {
    this.#keep((rejected) => rejected.filter((one) => one.promise !== promise))
  }

  #keep(change: (rejected: HostState['rejected']) => HostState['rejected']): void {
    this.#heap.change(this.#heap.host, 'rejected', change(this.#heap.host.rejected))
  }

  publish(): void {
    if (this.#changed.length === 0) return
    const changed = this.#changed
    this.#changed = []
    for (const promise of changed) if (this.#heap.isShared(promise)) this.#heap.publishContents(promise)
  }
}

function refuseForeignPromise(): never {
  refuse({
    code: 'E303',
    message: 'a promise is resolved with one that the check does not control',
    hint: 'await only async methods of your own code, promises it makes, and allways/sync; pass I/O in as an async function and give the check a fake',
    stack: new Error().stack,
  })
}
