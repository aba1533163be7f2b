/** Promises under check: settled by code the check controls, awaited as operations. */
import { accessModes, wholeObject } from '../../program/stateful.ts'
import { ownSites } from './code.ts'
import { tagClosure } from './functions.ts'
import { allOf, touchAll } from './iterators.ts'
import { refuseCallback } from './natives.ts'
import { ActOperation } from './operations.ts'
import { isOurs, machine, type Operation } from './process.ts'
import { ControlledPromise, combinationOf, outcomeOf, settleWith } from './settling.ts'

type Settled = 'fulfilled' | 'rejected'

/**
 * However code comes by them: what they would be given is called back by a queue that no check controls. Promises of
 * JavaScript have them, so they must not be missing: a call would throw, and everything hold of a method that always throws.
 */
for (const name of ['then', 'catch', 'finally']) {
  Object.defineProperty(ControlledPromise.prototype, name, { get: () => refuseCallback(name) })
}

/** `new Promise(executor)`: the executor runs at once. */
export function promiseOf(executor: unknown): ControlledPromise {
  const promise = new ControlledPromise()
  const resolve = resolver(promise, 'fulfilled')
  const reject = resolver(promise, 'rejected')
  try {
    ;(executor as (resolve: unknown, reject: unknown) => void)(resolve, reject)
  } catch (error) {
    settleWith(machine.heap, promise, 'rejected', error)
  }
  return promise
}

const resolvers = new WeakMap<object, { readonly promise: ControlledPromise; readonly state: Settled }>()

function resolver(promise: ControlledPromise, state: Settled): (value: unknown) => void {
  const resolve = (value: unknown): void => {
    settleWith(machine.heap, promise, state, value)
  }
  resolvers.set(resolve, { promise, state })
  tagClosure(resolve, { site: ownSites.promises, captured: [promise, state] })
  return resolve
}

/** Calling a resolver, as an operation. */
export function resolverOperation(callable: object, value: unknown): Operation | undefined {
  const known = resolvers.get(callable)
  if (known === undefined) return undefined
  return new ActOperation({
    text: known.state === 'fulfilled' ? 'resolves a promise' : 'rejects a promise',
    operands: [known.promise, value],
    // Whom it touches depends on who waits by then.
    touch: () => {},
    perform: (heap) => settleWith(heap, known.promise, known.state, value),
  })
}

/** `await value`: goes on when the value is settled. Never in the same step. */
export function awaitOperation(value: unknown): Operation {
  return new ActOperation({
    text: value instanceof ControlledPromise ? 'awaits a promise' : 'awaits',
    operands: [value],
    visible: value instanceof ControlledPromise,
    waits: true,
    isEnabled: () => outcomeOf(value).state !== 'pending',
    touch: (heap) => {
      if (value instanceof ControlledPromise) heap.touch(value, wholeObject, accessModes.read)
    },
    perform: () => {
      const outcome = outcomeOf(value)
      if (outcome.state === 'rejected') throw outcome.value
      return outcome.value
    },
  })
}

/** `Promise.all` and its kind, which read what they are given; nothing for other names. */
export function combination(method: PropertyKey, parts: unknown): Operation | undefined {
  if (method !== 'all' && method !== 'allSettled' && method !== 'race' && method !== 'any') return undefined
  return new ActOperation({
    text: `calls Promise.${method}`,
    operands: [parts],
    touch: (heap) => touchAll(heap, parts),
    perform: (heap) => {
      try {
        return combinationOf(heap, method, allOf(heap, parts))
      } catch (error) {
        // What cannot be iterated rejects the promise.
        if (isOurs(error)) throw error
        return settledPromise('rejected', error)
      }
    },
  })
}

/** `Promise.resolve` and its kind; nothing for other names. */
export function promiseStatic(method: PropertyKey, args: readonly unknown[]): ControlledPromise | undefined {
  const [first] = args
  switch (method) {
    case 'resolve':
      return first instanceof ControlledPromise ? first : settledPromise('fulfilled', first)
    case 'reject':
      return settledPromise('rejected', first)
    default:
      return undefined
  }
}

/** Settled by now, unless its value is a promise: then with that one. */
export function settledPromise(state: Settled, value: unknown): ControlledPromise {
  const promise = new ControlledPromise()
  settleWith(machine.heap, promise, state, value)
  return promise
}
