/** Promises under check: settled by code the check controls, awaited as operations. */
import { accessModes, wholeObject } from '../../program/stateful.ts'
import { ownSites } from './code.ts'
import { tagClosure } from './functions.ts'
import type { Heap } from './heap.ts'
import { allOf, touchAll } from './iterators.ts'
import { refuseCallback } from './natives.ts'
import { ActOperation } from './operations.ts'
import { Primitive } from './primitive.ts'
import { isOurs, machine, type Operation } from './process.ts'

type PromiseState = 'pending' | 'fulfilled' | 'rejected'

export class ControlledPromise extends Primitive {
  state: PromiseState = 'pending'
  value: unknown = undefined
  /** A promise made of others settles with them. */
  readonly kind: 'single' | 'all' | 'allSettled' | 'race' | 'any'
  readonly parts: readonly unknown[]

  constructor(kind: ControlledPromise['kind'] = 'single', parts: readonly unknown[] = []) {
    super()
    this.kind = kind
    this.parts = parts
  }
}

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
    promise.state = 'rejected'
    promise.value = error
  }
  return promise
}

const resolvers = new WeakMap<object, { readonly promise: ControlledPromise; readonly state: PromiseState }>()

function resolver(promise: ControlledPromise, state: PromiseState): (value: unknown) => void {
  const resolve = (value: unknown): void => {
    settle(machine.heap, promise, state, value)
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
    touch: (heap) => heap.touch(known.promise, wholeObject, accessModes.write),
    perform: (heap) => settle(heap, known.promise, known.state, value),
  })
}

function settle(heap: Heap | undefined, promise: ControlledPromise, state: PromiseState, value: unknown): void {
  if (promise.state !== 'pending') return
  if (heap === undefined) {
    promise.state = state
    promise.value = value
    return
  }
  heap.change(promise, 'state', state)
  heap.change(promise, 'value', value)
}

/** `await value`: goes on when the value is settled. Never in the same step. */
export function awaitOperation(value: unknown): Operation {
  return new ActOperation({
    text: value instanceof ControlledPromise ? 'awaits a promise' : 'awaits',
    operands: [value],
    visible: value instanceof ControlledPromise,
    waits: true,
    isEnabled: () => outcomeOf(value).state !== 'pending',
    touch: (heap) => touchPromise(heap, value),
    perform: () => {
      const outcome = outcomeOf(value)
      if (outcome.state === 'rejected') throw outcome.value
      return outcome.value
    },
  })
}

interface Settled {
  readonly state: PromiseState
  readonly value: unknown
}

/** What awaiting a value gives by now. */
function outcomeOf(value: unknown): Settled {
  if (!(value instanceof ControlledPromise)) return { state: 'fulfilled', value }
  if (value.kind === 'single') {
    return value.state === 'fulfilled' && value.value instanceof ControlledPromise ? outcomeOf(value.value) : value
  }
  return combined(value.kind, value.parts.map(outcomeOf))
}

function combined(kind: 'all' | 'allSettled' | 'race' | 'any', parts: readonly Settled[]): Settled {
  const pending: Settled = { state: 'pending', value: undefined }
  const values = (): Settled => ({ state: 'fulfilled', value: parts.map((part) => part.value) })
  const [rejected] = parts.filter(({ state }) => state === 'rejected')
  const [fulfilled] = parts.filter(({ state }) => state === 'fulfilled')
  const isDone = parts.every(({ state }) => state !== 'pending')
  switch (kind) {
    case 'all':
      return rejected ?? (isDone ? values() : pending)
    case 'allSettled':
      return isDone ? { state: 'fulfilled', value: parts.map(settledPart) } : pending
    case 'race':
      return parts.find(({ state }) => state !== 'pending') ?? pending
    case 'any':
      return (
        fulfilled ?? (isDone ? { state: 'rejected', value: new AggregateError(parts.map((p) => p.value)) } : pending)
      )
  }
}

function settledPart({ state, value }: Settled): object {
  return state === 'fulfilled' ? { status: 'fulfilled', value } : { status: 'rejected', reason: value }
}

function touchPromise(heap: Heap, value: unknown): void {
  if (!(value instanceof ControlledPromise)) return
  heap.touch(value, wholeObject, accessModes.read)
  for (const part of value.parts) touchPromise(heap, part)
  if (value.value instanceof ControlledPromise) touchPromise(heap, value.value)
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
        return new ControlledPromise(method, allOf(heap, parts))
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

export function settledPromise(state: PromiseState, value: unknown): ControlledPromise {
  const promise = new ControlledPromise()
  promise.state = state
  promise.value = value
  return promise
}
