/**
 * What calls back when a promise has settled, a tick is due or a timer fires: bodies of processes of their own. Each waits, as code
 * after an `await` does, and then calls.
 */

import { speciesOf } from '../../jobs/capability.ts'
import type { Callbacks } from '../../jobs/loop.ts'
import { controlledPromise } from '../../jobs/promise.ts'
import { core } from '../../jobs/promise-core.ts'
import { type Body, bodyOf } from './functions.ts'
import { go } from './invoke.ts'
import { made } from './made.ts'
import { apply, call, pause } from './operate.ts'
import { isOurs, machine, stop } from './process.ts'
import { openPromise, promiseOf } from './promises.ts'
import { refuse } from './search-error.ts'
import { canSpawn, spawn } from './spawning.ts'
import { armAgain, firing, type Timeout } from './timers.ts'

const site = -500

/** Calls a function of the user's or of the language's; an async one goes on in here, so that no further process is needed. */
function* called(callable: unknown, self: unknown, args: readonly unknown[]): Generator<unknown, unknown, unknown> {
  const known = bodyOf(callable)
  if (known !== undefined) return yield* Reflect.apply(known.body, self, [...args])
  const result = apply(site, [callable, self, ...args], callable, self, args)
  return result === stop ? yield* go() : result
}

function* awaited(value: unknown, live: readonly unknown[]): Generator<unknown, unknown, unknown> {
  const result = pause(site - 1, live, value)
  return result === stop ? yield* go() : result
}

/** `promise.then(onFulfilled, onRejected)`. */
const thenBody: Body = function* (promise, onFulfilled, onRejected) {
  let value: unknown
  try {
    value = yield* awaited(promise, [onFulfilled, onRejected])
  } catch (error) {
    if (isOurs(error) || typeof onRejected !== 'function') throw error
    return yield* called(onRejected, undefined, [error])
  }
  return typeof onFulfilled === 'function' ? yield* called(onFulfilled, undefined, [value]) : value
}

/** `promise.finally(onFinally)`. */
const finallyBody: Body = function* (promise, onFinally) {
  let value: unknown
  try {
    value = yield* awaited(promise, [onFinally])
  } catch (error) {
    if (isOurs(error)) throw error
    yield* settled(yield* called(onFinally, undefined, []), [error])
    throw error
  }
  yield* settled(yield* called(onFinally, undefined, []), [value])
  return value
}

/** Waits for it if there is anything to wait for. */
function* settled(value: unknown, live: readonly unknown[]): Generator<unknown, unknown, unknown> {
  const isThenable = typeof (value as { readonly then?: unknown } | undefined)?.then === 'function'
  return isThenable ? yield* awaited(value, live) : value
}

/** Calls `then` of what a promise was resolved with. */
const followBody: Body = function* (thenable, then, resolve, reject) {
  yield* awaited(undefined, [thenable, then, resolve, reject])
  try {
    yield* called(then, thenable, [resolve, reject])
  } catch (error) {
    if (isOurs(error)) throw error
    yield* called(reject, undefined, [error])
  }
}

/** `queueMicrotask` and `process.nextTick`. */
export const jobBody: Body = function* (callback, args) {
  yield* awaited(undefined, [callback, args])
  yield* called(callback, undefined, args as readonly unknown[])
}

/** `setTimeout` and its kind. */
export const timerBody: Body = function* (given, callback, args) {
  const timer = given as Timeout
  for (;;) {
    yield* fired(timer, [callback, args])
    const result = yield* called(callback, timer, args as readonly unknown[])
    if (timer.kind !== 'interval') return result
    armAgain(timer)
  }
}

/** `setTimeout` of `node:timers/promises`. */
export const sleepBody: Body = function* (timer, value) {
  yield* fired(timer as Timeout, [value])
  return value
}

function* fired(timer: Timeout, live: readonly unknown[]): Generator<unknown, void, unknown> {
  const process = machine.process
  if (process === undefined) return
  const answer = process.isReplaying ? process.replayed(site - 2) : process.offer(site - 2, live, firing(timer))
  if (answer === stop) yield* go()
}

/** `new Promise(executor)`. */
export const executorBody: Body = function* (executor) {
  if (typeof executor !== 'function') return promiseOf(executor)
  const parts = made(site - 5, openPromise()) as ReturnType<typeof openPromise>
  try {
    const result = call(site - 3, [parts.promise], executor, [parts.resolve, parts.reject])
    if (result === stop) yield* go()
  } catch (error) {
    if (isOurs(error)) throw error
    const result = call(site - 4, [parts.promise], parts.reject, [error])
    if (result === stop) yield* go()
  }
  return parts.promise
}

/** Callbacks of promises, wherever they are given: by code of the user's, or by native code that calls `then`. */
export const callbacks: Callbacks = {
  whenSettled: (promise, onFulfilled, onRejected) => {
    if (!canSpawn()) return undefined
    refuseSpecies(promise)
    return spawn({ body: thenBody, self: undefined, args: [promise, onFulfilled, onRejected] })
  },
  inTheEnd: (promise, onFinally) => {
    if (!canSpawn()) return undefined
    refuseSpecies(promise)
    return spawn({ body: finallyBody, self: undefined, args: [promise, onFinally] })
  },
  follow: (thenable, then, resolve, reject) => {
    if (!canSpawn() || bodyOf(then) === undefined) return false
    spawn({ body: followBody, self: undefined, args: [thenable, then, resolve, reject] })
    return true
  },
}

/** What `then` of a subclass makes is for the subclass to say. */
function refuseSpecies(promise: object): void {
  if (core.isPromise(promise) && speciesOf(promise, controlledPromise as never) === (controlledPromise as never)) return
  refuse({
    code: 'E307',
    message: '.then(…) of a promise of a class of its own cannot be checked',
    hint: 'use Promise itself',
    stack: new Error().stack,
  })
}
