/** Loops over collections, spread and destructuring: each element read is an access of its own, a copy is one access. */
import { accessModes } from '../../program/stateful.ts'
import type { Body } from './functions.ts'
import { close, fromItsBeginning, iterateByHand, mayBeHandWritten, nextByHand, refuseBetween } from './hand-written.ts'
import type { Heap } from './heap.ts'
import { begin, go } from './invoke.ts'
import { allOf, isIteratedShared, refuseIterator, touchAll, touchElement } from './iterators.ts'
import { made } from './made.ts'
import { isNativeIterator } from './native-iterators.ts'
import { get } from './operate.ts'
import { ActOperation, NativeOperation } from './operations.ts'
import { type AccessOperation, machine, stop } from './process.ts'
import { HandWritten, Iteration, iterationOver, KeyIteration, positionOf } from './views.ts'

type Live = readonly unknown[]

export function iterate(site: number, live: Live, target: unknown): unknown {
  if (mayBeHandWritten(target, site)) return iterateByHand(site, live, target)
  if (machine.process !== undefined && isNativeIterator(target)) refuseIterator(site)
  return fromItsBeginning(made(site, iterationOver(target)) as Iteration)
}

export function iterateKeys(site: number, live: Live, target: unknown): unknown {
  if (machine.process?.isReplaying === true) return fromItsBeginning(machine.process.replayed(site) as Iteration)
  // A text has its positions for keys.
  if (target === null || target === undefined) return made(site, new Iteration(undefined, 'values', []))
  const object = Object(target) as object
  const run = () => new KeyIteration(object)
  return offered(site, live, new NativeOperation('reads all keys', [object], [], run), object)
}

/** Moves on; answers whether there is a value. */
export function next(site: number, live: Live, iterator: unknown): unknown {
  if (iterator instanceof HandWritten) return nextByHand(site, live, iterator)
  const iteration = iterator as Iteration
  const { process } = machine
  if (process?.isReplaying === true) {
    const more = process.replayed(site)
    if (more === true) iteration.value = iteration.delivered[iteration.replayed++]
    return more
  }
  if (iteration instanceof KeyIteration) return offered(site, live, nextKeyOperation(iteration), iteration.object)
  const { target } = iteration
  return offered(site, live, nextOperation(iteration), target)
}

function nextKeyOperation(iteration: KeyIteration): AccessOperation {
  return new ActOperation({
    text: 'looks for the next key',
    operands: [iteration],
    touch: (heap) => {
      for (const key of iteration.looked) heap.touchKey(iteration.object, key, accessModes.read)
    },
    perform: (heap) => moved(iteration, heap),
  })
}

function nextOperation(iteration: Iteration): AccessOperation {
  return new ActOperation({
    text: 'reads the next element',
    operands: [iteration],
    touch: (heap) => touchElement(heap, iteration),
    perform: (heap) => moved(iteration, heap),
  })
}

function moved(iteration: Iteration, heap: Heap): boolean {
  const more = iteration.advance(heap)
  iteration.replayed = iteration.delivered.length
  return more
}

/** A copy of all elements, in one access. */
export function spread(site: number, live: Live, source: unknown): unknown {
  if (typeof source === 'object' && source !== null && positionOf(source) !== undefined)
    return drain(site, live, source)
  const { process } = machine
  if (process !== undefined && mayBeHandWritten(source, site))
    return begin(process, 'run', { body: spreadBody, self: undefined, args: [source] }, site, live)
  if (process !== undefined && isNativeIterator(source)) refuseIterator(site)
  const copy = () => [...(source as Iterable<unknown>)]
  return whole(site, live, 'copies all elements', source, copy)
}

const spreadBody: Body = function* (source) {
  const result: unknown[] = []
  let iteration = iterate(ownSite - 3, [source], source)
  if (iteration === stop) iteration = yield* go()
  for (;;) {
    let more = next(ownSite - 4, [iteration, ...result], iteration)
    if (more === stop) more = yield* go()
    if (more !== true) return made(ownSite - 5, result)
    result.push((iteration as Iteration).value)
  }
}

