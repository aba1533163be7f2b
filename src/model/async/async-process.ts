/**
 * An async process is an event loop of its own, driven inside the iterator that engines see. It runs its jobs to the end; operations
 * act in the order in which they were called; when nothing but waiting is left, it asks for one receive of all that it waits for,
 * or for a poll if a timer is armed, where finding nothing means that the timer fires. So to engines it is what every process is: a
 * function of its answers that asks for one operation at a time. Whenever an engine has control no job is left.
 */
import { DiagnosticError } from '../../core/diagnostic.ts'
import { invariant } from '../../core/invariant.ts'
import {
  CompositeOperation,
  idle,
  Operation,
  placeCapture,
  SettledOperation,
  type Taken,
  takenBefore,
} from '../../core/operation.ts'
import { type AsyncHost, running } from '../../core/running.ts'
import type { Armed } from '../../jobs/armed.ts'
import type { GeneratorBody } from '../../jobs/async-functions.ts'
import { Loop, type LoopOwner, setCurrentLoop } from '../../jobs/loop.ts'
import { type ControlledPromise, core, promiseOf } from '../../jobs/promise-core.ts'
import { Activity, refuseStranger } from './activity.ts'
import { AsyncCall, isAwaitable } from './async-call.ts'
import { globalOf } from './globals.ts'
import { awaitedInPlace } from './joins.ts'
import { limitRequest } from './limits.ts'
import { type Asked, choiceAmong, firingLimit, firings, Stopped, stuck, withoutNotice } from './own-operations.ts'
import { refuseForeign, refuseJobs, refuseTimers } from './refusals.ts'
import { Deferred, pollBehind, Request, takenBy, waitingFor } from './requests.ts'
import { noteTime, SynchronousTimers } from './synchronous-timers.ts'
import { Settled, type Steps, stackHere, Tick, Wait } from './tokens.ts'

