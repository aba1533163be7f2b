/** Globals of the host's that an async process has of its own: promises, jobs, timers, signals, and the time that timers have made it. */
import { CompositeOperation, Operation } from '../../core/operation.ts'
import { running } from '../../core/running.ts'
import { hostGlobal } from '../../jobs/host/globals.ts'
import type { Loop } from '../../jobs/loop.ts'
import { controlledPromise } from '../../jobs/promise.ts'
import { ControlledPromise } from '../../jobs/promise-core.ts'
import { AsyncCall } from './async-call.ts'

/** When processes begin, in milliseconds since 1970: some time. */
const beginning = Date.UTC(2030, 0, 1)
/** How long Node has run by then. It is never nothing: packages take a time of 0 for none. */
const sinceStart = 1000

export function globalOf(loop: Loop, name: string): unknown {
  if (name === 'Date.now()') return () => beginning + loop.now
  if (name === 'performance.now()') return () => sinceStart + loop.now
  if (name === 'performance.timeOrigin') return beginning - sinceStart
  return hostGlobal(name)
}

/** Whether the program relies on how time passes when it asks for this. */
export function isOfTime(name: string): boolean {
  return /^(?:timers\.)?set(?:Timeout|Interval)|now\(\)$|^scheduler\.wait/.test(name)
}

/** Whether it gives the time. */
export function isReadingTime(name: string): boolean {
  return /now\(\)$/.test(name)
}

/** Operations and async calls are promises already: `Promise.resolve` gives them as they are. */
const { resolve } = controlledPromise as { readonly resolve: (this: unknown, value: unknown) => unknown }
const statics = {
  resolve(this: unknown, value: unknown): unknown {
    const isPromise = value instanceof AsyncCall || value instanceof Operation || value instanceof CompositeOperation
    return running.async !== undefined && isPromise && this === ControlledPromise
      ? value
      : Reflect.apply(resolve, this, [value])
  },
}
Object.defineProperty(controlledPromise, 'resolve', { value: statics.resolve, writable: true, configurable: true })
