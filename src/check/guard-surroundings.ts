/** The traps for what lies outside of a program: files, sockets, other programs and threads, the environment. */
import Module from 'node:module'
import { inspect } from 'node:util'
import { outsideHints } from '../core/outside.ts'
import { asyncHost, running } from '../core/running.ts'
import {
  type AnyFunction,
  asking,
  asTrap,
  isOfHost,
  isTrap,
  printing,
  refuseProcess,
  replaceProperty,
  replaceReading,
} from './guard-traps.ts'
import {
  askedOfProcess,
  functionsOutside,
  laterOfCrypto,
  loadedModules,
  reachingGlobals,
  toldByProcess,
} from './surroundings.ts'

export function trapSurroundings(crypto: object): void {
  trapModules()
  noticeModules()
  for (const name of laterOfCrypto) trapCalls(crypto, name, `crypto.${name}()`, laterHint)
  for (const name of ['wait', 'waitAsync']) trapCalls(Atomics, name, `Atomics.${name}()`, outsideHints.calls)
  // What they name is kept until the program of the host ends.
  for (const name of ['createObjectURL', 'revokeObjectURL']) trapCalls(URL, name, `URL.${name}()`, outsideHints.calls)
  for (const name of reachingGlobals) trapGlobal(name)
  for (const name of askedOfProcess) trapCalls(process, name, `process.${name}()`, outsideHints.calls)
  for (const name of toldByProcess) {
    const read = (value: () => unknown): unknown => {
      refuse(`process.${name}`, outsideHints.reads, 'read')
      return value()
    }
    replaceReading(process, name, read, () => refuse(`process.${name}`, outsideHints.surroundings, 'written'))
  }
  trapEnvironment()
  trapTimes()
}

const laterHint = 'it calls back when no process runs: use the function whose name ends in Sync'

function refuse(shown: string, hint: string, did?: string): void {
  if (running.process !== undefined && !isOfHost()) refuseProcess(shown, hint, did)
}

function trapCalls(owner: object, name: string, shown: string, hint: string): void {
  const { value } = Object.getOwnPropertyDescriptor(owner, name) ?? {}
  if (typeof value !== 'function') return
  replaceProperty(
    owner,
    name,
    asking(value, () => refuse(shown, hint)),
  )
}

function trapModules(): void {
  for (const { owner, name, shown, callable } of functionsOutside()) {
    if (isTrap(callable)) continue
    replaceProperty(
      owner,
      name,
      asking(callable, () => refuse(`${shown}()`, outsideHints.calls)),
    )
  }
}

/** Modules that nobody had loaded when the traps were set have none. */
function noticeModules(): void {
  for (const [owner, name] of [
    [process, 'getBuiltinModule'],
    [Module.prototype, 'require'],
  ] as const) {
    const original = (owner as unknown as { readonly [name: string]: unknown })[name]
    if (typeof original !== 'function') continue
    const noticing = function (this: unknown, ...args: unknown[]): unknown {
      if (running.process !== undefined && owner !== process) refuseLoading(this, String(args[0]))
      const { length } = loadedModules()
      const module = Reflect.apply(original as AnyFunction, this, args)
      if (loadedModules().length !== length) trapModules()
      return module
    }
    Object.setPrototypeOf(noticing, original)
    replaceProperty(owner, name, noticing)
  }
}

/** What is loaded already gives what it gave. */
function refuseLoading(from: unknown, name: string): void {
  if (Module.isBuiltin(name)) return
  const loader = Module as unknown as Loader
  const file = loader._resolveFilename(name, from)
  if (loader._cache[file] === undefined) refuseProcess(`require('${name}')`, outsideHints.reads)
}

interface Loader {
  readonly _cache: { readonly [file: string]: unknown }
  _resolveFilename(name: string, from: unknown): string
}

/** Many are made when they are asked for, which is left to whoever needs them. */
function trapGlobal(name: string): void {
  if (!(name in globalThis)) return
  replaceReading(globalThis, name, (value) => {
    const made = value()
    if (running.process === undefined || typeof made !== 'function') return made
    return asking(made, () => refuse(`${name}()`, outsideHints.calls))
  })
}

