/** `node:timers/promises`. */

import { yielded } from '../async-functions.ts'
import { generate } from '../async-generator.ts'
import { type ControlledPromise, core, pendingPromise } from '../promise-core.ts'
import { type AbortSignal, abortError } from './abort.ts'
import { clearOneImmediate, clearTimer, startImmediate, startInterval, startTimeout } from './timers.ts'

interface TimerOptions {
  readonly signal?: AbortSignal
  readonly ref?: boolean
}

/** `setTimeout(delay, value, { signal, ref })`. */
export function timeout(delay?: number, value?: unknown, options: TimerOptions = {}): ControlledPromise {
  return armed(options, (promise) => {
    const timer = startTimeout(() => core.resolve(promise, value), delay)
    if (options.ref === false) timer.unref()
    return () => clearTimer(timer)
  })
}

/** `setImmediate(value, { signal, ref })`. */
export function immediate(value?: unknown, options: TimerOptions = {}): ControlledPromise {
  return armed(options, (promise) => {
    const started = startImmediate(() => core.resolve(promise, value))
    if (options.ref === false) started.unref()
    return () => clearOneImmediate(started)
  })
}

/** `setInterval(delay, value, { signal, ref })`: an async iterator that gives the value once for every time that it fired. */
export function interval(delay?: number, value?: unknown, options: TimerOptions = {}): object {
  return generate(intervals, {}, undefined, [delay, value, options])
}

export const scheduler = {
  wait: (delay: number, options: TimerOptions = {}): ControlledPromise => timeout(delay, undefined, options),
  yield: (): ControlledPromise => immediate(),
}

function armed({ signal }: TimerOptions, arm: (promise: ControlledPromise) => () => void): ControlledPromise {
  const promise = pendingPromise()
  if (signal?.aborted === true) {
    core.reject(promise, abortError(signal))
    return promise
  }
  const disarm = arm(promise)
  signal?.addEventListener(
    'abort',
    () => {
      disarm()
      core.reject(promise, abortError(signal))
    },
    { once: true },
  )
  return promise
}

/** The body of an async generator, as the lowering would write it. */
function* intervals(
  delay: number | undefined,
  value: unknown,
  options: TimerOptions,
): Generator<unknown, void, unknown> {
  const { signal } = options
  throwIfAborted(signal)
  let fired = 0
  let waiting: ControlledPromise | undefined
  const timer = startInterval(() => {
    fired++
    if (waiting !== undefined) core.resolve(waiting, undefined)
    waiting = undefined
  }, delay)
  if (options.ref === false) timer.unref()
  const onAbort = (): void => {
    clearTimer(timer)
    if (waiting !== undefined && signal !== undefined) core.reject(waiting, abortError(signal))
    waiting = undefined
  }
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    for (;;) {
      throwIfAborted(signal)
      if (fired === 0) {
        waiting = pendingPromise()
        yield waiting
      }
      for (; fired > 0; fired--) yield yielded(yield value)
    }
  } finally {
    clearTimer(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw abortError(signal)
}
