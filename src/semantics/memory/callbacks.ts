/** Native methods that call user functions back, as bodies of our own: native code could not be interrupted. */

import { Atomic } from './controlled-atomic.ts'
import { ControlledLock } from './controlled-sync.ts'
import { type Body, bodyOf, type FunctionBody } from './functions.ts'
import { go } from './invoke.ts'
import { iterate, next } from './iteration.ts'
import { call, callAwait, get, invoke, invokeAwait } from './operate.ts'
import { stop } from './process.ts'
import type { Iteration } from './views.ts'

/** The body that stands in for a native method which would call a function of the user. */
export function callbackMethod(
  object: object,
  method: PropertyKey,
  args: readonly unknown[],
  callable: unknown,
): FunctionBody | undefined {
  if (typeof method !== 'string' || bodyOf(args[0]) === undefined) return undefined
  if (object instanceof ControlledLock) return lockBodies[method]
  if (object instanceof Atomic) return method === 'update' ? { body: updateBody, isAsync: false } : undefined
  const isNative = (owner: object) => (owner as { readonly [name: string]: unknown })[method] === callable
  if (Array.isArray(object) && isNative(Array.prototype)) return arrayBodies[method]
  const isKeyed = object instanceof Map || object instanceof Set
  return isKeyed && method === 'forEach' ? { body: forEachEntry, isAsync: false } : undefined
}

type Bodies = { readonly [method: string]: FunctionBody }

const site = -300

/** Calls the callback for the elements in turn until `done` has an answer. */
function elementwise(
  done: (
    result: unknown,
    element: unknown,
    index: number,
    results: unknown[],
  ) => { readonly answer: unknown } | undefined,
  end: (results: unknown[]) => unknown,
  own: number,
): FunctionBody {
  const body: Body = function* (this: unknown, callback) {
    const array = this as readonly unknown[]
    const results: unknown[] = []
    for (let index = 0; ; index++) {
      let length = get(own, [array, callback, index, ...results], array, 'length')
      if (length === stop) length = yield* go()
      if (index >= (length as number)) return end(results)
      let element = get(own - 1, [array, callback, index, ...results], array, index)
      if (element === stop) element = yield* go()
      let result = call(own - 2, [array, callback, index, element, ...results], callback, [element, index, array])
      if (result === stop) result = yield* go()
      const ended = done(result, element, index, results)
      if (ended !== undefined) return ended.answer
    }
  }
  return { body, isAsync: false }
}

function collect(results: unknown[], value: unknown): undefined {
  results.push(value)
  return undefined
}

const arrayBodies: Bodies = {
  forEach: elementwise(
    () => undefined,
    () => undefined,
    site,
  ),
  map: elementwise(
    (result, _, __, results) => collect(results, result),
    (results) => results,
    site - 10,
  ),
  filter: elementwise(
    (result, element, _, results) => (result ? collect(results, element) : undefined),
    (results) => results,
    site - 20,
  ),
  flatMap: elementwise(
    (result, _, __, results) => collect(results, result),
    (results) => results.flat(),
    site - 30,
  ),
  find: elementwise(
    (result, element) => (result ? { answer: element } : undefined),
    () => undefined,
    site - 40,
  ),
  findIndex: elementwise(
    (result, _, index) => (result ? { answer: index } : undefined),
    () => -1,
    site - 50,
  ),
  some: elementwise(
    (result) => (result ? { answer: true } : undefined),
    () => false,
    site - 60,
  ),
  every: elementwise(
    (result) => (result ? undefined : { answer: false }),
    () => true,
    site - 70,
  ),
  reduce: { isAsync: false, body: reduceBody },
}

function* reduceBody(this: unknown, callback: unknown, ...initial: unknown[]): Generator<unknown, unknown, unknown> {
  const array = this as readonly unknown[]
  let value = initial[0]
  for (let index = 0; ; index++) {
    let length = get(site - 80, [array, callback, index, value], array, 'length')
    if (length === stop) length = yield* go()
    if (index >= (length as number)) return value
    let element = get(site - 81, [array, callback, index, value], array, index)
    if (element === stop) element = yield* go()
    if (index === 0 && initial.length === 0) {
      value = element
      continue
    }
    let result = call(site - 82, [array, callback, index], callback, [value, element, index, array])
    if (result === stop) result = yield* go()
    value = result
  }
}

function* forEachEntry(this: unknown, callback: unknown): Generator<unknown, unknown, unknown> {
  const iteration = iterate(site - 90, [], this) as Iteration
  for (;;) {
    let more = next(site - 91, [callback, iteration], iteration)
    if (more === stop) more = yield* go()
    if (more !== true) return undefined
    const { value } = iteration
    const [key, entry] = this instanceof Map ? (value as [unknown, unknown]) : [value, value]
    const result = call(site - 92, [callback, iteration], callback, [entry, key, this])
    if (result === stop) yield* go()
  }
}

/** `lock.runSync(callback)`; `run` awaits the lock and what the callback gives. */
function underLock(ask: typeof invoke, ring: typeof call, acquire: string): Body {
  return function* (this: unknown, callback) {
    const acquired = ask(site - 93, [this, callback], this, acquire, [])
    if (acquired === stop) yield* go()
    try {
      let result = ring(site - 94, [this], callback, [])
      if (result === stop) result = yield* go()
      return result
    } finally {
      const released = invoke(site - 95, [this], this, 'release', [])
      if (released === stop) yield* go()
    }
  }
}

const lockBodies: Bodies = {
  runSync: { isAsync: false, body: underLock(invoke, call, 'acquireSync') },
  run: { isAsync: true, body: underLock(invokeAwait, callAwait, 'acquire') },
}

/** `atomic.update(callback)`, as production does it: again if another process stored in the meantime. */
function* updateBody(this: unknown, callback: unknown): Generator<unknown, unknown, unknown> {
  for (;;) {
    let before = invoke(site - 96, [this, callback], this, 'load', [])
    if (before === stop) before = yield* go()
    let value = call(site - 97, [this, callback, before], callback, [before])
    if (value === stop) value = yield* go()
    let isStored = invoke(site - 98, [this, callback, before, value], this, 'compareAndSet', [before, value])
    if (isStored === stop) isStored = yield* go()
    if (isStored === true) return value
  }
}
