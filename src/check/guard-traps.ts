/** Traps: what stands in the place of something of the host's while a check runs, and is taken away in the end. */
import { asyncHost, mistake, running } from '../core/running.ts'

export type AnyFunction = (...args: unknown[]) => unknown

const traps = new WeakSet<object>()
const originals = new WeakMap<object, object>()
/** Whether something is printed that a process prints: what is shown then decides nothing. */
export const printing = { isOn: false }
let restorers: (() => void)[] = []

/** Whether the function stands in the place of one of the host's. */
export function isTrap(callable: unknown): boolean {
  return typeof callable === 'function' && traps.has(callable)
}

/** What the host has in that place. */
export function originalOf(callable: unknown): unknown {
  return (typeof callable === 'function' ? originals.get(callable) : undefined) ?? callable
}

export function asTrap<Callable extends object>(callable: Callable): Callable {
  traps.add(callable)
  return callable
}

export function restoreAll(): void {
  for (const restore of restorers.reverse()) restore()
  restorers = []
}

export function replaceProperty(owner: object, name: string, value: object): void {
  traps.add(value)
  define(owner, name, (before) => ({
    value,
    writable: true,
    configurable: true,
    enumerable: before?.enumerable ?? false,
  }))
}

type Read = (value: () => unknown, self: unknown) => unknown

/** The same for what is read: `read` gives it, or refuses. */
export function replaceReading(owner: object, name: string, read: Read, written?: () => void): void {
  define(owner, name, (before) => {
    if (before === undefined) return undefined
    // Assigned to meanwhile by others, such as tests.
    let value: unknown = before.value
    const { get, set } = before
    return {
      get: asTrap(function (this: unknown): unknown {
        return read(() => (get === undefined ? value : Reflect.apply(get, this, [])), this)
      }),
      set(this: unknown, given: unknown): void {
        written?.()
        // Seen as a change, and put back.
        if (owner === globalThis)
          Object.defineProperty(owner, name, { value: given, writable: true, configurable: true })
        else if (set !== undefined) Reflect.apply(set, this, [given])
        else if (before.writable === true) value = given
      },
      configurable: true,
      enumerable: before.enumerable ?? false,
    }
  })
}

function define(
  owner: object,
  name: string,
  made: (before: PropertyDescriptor | undefined) => PropertyDescriptor | undefined,
): void {
  const before = Object.getOwnPropertyDescriptor(owner, name)
  const descriptor = before !== undefined && !before.configurable ? undefined : made(before)
  if (descriptor === undefined) return
  Object.defineProperty(owner, name, descriptor)
  restorers.push(() => {
    if (before === undefined) delete (owner as { [name: string]: unknown })[name]
    else Object.defineProperty(owner, name, before)
  })
}

const standIns = new WeakMap<object, object>()

/** A function or class in whose place something is asked first; whatever else is asked of it, it answers itself. */
export function asking(callable: object, ask: () => void): object {
  const known = standIns.get(callable)
  if (known !== undefined) return known
  const standIn: object = new Proxy(callable as AnyFunction, {
    apply: (target, self, args) => {
      ask()
      return Reflect.apply(target, self, args)
    },
    construct: (target, args, newTarget) => {
      ask()
      return Reflect.construct(target, args, (newTarget as unknown) === standIn ? target : newTarget)
    },
  })
  standIns.set(callable, standIn)
  originals.set(standIn, callable)
  return standIn
}

/**
 * Puts a function in the place of `owner[name]` that hands async processes what they have of their own, refuses other processes if there
 * is a reason to, and passes everybody else on.
 */
export function trap(owner: object, name: string, shown: string, hint?: string): void {
  const original = (owner as { readonly [name: string]: unknown })[name]
  if (typeof original !== 'function') return
  const guarded = function (this: unknown, ...args: unknown[]): unknown {
    if (running.process === undefined) return (original as AnyFunction).apply(this, args)
    // Whoever prints to a pipe calls some, deep inside Node: that is not code of the process.
    if (owner !== process || !isCalledByNode()) {
      const own = asyncHost()?.global(shown)
      if (own !== undefined) return Reflect.apply(own as AnyFunction, this, args)
      if (hint !== undefined) refuseProcess(shown, hint)
    }
    return (original as AnyFunction).apply(this, args)
  }
  // Properties such as `setTimeout[promisify.custom]` and `hrtime.bigint` must be found on the trap as well.
  Object.setPrototypeOf(guarded, original)
  originals.set(guarded, original)
  replaceProperty(owner, name, guarded)
}

export function refuseProcess(shown: string, hint: string, did = 'called'): void {
  if (running.process === undefined) return
  mistake({ code: 'E209', message: `${shown} was ${did}`, hint })
}

/** Whether what calls the trap that asks is part of Node. */
export function isCalledByNode(): boolean {
  if (running.process === undefined) return false
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 3
  const caller = new Error().stack?.split('\n').at(3)
  Error.stackTraceLimit = limit
  return caller?.includes('node:') ?? false
}

let isAsking = false

/**
 * Whether it is no code of the process that meets a trap: Node's own, which reads the environment when something is printed and opens
 * files when a module is loaded, or somebody's who formats a stack. What Node calls for others, as what `promisify` made does, is theirs.
 */
export function isOfHost(): boolean {
  if (isAsking) return true
  const { stackTraceLimit, prepareStackTrace } = Error
  isAsking = true
  try {
    Error.stackTraceLimit = 20
    Error.prepareStackTrace = (_, sites) => sites.map((site) => site.getFileName())
    const files = new Error().stack as unknown as readonly (string | null | undefined)[]
    if (files.includes('node:internal/errors')) return true
    const caller = files.slice(ownFrames).find((file) => typeof file === 'string')
    return caller?.startsWith('node:') === true && !handingOn.has(caller)
  } finally {
    Object.assign(Error, { stackTraceLimit, prepareStackTrace })
    isAsking = false
  }
}

/** From here to the trap: this function, `refuse`, what is asked, and what stands in the place of the host's. */
const ownFrames = 4

/** Parts of Node that call what they were given. */
const handingOn = new Set([
  'node:internal/util',
  'node:events',
  'node:internal/event_target',
  'node:diagnostics_channel',
])
