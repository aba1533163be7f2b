/**
 * The determinism guard. A process must depend on nothing but its operations, or replay would not repeat it. While a check
 * runs, the host's clocks, randomness, timers and network are traps for process code; for everybody else, and whenever no check
 * runs, they are what they were.
 */

import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers'
import timerPromises from 'node:timers/promises'
import { types } from 'node:util'
import { copyValue } from '../core/copy-value.ts'
import { functionText } from '../core/function-text.ts'
import { isLowered, loweredKind } from '../core/lowered-function.ts'
import { placeCapture } from '../core/operation.ts'
import { outsideHints } from '../core/outside.ts'
import { isOwnView, proxies } from '../core/plain-value.ts'
import { asyncHost, conversions, currentHost, mistake, running } from '../core/running.ts'
import { refuseCloned, trapEvents } from './guard-events.ts'
import { trapSurroundings } from './guard-surroundings.ts'
import {
  type AnyFunction,
  asTrap,
  isCalledByNode,
  printing,
  refuseProcess,
  replaceProperty,
  replaceReading,
  restoreAll,
  trap,
} from './guard-traps.ts'
import { randomOfCrypto } from './surroundings.ts'

proxies.isForeign = (part) => types.isProxy(part) && !isOwnView(part)

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

let guards = 0

const clockHint = 'a process has no clock: let choose([…]) pick the value, or model a timeout with poll()'
const randomHint = 'let choose([…]) pick the value: every option is explored'
const timerHint = 'model a timeout with poll(): it explores both a message and none'
const fetchHint =
  'model the other side as a process, and talk to it with send() and receive(), or with http() of allways/services'

const promiseHint =
  'make promises in an async process; those of other code, and of a generator, are settled when no process runs'
/** What belongs to the process of the host, which goes on when a process of a program has ended. */
const ofSurroundings = [
  ...['on', 'once', 'off', 'addListener', 'removeListener', 'removeAllListeners', 'prependListener'],
  ...['prependOnceListener', 'emit', 'setMaxListeners', 'emitWarning', 'chdir', 'umask'],
  ...['setUncaughtExceptionCaptureCallback', 'setSourceMapsEnabled', 'reallyExit'],
] as const
const endHint = 'a process ends by returning; assert(false, …) reports what must not happen'

function setTraps(): void {
  trapDate()
  trap(performance, 'now', 'performance.now()', clockHint)
  trap(process, 'hrtime', 'process.hrtime()', clockHint)
  trap(process.hrtime, 'bigint', 'process.hrtime.bigint()', clockHint)
  trap(Math, 'random', 'Math.random()', randomHint)
  for (const name of ['randomUUID', 'getRandomValues']) {
    trap(globalThis.crypto, name, `crypto.${name}()`, randomHint)
  }
  for (const name of randomOfCrypto) {
    trap(crypto, name, `crypto.${name}()`, randomHint)
  }
  for (const name of ['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask']) {
    trap(globalThis, name, `${name}()`, timerHint)
  }
  for (const name of ['setTimeout', 'setInterval', 'setImmediate']) {
    trap(timers, name, `${name}()`, timerHint)
    trap(timerPromises, name, `timers.${name}()`, timerHint)
  }
  for (const name of ['wait', 'yield']) trap(timerPromises.scheduler, name, `scheduler.${name}()`, timerHint)
  trapEvents()
  for (const name of ['clearTimeout', 'clearInterval', 'clearImmediate']) {
    trap(globalThis, name, `${name}()`)
    trap(timers, name, `${name}()`)
  }
  controlClasses()
  trap(globalThis, 'fetch', 'fetch()', fetchHint)
  trap(process, 'nextTick', 'process.nextTick()', timerHint)
  for (const name of ['exit', 'abort', 'kill']) trap(process, name, `process.${name}()`, endHint)
  for (const name of ofSurroundings) trap(process, name, `process.${name}()`, outsideHints.surroundings)
  trapSurroundings(crypto)
  trapStreams()
  cloneParts()
  tellKinds()
  for (const name of ['log', 'info', 'debug', 'dir', 'table']) muteSearch(name)
  watchConversions(Array.prototype)
  watchConversions(Object.getPrototypeOf(Uint8Array.prototype) as object)
  // So that `import { randomUUID } from 'node:crypto'` meets the trap too.
  syncBuiltinESMExports()
}