/**
 * The environment is another one wherever a check runs, and what is written there stays. That `NODE_ENV` is read is let through: packages
 * ask for it wherever they go, to know which of their builds they are.
 */
function trapEnvironment(): void {
  const met = (key: PropertyKey | undefined, did: string): void => {
    if (key === 'NODE_ENV' && did === 'read') return
    if (running.process !== undefined && typeof key !== 'symbol')
      refuse(key === undefined ? 'process.env' : `process.env.${key}`, outsideHints.reads, did)
  }
  const original = process.env
  // What `inspect` shows of a proxy is its target, so that is another one.
  const target = Object.create(Object.getPrototypeOf(original) as object | null, {
    [inspect.custom]: {
      value: () => {
        if (!printing.isOn) refuseProcess('process.env', outsideHints.reads, 'read')
        return running.process === undefined ? original : '[process.env]'
      },
      configurable: true,
    },
  }) as object
  const env = new Proxy(target, {
    get: (_, key) => {
      met(key, 'read')
      return Reflect.get(original, key)
    },
    has: (_, key) => {
      met(key, 'read')
      return Reflect.has(original, key)
    },
    ownKeys: () => {
      met(undefined, 'read')
      return Reflect.ownKeys(original)
    },
    getOwnPropertyDescriptor: (_, key) => {
      met(key, 'read')
      return Reflect.getOwnPropertyDescriptor(original, key)
    },
    defineProperty: (_, key, descriptor) => {
      met(key, 'written')
      return Reflect.defineProperty(original, key, descriptor)
    },
    set: (_, key, value) => {
      met(key, 'written')
      return Reflect.set(original, key, value)
    },
    deleteProperty: (_, key) => {
      met(key, 'deleted')
      return Reflect.deleteProperty(original, key)
    },
  })
  replaceReading(process, 'env', (value) => (value() === original ? env : value()))
}

/** Clocks that are read without the word: formats of dates take the present one if they are given none. */
function trapTimes(): void {
  const formats = Intl.DateTimeFormat.prototype
  const format = Object.getOwnPropertyDescriptor(formats, 'format')?.get
  replaceReading(formats, 'format', (_, self) => {
    const original = Reflect.apply(format as AnyFunction, self, []) as AnyFunction
    if (running.process === undefined) return original
    return asTrap((date?: unknown) => original(timed(date, 'format()')))
  })
  const toParts = formats.formatToParts as AnyFunction
  replaceProperty(formats, 'formatToParts', function (this: unknown, date?: unknown): unknown {
    return Reflect.apply(toParts, this, [timed(date, 'formatToParts()')])
  })
  const clocks = Object.getPrototypeOf(performance) as object
  for (const name of ['mark', 'measure', 'eventLoopUtilization', 'toJSON', 'timerify']) {
    for (const owner of [clocks, performance]) trapCalls(owner, name, `performance.${name}()`, clockHint)
  }
  for (const [owner, name, shown] of [
    [clocks, 'nodeTiming', 'performance.nodeTiming'],
    [performance, 'nodeTiming', 'performance.nodeTiming'],
    [Event.prototype, 'timeStamp', 'timeStamp of an Event'],
  ] as const) {
    replaceReading(owner, name, (value) => {
      refuse(shown, clockHint, 'read')
      return value()
    })
  }
  replaceReading(clocks, 'timeOrigin', (value) => {
    const own = running.process === undefined ? undefined : asyncHost()?.global('performance.timeOrigin')
    if (own === undefined) refuse('performance.timeOrigin', formatHint, 'read')
    return own ?? value()
  })
}

function timed(date: unknown, shown: string): unknown {
  if (date !== undefined || running.process === undefined) return date
  const now = asyncHost()?.global('Date.now()') as (() => unknown) | undefined
  if (now === undefined) refuse(`${shown} of Intl.DateTimeFormat`, formatHint)
  return now?.()
}

const clockHint = 'a process has no clock: let choose([…]) pick the value, or pass it in'
const formatHint = 'a process has no clock: pass in a date'
