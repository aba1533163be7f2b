/** Native methods that call user functions back, as bodies of our own: native code could not be interrupted. */

import { Atomic } from './controlled-atomic.ts'
import { ControlledLock } from './controlled-sync.ts'
import { type Body, bodyOf, type FunctionBody } from './functions.ts'
import { go } from './invoke.ts'
import { iterate, next } from './iteration.ts'
import { apply, call, callAwait, element, get, invoke, invokeAwait } from './operate.ts'
import { absent } from './operations.ts'
import { stop } from './process.ts'
import { refuse } from './search-error.ts'
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
  if (Array.isArray(object) && isNative(Array.prototype)) {
    if (makers.has(method) && object.constructor !== Array) refuseSpecies(method, object)
    return arrayBodies[method]
  }
  const isKeyed = object instanceof Map || object instanceof Set
  return isKeyed && method === 'forEach' ? { body: forEachEntry, isAsync: false } : undefined
}

/** Methods whose result is an array of the same class. */
const makers = new Set(['map', 'filter', 'flatMap'])

function refuseSpecies(method: string, object: object): never {
  refuse({
    code: 'E307',
    message: `${method}(…) of an array of class ${object.constructor?.name || '(class)'} cannot be checked`,
    hint: `copy it first: [...list].${method}(…)`,
    stack: new Error().stack,
  })
}

type Bodies = { readonly [method: string]: FunctionBody }

const site = -300

/** How a method goes through an array: its length is read once, before the first element (ECMA-262 §23.1.3). */
interface Traversal {
  /** What the method answers after this element, if it ends here. */
  readonly done?: (element: unknown, result: unknown, index: number, results: unknown[]) => Answer | undefined
  readonly end: (results: unknown[]) => unknown
  /** `find` and `findIndex` call back for elements that are missing; the others pass them over. */
  readonly meetsHoles?: boolean
  /** Whether a missing element is missing in the result too. */
  readonly keepsHoles?: boolean
  readonly own: number
}

interface Answer {
  readonly answer: unknown
}

/** Calls the callback for the elements in turn until `done` has an answer. */
function elementwise({ done, end, meetsHoles = false, keepsHoles = false, own }: Traversal): FunctionBody {
  const read = meetsHoles ? get : element
  const body: Body = function* (this: unknown, callback, self) {
    const array = this as readonly unknown[]
    const results: unknown[] = []
    let length = get(own, [array, callback, self], array, 'length')
    if (length === stop) length = yield* go()
    for (let index = 0; index < (length as number); index++) {
      const live = [array, callback, self, length, index, ...results]
      let found = read(own - 1, live, array, index)
      if (found === stop) found = yield* go()
      if (found === absent) {
        if (keepsHoles) results.push(absent)
        continue
      }
      let result = apply(own - 2, [...live, found], callback, self, [found, index, array])
      if (result === stop) result = yield* go()
      const ended = done?.(found, result, index, results)
      if (ended !== undefined) return ended.answer
    }
    return end(results)
  }
  return { body, isAsync: false }
}

function collect(results: unknown[], value: unknown): undefined {
  results.push(value)
  return undefined
}

function withHoles(results: readonly unknown[]): unknown[] {
  const array: unknown[] = new Array(results.length)
  for (const [index, result] of results.entries()) if (result !== absent) array[index] = result
  return array
}

const arrayBodies: Bodies = {
  forEach: elementwise({ end: () => undefined, own: site }),
  map: elementwise({
    done: (_, result, __, results) => collect(results, result),
    end: withHoles,
    keepsHoles: true,
    own: site - 10,
  }),
  filter: elementwise({
    done: (found, result, _, results) => (result ? collect(results, found) : undefined),
    end: (results) => results,
    own: site - 20,
  }),
  flatMap: elementwise({
    done: (_, result, __, results) => collect(results, result),
    end: (results) => results.flat(),
    own: site - 30,
  }),
  find: elementwise({
    done: (found, result) => (result ? { answer: found } : undefined),
    end: () => undefined,
    meetsHoles: true,
    own: site - 40,
  }),
  findIndex: elementwise({
    done: (_, result, index) => (result ? { answer: index } : undefined),
    end: () => -1,
    meetsHoles: true,
    own: site - 50,
  }),
  some: elementwise({
    done: (_, result) => (result ? { answer: true } : undefined),
    end: () => false,
    own: site - 60,
  }),
  every: elementwise({
    done: (_, result) => (result ? undefined : { answer: false }),
    end: () => true,
    own: site - 70,
  }),
  reduce: { isAsync: false, body: reduceBody },
}

function* reduceBody(this: unknown, callback: unknown, ...initial: unknown[]): Generator<unknown, unknown, unknown> {
  const array = this as readonly unknown[]
  let value = initial.length > 0 ? initial[0] : absent
  let length = get(site - 80, [array, callback, value], array, 'length')
  if (length === stop) length = yield* go()
  for (let index = 0; index < (length as number); index++) {
    let found = element(site - 81, [array, callback, length, index, value], array, index)
    if (found === stop) found = yield* go()
    if (found === absent) continue
    if (value === absent) {
      value = found
      continue
    }
    let result = call(site - 82, [array, callback, length, index], callback, [value, found, index, array])
    if (result === stop) result = yield* go()
    value = result
  }
  if (value === absent) throw new TypeError('Reduce of empty array with no initial value')
  return value
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
