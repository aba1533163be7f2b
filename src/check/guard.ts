/**
 * The determinism guard. A process must depend on nothing but its operations, or replay would not repeat it. While a check
 * runs, the host's clocks, randomness, timers and network are traps for process code; for everybody else, and whenever no check
 * runs, they are what they were.
 */
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers'
import timerPromises from 'node:timers/promises'
import { copyValue } from '../core/copy-value.ts'
import { placeCapture } from '../core/operation.ts'
import { conversions, mistake, running } from '../core/running.ts'

/** Sets the traps; the function it returns takes them away. Checks may overlap: the last one to end restores the host. */
export function guardDeterminism(): () => void {
  if (guards === 0) setTraps()
  guards++
  let released = false
  return () => {
    if (released) return
    released = true
    guards--
    if (guards === 0) removeTraps()
  }
}

const traps = new WeakSet<object>()

/** Whether the function stands in the place of one of the host's. */
export function isTrap(callable: unknown): boolean {
  return typeof callable === 'function' && traps.has(callable)
}

let guards = 0
let restorers: (() => void)[] = []

const clockHint = 'a process has no clock: let choose([…]) pick the value, or model a timeout with poll()'
const randomHint = 'let choose([…]) pick the value: every option is explored'
const timerHint = 'model a timeout with poll(): it explores both a message and none'
const fetchHint = 'model the other side as a process, and talk to it with send() and receive()'

const promiseHint =
  'a process may await operations and async functions of its own files; for several at once, spawn processes'
const endHint = 'a process ends by returning; assert(false, …) reports what must not happen'

type AnyFunction = (...args: unknown[]) => unknown

function setTraps(): void {
  trapDate()
  trap(performance, 'now', 'performance.now()', clockHint)
  trap(process, 'hrtime', 'process.hrtime()', clockHint)
  trap(process.hrtime, 'bigint', 'process.hrtime.bigint()', clockHint)
  trap(Math, 'random', 'Math.random()', randomHint)
  for (const name of ['randomUUID', 'getRandomValues']) {
    trap(globalThis.crypto, name, `crypto.${name}()`, randomHint)
  }
  for (const name of ['randomUUID', 'getRandomValues', 'randomBytes', 'randomInt']) {
    trap(crypto, name, `crypto.${name}()`, randomHint)
  }
  for (const name of ['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask']) {
    trap(globalThis, name, `${name}()`, timerHint)
  }
  for (const name of ['setTimeout', 'setInterval', 'setImmediate']) {
    trap(timers, name, `${name}()`, timerHint)
    trap(timerPromises, name, `${name}()`, timerHint)
  }
  trap(globalThis, 'fetch', 'fetch()', fetchHint)
  trap(process, 'nextTick', 'process.nextTick()', timerHint)
  for (const name of ['then', 'catch', 'finally']) trapCallback(name)
  for (const name of ['exit', 'abort', 'kill']) trap(process, name, `process.${name}()`, endHint)
  cloneParts()
  for (const name of ['log', 'info', 'debug', 'dir', 'table']) muteSearch(name)
  watchConversions(Array.prototype)
  watchConversions(Object.getPrototypeOf(Uint8Array.prototype) as object)
  // So that `import { randomUUID } from 'node:crypto'` meets the trap too.
  syncBuiltinESMExports()
}

function removeTraps(): void {
  for (const restore of restorers.reverse()) restore()
  restorers = []
  syncBuiltinESMExports()
}

/** Puts a function in the place of `owner[name]` that refuses processes and passes everybody else on. */
function trap(owner: object, name: string, shown: string, hint: string): void {
  // Whoever prints to a pipe calls it, deep inside Node: that is not code of the process.
  trapWith(owner, name, () => {
    if (name !== 'nextTick' || !isCalledByNode()) refuseProcess(shown, hint)
  })
}

/** What is called back later runs when no process does, in an order that no check controls. `Promise.all` and its like call it too. */
function trapCallback(name: string): void {
  trapWith(Promise.prototype, name, () => {
    if (running.process === undefined || isCalledByNode()) return
    try {
      mistake({ code: 'E208', message: `.${name}(…) was called on a promise`, hint: promiseHint })
    } catch {
      // It is known. Thrown into the language's own functions it would be the rejection of one promise more.
    }
  })
}

function trapWith(owner: object, name: string, refuse: () => void): void {
  const original = (owner as { readonly [name: string]: unknown })[name]
  if (typeof original !== 'function') return
  const guarded = function (this: unknown, ...args: unknown[]): unknown {
    refuse()
    return (original as AnyFunction).apply(this, args)
  }
  // Properties such as `setTimeout[promisify.custom]` and `hrtime.bigint` must be found on the trap as well.
  Object.setPrototypeOf(guarded, original)
  replaceProperty(owner, name, guarded)
}

/** States and parameters are given out as objects that notice what is asked of them, and the host clones none of those. */
function cloneParts(): void {
  const original = globalThis.structuredClone
  const guarded = (value: unknown, ...options: []): unknown =>
    original(running.process === undefined ? value : copyValue(value), ...options)
  replaceProperty(globalThis, 'structuredClone', guarded)
}

/** `${array}`, `array + ''` and `array == ''` call it, and are no calls in the code. */
function watchConversions(owner: object): void {
  const original = (owner as { readonly toString: AnyFunction }).toString
  const guarded = function (this: unknown): unknown {
    conversions.ofArray?.(this)
    return original.call(this)
  }
  replaceProperty(owner, 'toString', guarded)
}

/** Whether what calls the trap that asks is part of Node. */
function isCalledByNode(): boolean {
  if (running.process === undefined) return false
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 4
  const caller = new Error().stack?.split('\n').at(4)
  Error.stackTraceLimit = limit
  return caller?.includes('node:') ?? false
}

/**
 * What processes print is dropped while executions are explored, where it would come thousands of times, and goes to stderr when
 * one is replayed: stdout is for results.
 */
function muteSearch(name: string): void {
  const original = (console as unknown as { readonly [name: string]: AnyFunction })[name] as AnyFunction
  const guarded = (...args: unknown[]): unknown => {
    if (running.process === undefined) return original.apply(console, args)
    // biome-ignore lint/suspicious/noConsole: it is the user's own console
    return placeCapture.enabled ? console.error(...args) : undefined
  }
  replaceProperty(console, name, guarded)
}

function trapDate(): void {
  const original = globalThis.Date
  const guarded = new Proxy(original, {
    construct(target, args, newTarget) {
      if (args.length === 0) refuseProcess('new Date()', clockHint)
      return Reflect.construct(target, args, newTarget)
    },
    apply(target) {
      refuseProcess('Date()', clockHint)
      return target()
    },
  })
  trap(original, 'now', 'Date.now()', clockHint)
  replaceProperty(globalThis, 'Date', guarded)
}

function replaceProperty(owner: object, name: string, value: object): void {
  traps.add(value)
  const before = Object.getOwnPropertyDescriptor(owner, name)
  if (before !== undefined && !before.configurable) return
  Object.defineProperty(owner, name, {
    value,
    writable: true,
    configurable: true,
    enumerable: before?.enumerable ?? false,
  })
  restorers.push(() => {
    if (before === undefined) delete (owner as { [name: string]: unknown })[name]
    else Object.defineProperty(owner, name, before)
  })
}

function refuseProcess(shown: string, hint: string): void {
  if (running.process === undefined) return
  mistake({ code: 'E209', message: `${shown} was called`, hint })
}
