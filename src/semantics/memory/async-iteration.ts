/** `for await` (ECMA-262 §14.7.5.6), with sync iterators as async ones (§27.1.4): what each step gives is awaited. */
import { isObject } from '../../core/is-object.ts'
import { dialect } from '../../jobs/dialect.ts'
import type { Body } from './functions.ts'
import { close, notAnIterator, notAResult } from './hand-written.ts'
import { begin, go } from './invoke.ts'
import { iterate, next } from './iteration.ts'
import { made } from './made.ts'
import { apply, applyAwait, get, pause } from './operate.ts'
import { isOurs, machine, stop } from './process.ts'
import { settledPromise } from './promises.ts'
import { refuse } from './search-error.ts'
import { AwaitedIteration, HandWritten, type Iteration } from './views.ts'

type Live = readonly unknown[]

const ownSite = -650

export function iterateAsync(site: number, live: Live, target: unknown): unknown {
  return called(site, live, iterateBody, [target])
}

/** Moves on; answers whether there is a value. */
export function nextAsync(site: number, live: Live, iteration: unknown): unknown {
  const { isOfSync } = iteration as AwaitedIteration
  return called(site, live, isOfSync ? nextOfSyncBody : nextBody, [iteration])
}

/** AsyncIteratorClose (§7.4.13): the loop is left early. */
export function closeAsync(site: number, live: Live, iteration: unknown, isThrown: boolean): unknown {
  const { isOfSync } = iteration as AwaitedIteration
  return called(site, live, isOfSync ? closeOfSyncBody : closeBody, [iteration, isThrown])
}

function called(site: number, live: Live, body: Body, args: readonly unknown[]): unknown {
  const { process } = machine
  if (process !== undefined) return begin(process, 'run', { body, self: undefined, args }, site, live)
  const { done, value } = Reflect.apply(body, undefined, [...args]).next()
  if (done === true) return value
  return refuse({
    code: 'E303',
    message: 'a loop with await waits in a constructor, or while modules are loaded',
    hint: 'wait in a method that clients call',
    stack: new Error().stack,
  })
}

const iterateBody: Body = function* (target) {
  let method = get(ownSite, [target], target, Symbol.asyncIterator)
  if (method === stop) method = yield* go()
  if (method === undefined || method === null) {
    let inner = iterate(ownSite - 1, [target], target)
    if (inner === stop) inner = yield* go()
    return made(ownSite - 2, new AwaitedIteration(inner as object, undefined, true))
  }
  let iterator = apply(ownSite - 3, [target], method, target, [])
  if (iterator === stop) iterator = yield* go()
  if (!isObject(iterator)) throw notAnIterator('asyncIterator')
  let step = get(ownSite - 4, [iterator], iterator, 'next')
  if (step === stop) step = yield* go()
  return made(ownSite - 2, new AwaitedIteration(iterator, step, false))
}

const nextBody: Body = function* (given) {
  const iteration = given as AwaitedIteration
  let result = applyAwait(ownSite - 10, [iteration], iteration.next, iteration.iterator, [])
  if (result === stop) result = yield* go()
  if (!isObject(result)) throw notAResult(result)
  let done = get(ownSite - 11, [iteration, result], result, 'done')
  if (done === stop) done = yield* go()
  if (done) return iteration.give(true, undefined)
  let value = get(ownSite - 12, [iteration, result], result, 'value')
  if (value === stop) value = yield* go()
  return iteration.give(false, value)
}

const nextOfSyncBody: Body = function* (given) {
  const iteration = given as AwaitedIteration
  const inner = iteration.iterator
  let more: unknown
  try {
    more = next(ownSite - 20, [iteration], inner)
    if (more === stop) more = yield* go()
  } catch (error) {
    if (isOurs(error)) throw error
    if (dialect.closesFailedIterators) yield* closed(inner)
    return yield* awaited(ownSite - 21, [iteration], settledPromise('rejected', error))
  }
  const { value } = inner as Iteration
  try {
    const found = yield* awaited(ownSite - 22, [iteration], more === true ? value : undefined)
    return iteration.give(more !== true, found)
  } catch (error) {
    if (!isOurs(error) && dialect.closesSyncIterators) yield* closed(inner)
    throw error
  }
}

/** IteratorClose with an error, which is what counts. */
function* closed(inner: object): Generator<unknown, void, unknown> {
  const ended = close(ownSite - 23, [inner], inner, true)
  if (ended === stop) yield* go()
}

const closeBody: Body = function* (given, isThrown) {
  const { iterator } = given as AwaitedIteration
  try {
    let method = get(ownSite - 30, [iterator, isThrown], iterator, 'return')
    if (method === stop) method = yield* go()
    if (method === undefined || method === null) return undefined
    let result = applyAwait(ownSite - 31, [isThrown], method, iterator, [])
    if (result === stop) result = yield* go()
    if (isThrown !== true && !isObject(result)) throw notAResult(result)
  } catch (error) {
    if (isOurs(error) || isThrown !== true) throw error
  }
  return undefined
}

const closeOfSyncBody: Body = function* (given, isThrown) {
  const inner = (given as AwaitedIteration).iterator
  try {
    yield* awaited(ownSite - 40, [isThrown], inner instanceof HandWritten ? yield* returnedBy(inner) : undefined)
  } catch (error) {
    if (isOurs(error) || isThrown !== true) throw error
  }
  return undefined
}

/** %AsyncFromSyncIteratorPrototype%.return (§27.1.4.2.2): what is awaited for it. */
function* returnedBy({ iterator }: HandWritten): Generator<unknown, unknown, unknown> {
  try {
    let method = get(ownSite - 41, [iterator], iterator, 'return')
    if (method === stop) method = yield* go()
    if (method === undefined || method === null) return undefined
    let result = apply(ownSite - 42, [iterator], method, iterator, [])
    if (result === stop) result = yield* go()
    if (!isObject(result)) throw notAResult(result)
    let value = get(ownSite - 43, [result], result, 'value')
    if (value === stop) value = yield* go()
    return value
  } catch (error) {
    if (isOurs(error)) throw error
    return settledPromise('rejected', error)
  }
}

function* awaited(at: number, live: Live, value: unknown): Generator<unknown, unknown, unknown> {
  const result = pause(at, live, value)
  return result === stop ? yield* go() : result
}