function removeTraps(): void {
  restoreAll()
  syncBuiltinESMExports()
}

/** States and parameters are given out as objects that notice what is asked of them, and the host clones none of those. */
function cloneParts(): void {
  const original = globalThis.structuredClone
  const guarded = (value: unknown, ...options: []): unknown => {
    if (running.process === undefined) return original(value, ...options)
    refuseCloned(value)
    return original(copyValue(value), ...options)
  }
  replaceProperty(globalThis, 'structuredClone', guarded)
}

/** The host knows of its own functions which are async; those of programs have become others. */
function tellKinds(): void {
  const original = { ...types }
  const also = (name: 'isAsyncFunction' | 'isGeneratorFunction', kinds: readonly unknown[]): void =>
    replaceProperty(types, name, (value: unknown) => original[name](value) || kinds.includes(loweredKind(value)))
  also('isAsyncFunction', ['async', 'async generator'])
  also('isGeneratorFunction', ['generator', 'async generator'])
  replaceProperty(Function.prototype, 'toString', function (this: unknown): string {
    if (running.process !== undefined && isLowered(this)) refuseProcess('toString() of a function', textHint)
    return functionText(this)
  })
}

const textHint = 'its text is not that of the source while it is checked: compare functions, or what they return'

/** `${array}`, `array + ''` and `array == ''` call it, and are no calls in the code. */
function watchConversions(owner: object): void {
  const original = (owner as { readonly toString: AnyFunction }).toString
  const guarded = function (this: unknown): unknown {
    conversions.ofArray?.(this)
    return original.call(this)
  }
  replaceProperty(owner, 'toString', guarded)
}

/**
 * What processes print is dropped while executions are explored, where it would come thousands of times, and goes to stderr when
 * one is replayed: stdout is for results.
 */
function muteSearch(name: string): void {
  const original = (console as unknown as { readonly [name: string]: AnyFunction })[name] as AnyFunction
  const guarded = (...args: unknown[]): unknown => {
    if (running.process === undefined) return original.apply(console, args)
    if (!placeCapture.enabled) return undefined
    printing.isOn = true
    try {
      // biome-ignore lint/suspicious/noConsole: it is the user's own console
      return console.error(...args)
    } finally {
      printing.isOn = false
    }
  }
  replaceProperty(console, name, guarded)
}

/**
 * What processes write is dropped while executions are explored, where it would come thousands of times, and goes to stderr when one is
 * replayed, as what they print does.
 */
function trapStreams(): void {
  for (const name of ['stdout', 'stderr'] as const) {
    const stream = process[name]
    const original = stream.write as AnyFunction
    replaceProperty(stream, 'write', function (this: unknown, ...args: unknown[]): unknown {
      if (running.process === undefined || isCalledByNode()) return Reflect.apply(original, this, args)
      // biome-ignore lint/suspicious/noConsole: it is the user's own output
      if (placeCapture.enabled) console.error(String(args[0]).trimEnd())
      return true
    })
  }
}

/** Names of classes stand for those of the process that runs, if it is async; also where they were put into variables. */
function controlClasses(): void {
  for (const name of ['then', 'catch', 'finally'] as const) trapCallback(globalThis.Promise.prototype, name)
  for (const name of ['Promise', 'AbortController', 'AbortSignal'] as const) {
    const native = globalThis[name]
    const standIn = asTrap(standInFor(name, native))
    // Read by a process, it is the class itself, which its instances name as their constructor.
    replaceReading(globalThis, name, (value) => {
      const current = value()
      return current !== native ? current : ((currentHost()?.global(name) as object | undefined) ?? standIn)
    })
  }
}

