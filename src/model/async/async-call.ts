/**
 * A call of an async function in an async process. It runs to its first `await` at once. What `await f()` does next costs no promise: the
 * call is driven by whoever awaits it, as a generator is by `yield*`. This is exact as long as nobody can see the order of jobs; before
 * anybody can, the call becomes an activity of its own, and it gets a promise as soon as it is used as one.
 */
import type { GeneratorBody } from '../../jobs/async-functions.ts'
import { currentLoop } from '../../jobs/loop.ts'
import { ControlledPromise, core, pendingPromise } from '../../jobs/promise-core.ts'
import { Activity, Delegator, refuseStranger } from './activity.ts'
import type { AsyncProcess } from './async-process.ts'
import { Failed, Settled, type Steps, stackHere, Tick, Wait } from './tokens.ts'

type Status =
  /** Has run to its first await, and nobody drives it so far. */
  | 'held'
  /** Driven by the call that awaits it. */
  | 'delegated'
  /** An activity of its own. */
  | 'active'
  /** Its promise is settled, and the call that drives it goes on with a job. */
  | 'left'
  | 'fulfilled'
  | 'rejected'

export class AsyncCall {
  readonly process: AsyncProcess
  #status: Status = 'held'
  #steps: Steps = none
  /** What it yielded first. */
  #held: unknown
  /** The value, or the error. */
  #outcome: unknown
  #promise: ControlledPromise | undefined
  #delegator: Delegator | undefined
  /** What `AsyncLocalStorage` keeps for it, whoever drives it. */
  #context: unknown = undefined

