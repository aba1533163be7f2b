/**
 * How promises settle, and others with them: as in the language, by jobs in a queue, first come, first served. A combination takes
 * the part that settled first, not the one that comes first in its list. All jobs are done when a step ends, so they are no state.
 */
import { accessModes, wholeObject } from '../../program/stateful.ts'
import type { Heap } from './heap.ts'
import { Primitive } from './primitive.ts'

type PromiseState = 'pending' | 'fulfilled' | 'rejected'
type Settled = 'fulfilled' | 'rejected'

export type CombinationKind = 'all' | 'allSettled' | 'race' | 'any'

export class ControlledPromise extends Primitive {
  state: PromiseState = 'pending'
  value: unknown = undefined
  /** Whether what it settles with is fixed: by its code, or by another promise, which may still be pending. */
  isResolved = false
  /** Settle with this one, in the order in which they came to wait for it. */
  followers: readonly ControlledPromise[] = []
  readonly kind: 'single' | CombinationKind
  readonly parts: readonly unknown[]
  /** Parts that a combination has yet to hear of. */
  left: number

  constructor(kind: ControlledPromise['kind'] = 'single', parts: readonly unknown[] = []) {
    super()
    this.kind = kind
    this.parts = parts
    this.left = parts.length
  }
}

/** What `resolve(value)` and `reject(value)` do. The first one counts. */
export function settleWith(heap: Heap | undefined, promise: ControlledPromise, state: Settled, value: unknown): void {
  touch(heap, promise)
  if (promise.isResolved) return
  put(heap, promise, 'isResolved', true)
  if (state === 'rejected' || !(value instanceof ControlledPromise)) return settle(heap, promise, state, value)
  if (value === promise) {
    return settle(heap, promise, 'rejected', new TypeError('Chaining cycle detected for promise #<Promise>'))
  }
  later(heap, () => follow(heap, promise, value))
}

/** A promise of `Promise.all` and its kind. */
export function combinationOf(heap: Heap, kind: CombinationKind, parts: readonly unknown[]): ControlledPromise {
  const promise = new ControlledPromise(kind, parts)
  for (const part of parts) follow(heap, promise, part)
  if (parts.length === 0 && kind !== 'race') decide(heap, promise)
  return promise
}

/** Whether a value can be awaited without waiting, and what that gives. */
export function outcomeOf(value: unknown): { readonly state: PromiseState; readonly value: unknown } {
  return value instanceof ControlledPromise ? value : { state: 'fulfilled', value }
}

/** Does what settled promises have left to do. */
export function runJobs(heap: Heap): void {
  for (let job = heap.takeJob(); job !== undefined; job = heap.takeJob()) job()
}

function follow(heap: Heap | undefined, promise: ControlledPromise, part: unknown): void {
  if (part instanceof ControlledPromise) touch(heap, part)
  if (part instanceof ControlledPromise && part.state === 'pending') {
    put(heap, part, 'followers', [...part.followers, promise])
  } else later(heap, () => hear(heap, promise, part))
}

/** A part has settled. */
function hear(heap: Heap | undefined, promise: ControlledPromise, part: unknown): void {
  touch(heap, promise)
  if (promise.state !== 'pending') return
  const { state, value } = outcomeOf(part)
  if (promise.kind === 'single' || promise.kind === 'race' || state === decisive[promise.kind]) {
    return settle(heap, promise, state as Settled, value)
  }
  put(heap, promise, 'left', promise.left - 1)
  if (promise.left === 0) decide(heap, promise)
}

/** A part that settles so settles the whole. */
const decisive = { all: 'rejected', any: 'fulfilled', allSettled: undefined } as const

/** All parts have settled, and none of them has decided. */
function decide(heap: Heap | undefined, promise: ControlledPromise): void {
  const parts = promise.parts.map(outcomeOf)
  const values = parts.map((part) => part.value)
  if (promise.kind === 'any') {
    return settle(heap, promise, 'rejected', new AggregateError(values, 'All promises were rejected'))
  }
  settle(heap, promise, 'fulfilled', promise.kind === 'all' ? values : parts.map(described))
}

function described({ state, value }: ReturnType<typeof outcomeOf>): object {
  return state === 'fulfilled' ? { status: 'fulfilled', value } : { status: 'rejected', reason: value }
}

function settle(heap: Heap | undefined, promise: ControlledPromise, state: Settled, value: unknown): void {
  const { followers } = promise
  put(heap, promise, 'isResolved', true)
  put(heap, promise, 'state', state)
  put(heap, promise, 'value', value)
  put(heap, promise, 'followers', [])
  for (const follower of followers) later(heap, () => hear(heap, follower, promise))
}

/** Outside of all walks nobody else is under way: at once. */
function later(heap: Heap | undefined, job: () => void): void {
  if (heap === undefined) job()
  else heap.addJob(job)
}

/** Two parts that settle do not commute: each touches the promises that wait for both. */
function touch(heap: Heap | undefined, promise: ControlledPromise): void {
  heap?.touch(promise, wholeObject, promise.state === 'pending' ? accessModes.write : accessModes.read)
}

function put(heap: Heap | undefined, promise: ControlledPromise, key: string, value: unknown): void {
  if (heap === undefined) Reflect.set(promise, key, value)
  else heap.change(promise, key, value)
}
