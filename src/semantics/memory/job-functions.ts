/** Functions of the host that call back later, as classes under check have them: each callback is a process of its own. */
import { argumentError } from '../../jobs/host/timers.ts'
import { controlledPromise } from '../../jobs/promise.ts'
import { accessModes, wholeObject } from '../../program/stateful.ts'
import { publishChanged } from './class-loop.ts'
import { placeOfSite } from './code.ts'
import { ActOperation } from './operations.ts'
import { type AccessOperation, machine } from './process.ts'
import { jobBody, sleepBody, timerBody } from './promise-callbacks.ts'
import { refuse } from './search-error.ts'
import { spawn } from './spawning.ts'
import { arm, disarm, Timeout } from './timers.ts'

/** When executions begin, in milliseconds since 1970: some time. */
const beginning = Date.UTC(2030, 0, 1)

type JobFunction = (...args: unknown[]) => unknown

const functions = {
  setTimeout: (callback, delay, ...args) => started(new Timeout('timer', delay), callback, args),
  setInterval: (callback, delay, ...args) => started(new Timeout('interval', delay), callback, args),
  setImmediate: (callback, ...args) => started(new Timeout('immediate', 0), callback, args),
  clearTimeout: disarm,
  clearInterval: disarm,
  clearImmediate: disarm,
  queueMicrotask: (callback) => job(callback, []),
  nextTick: (callback, ...args) => job(callback, args),
  'timers.setTimeout': (delay, value, options) => sleep(new Timeout('timer', delay), value, options),
  'timers.setImmediate': (value, options) => sleep(new Timeout('immediate', 0), value, options),
  'Date.now': () => beginning + now(),
  'performance.now': now,
} satisfies { readonly [name: string]: JobFunction }

export type JobName = keyof typeof functions

/** By the host's function, and by ours. */
const names = new Map<unknown, JobName>()
const hosts = new Map<JobName, JobFunction>()

/** Tells what a function of the host's is. */
export function provideJob(name: JobName, callable: JobFunction): void {
  names.set(callable, name)
  hosts.set(name, callable)
}

/** While a check runs, something that inherits from the host's own function stands in its place. */
function nameOf(callable: unknown): JobName | undefined {
  if (typeof callable !== 'function') return undefined
  return names.get(callable) ?? names.get(Object.getPrototypeOf(callable))
}

/** A call of such a function. */
export function jobOperation(callable: unknown, args: readonly unknown[], site: number): AccessOperation | undefined {
  const name = nameOf(callable)
  if (name === undefined || machine.heap === undefined) return undefined
  // The time is what timers have made it: packages live with that, and the user's code is told to have it given.
  if (name.endsWith('now') && !isInPackage(site)) return undefined
  return new ActOperation({
    text: `calls ${name.replace(/^.*\./, '')}`,
    operands: args,
    // The others touch nothing that anybody else could see by now.
    visible: !(name === 'queueMicrotask' || name === 'nextTick'),
    touch: () => {},
    perform: () => perform(name, args),
  })
}

function isInPackage(site: number): boolean {
  return /(?:^|[\\/])node_modules[\\/]/.test(placeOfSite(site)?.file ?? '')
}

function now(): number {
  const { heap } = machine
  if (heap === undefined) return 0
  heap.touch(heap.host, wholeObject, accessModes.read)
  return heap.host.now
}

function perform(name: JobName, args: readonly unknown[]): unknown {
  const result = (functions[name] as JobFunction)(...args)
  publishChanged()
  return result
}

/** Globals of the host's in the code of classes; while modules are loaded they are those of the host. */
export const jobs = {
  Promise: controlledPromise,
  setTimeout: global('setTimeout'),
  setInterval: global('setInterval'),
  setImmediate: global('setImmediate'),
  clearTimeout: global('clearTimeout'),
  clearInterval: global('clearInterval'),
  clearImmediate: global('clearImmediate'),
  queueMicrotask: global('queueMicrotask'),
}

/** Clocks of packages. */
export const dateNow = global('Date.now')
export const performanceNow = global('performance.now')

function global(name: JobName): JobFunction {
  const { made } = {
    made(...args: unknown[]): unknown {
      return machine.heap === undefined ? hosts.get(name)?.(...args) : perform(name, args)
    },
  }
  Object.defineProperty(made, 'name', { value: name })
  names.set(made, name)
  return made
}

function started(timer: Timeout, callback: unknown, args: readonly unknown[]): Timeout {
  checked(callback)
  arm(timer)
  spawn({ body: timerBody, self: undefined, args: [timer, callback, args] }, { isAlone: true, round: timer.round + 1 })
  return timer
}

function job(callback: unknown, args: readonly unknown[]): void {
  checked(callback)
  spawn({ body: jobBody, self: undefined, args: [callback, args] }, { isAlone: true })
}

function sleep(timer: Timeout, value: unknown, options: unknown): unknown {
  if (options !== undefined) {
    refuse({
      code: 'E307',
      message: 'a timer of node:timers/promises with options cannot be checked',
      hint: 'await new Promise((resolve) => setTimeout(resolve, ms)), and clear the timer yourself',
      stack: new Error().stack,
    })
  }
  arm(timer)
  return spawn({ body: sleepBody, self: undefined, args: [timer, value] })
}

function checked(callback: unknown): void {
  if (typeof callback !== 'function') throw argumentError('The "callback" argument must be of type function', callback)
}
