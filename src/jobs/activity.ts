/**
 * A call of an async function under way: its generator yields what it awaits (ECMA-262 §27.7.5). A call awaits one thing at a
 * time, so the activity itself is the reaction that waits and the job that goes on; an await makes no object.
 */
import { isObject } from '../core/is-object.ts'
import type { GeneratorBody } from './async-functions.ts'
import { currentLoop } from './loop.ts'
import { type ControlledPromise, core, pendingPromise, promiseOf, type Reaction } from './promise-core.ts'

/** Something that awaits: what it awaits, and what that gave. */
export abstract class Awaiting implements Reaction {
  context: unknown = undefined
  /** What it goes on from; nothing for a value that is no promise, which gets none. */
  awaited: ControlledPromise | undefined = undefined
  #value: unknown = undefined
  readonly leadsTo = undefined

  get source(): ControlledPromise {
    return this.awaited as ControlledPromise
  }

  run(): void {
    const promise = this.awaited
    if (promise === undefined) this.goOn(true, this.#value)
    else this.goOn(core.stateOf(promise) === 'fulfilled', core.valueOf(promise))
  }

  /** Await (§27.7.5.3); throws what reading `constructor` of a promise throws. */
  await(value: unknown): void {
    if (isObject(value)) {
      this.awaited = promiseOf(value)
      core.subscribe(this)
      return
    }
    this.awaited = undefined
    this.#value = value
    this.context = currentLoop.context
    currentLoop.microtasks.push(this)
  }

  protected abstract goOn(isFulfilled: boolean, value: unknown): void
}

/** A call of an async function. */
class Activity extends Awaiting {
  readonly promise: ControlledPromise
  readonly #generator: Iterator<unknown, unknown, unknown>

  constructor(promise: ControlledPromise, generator: Iterator<unknown, unknown, unknown>) {
    super()
    this.promise = promise
    this.#generator = generator
  }

  protected override goOn(isFulfilled: boolean, given: unknown): void {
    let resumes = isFulfilled
    let value = given
    for (;;) {
      let result: IteratorResult<unknown, unknown>
      try {
        result = resumes ? this.#generator.next(value) : (this.#generator as Generator).throw(value)
      } catch (error) {
        core.reject(this.promise, error)
        return
      }
      if (result.done === true) {
        core.resolve(this.promise, result.value)
        return
      }
      try {
        this.await(result.value)
        return
      } catch (error) {
        resumes = false
        value = error
      }
    }
  }

  /** Up to its first await. */
  begin(): void {
    this.goOn(true, undefined)
  }
}

/** Calls an async function, given as its generator. What default values of parameters throw rejects. */
export function call(body: GeneratorBody, self: unknown, args: ArrayLike<unknown>): ControlledPromise {
  const promise = pendingPromise()
  let generator: Iterator<unknown, unknown, unknown>
  try {
    generator = Reflect.apply(body, self, args)
  } catch (error) {
    core.reject(promise, error)
    return promise
  }
  new Activity(promise, generator).begin()
  return promise
}