  constructor(process: AsyncProcess, body: GeneratorBody, self: unknown, args: ArrayLike<unknown>) {
    this.process = process
    process.depth++
    try {
      this.#steps = Reflect.apply(body, self, args)
      const result = this.#advance(undefined)
      if (process.hasStorage) this.#context = currentLoop.context
      if (this.#status === 'held') this.#hold(result)
    } catch (error) {
      this.#fails(error)
    } finally {
      process.depth--
    }
  }

  /** The promise that it is to all who use it as one. */
  get promise(): ControlledPromise {
    if (!this.process.isCurrent) refuseStranger()
    if (this.#promise !== undefined) return this.#promise
    this.process.jobs
    this.process.settleDown()
    // To settle down may have made it.
    this.#promise ??= pendingPromise()
    if (this.#status === 'fulfilled') core.resolve(this.#promise, this.#outcome)
    else if (this.#status === 'rejected') core.reject(this.#promise, this.#outcome)
    else if (this.#status === 'delegated') {
      this.#delegator = new Delegator(this.#promise)
      core.subscribe(this.#delegator)
    }
    return this.#promise
  }

  // biome-ignore lint/suspicious/noThenProperty: this is what a promise has
  then(onFulfilled?: unknown, onRejected?: unknown): ControlledPromise {
    return this.promise.then(onFulfilled, onRejected)
  }

  /** For `yield*` of whoever awaits it. */
  [Symbol.iterator](): Steps {
    return this.#awaited() as Steps
  }

  #awaited(): unknown {
    const { process } = this
    if (!process.isCurrent) refuseStranger()
    if (this.#promise === undefined) {
      if (this.#status === 'held' && process.isLatest(this)) {
        process.begun.pop()
        this.#status = 'delegated'
        return this
      }
      const isTail = process.depth === 0 && process.isQuiet
      if (this.#status === 'fulfilled') {
        if (isTail) return new Settled(this.#outcome)
        if (!process.hasJobs) return new Tick(this.#outcome)
      }
      if (this.#status === 'rejected' && isTail && process.isLatest(this)) {
        process.begun.pop()
        return new Failed(this.#outcome)
      }
    }
    const stack = stackHere()
    return new Wait(this.promise, stack)
  }

  /** As an activity of its own, which `settleDown` makes it. */
  promote(): void {
    if (this.#status === 'rejected') {
      this.promise
      return
    }
    this.#status = 'active'
    const held = this.#held
    this.#held = undefined
    new Activity(this.process, this).took(held)
  }

  next(answer?: unknown): unknown {
    if (this.#status === 'left') return this.#leave(new Settled(answer))
    const held = this.#held
    if (held === undefined) return this.#goOn(() => this.#steps.next(answer))
    this.#held = undefined
    // Whoever drives it may be in the middle of a job.
    const isTail = this.process.depth === 0 && this.process.isQuiet
    return held instanceof Tick && isTail ? this.#goOn(() => this.#steps.next(undefined)) : held
  }

  throw(error: unknown): unknown {
    if (this.#status === 'left') {
      this.#status = 'rejected'
      throw error
    }
    return this.#goOn(() => {
      if (this.#steps.throw !== undefined) return this.#steps.throw(error)
      throw error
    })
  }

  #advance(answer: unknown): unknown {
    return this.#step(() => this.#steps.next(answer))
  }

  /** Behind an await: with what was kept when it came there. */
  #goOn(step: () => unknown): unknown {
    if (!this.process.hasStorage) {
      const result = this.#step(step)
      if (this.process.hasStorage) this.#context = currentLoop.context
      return result
    }
    const loop = currentLoop
    const before = loop.context
    loop.context = this.#context
    try {
      return this.#step(step)
    } finally {
      this.#context = loop.context
      loop.context = before
    }
  }

  #step(step: () => unknown): unknown {
    let result: unknown
    try {
      result = step()
    } catch (error) {
      return this.#fails(error)
    }
    // An operation that was answered says so itself.
    const { done, value } = result as IteratorResult<unknown>
    return done === true ? this.#returns(value) : result
  }

  /** Up to its first await. */
  #hold(result: unknown): void {
    const { process } = this
    if (result instanceof Wait) {
      this.#status = 'active'
      process.settleDown()
      new Activity(process, this).took(result)
      return
    }
    // Invariant: what is called now is called later than what begun calls hold.
    if (process.called.length > 0) process.settleDown()
    this.#held = result
    process.begun.push(this)
  }

  #returns(value: unknown): unknown {
    const { process } = this
    const isThenable = isAwaitable(value)
    const isFree = this.#promise === undefined
    if (this.#status === 'held') {
      if (!isThenable) return this.#settles('fulfilled', value)
      // Nobody can see a job so far, so the call goes on with what it returned.
      if (isFree && !process.hasJobs) return this.#goesOnWith(value)
    } else if (this.#status === 'delegated' && isFree && process.isQuiet) {
      if (!isThenable) return this.#settles('fulfilled', value)
      return this.#goesOnWith(value)
    } else if (isFree && !isThenable && this.#status === 'active') return this.#settles('fulfilled', value)
    process.jobs
    return this.#resolved((promise) => core.resolve(promise, value))
  }

  /** `return f()` gives what f() gives, but outside any `try` of the function: its generator is over. */
  #goesOnWith(value: unknown): unknown {
    this.#steps = (this.process.awaited(value) as Iterable<unknown>)[Symbol.iterator]() as Steps
    return this.#advance(undefined)
  }

  #fails(error: unknown): unknown {
    const { process } = this
    if (this.#promise === undefined) {
      if (this.#status === 'held') {
        if (process.called.length > 0) process.settleDown()
        process.begun.push(this)
        return this.#settles('rejected', error)
      }
      if (this.#status === 'delegated' && process.isQuiet) {
        this.#settles('rejected', error)
        throw error
      }
    }
    process.jobs
    return this.#resolved((promise) => core.reject(promise, error))
  }

  #settles(status: 'fulfilled' | 'rejected', outcome: unknown): unknown {
    this.#status = status
    this.#outcome = outcome
    this.#steps = none
    return new Settled(outcome)
  }

  /** With its promise; the call that drives it goes on with a job, before all others that wait. */
  #resolved(settle: (promise: ControlledPromise) => void): unknown {
    this.#promise ??= pendingPromise()
    const promise = this.#promise
    const wasDelegated = this.#status === 'delegated'
    this.#status = wasDelegated ? 'left' : 'fulfilled'
    this.#steps = none
    const delegator = this.#delegator
    if (delegator !== undefined) delegator.activity = this.process.current
    settle(promise)
    return wasDelegated ? new Wait(promise, undefined, delegator !== undefined) : new Settled(undefined)
  }

  #leave(result: Settled): Settled {
    this.#status = 'fulfilled'
    this.#outcome = result.value
    return result
  }
}

/** What an async function may not give as its result, but goes on to await. */
export function isAwaitable(value: unknown): value is object {
  if ((typeof value !== 'object' || value === null) && typeof value !== 'function') return false
  return typeof (value as { readonly then?: unknown }).then === 'function'
}

const none: Steps = [].values()

// What it is to the program.
Object.setPrototypeOf(AsyncCall.prototype, ControlledPromise.prototype)
Object.defineProperty(AsyncCall.prototype, 'constructor', { value: ControlledPromise, configurable: true })
