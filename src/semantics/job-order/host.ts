/** The globals of the host's that code in job order has of its own. Clocks are not among them: they are refused, as in classes. */
import { type AsyncHost, mistake } from '../../core/running.ts'
import { AbortController, AbortSignal } from '../../jobs/host/abort.ts'
import {
  clearOneImmediate,
  clearTimer,
  enqueueMicrotask,
  nextTick,
  startImmediate,
  startInterval,
  startTimeout,
} from '../../jobs/host/timers.ts'
import { immediate, timeout } from '../../jobs/host/timers-promises.ts'
import type { Loop } from '../../jobs/loop.ts'
import { call } from '../../jobs/lowered.ts'
import { controlledPromise } from '../../jobs/promise.ts'
import { promiseOf } from '../../jobs/promise-core.ts'

/** By the name that the guard knows it by. */
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

/** Nothing of it performs operations: there are no processes that messages could be sent to. */
export function hostOf(loop: Loop): AsyncHost {
  return {
    called: [],
    awaited: noOperations,
    call,
    jobs: loop,
    promised: promiseOf,
    promiseOf: noOperations,
    limit: noOperations,
    processOf: () => undefined,
    leave: () => {},
    global: (name) => (Object.hasOwn(globals, name) ? globals[name] : undefined),
  }
}

function noOperations(): never {
  return mistake({
    code: 'E227',
    message: 'operations of processes do nothing in a class',
    hint: 'a class is checked by calls of its methods: leave them out, or check a program',
  })
}
