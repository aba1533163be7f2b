/** The traps for what lies outside of a program: files, sockets, other programs and threads, the environment. */
import Module from 'node:module'
import { outsideHints } from '../core/outside.ts'
import { asyncHost, running } from '../core/running.ts'
import {
  type AnyFunction,
  asking,
  asTrap,
  isOfHost,
  isTrap,
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
  for (const name of reachingGlobals) trapGlobal(name)
  for (const name of askedOfProcess) trapCalls(process, name, `process.${name}()`, outsideHints.calls)
  for (const name of toldByProcess) {
    replaceReading(process, name, (value) => {
      refuse(`process.${name}`, outsideHints.reads, 'read')
      return value()
    })
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
      const { length } = loadedModules()
      const module = Reflect.apply(original as AnyFunction, this, args)
      if (loadedModules().length !== length) trapModules()
      return module
    }
    Object.setPrototypeOf(noticing, original)
    replaceProperty(owner, name, noticing)
  }
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
  const env = new Proxy(original, {
    get: (target, key) => {
      met(key, 'read')
      return Reflect.get(target, key)
    },
    has: (target, key) => {
      met(key, 'read')
      return Reflect.has(target, key)
    },
    ownKeys: (target) => {
      met(undefined, 'read')
      return Reflect.ownKeys(target)
    },
    set: (target, key, value) => {
      met(key, 'written')
      return Reflect.set(target, key, value)
    },
    deleteProperty: (target, key) => {
      met(key, 'deleted')
      return Reflect.deleteProperty(target, key)
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
  replaceReading(Object.getPrototypeOf(performance) as object, 'timeOrigin', (value) => {
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

const formatHint = 'a process has no clock: pass in a date'
