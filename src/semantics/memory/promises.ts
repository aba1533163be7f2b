/** Promises under check, those of `src/jobs`: settled by code the check controls, awaited as operations. */
import { Capability } from '../../jobs/capability.ts'
import { type CombinationName, combine } from '../../jobs/combinations.ts'
import { controlledPromise } from '../../jobs/promise.ts'
import { type ControlledPromise, core, pendingPromise, promiseOf as promiseFor } from '../../jobs/promise-core.ts'
import { Settling } from '../../jobs/settling.ts'
import { accessModes, wholeObject } from '../../program/stateful.ts'
import { enterLoop, leaveLoop, publishChanged } from './class-loop.ts'
import type { Heap } from './heap.ts'
import { allOf, touchAll } from './iterators.ts'
import { made } from './made.ts'
import { computedThen, refuseUncontrolled, thenOf } from './natives.ts'
import { ActOperation } from './operations.ts'
import { Primitive } from './primitive.ts'
import { type AccessOperation, isOurs, machine } from './process.ts'
import { noteMaking } from './promise-sites.ts'

type Settled = 'fulfilled' | 'rejected'

/** `new Promise(executor)`: the executor runs at once. */
export function promiseOf(executor: unknown): ControlledPromise {
  return told(() => new controlledPromise(executor as () => void))
}

/** What `resolve(value)` and `reject(value)` do. The first one counts. */
export function settleWith(promise: ControlledPromise, state: Settled, value: unknown): void {
  told(() => (state === 'fulfilled' ? core.resolve(promise, value) : core.reject(promise, value)))
}

/** What a call threw that is awaited where it stands: somebody waits for it already. */
export function awaitedRejection(error: unknown): ControlledPromise {
  const promise = pendingPromise()
  told(() => {
    core.handle(promise)
    core.reject(promise, error)
  })
  return promise
}

/** What code does to promises becomes known. */
function told<Result>(code: () => Result): Result {
  const before = enterLoop()
  try {
    return code()
  } finally {
    leaveLoop(before)
    publishChanged()
  }
}

/** `Promise` by whatever name. */
export function isPromiseClass(value: unknown): boolean {
  return value === controlledPromise || value === Promise
}

/** A promise with what settles it. */
export function openPromise(): Capability {
  return new Capability(controlledPromise)
}

/**
 * What is awaited in the place of a value: of a thenable of the user's, a promise that it settles. A `then` that is computed is
 * asked for only by that promise, once; should it be no function, the promise has the value.
 */
export function awaitable(value: unknown, site: number): unknown {
  refuseUncontrolled(value, site)
  if (core.isPromise(value) || value instanceof Primitive) return value
  const then = thenOf(value)
  if (typeof then !== 'function' && then !== computedThen) return value
  const { process } = machine
  if (process?.isReplaying === true) return process.replayed(site)
  return made(
    site,
    told(() => promiseFor(value)),
  )
}

const methods = new Map<unknown, string>(
  (['then', 'catch', 'finally'] as const).map((name) => [controlledPromise.prototype[name], name]),
)

/** `promise.then(…)` and its kind: the callback is code that goes on by itself. */
export function promiseMethod(callable: unknown, self: unknown, args: readonly unknown[]): AccessOperation | undefined {
  const name = core.isPromise(self) ? methods.get(callable) : undefined
  if (name === undefined) return undefined
  return new ActOperation({
    text: `calls .${name}`,
    operands: [self, ...args],
    // Nobody can notice that somebody waits.
    visible: false,
    touch: () => {},
    perform: (heap) =>
      placed(
        heap,
        told(() => Reflect.apply(callable as () => unknown, self, args)),
      ),
  })
}

/** A promise that an operation gives is made where that stands. */
function placed(heap: Heap, promise: unknown): unknown {
  noteMaking(promise as object, heap.position.site, heap.position.callers)
  return promise
}

/** Calling a resolver, as an operation. */
export function resolverOperation(callable: object, value: unknown): AccessOperation | undefined {
  const [promise, part] = Settling.heldBy(callable) ?? []
  if (promise === undefined) return undefined
  return new ActOperation({
    text: part === 'reject' ? 'rejects a promise' : 'resolves a promise',
    operands: [promise, value],
    // Whom it touches depends on who waits by then.
    touch: () => {},
    perform: () => told(() => (callable as (value: unknown) => unknown)(value)),
  })
}

/** `await value`: goes on when the value is settled. Never in the same step. */
export function awaitOperation(value: unknown): AccessOperation {
  if (!core.isPromise(value)) {
    return new ActOperation({
      text: 'awaits',
      operands: [value],
      visible: false,
      waits: true,
      touch: () => {},
      perform: () => value,
    })
  }
  return new ActOperation({
    text: 'awaits a promise',
    operands: [value],
    waits: true,
    isEnabled: () => core.stateOf(value) !== 'pending',
    touch: (heap) => heap.touch(value, wholeObject, accessModes.read),
    perform: () => {
      if (core.stateOf(value) === 'fulfilled') return core.valueOf(value)
      told(() => core.handle(value))
      throw core.valueOf(value)
    },
  })
}

/** `Promise.all` and its kind, which read what they are given; nothing for other names. */
export function combination(method: PropertyKey, parts: unknown): AccessOperation | undefined {
  if (!isCombination(method)) return undefined
  return new ActOperation({
    text: `calls Promise.${method}`,
    operands: [parts],
    touch: (heap) => touchAll(heap, parts),
    perform: (heap) => {
      try {
        const all = allOf(heap, parts)
        return placed(
          heap,
          told(() => combine(method, controlledPromise as never, all)),
        )
      } catch (error) {
        // What cannot be iterated rejects the promise.
        if (isOurs(error)) throw error
        return settledPromise('rejected', error)
      }
    },
  })
}

function isCombination(method: PropertyKey): method is CombinationName {
  return method === 'all' || method === 'allSettled' || method === 'race' || method === 'any'
}

/** `Promise.resolve` and its kind; nothing for other names. */
export function promiseStatic(method: PropertyKey, args: readonly unknown[]): object | undefined {
  const [first] = args
  switch (method) {
    case 'resolve':
      return told(() => promiseFor(first))
    case 'reject':
      return settledPromise('rejected', first)
    default:
      return undefined
  }
}

/** Settled by now, unless its value is a promise: then with that one. */
export function settledPromise(state: Settled, value: unknown): ControlledPromise {
  const promise = pendingPromise()
  settleWith(promise, state, value)
  return promise
}
