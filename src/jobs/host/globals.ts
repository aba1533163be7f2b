/** The globals of the host's that depend on no loop but the one that runs: promises, jobs, timers, signals, events as promises and storage, by the name that the guard knows each by. */
import { controlledPromise } from '../promise.ts'
import { AbortController, AbortSignal } from './abort.ts'
import { AsyncLocalStorage } from './async-local-storage.ts'
import { on, once } from './events.ts'
import {
  clearOneImmediate,
  clearTimer,
  enqueueMicrotask,
  nextTick,
  startImmediate,
  startInterval,
  startTimeout,
} from './timers.ts'
import { immediate, interval, scheduler, timeout } from './timers-promises.ts'

const globals: { readonly [name: string]: unknown } = {
  Promise: controlledPromise,
  AbortController,
  AbortSignal,
  'setTimeout()': startTimeout,
  'setInterval()': startInterval,
  'setImmediate()': startImmediate,
  'clearTimeout()': clearTimer,
  'clearInterval()': clearTimer,
  'clearImmediate()': clearOneImmediate,
  'queueMicrotask()': enqueueMicrotask,
  'process.nextTick()': nextTick,
  'timers.setTimeout()': timeout,
  'timers.setImmediate()': immediate,
  'timers.setInterval()': interval,
  'scheduler.wait()': scheduler.wait,
  'scheduler.yield()': scheduler.yield,
  'events.once()': once,
  'events.on()': on,
  ...Object.fromEntries(
    (['run', 'exit', 'enterWith', 'disable', 'getStore'] as const).map((name) => [
      `AsyncLocalStorage.${name}()`,
      AsyncLocalStorage.prototype[name],
    ]),
  ),
  'AsyncLocalStorage.bind()': AsyncLocalStorage.bind,
  'AsyncLocalStorage.snapshot()': AsyncLocalStorage.snapshot,
}

export function hostGlobal(name: string): unknown {
  return Object.hasOwn(globals, name) ? globals[name] : undefined
}
