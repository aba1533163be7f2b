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
import { computedThen, thenOf } from './natives.ts'
import { apply, call, pause } from './operate.ts'
import { isOurs, machine, stop } from './process.ts'
import { openPromise, promiseOf } from './promises.ts'
import { refuse } from './search-error.ts'
import { canSpawn, spawn } from './spawning.ts'
import { armAgain, firing, type Timeout } from './timers.ts'

const site = -500

/** The last thing that a body does: an async function goes on in here, so that no further process is needed. */
function* calledLast(callable: unknown, self: unknown, args: readonly unknown[]): Generator<unknown, unknown, unknown> {
  const known = bodyOf(callable)
  if (known !== undefined) return yield* Reflect.apply(known.body, self, [...args])
  const result = apply(site, [callable, self, ...args], callable, self, args)
  return result === stop ? yield* go() : result
}

function* awaited(at: number, live: readonly unknown[], value: unknown): Generator<unknown, unknown, unknown> {
  const result = pause(at, live, value)
  return result === stop ? yield* go() : result
}

/** `promise.then(onFulfilled, onRejected)`. */
const thenBody: Body = function* (promise, onFulfilled, onRejected) {
  let value: unknown
  try {
    value = yield* awaited(site - 1, [onFulfilled, onRejected], promise)
  } catch (error) {
    if (isOurs(error) || typeof onRejected !== 'function') throw error
    return yield* calledLast(onRejected, undefined, [error])
  }
  return typeof onFulfilled === 'function' ? yield* calledLast(onFulfilled, undefined, [value]) : value
}

/** `promise.finally(onFinally)`. */
const finallyBody: Body = function* (promise, onFinally) {
  let value: unknown
  try {
    value = yield* awaited(site - 2, [onFinally], promise)
  } catch (error) {
    if (isOurs(error)) throw error
    yield* before(['rejected', error], onFinally)
    throw error
  }
  yield* before(['fulfilled', value], onFinally)
  return value
}

/** Calls it, and waits for what it gives if there is anything to wait for. */
function* before(live: readonly unknown[], onFinally: unknown): Generator<unknown, void, unknown> {
  let given = apply(site - 3, live, onFinally, undefined, [])
  if (given === stop) given = yield* go()
  const then = thenOf(given)
  const isThenable = typeof then === 'function' || then === computedThen
  if (isThenable) yield* awaited(site - 4, live, given)
}

/** Calls `then` of what a promise was resolved with. */
const followBody: Body = function* (thenable, then, resolve, reject) {
  yield* awaited(site - 5, [thenable, then, resolve, reject], undefined)
  try {
    const called = apply(site - 6, [reject], then, thenable, [resolve, reject])
    if (called === stop) yield* go()
  } catch (error) {
    if (isOurs(error)) throw error
    yield* calledLast(reject, undefined, [error])
  }
}

/** `queueMicrotask` and `process.nextTick`. */
export const jobBody: Body = function* (callback, args) {
  yield* awaited(site - 7, [callback, args], undefined)
  yield* calledLast(callback, undefined, args as readonly unknown[])
}

/** `setTimeout` and its kind. */
export const timerBody: Body = function* (given, callback, args) {
  const timer = given as Timeout
  for (;;) {
    yield* fired(timer, [callback, args])
    if (timer.kind !== 'interval') return yield* calledLast(callback, timer, args as readonly unknown[])
    const called = apply(site - 8, [timer, callback, args], callback, timer, args as readonly unknown[])
    if (called === stop) yield* go()
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
  const answer = process.isReplaying ? process.replayed(site - 9) : process.offer(site - 9, live, firing(timer))
  if (answer === stop) yield* go()
}

/** `new Promise(executor)`. */
export const executorBody: Body = function* (executor) {
  if (typeof executor !== 'function') return promiseOf(executor)
  const parts = made(site - 12, openPromise()) as ReturnType<typeof openPromise>
  try {
    const result = call(site - 10, [parts.promise], executor, [parts.resolve, parts.reject])
    if (result === stop) yield* go()
  } catch (error) {
    if (isOurs(error)) throw error
    const result = call(site - 11, [parts.promise], parts.reject, [error])
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
