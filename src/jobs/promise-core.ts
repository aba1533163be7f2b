/**
 * What a promise is: its state, who waits for it, how it is resolved and what `then` adds (ECMA-262 §27.2.1, §27.2.3, §27.2.5).
 *
 * Every difference of one job shows in the order of callbacks, so each step below is the specification's, with what the engine saves:
 * a single reaction is kept without an array, resolving functions are made only where somebody sees them, a promise of ours
 * that waits for another one does so without a promise between them, and a reaction is itself the job that runs it.
 */
import { isObject } from '../core/is-object.ts'
import { CallJob } from './call-job.ts'
import { Capability, type PromiseConstructorLike, shown, speciesOf } from './capability.ts'
import type { Core } from './core.ts'
import { called } from './iteration.ts'
import { currentLoop, type Job } from './loop.ts'
import { noteMaking } from './making-places.ts'
import { RejectedPromise } from './rejections.ts'
import { ResolvingFunctions, Settling } from './settling.ts'

export type PromiseState = 'pending' | 'fulfilled' | 'rejected'

/** Waits for a promise, and is the job that runs when it has settled. */
export interface Reaction extends Job {
  readonly source: ControlledPromise
  /** What this settles in turn, if that is all it does: nobody waits through it when nobody waits for that. */
  readonly leadsTo: object | undefined
  /** What two reactions must have in common to do the same; not told by those that go on with code. */
  readonly holds?: readonly unknown[]
}

/** For `new ControlledPromise(internally)`: no executor, no resolving functions. */
const internally = Symbol('internally')
const everywhere = Symbol('everywhere')

type Executor<T> = (resolve: (value: T) => void, reject: (reason?: unknown) => void) => void
type Callback = (value: unknown) => unknown

let made: Core

export class ControlledPromise<T = unknown> {
  #state: PromiseState = 'pending'
  #value: unknown = undefined
  #reactions: Reaction | Reaction[] | undefined = undefined
  #isHandled = false
  /** Where it was made, and may be used; nothing: everywhere. */
  readonly #loop: typeof currentLoop | undefined
  /** How often it was resolved: by its executor, then by the thenable it was resolved with, and so on. Only the last counts. */
  #generation = 0

  constructor(executor: Executor<T> | typeof internally | typeof everywhere) {
    this.#loop = executor === everywhere ? undefined : currentLoop
    if (executor === internally || executor === everywhere) return
    if (typeof executor !== 'function') throw new TypeError(`Promise resolver ${shown(executor)} is not a function`)
    noteMaking(this)
    const { resolve, reject } = ControlledPromise.#resolvingFunctions(this)
    try {
      executor(resolve, reject)
    } catch (error) {
      reject(error)
    }
  }