/** All that an iterator has left, in one access. */
function drain(site: number, live: Live, iterator: object): unknown {
  if (machine.process?.isReplaying === true) return machine.process.replayed(site)
  const operation = new ActOperation({
    text: 'copies all elements that are left',
    operands: [iterator],
    touch: (heap) => touchAll(heap, iterator),
    perform: (heap) => allOf(heap, iterator),
  })
  return offered(site, live, operation, iterator)
}

export function spreadObject(site: number, live: Live, source: unknown): unknown {
  return whole(site, live, 'copies all fields', source, () => ({ ...(source as object) }))
}

/** Fields for a destructuring pattern, each read by itself. */
export function pick(
  site: number,
  live: Live,
  source: unknown,
  keys: readonly PropertyKey[],
  hasRest: boolean,
): unknown {
  if (hasRest) return spreadObject(site, live, source)
  const { process } = machine
  if (process === undefined) return picked(source, keys)
  return begin(process, 'run', { body: pickBody, self: undefined, args: [source, keys] }, site, live)
}

function picked(source: unknown, keys: readonly PropertyKey[]): object {
  const fields = source as { readonly [key: PropertyKey]: unknown }
  return Object.fromEntries(keys.map((key) => [key, fields[key]]))
}

const ownSite = -200

const pickBody: Body = function* (source, keys) {
  const found: (readonly [PropertyKey, unknown])[] = []
  for (const key of keys as readonly PropertyKey[]) {
    let value = get(ownSite, [source, ...found.map(([, before]) => before), found.length], source, key)
    if (value === stop) value = yield* go()
    found.push([key, value])
  }
  return Object.fromEntries(found)
}

/** How an array pattern goes on behind its last element, and what happens between two of them. */
interface Taking {
  readonly hasRest: boolean
  /** Whether nobody could notice that all elements are taken before any is bound. */
  readonly isPlain: boolean
}

/** Elements for an array pattern. */
export function take(site: number, live: Live, source: unknown, count: number, taking: Taking): unknown {
  const { hasRest, isPlain } = taking
  const { process } = machine
  const mayNotice = !isPlain && mayBeHandWritten(source, site)
  if (hasRest && !mayNotice) return spread(site, live, source)
  if (process === undefined) return hasRest ? spread(site, live, source) : firstOf(source as Iterable<unknown>, count)
  const most = hasRest ? Number.POSITIVE_INFINITY : count
  return begin(process, 'run', { body: takeBody, self: undefined, args: [source, most, mayNotice, site] }, site, live)
}

function firstOf(source: Iterable<unknown>, count: number): readonly unknown[] {
  const result: unknown[] = []
  // Not one more: an iterator goes on from where it was left.
  if (count === 0) source[Symbol.iterator]().return?.()
  else for (const value of source) if (result.push(value) === count) break
  return result
}

const takeBody: Body = function* (source, count, mayNotice, site) {
  const result: unknown[] = []
  let iteration = iterate(ownSite - 1, [source, mayNotice], source)
  if (iteration === stop) iteration = yield* go()
  if (mayNotice === true && iteration instanceof HandWritten) refuseBetween(site as number)
  while (result.length < (count as number)) {
    let more = next(ownSite - 2, [iteration, ...result], iteration)
    if (more === stop) more = yield* go()
    if (more !== true) return result
    result.push((iteration as Iteration).value)
  }
  const closed = close(ownSite - 6, [iteration, ...result], iteration, false)
  if (closed === stop) yield* go()
  return result
}

function whole(site: number, live: Live, text: string, target: unknown, copy: () => unknown): unknown {
  if (machine.process?.isReplaying === true) return machine.process.replayed(site)
  const isObject = typeof target === 'object' && target !== null
  return offered(
    site,
    live,
    new NativeOperation(text, isObject ? [target] : [], [], copy),
    isObject ? target : undefined,
  )
}

function offered(site: number, live: Live, operation: AccessOperation, target: object | undefined): unknown {
  const { process, heap } = machine
  if (process === undefined) return operation.perform(heap as Heap, undefined as never)
  return target !== undefined && isIteratedShared(process.heap, target)
    ? process.offer(site, live, operation)
    : process.now(site, operation)
}