/**
 * What promises of the host call back runs when no process does, in an order that no check controls. A promise of a process has these
 * methods if its class was declared before the process began.
 */
function trapCallback(prototype: object, name: 'then' | 'catch' | 'finally'): void {
  const original = (prototype as { readonly [name: string]: unknown })[name] as AnyFunction
  const guarded = function (this: unknown, ...args: unknown[]): unknown {
    if (running.process === undefined || isCalledByNode()) return Reflect.apply(original, this, args)
    if (!types.isPromise(this)) {
      const own = asyncHost()?.global('Promise') as { readonly prototype: { readonly [name: string]: AnyFunction } }
      return Reflect.apply(own?.prototype[name] ?? original, this, args)
    }
    try {
      mistake({
        code: 'E208',
        message: `.${name}(…) was called on a promise that the check does not control`,
        hint: promiseHint,
      })
    } catch {
      // It is known. Thrown into the language's own functions it would be the rejection of one promise more.
    }
    // What a process passes in would run when no process does, and do what it does.
    return Reflect.apply(original, this, args.map(ofLanguage))
  }
  Object.setPrototypeOf(guarded, original)
  replaceProperty(prototype, name, guarded)
}

/** The functions with which the language itself waits have no name; in the place of all others nothing happens. */
function ofLanguage(callback: unknown): unknown {
  if (typeof callback !== 'function') return callback
  const isOwn = callback.name === '' && functionText(callback).endsWith('{ [native code] }')
  return isOwn ? callback : () => undefined
}

type Class = new (...args: unknown[]) => object

/** A class that is the host's or that of the process that runs. */
function standInFor(name: string, native: object): object {
  const current = (): Class => {
    if (running.process === undefined) return native as Class
    return (asyncHost()?.global(name) ?? native) as Class
  }
  const methods = new Map<unknown, unknown>()
  /** Called on the stand-in, a function of the constructor is called on the constructor. */
  const methodOf = (method: AnyFunction): unknown => {
    const known = methods.get(method)
    if (known !== undefined) return known
    const made = new Proxy(method, {
      apply: (target, self, args) => Reflect.apply(target, self === standIn ? current() : self, args),
    })
    methods.set(method, made)
    return made
  }
  // A function, because the prototype of a class could not be another one.
  function target(): never {
    throw new TypeError(`${name} constructor cannot be invoked without 'new'`)
  }
  const standIn: object = new Proxy(target, {
    construct: (_, args, newTarget) => {
      const made = current()
      return Reflect.construct(made, args, (newTarget as unknown) === standIn ? made : newTarget)
    },
    get: (_, key, receiver) => {
      const found: unknown = Reflect.get(current(), key, receiver === standIn ? current() : receiver)
      return typeof found === 'function' && key !== Symbol.species && key !== 'constructor'
        ? methodOf(found as AnyFunction)
        : found
    },
    has: (_, key) => Reflect.has(current(), key),
  })
  return standIn
}

function trapDate(): void {
  const original = globalThis.Date
  const guarded = new Proxy(original, {
    construct(target, args, newTarget) {
      const now = args.length === 0 && running.process !== undefined ? asyncHost()?.global('Date.now()') : undefined
      if (now !== undefined) return Reflect.construct(target, [(now as AnyFunction)()], newTarget)
      if (args.length === 0) refuseProcess('new Date()', clockHint)
      return Reflect.construct(target, args, newTarget)
    },
    apply(target) {
      const now = running.process === undefined ? undefined : asyncHost()?.global('Date.now()')
      if (now !== undefined) return String(new target((now as AnyFunction)() as number))
      refuseProcess('Date()', clockHint)
      return target()
    },
  })
  trap(original, 'now', 'Date.now()', clockHint)
  replaceProperty(globalThis, 'Date', guarded)
  replaceProperty(original.prototype, 'constructor', guarded)
}
