/**
 * One thing that goes on in an async process: the function of the process, a call that is not simply awaited, a composite operation. It
 * waits for one thing at a time, so it is itself the reaction that goes on.
 */
import { Operation, placeCapture } from '../../core/operation.ts'
import { mistake, running } from '../../core/running.ts'
import { type ControlledPromise, core, promiseOf, type Reaction } from '../../jobs/promise-core.ts'
import type { AsyncProcess } from './async-process.ts'
import { type Steps, Tick, Wait } from './tokens.ts'

/** What becomes of what the steps give; calls look after that themselves. */
export interface End {
  returned(value: unknown): void
  failed(error: unknown): void
}

export class Activity implements Reaction {
  context: unknown = undefined
  readonly leadsTo = undefined
  /** The promise it waits for. */
  source: ControlledPromise = nothing
  /** Where it waits for that, when captured. */
  waitsAt: string | undefined = undefined
  readonly process: AsyncProcess
  readonly #steps: Steps
  readonly #end: End | undefined
  /** Waits for what the function of the process gave. */
  isOutermost = false

  constructor(process: AsyncProcess, steps: Steps, end?: End) {
    this.process = process
    this.#steps = steps
    this.#end = end
  }

  /** What it waited for has come. */
  resume(value: unknown): void {
    this.#drive(() => this.#steps.next(value))
  }

  fail(error: unknown): void {
    this.#drive(() => {
      if (this.#steps.throw !== undefined) return this.#steps.throw(error)
      throw error
    })
  }

  run(): void {
    if (running.async !== this.process) refuseStranger()
    if (core.stateOf(this.source) === 'fulfilled') this.resume(core.valueOf(this.source))
    else this.fail(core.valueOf(this.source))
  }

  #drive(step: () => unknown): void {
    const before = this.process.current
    this.process.current = this
    try {
      this.took(step())
    } catch (error) {
      if (this.#end === undefined) throw error
      this.#end.failed(error)
    } finally {
      this.process.current = before
    }
  }

  /** It has gone on up to here. */
  took(result: unknown): void {
    this.waitsAt = undefined
    if (placeCapture.enabled) this.process.waitingActivities.delete(this)
    if (result instanceof Operation) this.process.perform(result, this)
    else if (result instanceof Wait) {
      this.waitsAt = result.stack
      if (placeCapture.enabled && !this.isOutermost) this.process.waitingActivities.add(this)
      if (!result.isSubscribed) this.waitFor(result.promise)
    } else if (result instanceof Tick) {
      this.process.jobs
      this.waitFor(promiseOf(undefined))
    } else this.#end?.returned((result as IteratorResult<unknown>).value)
  }

  waitFor(promise: ControlledPromise): void {
    this.source = promise
    core.subscribe(this)
  }
}

/** Stands first among those who wait for a call that another one awaits directly: that one goes on. */
export class Delegator implements Reaction {
  context: unknown = undefined
  readonly leadsTo = undefined
  readonly source: ControlledPromise
  activity: Activity | undefined = undefined

  constructor(source: ControlledPromise) {
    this.source = source
  }

  run(): void {
    const { activity, source } = this
    if (activity === undefined) return
    activity.source = source
    activity.run()
  }
}

export function refuseStranger(): never {
  return mistake({
    code: 'E208',
    message: 'a promise of one process was used by another',
    hint: 'processes share nothing: send a message, and let the other process wait with receive()',
  })
}

const nothing = undefined as unknown as ControlledPromise
