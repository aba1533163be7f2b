/**
 * An event loop: the jobs that are due, in the order in which Node does them, and what is armed, which an owner fires (ECMA-262 §9.5, and
 * `lib/internal/process/task_queues.js` of Node).
 *
 * Whose loop it is provides a `LoopOwner` and calls four things:
 *
 *     const loop = new Loop(owner)
 *     loop.turn(() => body())     code of the program, with this loop as the current one, then all jobs that it left
 *     loop.mayFire()              timers and immediates that may be next; nothing if nothing is armed
 *     loop.fire(one)              its callback, then all jobs that it left
 *
 * Whatever happens outside (a message came, a lock was granted) is a turn as well: `loop.turn(() => resolve(message))`. After a turn the
 * queues of jobs are empty: what is left of the program is armed here, or waits for promises that the owner settles in a later turn.
 * An owner that orders jobs itself calls `enter` instead of `turn`, and then `waitingJobs` and `runJob`.
 */
import { type Armed, ArmedSet, type Pace } from './armed.ts'
import { JobQueue } from './job-queue.ts'
import { type Rejectable, Rejections } from './rejections.ts'

/** Something to do once. It throws only what is the user's, out of a callback that no promise stands for. */
export interface Job {
  /** The value of `Loop.context` when it was made; jobs run with it. */
  context: unknown
  run(): void
}

/** What a loop cannot decide for itself. All may throw, which stops the loop where it is. */
export interface LoopOwner {
  /** At the end of a drain: this promise is rejected, and nobody has handled it so far. Runs like a callback of the program. */
  unhandledRejection(reason: unknown, promise: object): void
  /** At the end of a drain: one that was told before has been handled since. */
  rejectionHandled(promise: object): void
  /** A callback of a tick, microtask, timer or immediate threw. On return the loop goes on with what comes next. */
  uncaughtException(error: unknown): void
  /** A promise of the host is awaited or resolved with, so that what settles it is not under control; or one of another loop is used. */
  foreignPromise(promise: object): void
  /** One drain did `jobLimit` jobs. On return it goes on. */
  endlessJobs(): void
}

/** Is told of every change before it happens, for owners that take steps back; each record knows how to save itself. */
export interface Journal {
  changing(record: Undoable): void
  /** Somebody tried to settle a promise that had been resolved before: nothing changes, because of what was done then. */
  ignored(promise: object): void
}

/** Runs callbacks as something else than jobs of the loop, such as steps that a search takes in any order. Nothing: as jobs, as ever. */
export interface Callbacks {
  whenSettled(promise: object, onFulfilled: unknown, onRejected: unknown): object | undefined
  inTheEnd(promise: object, onFinally: () => unknown): object | undefined
  /** Calls `then` of what a promise was resolved with, later; false if the loop shall do it. */
  follow(thenable: object, then: unknown, resolve: unknown, reject: unknown): boolean
}

/** Something with state that jobs change: a promise, a combination of promises. */
export interface Undoable {
  /** The promise that it is, or that it settles in the end. */
  readonly of: object
  /** Its state as it is now, as a function that brings it back. */
  saved(): () => void
}

/** Jobs of one drain before the owner is asked whether they ever end. */
const jobLimit = 1_000_000

export class Loop {
  readonly owner: LoopOwner
  readonly ticks = new JobQueue<Job>()
  readonly microtasks = new JobQueue<Job>()
  readonly armed: ArmedSet
  readonly #rejections = new Rejections()
  /** What `AsyncLocalStorage` keeps along chains of jobs; nothing else reads it. */
  context: unknown = undefined
  /** Told before promises change, if anybody wants to undo that. */
  journal: Journal | undefined = undefined
  callbacks: Callbacks | undefined = undefined

  constructor(owner: LoopOwner, pace: Pace = 'instant') {
    this.owner = owner
    this.armed = new ArmedSet(pace)
  }

  /** Virtual time in milliseconds, as fired timers have made it. */
  get now(): number {
    return this.armed.now
  }

  /** Runs code with this loop as the current one; its jobs wait. */
  enter<Result>(code: () => Result): Result {
    const before = currentLoop
    currentLoop = this
    try {
      return code()
    } finally {
      currentLoop = before
    }
  }

