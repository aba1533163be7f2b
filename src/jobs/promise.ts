/** `Promise` for code under control: its constructor with the functions that it has (ECMA-262 §27.2.4). */
import { isObject } from '../core/is-object.ts'
import { Capability, type PromiseConstructorLike } from './capability.ts'
import { type CombinationName, combine } from './combinations.ts'
import { ControlledPromise, resolvedWith } from './promise-core.ts'

export interface Statics {
  resolve<T>(value?: T): ControlledPromise<T>
  reject(reason?: unknown): ControlledPromise<never>
  all(iterable: Iterable<unknown>): ControlledPromise<unknown[]>
  allSettled(iterable: Iterable<unknown>): ControlledPromise<unknown[]>
  any(iterable: Iterable<unknown>): ControlledPromise
  race(iterable: Iterable<unknown>): ControlledPromise
  withResolvers(): {
    promise: ControlledPromise
    resolve: (value?: unknown) => void
    reject: (reason?: unknown) => void
  }
  try(callback: (...args: never[]) => unknown, ...args: unknown[]): ControlledPromise
}

// Methods of a literal, as functions of the language are no constructors either.
const statics = {
  all(this: unknown, iterable: unknown): object {
    return combined('all', this, iterable)
  },
  allSettled(this: unknown, iterable: unknown): object {
    return combined('allSettled', this, iterable)
  },
  any(this: unknown, iterable: unknown): object {
    return combined('any', this, iterable)
  },
  race(this: unknown, iterable: unknown): object {
    return combined('race', this, iterable)
  },
  resolve(this: unknown, value: unknown): object {
    if (!isObject(this)) throw new TypeError('PromiseResolve called on non-object')
    return resolvedWith(this as unknown as PromiseConstructorLike, value)
  },
  reject(this: unknown, reason: unknown): object {
    if (!isObject(this)) throw new TypeError('PromiseResolve called on non-object')
    const capability = new Capability(this)
    capability.reject(reason)
    return capability.promise
  },
  withResolvers(this: unknown): object {
    if (!isObject(this)) throw new TypeError('Promise.withResolvers called on non-object')
    const { promise, resolve, reject } = new Capability(this)
    return { promise, resolve, reject }
  },
  try(this: unknown, callback: unknown, ...args: unknown[]): object {
    if (!isObject(this)) throw new TypeError('Promise.try called on non-object')
    const capability = new Capability(this)
    try {
      capability.resolve((callback as (...given: unknown[]) => unknown)(...args))
    } catch (error) {
      capability.reject(error)
    }
    return capability.promise
  },
}

function combined(name: CombinationName, factory: unknown, iterable: unknown): object {
  if (!isObject(factory)) throw new TypeError(`Promise.${name} called on non-object`)
  return combine(name, factory as unknown as PromiseConstructorLike, iterable)
}

/** What the running Node does not have is not there under control either: code that asks for it must get the same answer. */
for (const [name, value] of Object.entries(statics)) {
  if (name in Promise) Object.defineProperty(ControlledPromise, name, { value, writable: true, configurable: true })
}

Object.defineProperty(ControlledPromise, 'name', { value: 'Promise', configurable: true })
Object.defineProperty(ControlledPromise.prototype, Symbol.toStringTag, { value: 'Promise', configurable: true })
// What is optional has no part in the length; of `finally` in V8 it has.
for (const [name, length] of [
  ['then', 2],
  ['catch', 1],
  ['finally', 1],
] as const) {
  Object.defineProperty(ControlledPromise.prototype[name], 'length', { value: length, configurable: true })
}

/** The class that code under control sees as `Promise`. */
export const controlledPromise = ControlledPromise as typeof ControlledPromise & Statics
