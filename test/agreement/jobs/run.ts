/** Runs a generated program in plain Node and under control; both give the lines that it logged. */

import { CallJob } from '../../../src/jobs/call-job.ts'
import { Loop } from '../../../src/jobs/loop.ts'
import { controlledPromise } from '../../../src/jobs/promise.ts'

type Program = (environment: Environment) => void

interface Environment {
  readonly Promise: unknown
  readonly log: (...values: unknown[]) => void
  readonly nextTick: (callback: () => void) => void
  readonly queueMicrotask: (callback: () => void) => void
  readonly setTimeout: (callback: () => void, delay: number) => void
  readonly setImmediate: (callback: () => void) => void
  readonly lowered: unknown
}

const names = ['Promise', 'log', 'nextTick', 'queueMicrotask', 'setTimeout', 'setImmediate'] as const

/** What programs do without end is cut there, on both sides. */
const mostLines = 400

export function programOf(source: string, prefix = '$allways'): Program {
  const make = new Function(...names, prefix, `"use strict";${source}`)
  return (environment) => make(...names.map((name) => environment[name]), environment.lowered)
}

/** `begins`: as a macrotask of its own, or in a microtask. */
export type Begins = 'macrotask' | 'microtask'

/** A macrotask is run in a real `setImmediate`, so that Node itself does ticks, microtasks and rejections after it. */
export async function runNatively(program: Program, begins: Begins): Promise<readonly string[]> {
  const log = new Log()
  const macrotasks: { readonly due: number; readonly order: number; readonly callback: () => void }[] = []
  let [now, order] = [0, 0]
  const arm = (callback: () => void, delay: number): void => {
    macrotasks.push({ due: now + delay, order: order++, callback })
  }
  const told = {
    unhandledRejection: (reason: unknown) => log.add('unhandled', reason),
    rejectionHandled: () => log.add('handled'),
    uncaughtException: (error: unknown) => log.add('uncaught', error),
  }
  process.on('unhandledRejection', told.unhandledRejection)
  process.on('rejectionHandled', told.rejectionHandled)
  process.on('uncaughtException', told.uncaughtException)
  const environment = {
    Promise,
    log: log.add,
    nextTick: (callback: () => void) => process.nextTick(callback),
    queueMicrotask: (callback: () => void) => queueMicrotask(callback),
    setTimeout: (callback: () => void, delay: number) => arm(callback, Math.max(1, delay)),
    setImmediate: (callback: () => void) => arm(callback, -now - 1),
    lowered: undefined,
  }
  const main = (): void => program(environment)
  await macrotask(() => (begins === 'macrotask' ? main() : queueMicrotask(main)))
  while (macrotasks.length > 0) {
    macrotasks.sort((one, other) => one.due - other.due || one.order - other.order)
    const { due, callback } = macrotasks.shift() as (typeof macrotasks)[number]
    now = Math.max(now, due)
    await macrotask(callback)
  }
  process.off('unhandledRejection', told.unhandledRejection)
  process.off('rejectionHandled', told.rejectionHandled)
  process.off('uncaughtException', told.uncaughtException)
  return log.lines
}

/** Settles when Node has come to the next macrotask. The promise must not take part in the drain: it settles in another one. */
function macrotask(callback: () => void): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(callback)
    setImmediate(() => setImmediate(resolve))
  })
}

/** `lowered` is what the lowered source calls. */
export function runControlled(program: Program, begins: Begins, lowered: unknown): readonly string[] {
  const log = new Log()
  const loop = loggedLoop(log)
  const arm = (callback: () => void, delay: number): void => {
    loop.armed.arm({ kind: 'timer', delay, repeats: false, context: undefined, callback })
  }
  const environment = {
    Promise: controlledPromise,
    log: log.add,
    nextTick: (callback: () => void) => loop.ticks.push(new CallJob(callback)),
    queueMicrotask: (callback: () => void) => loop.microtasks.push(new CallJob(callback)),
    setTimeout: arm,
    setImmediate: (callback: () => void) => {
      loop.armed.arm({ kind: 'immediate', delay: 0, repeats: false, context: undefined, callback })
    },
    lowered,
  }
  loop.turn(() => program(environment), begins === 'microtask' ? 'microtasks' : 'ticks')
  fireAll(loop, () => false)
  return log.lines
}

/** A loop that logs what its owner is told. */
export function loggedLoop(log: Log): Loop {
  return new Loop({
    unhandledRejection: (reason) => log.add('unhandled', reason),
    rejectionHandled: () => log.add('handled'),
    uncaughtException: (error) => log.add('uncaught', error),
    foreignPromise: () => log.add('foreign'),
    endlessJobs: () => {
      throw new Error('endless jobs')
    },
  })
}

/** Lets everything fire that is armed, immediates first, until it is enough. */
export function fireAll(loop: Loop, isEnough: () => boolean): void {
  for (;;) {
    const may = loop.mayFire()
    const next = may.find(({ kind }) => kind === 'immediate') ?? may[0]
    if (next === undefined || isEnough()) return
    loop.fire(next)
  }
}

export class Log {
  readonly lines: string[] = []

  readonly add = (...values: unknown[]): void => {
    // Nothing is thrown, as that would change the program at a place that depends on what is under comparison.
    if (this.lines.length > mostLines) return
    this.lines.push(values.map((value) => shownValue(value, 2)).join(' '))
  }
}

/** V8 names what is destructured or called by where it stands in the source, now and then by another place. */
const namesSource = /^.* (is not iterable|is not a function).*$/

/** Equal for a promise of ours and one of Node. */
function shownValue(value: unknown, depth: number): string {
  if (typeof value === 'function') return `function ${value.name} ${value.length}`
  if (typeof value !== 'object' || value === null) return String(value)
  if (value instanceof AggregateError) return `AggregateError ${value.message} ${shownValue(value.errors, depth)}`
  if (value instanceof Error) return `${value.name} ${value.message.replace(namesSource, '$1')}`
  const tag = Object.prototype.toString.call(value)
  if (tag === '[object Promise]') return `${value.constructor?.name}`
  if (depth === 0) return tag
  if (Array.isArray(value)) return `[${value.map((one) => shownValue(one, depth - 1)).join(', ')}]`
  const parts = Object.entries(Object.getOwnPropertyDescriptors(value)).map(
    ([name, { value: part }]) => `${name}: ${shownValue(part, depth - 1)}`,
  )
  return `{${parts.join(', ')}}`
}