  /** Code that the host calls, and then all jobs. Of a module, or of what began in a microtask, microtasks come before ticks. */
  turn(code: () => void, first: 'ticks' | 'microtasks' = 'ticks'): void {
    this.enter(() => {
      this.#call(code)
      this.#drain(first)
    })
  }

  /** Does all jobs that are due. */
  runJobs(first: 'ticks' | 'microtasks' = 'ticks'): void {
    this.enter(() => this.#drain(first))
  }

  /** What may be fired next. */
  mayFire(): readonly Armed[] {
    return this.armed.mayFire()
  }

  /** Time passes until it fires: its callback, and then all jobs. */
  fire(one: Armed): void {
    this.enter(() => {
      this.#fire(one)
      this.#drain('ticks')
    })
  }

  /** Fires, and leaves its jobs to the owner. */
  fireAlone(one: Armed): void {
    this.enter(() => this.#fire(one))
  }

  /** Jobs that have not run, ticks before microtasks. */
  waitingJobs(): readonly Job[] {
    return [...this.ticks.waiting(), ...this.microtasks.waiting()]
  }

  /** Runs one of them, and leaves the others. */
  runJob(job: Job): void {
    if (!this.microtasks.remove(job)) this.ticks.remove(job)
    this.enter(() => this.#run(job))
  }

  /** Tells the owner of rejections that nobody has handled, as a drain does at its end; true if there was anything to tell. */
  tellRejections(): boolean {
    return this.#rejections.tell(this.owner)
  }

  /** A promise was rejected and has no handler. */
  rejected(promise: Rejectable): void {
    this.#rejections.rejected(promise)
  }

  /** A rejected promise without a handler got one. */
  handled(promise: object): void {
    this.#rejections.handled(promise)
  }

  /** Everything that the loop holds, to be brought back as it is now. */
  saved(): () => void {
    const [ticks, microtasks] = [this.ticks.waiting(), this.microtasks.waiting()]
    const others = [this.armed.saved(), this.#rejections.saved()]
    const { context } = this
    return () => {
      this.ticks.restore(ticks)
      this.microtasks.restore(microtasks)
      for (const restore of others) restore()
      this.context = context
    }
  }

  /** All ticks, then all microtasks, and again; then rejections; and all of it again if they left anything. */
  #drain(first: 'ticks' | 'microtasks'): void {
    let left = jobLimit
    if (first === 'microtasks') left = this.#drainQueue(this.microtasks, left)
    do {
      left = this.#drainQueue(this.ticks, left)
      left = this.#drainQueue(this.microtasks, left)
    } while (this.ticks.length > 0 || this.#rejections.tell(this.owner))
    this.context = undefined
  }

  #drainQueue(queue: JobQueue<Job>, most: number): number {
    let left = most
    while (queue.length > 0) {
      if (left <= 0) {
        left = jobLimit
        this.owner.endlessJobs()
      }
      try {
        for (
          let job = left > 0 ? queue.take() : undefined;
          job !== undefined;
          job = left > 0 ? queue.take() : undefined
        ) {
          left--
          this.context = job.context
          job.run()
        }
      } catch (error) {
        this.owner.uncaughtException(error)
      }
    }
    return left
  }

  #run(job: Job): void {
    this.context = job.context
    this.#call(() => job.run())
    this.context = undefined
  }

  #fire(one: Armed): void {
    this.armed.beginFiring(one)
    this.context = one.context
    this.#call(() => one.callback())
    this.armed.endFiring(one)
    this.context = undefined
  }

  #call(code: () => void): void {
    try {
      code()
    } catch (error) {
      this.owner.uncaughtException(error)
    }
  }
}

/** Before anybody owns a loop, jobs are kept and never run. */
const nobody: LoopOwner = {
  unhandledRejection: () => {},
  rejectionHandled: () => {},
  uncaughtException: () => {},
  foreignPromise: () => {},
  endlessJobs: () => {},
}

/** The loop whose code runs: promises put their jobs there. User code stands between it and them, so it cannot be passed along. */
export let currentLoop: Loop = new Loop(nobody)

/** For owners that run for long with one loop; `enter` is for all others. Gives the one before. */
export function setCurrentLoop(loop: Loop): Loop {
  const before = currentLoop
  currentLoop = loop
  return before
}