export class AsyncProcess implements AsyncHost {
  readonly called: object[] = []
  /** Calls that have run to their first await and that nobody drives, while nobody can see the order of jobs. */
  readonly begun: AsyncCall[] = []
  /** Calls that run their first part inside code that called them: that code goes on before their awaits do. */
  depth = 0
  /** Activities that wait for promises, when places are captured. */
  readonly waitingActivities = new Set<Activity>()
  /** Whether anybody has asked `AsyncLocalStorage`. */
  hasStorage = false
  /** Whose code runs, if it is that of an activity. */
  current: Activity | undefined = undefined
  #jobs: Loop | undefined
  #before: Loop | undefined
  #main: Activity | undefined
  #steps: Steps | undefined
  #acting: Request[] = []
  #receives: Request[] = []
  #joins: Request[] = []
  readonly #requests = new WeakMap<object, Deferred>()
  /** What is done with the answer; nothing if the function of the process asked, and nothing else goes on. */
  #answered: ((answer: unknown) => void) | undefined
  #isSettled = false
  #returned: unknown = undefined
  #failure: { readonly error: unknown } | undefined
  #isStopped = false
  #isSettling = false
  /** What may fire now, when a poll found nothing, or when it was chosen. */
  #timeout: readonly Armed[] | undefined
  #fired = 0
  #taken: readonly Taken[] = []
  readonly #clock = running.isSynchronous ? new SynchronousTimers(this) : undefined
  readonly #owner: LoopOwner = {
    unhandledRejection: (reason) => this.#stops(reason),
    rejectionHandled: () => undefined,
    uncaughtException: (error) => this.#stops(error),
    endlessJobs: refuseJobs,
    foreignPromise: (promise) => (core.isPromise(promise) ? refuseStranger() : refuseForeign(promise)),
  }

  get isCurrent(): boolean {
    return running.async === this
  }
  get hasJobs(): boolean {
    return this.#jobs !== undefined
  }
  get isQuiet(): boolean {
    return this.#jobs === undefined || this.#jobs.microtasks.length + this.#jobs.ticks.length === 0
  }

  /** Nothing was called since this call held its first operation. */
  isLatest(call: AsyncCall): boolean {
    return this.called.length === 0 && this.begun.at(-1) === call
  }

  /** From now on the order of jobs may be seen. */
  get jobs(): Loop {
    if (this.#jobs === undefined) {
      this.#jobs = new Loop(this.#owner, 'any')
      this.#clock?.watch(this.#jobs.armed)
      this.#before = setCurrentLoop(this.#jobs)
      this.settleDown()
    }
    return this.#jobs
  }

  leave(): void {
    if (this.#before !== undefined) setCurrentLoop(this.#before)
    this.#before = undefined
    running.async = undefined
  }

  global(name: string): unknown {
    const found = globalOf(this.jobs, name)
    this.hasStorage ||= name.startsWith('AsyncLocalStorage')
    noteTime(this.#clock, name)
    // Seen behind all that was called before.
    this.settleDown()
    return found
  }

  processOf(given: unknown): Iterator<unknown, unknown, unknown> | undefined {
    if (!(given instanceof AsyncCall) && !isAwaitable(given)) return undefined
    this.#steps = (this.awaited(given) as Iterable<unknown>)[Symbol.iterator]() as Steps
    this.#main = new Activity(this, this.#steps, {
      returned: (value) => {
        this.#isSettled = true
        this.#returned = value
      },
      failed: (error) => {
        this.#failure ??= { error }
      },
    })
    this.#main.isOutermost = !(given instanceof AsyncCall) || this.#steps !== (given as Steps)
    return this as unknown as Iterator<unknown, unknown, unknown>
  }

  call(body: GeneratorBody, self: unknown, args: ArrayLike<unknown>): AsyncCall {
    return new AsyncCall(this, body, self, args)
  }

  /** `await value`. What was called before a composite begins before it. */
  awaited(value: unknown): unknown {
    if (value instanceof AsyncCall) return value
    if (value instanceof SettledOperation) return this.#plain(value.answer)
    if (value instanceof Operation || value instanceof CompositeOperation) {
      if (value.host !== this) refuseStranger()
      const isLast = this.called.at(-1) === value
      if (isLast && value instanceof Operation) return value
      if (isLast && this.called.length === 1) return (value as CompositeOperation)[Symbol.iterator]()
      if (value instanceof Operation && value.done) return this.#plain(value.value)
      return new Wait(this.promiseOf(value), stackHere())
    }
    if (!isAwaitable(value)) {
      if (typeof value === 'object' && value !== null) refuseForeign(value)
      return this.#plain(value)
    }
    return new Wait(this.promised(value), stackHere())
  }

  /** The promise that is awaited; mistakes are told here, where the code that awaits is on the stack. */
  promised(value: object): ControlledPromise {
    refuseForeign(value)
    this.jobs
    const promise = promiseOf(value)
    if (core.isStrange(promise)) refuseStranger()
    return promise
  }

  #plain(value: unknown): unknown {
    if (this.depth === 0 && this.isQuiet) return new Settled(value)
    return this.hasJobs ? new Wait(promiseOf(value), stackHere()) : new Tick(value)
  }

  promiseOf(operation: Operation | CompositeOperation): ControlledPromise {
    if (operation instanceof SettledOperation) return promiseOf(operation.answer)
    if (operation.host !== this) refuseStranger()
    this.jobs
    this.settleDown()
    const request = this.#requests.get(operation)
    if (request !== undefined) return request.promise
    invariant(operation instanceof Operation && operation.done, 'an operation without a request was answered')
    return promiseOf(operation.value)
  }

  limit(receive: object, { signal, within }: { readonly signal: unknown; readonly within: number | undefined }): void {
    this.jobs
    this.settleDown()
    const request = this.#requests.get(receive) as Request
    if (within !== undefined) noteTime(this.#clock, 'setTimeout')
    limitRequest(request, { signal: signal as AbortSignal | undefined, within }, () => this.withdraw(request))
  }

  /** All that was called is known as such, in order. */
  settleDown(): void {
    if (this.#isSettling || (this.begun.length === 0 && this.called.length === 0)) return
    this.#isSettling = true
    for (let call = this.begun.shift(); call !== undefined; call = this.begun.shift()) call.promote()
    for (let one = this.called.shift(); one !== undefined; one = this.called.shift()) {
      if (one instanceof Operation) this.perform(one, undefined)
      else this.#begins(one as CompositeOperation)
    }
    this.#isSettling = false
  }

  #begins(composite: CompositeOperation): void {
    this.jobs
    const deferred = new Deferred(undefined)
    this.#requests.set(composite, deferred)
    // What it calls, as in functions that it was given, comes before what was called after it.
    const later = this.called.splice(0)
    this.#isSettling = false
    new Activity(this, composite[Symbol.iterator]() as Steps, deferred).resume(undefined)
    this.settleDown()
    this.#isSettling = true
    this.called.push(...later)
  }

  /** An operation was called: it acts, or waits, in its turn. */
  perform(operation: Operation, activity: Activity | undefined): void {
    this.settleDown()
    // A poll has its turn before receives that are called later.
    const request = new Request(operation, activity, operation.kind === 'poll' ? [...this.#receives] : [])
    this.#requests.set(operation, request)
    if (operation.kind === 'receive') this.#receives.push(request)
    else if (operation.kind === 'join') this.#joins.push(request)
    else this.#acting.push(request)
  }

  next(answer: unknown): unknown {
    running.async = this
    this.#clock?.forgetTime()
    if (this.#jobs !== undefined) this.#before = setCurrentLoop(this.#jobs)
    try {
      const asked = this.#answered
      this.#answered = undefined
      if (asked !== undefined) this.#turn(() => asked(answer))
      else if (this.#jobs !== undefined) this.#turn(() => this.#main?.resume(answer), 'ticks')
      else {
        const result = this.#direct(answer)
        if (result !== undefined) return result
      }
      return this.#proceed()
    } finally {
      this.leave()
    }
  }

  /** What goes on when an operation was answered goes on in a microtask. */
  #turn(code: () => void, first: 'ticks' | 'microtasks' = 'microtasks'): void {
    this.#unlessStopped(() => this.jobs.turn(code, first))
  }

  #unlessStopped(run: () => void): void {
    if (this.#isStopped) return
    try {
      run()
    } catch (error) {
      if (!(error instanceof Stopped)) throw error
      this.#isStopped = true
    }
    if (running.mistake !== undefined) throw new DiagnosticError(running.mistake)
  }

  #stops(error: unknown): never {
    this.#failure ??= { error }
    throw new Stopped()
  }

  /** Nothing goes on but the function of the process: an operation that it asks for, or its end, is handed on as it is. */
  #direct(answer: unknown): unknown {
    const main = this.#main as Activity
    this.current = main
    let result: unknown
    try {
      result = (this.#steps as Steps).next(answer)
    } catch (error) {
      this.#failure ??= { error }
      return undefined
    } finally {
      this.current = undefined
    }
    if (this.#isAlone && (result instanceof Operation || result instanceof Settled)) return result
    main.took(result)
    return undefined
  }

  /** Nothing goes on beside the function of the process, or has ever done so that would show now. */
  get #isAlone(): boolean {
    if (this.#jobs !== undefined || this.called.length + this.begun.length > 0) return false
    return this.#acting.length + this.#receives.length + this.#joins.length === 0
  }

  #proceed(): unknown {
    for (;;) {
      this.#runJobs()
      const acting = this.#acting.shift()
      if (acting !== undefined) return this.#acts(acting)
      if (this.#failure !== undefined) throw this.#failure.error
      const asked = this.#waits()
      if (asked !== undefined) return asked
    }
  }

  #runJobs(): void {
    this.settleDown()
    if (this.#jobs === undefined) return
    do {
      this.#unlessStopped(() => this.jobs.runJobs('microtasks'))
      this.settleDown()
    } while (!this.#isStopped && !this.isQuiet)
  }

  #acts(request: Request): Operation {
    const { operation } = request
    this.#answered = (answer) => void (this.#failure === undefined && request.answer(answer))
    this.#fired = 0
    const older = request.older.filter((one) => this.#receives.includes(one))
    const isPlain = older.length === 0 && (this.#clock === undefined || operation.kind !== 'poll')
    return isPlain ? operation : this.#made(operation, pollBehind(operation, older), false)
  }

  /** Nothing but waiting is left: what to ask for; nothing if something happened by itself. */
  #waits(): unknown {
    const armed = this.#jobs?.armed
    const mayFire = this.#timeout ?? this.#clock?.fired()
    this.#timeout = undefined
    if (mayFire !== undefined) return this.#fires(mayFire)
    if (this.#clock?.settles() === true) return undefined
    const isAlive = armed?.isAlive ?? false
    if (this.#isSettled && !isAlive) {
      const waiting = [...this.#joins, ...this.#receives.filter(({ isAwaited }) => isAwaited)]
      if (waiting.length === 0) return this.#clock?.ends() === true ? undefined : new Settled(this.#returned)
    }
    const isArmed = armed?.mayFireNow ?? false
    const receives = this.#clock?.beside(this.#receives, this.#main?.waitsAt) ?? [...this.#receives]
    if (this.#joins.length > 0) return this.#joinsOne(isArmed || receives.length > 0)
    if (receives.length > 0) return this.#reads(receives, isArmed, this.#isSettled && !isAlive && !isArmed)
    if (armed !== undefined && isArmed && isAlive) return this.#fires(armed.mayFire())
    return this.#made(stuck([...this.waitingActivities][0]), {}, false)
  }

  /** Alone it is an operation as it is. */
  #joinsOne(isBeside: boolean): Operation {
    const join = this.#joins.shift() as Request
    const isAlone = !isBeside && this.#joins.length === 0
    this.#answered = (answer) => void (isAlone && join.answer(answer))
    if (isAlone) return join.operation
    this.#receives.push(join)
    return awaitedInPlace(join)
  }

  #reads(receives: readonly Request[], isArmed: boolean, isIdle: boolean): Operation {
    this.#fired = 0
    this.#answered = (answer) => {
      if (isArmed && answer === undefined) this.#timeout = this.jobs.mayFire()
      else this.#delivers(answer, receives)
    }
    if (receives.length === 1 && !isArmed && !isIdle && this.#clock === undefined)
      return this.#noted((receives[0] as Request).operation)
    const { operation } = receives.find(({ isAwaited }) => isAwaited) ?? (receives[0] as Request)
    return this.#made(operation, waitingFor(receives, isArmed, this.#clock !== undefined), isIdle)
  }

  /** The oldest receive that takes it, by the order of the calls. */
  #delivers(message: unknown, receives: readonly Request[]): void {
    const { from } = (running.source ?? {}) as { readonly from?: string }
    const taking = receives.length === 1 ? receives[0] : receives.find((one) => one.takes(message, from ?? ''))
    invariant(taking !== undefined, 'a message that all receives together take is taken by one of them')
    if (placeCapture.enabled && !taking.isAwaited) this.#taken = [...this.#taken, takenBy(taking, message)]
    this.withdraw(taking)
    taking.answer(message)
  }

  /** A receive waits no longer. */
  withdraw(receive: Request): void {
    this.#receives = this.#receives.filter((one) => one !== receive)
    receive.whenOver?.()
  }

  #fires(next: readonly Armed[]): Operation | undefined {
    const [only, ...others] = next
    if (only === undefined) return undefined
    if (others.length === 0) {
      if (++this.#fired > firingLimit) refuseTimers()
      this.#unlessStopped(() => this.jobs.fire(only))
      return undefined
    }
    this.#answered = (answer) => {
      this.#timeout = next.filter((_, at) => firings(next)[at] === answer)
    }
    return choiceAmong(firings(next), this.#main?.waitsAt)
  }

  /** An operation of our own in the place of one of the program's. */
  #made({ stack, ...own }: Asked, other: Partial<Asked>, isIdle: boolean): Operation {
    const { kind, where, detail } = { ...own, ...other }
    const target = isIdle ? idle : undefined
    return this.#noted(withoutNotice(() => new Operation(kind, target, undefined, where, detail, stack)))
  }

  #noted(receive: Operation): Operation {
    if (this.#taken.length > 0) takenBefore.set(receive, this.#taken)
    return receive
  }
}
