/** The globals of the host's that depend on no loop but the one that runs: promises, jobs, timers and signals, by the name that the guard knows each by. */
import { controlledPromise } from '../promise.ts'
import { AbortController, AbortSignal } from './abort.ts'
import {
  clearOneImmediate,
  clearTimer,
  enqueueMicrotask,
  nextTick,
  startImmediate,
  startInterval,
  startTimeout,
} from './timers.ts'
import { immediate, timeout } from './timers-promises.ts'

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
}

export function hostGlobal(name: string): unknown {
  return Object.hasOwn(globals, name) ? globals[name] : undefined
}