  // biome-ignore lint/suspicious/noThenProperty: this is what a promise has
  then(onFulfilled?: unknown, onRejected?: unknown): ControlledPromise {
    if (!core.isPromise(this)) {
      throw new TypeError(`Method Promise.prototype.then called on incompatible receiver ${shown(this)}`)
    }
    if (this.#loop === undefined) standIns.begin?.()
    const own = currentLoop.callbacks?.whenSettled(this, onFulfilled, onRejected)
    if (own !== undefined) return own as ControlledPromise
    const species = speciesOf(this, promiseClass)
    const derived = species === promiseClass ? pendingPromise() : new Capability(species)
    ControlledPromise.#subscribe(new ThenReaction(this, onFulfilled, onRejected, derived))
    return (derived instanceof Capability ? derived.promise : derived) as ControlledPromise
  }

  catch(onRejected?: unknown): ControlledPromise {
    return invokeThen(this, undefined, onRejected)
  }

  finally(onFinally?: unknown): ControlledPromise {
    if (!isObject(this)) throw new TypeError('Promise.prototype.finally called on non-object')
    const species = speciesOf(this, promiseClass)
    if (typeof onFinally !== 'function') return invokeThen(this, onFinally, onFinally)
    const own = currentLoop.callbacks?.inTheEnd(this, onFinally as () => unknown)
    return (own as ControlledPromise) ?? invokeThen(this, ...finallyCallbacks(species, onFinally as () => unknown))
  }

  static get [Symbol.species](): unknown {
    // biome-ignore lint/complexity/noThisInStatic: subclasses are their own species
    return this
  }

  static {
    made = {
      isPromise: (value): value is ControlledPromise => typeof value === 'object' && value !== null && #state in value,
      stateOf: (promise) => promise.#state,
      valueOf: (promise) => promise.#value,
      reactionsOf: (promise) => listOf(promise.#reactions),
      resolve: ControlledPromise.#resolveOnce,
      reject: ControlledPromise.#rejectOnce,
      followed: ControlledPromise.#followed,
      subscribe: ControlledPromise.#subscribe,
      resolutionsOf: (promise) => promise.#generation,
      handle: ControlledPromise.#handle,
      isHandled: (promise) => promise.#isHandled,
      isStrange: (promise) => promise.#loop !== currentLoop && promise.#loop !== undefined,
      record: (promise) => ({ of: promise, saved: () => ControlledPromise.#saved(promise) }),
    }
  }

  /** CreateResolvingFunctions (§27.2.1.3), for the promise as it is resolved so far. */
  static #resolvingFunctions(promise: ControlledPromise): ResolvingFunctions {
    const generation = promise.#generation
    // As arguments they get no name, as those of the language have none; an array would cost more than both.
    return new ResolvingFunctions(
      promise,
      (value) => {
        if (ControlledPromise.#isAt(generation, promise)) ControlledPromise.#resolve(promise, value)
      },
      (reason) => {
        if (ControlledPromise.#isAt(generation, promise)) ControlledPromise.#reject(promise, reason)
      },
    )
  }

  static #resolveOnce(promise: ControlledPromise, value: unknown): void {
    if (ControlledPromise.#isAt(0, promise)) ControlledPromise.#resolve(promise, value)
  }

  static #rejectOnce(promise: ControlledPromise, reason: unknown): void {
    if (ControlledPromise.#isAt(0, promise)) ControlledPromise.#reject(promise, reason)
  }

  static #isAt(generation: number, promise: ControlledPromise): boolean {
    if (promise.#generation === generation) return true
    currentLoop.journal?.ignored(promise)
    return false
  }

  /** §27.2.1.3.2, from step 7 on. */
  static #resolve(promise: ControlledPromise, value: unknown): void {
    ControlledPromise.#change(promise)
    promise.#generation++
    if (!isObject(value)) return ControlledPromise.#settle(promise, 'fulfilled', value)
    if (value === promise) {
      const cycle = new TypeError(`Chaining cycle detected for promise ${shown(promise)}`)
      return ControlledPromise.#settle(promise, 'rejected', cycle)
    }
    let then: unknown
    try {
      then = (value as { readonly then?: unknown }).then
    } catch (error) {
      return ControlledPromise.#settle(promise, 'rejected', error)
    }
    if (typeof then !== 'function') return ControlledPromise.#settle(promise, 'fulfilled', value)
    if (then === hostThen) currentLoop.owner.foreignPromise(value)
    if (then !== originalThen && currentLoop.callbacks !== undefined) {
      const { resolve, reject } = ControlledPromise.#resolvingFunctions(promise)
      if (currentLoop.callbacks.follow(value, then, resolve, reject)) return
    }
    const job = new CallJob(() => ControlledPromise.#follow(promise, value, then as Callback))
    currentLoop.microtasks.push(job)
  }

  static #reject(promise: ControlledPromise, reason: unknown): void {
    ControlledPromise.#change(promise)
    promise.#generation++
    ControlledPromise.#settle(promise, 'rejected', reason)
  }

  /** NewPromiseResolveThenableJob (§27.2.2.2). */
  static #follow(promise: ControlledPromise, thenable: object, then: Callback): void {
    const { resolve, reject } = ControlledPromise.#resolvingFunctions(promise)
    try {
      if (then !== originalThen || !core.isPromise(thenable)) {
        Reflect.apply(then, thenable, [resolve, reject])
        return
      }
      const derived = unseenFor(thenable)
      ControlledPromise.#subscribe(
        derived === undefined
          ? new FollowReaction(thenable, promise)
          : new ThenReaction(thenable, resolve, reject, derived),
      )
    } catch (error) {
      reject(error)
    }
  }

  /** Its value was no thenable when the followed promise was fulfilled, but may have become one since. */
  static #followed(promise: ControlledPromise, source: ControlledPromise): void {
    if (source.#state === 'fulfilled') ControlledPromise.#resolve(promise, source.#value)
    else ControlledPromise.#reject(promise, source.#value)
  }

  static #settle(promise: ControlledPromise, state: 'fulfilled' | 'rejected', value: unknown): void {
    if (core.isStrange(promise)) currentLoop.owner.foreignPromise(promise)
    const reactions = promise.#reactions
    promise.#state = state
    promise.#value = value
    promise.#reactions = undefined
    if (state === 'rejected' && !promise.#isHandled) currentLoop.rejected(new RejectedPromise(promise, core))
    if (reactions === undefined) return
    const { microtasks } = currentLoop
    if (Array.isArray(reactions)) for (const reaction of reactions) microtasks.push(reaction)
    else microtasks.push(reactions)
  }

  static #subscribe(reaction: Reaction): void {
    const promise = reaction.source
    if (core.isStrange(promise)) currentLoop.owner.foreignPromise(promise)
    reaction.context = currentLoop.context
    ControlledPromise.#change(promise)
    if (promise.#state === 'pending') {
      const others = promise.#reactions
      if (others === undefined) promise.#reactions = reaction
      else if (Array.isArray(others)) others.push(reaction)
      else promise.#reactions = [others, reaction]
    } else {
      currentLoop.microtasks.push(reaction)
    }
    ControlledPromise.#handle(promise)
  }

  static #handle(promise: ControlledPromise): void {
    if (promise.#isHandled) return
    ControlledPromise.#change(promise)
    promise.#isHandled = true
    if (promise.#state === 'rejected') currentLoop.handled(promise)
  }

  static #change(promise: ControlledPromise): void {
    currentLoop.journal?.changing(core.record(promise))
  }

  static #saved(promise: ControlledPromise): () => void {
    const reactions = Array.isArray(promise.#reactions) ? [...promise.#reactions] : promise.#reactions
    const [state, value] = [promise.#state, promise.#value]
    const [isHandled, generation] = [promise.#isHandled, promise.#generation]
    return () => {
      promise.#state = state
      promise.#value = value
      promise.#isHandled = isHandled
      promise.#generation = generation
      promise.#reactions = Array.isArray(reactions) ? [...reactions] : reactions
    }
  }
}

/** A constant, so that the compiler sees through it. */
export const core: Core = made

const promiseClass = ControlledPromise as unknown as PromiseConstructorLike
const hostThen = Promise.prototype.then as unknown
const originalThen = ControlledPromise.prototype.then

/** A promise of ours that only we settle. */
export function pendingPromise(): ControlledPromise {
  return new ControlledPromise(internally)
}

/** The model says which promise stands for what is none of this class, and begins the loop of who uses one that is of none. */
export const standIns: { promiseFor?: (value: object) => ControlledPromise | undefined; begin?: () => void } = {}

/** PromiseResolve (§27.2.4.7.1) with our own constructor: a promise of ours as it is, anything else in a new one. */
export function promiseOf(value: unknown): ControlledPromise {
  if (core.isPromise(value) && value.constructor === ControlledPromise) return value
  const own = isObject(value) ? standIns.promiseFor?.(value) : undefined
  if (own !== undefined) return own
  // Packages keep one that says no more than "later".
  const promise = value === undefined ? new ControlledPromise(everywhere) : pendingPromise()
  core.resolve(promise, value)
  return promise
}

/** What `then` waits with: NewPromiseReactionJob (§27.2.2.1). */
class ThenReaction implements Reaction {
  context: unknown = undefined
  readonly source: ControlledPromise
  readonly #onFulfilled: unknown
  readonly #onRejected: unknown
  /** Nothing if nobody can see it. */
  readonly #derived: ControlledPromise | Capability | undefined

  constructor(
    source: ControlledPromise,
    onFulfilled: unknown,
    onRejected: unknown,
    derived: ControlledPromise | Capability | undefined,
  ) {
    this.source = source
    this.#onFulfilled = onFulfilled
    this.#onRejected = onRejected
    this.#derived = derived
  }

  get leadsTo(): object | undefined {
    const handlers = [this.#onFulfilled, this.#onRejected].filter((one) => typeof one === 'function')
    const [first, second = first] = handlers.map(Settling.promiseOf)
    const derived = this.#derived instanceof Capability ? undefined : this.#derived
    if (handlers.length === 0) return derived
    return first === second && (derived === undefined || core.reactionsOf(derived).length === 0) ? first : undefined
  }

  get holds(): readonly unknown[] {
    const derived = this.#derived instanceof Capability ? this.#derived.promise : this.#derived
    return [this.#onFulfilled, this.#onRejected, derived]
  }

  run(): void {
    const isFulfilled = core.stateOf(this.source) === 'fulfilled'
    const handler = isFulfilled ? this.#onFulfilled : this.#onRejected
    const value = core.valueOf(this.source)
    if (typeof handler !== 'function') return settleDerived(this.#derived, isFulfilled, value)
    let result: unknown
    try {
      result = handler(value)
    } catch (error) {
      return settleDerived(this.#derived, false, error)
    }
    settleDerived(this.#derived, true, result)
  }
}

function settleDerived(derived: ControlledPromise | Capability | undefined, resolves: boolean, value: unknown): void {
  if (derived === undefined) {
    // What nobody can see is still told as a rejection that nobody handles.
    if (!resolves) core.reject(pendingPromise(), value)
  } else if (derived instanceof Capability) {
    if (resolves) derived.resolve(value)
    else derived.reject(value)
  } else if (resolves) core.resolve(derived, value)
  else core.reject(derived, value)
}

/** What `then` of this promise makes, where nobody sees that: nothing, unless its species is somebody else's. */
function unseenFor(promise: ControlledPromise): Capability | undefined {
  const species = speciesOf(promise, promiseClass)
  return species === promiseClass ? undefined : new Capability(species)
}

/** Calls the public `then`, and drops what it gives. */
export function react(promise: object, onFulfilled: Callback, onRejected: Callback): void {
  const { then } = promise as { readonly then: Callback }
  if (then !== originalThen || !core.isPromise(promise)) {
    called(then, promise, [onFulfilled, onRejected])
    return
  }
  core.subscribe(new ThenReaction(promise, onFulfilled, onRejected, unseenFor(promise)))
}

/** A promise was resolved with another one, and settles as that does. */
class FollowReaction implements Reaction {
  context: unknown = undefined
  readonly source: ControlledPromise
  readonly leadsTo: ControlledPromise

  constructor(source: ControlledPromise, follower: ControlledPromise) {
    this.source = source
    this.leadsTo = follower
  }

  run(): void {
    core.followed(this.leadsTo, this.source)
  }
}

/** The public `then`, which a subclass may have replaced. */
function invokeThen(promise: unknown, onFulfilled: unknown, onRejected: unknown): ControlledPromise {
  return (promise as ControlledPromise).then(onFulfilled, onRejected)
}

/** Then Finally and Catch Finally Functions (§27.2.5.3): wait for what the callback gives, and go on as before. */
function finallyCallbacks(species: PromiseConstructorLike, onFinally: () => unknown): [Callback, Callback] {
  return [
    (value) => invokeOn(resolvedWith(species, onFinally()), () => value),
    (reason) =>
      invokeOn(resolvedWith(species, onFinally()), () => {
        throw reason
      }),
  ]
}

function invokeOn(promise: object, thunk: () => unknown): unknown {
  return (promise as { then(callback: unknown): unknown }).then(thunk)
}

/** PromiseResolve (§27.2.4.7.1) with any constructor. */
export function resolvedWith(factory: PromiseConstructorLike, value: unknown): object {
  if (factory === promiseClass) return promiseOf(value)
  if (core.isPromise(value) && value.constructor === factory) return value
  const capability = new Capability(factory)
  capability.resolve(value)
  return capability.promise
}

function listOf(reactions: Reaction | Reaction[] | undefined): readonly Reaction[] {
  return reactions === undefined ? [] : Array.isArray(reactions) ? reactions : [reactions]
}
