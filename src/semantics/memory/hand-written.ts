/**
 * Iterators that the user wrote, in loops, spread and array patterns: each call of theirs is stepped through like any other
 * (ECMA-262 §7.4: GetIterator, IteratorStepValue, IteratorClose). Outside of a process the language calls them.
 */
import { isObject } from '../../core/is-object.ts'
import { placeOfSite } from './code.ts'
import { type Body, bodyOf } from './functions.ts'
import { begin, go } from './invoke.ts'
import { refuseIterator } from './iterators.ts'
import { made } from './made.ts'
import { isNativeIterator } from './native-iterators.ts'
import { apply, get } from './operate.ts'
import { isOurs, machine, stop } from './process.ts'
import { lastThrown, refuse } from './search-error.ts'
import { HandWritten, Iteration, isCollection, iterationOver, positionOf } from './views.ts'

type Live = readonly unknown[]

const ownSite = -600

/** Whether its iterator may be the user's. Collections and iterators of ours are gone through by ourselves. */
export function mayBeHandWritten(target: unknown, site: number): target is object {
  if (!isObject(target) || positionOf(target) !== undefined || isNativeIterator(target)) return false
  if (!isCollection(target)) return true
  if (isOfUser((target as Partial<Iterable<unknown>>)[Symbol.iterator])) refuseCollection(site)
  return false
}

/** GetIterator, as an iteration of ours. */
export function iterateByHand(site: number, live: Live, target: object): unknown {
  const { process } = machine
  if (process !== undefined)
    return begin(process, 'run', { body: iterateBody, self: undefined, args: [target, site] }, site, live)
  const method = (target as Partial<Iterable<unknown>>)[Symbol.iterator]
  if (!isOfUser(method)) return iterationOver(target)
  const iterator: unknown = Reflect.apply(method as () => unknown, target, [])
  if (!isObject(iterator)) throw notAnIterator()
  return positionOf(iterator) === undefined
    ? new HandWritten(iterator, (iterator as Partial<Iterator<unknown>>).next)
    : new Iteration(iterator, 'values')
}

const iterateBody: Body = function* (target, site) {
  let method = get(ownSite, [target], target, Symbol.iterator)
  if (method === stop) method = yield* go()
  if (!isOfUser(method)) return fromItsBeginning(made(ownSite - 1, iterationOver(target)) as Iteration)
  let iterator = apply(ownSite - 2, [target], method, target, [])
  if (iterator === stop) iterator = yield* go()
  if (!isObject(iterator)) throw notAnIterator()
  if (isNativeIterator(iterator)) refuseIterator(site as number)
  if (positionOf(iterator) !== undefined) {
    return fromItsBeginning(made(ownSite - 1, new Iteration(iterator, 'values')) as Iteration)
  }
  let next = get(ownSite - 3, [iterator], iterator, 'next')
  if (next === stop) next = yield* go()
  return made(ownSite - 1, new HandWritten(iterator, next))
}

/** A loop that is run again is told again what it was told. */
export function fromItsBeginning(iteration: Iteration): Iteration {
  iteration.replayed = 0
  return iteration
}

/** IteratorStepValue: answers whether there is a value. */
export function nextByHand(site: number, live: Live, iteration: HandWritten): unknown {
  const { process } = machine
  if (process !== undefined)
    return begin(process, 'run', { body: nextBody, self: undefined, args: [iteration] }, site, live)
  const result: unknown = Reflect.apply(iteration.next as () => unknown, iteration.iterator, [])
  if (!isObject(result)) throw notAResult(result)
  const { done, value } = result as { readonly done?: unknown; readonly value?: unknown }
  return iteration.give(Boolean(done), value)
}

const nextBody: Body = function* (given) {
  const iteration = given as HandWritten
  let result = apply(ownSite - 10, [iteration], iteration.next, iteration.iterator, [])
  if (result === stop) result = yield* go()
  if (!isObject(result)) throw notAResult(result)
  let done = get(ownSite - 11, [iteration, result], result, 'done')
  if (done === stop) done = yield* go()
  if (done) return iteration.give(true, undefined)
  let value = get(ownSite - 12, [iteration, result], result, 'value')
  if (value === stop) value = yield* go()
  return iteration.give(false, value)
}

/** IteratorClose: a loop is left early. Where an error leaves it, nothing that this does counts. */
export function close(site: number, live: Live, iteration: unknown, isThrown: boolean): unknown {
  // Not if the check itself has ended the step.
  if (!(iteration instanceof HandWritten) || lastThrown.error !== undefined) return undefined
  const { process } = machine
  if (process !== undefined)
    return begin(process, 'run', { body: closeBody, self: undefined, args: [iteration, isThrown] }, site, live)
  try {
    const { iterator } = iteration
    const method = (iterator as Partial<Iterator<unknown>>).return as unknown
    if (method === undefined || method === null) return undefined
    const result: unknown = Reflect.apply(method as () => unknown, iterator, [])
    if (!isThrown && !isObject(result)) throw notAResult(result)
  } catch (error) {
    if (isOurs(error) || !isThrown) throw error
  }
  return undefined
}

const closeBody: Body = function* (given, isThrown) {
  const { iterator } = given as HandWritten
  try {
    let method = get(ownSite - 20, [iterator, isThrown], iterator, 'return')
    if (method === stop) method = yield* go()
    if (method === undefined || method === null) return undefined
    let result = apply(ownSite - 21, [iterator, isThrown], method, iterator, [])
    if (result === stop) result = yield* go()
    if (isThrown !== true && !isObject(result)) throw notAResult(result)
  } catch (error) {
    if (isOurs(error) || isThrown !== true) throw error
  }
  return undefined
}

/** What the host gives is taken as it is; a bound function is somebody's. */
function isOfUser(method: unknown): boolean {
  return bodyOf(method) !== undefined || (typeof method === 'function' && method.name.startsWith('bound '))
}

/** An element is bound before the next one is asked for: by code that the iterator could notice. */
export function refuseBetween(site: number): never {
  refuse({
    code: 'E307',
    message: 'a hand-written iterator in a pattern with more than names cannot be checked',
    hint: 'bind plain names, as in const [a, b] = iterator, and take them apart in the next statement',
    place: placeOfSite(site),
  })
}

function refuseCollection(site: number): never {
  refuse({
    code: 'E307',
    message: 'a collection with a [Symbol.iterator] of its own cannot be checked',
    hint: 'give the class a method that returns an array of the elements',
    place: placeOfSite(site),
  })
}

export function notAnIterator(symbol = 'iterator'): TypeError {
  return new TypeError(`Result of the Symbol.${symbol} method is not an object`)
}

export function notAResult(result: unknown): TypeError {
  return new TypeError(`Iterator result ${String(result)} is not an object`)
}
