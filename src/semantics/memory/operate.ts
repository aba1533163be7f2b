/**
 * The operations of user code. Each answers at once, or gives `stop`, and then `yield* go()` performs it. Outside of a process
 * (while modules are loaded, in constructors, in callbacks of native code) operations are performed on the spot.
 */

import { grouped } from '../../core/grouped.ts'
import { isObject } from '../../core/is-object.ts'
import { loweredKind } from '../../core/lowered-function.ts'
import { loopLimit, mistake, running } from '../../core/running.ts'
import { isBuffer } from './buffers.ts'
import { placeOfSite } from './code.ts'
import { containerOperation } from './containers.ts'
import { changedBy, isAsyncPrimitive, primitiveOperation } from './controlled-sync.ts'
import { type Body, bodyOf, type FunctionBody, getterOf, setterOf } from './functions.ts'
import { anyIterator, generatorOf } from './generator-objects.ts'
import { host } from './host.ts'
import { begin } from './invoke.ts'
import { isIteratedShared, iteratorMadeBy, nextResultOperation, refuseHelper, refuseIterator } from './iterators.ts'
import { made } from './made.ts'
import { isNativeIterator } from './native-iterators.ts'
import {
  nativeOperation,
  reachableFrom,
  refuseLastMatch,
  refuseMissing,
  refuseNotAwaited,
  refuseUnseen,
} from './natives.ts'
import { refuseProxy } from './object-kinds.ts'
import { DeleteField, HasField, NativeOperation, ReadElement, ReadField, WriteField } from './operations.ts'
import { calledPlainly, outside, plainGet, plainly, plainSet } from './plain.ts'
import { Primitive } from './primitive.ts'
import { type AccessOperation, machine, type ObjectProcess, stop } from './process.ts'
import { noteMaking } from './promise-sites.ts'
import {
  awaitable,
  awaitOperation,
  combination,
  isPromiseClass,
  promiseMethod,
  promiseOf,
  promiseStatic,
  resolverOperation,
} from './promises.ts'
import { isCollection, positionOf } from './views.ts'

type Live = readonly unknown[]
type Class = new () => object
type Fields = { readonly [key: PropertyKey]: unknown }

/**
 * Each operation follows the same order. Values that are not objects need no runtime. Outside of a process it is performed on
 * the spot. Accessors of the user are calls. A run that repeats takes its answer from the log. Only then the heap is asked: what
 * other processes can reach is offered as a step, what is local is done at once and noted.
 */
export function get(site: number, live: Live, object: unknown, key: PropertyKey): unknown {
  const { process } = machine
  if (!isObject(object)) return (object as Fields)[key]
  if (object === RegExp) refuseLastMatch(key)
  if (process === undefined) return plainGet(site, object, key)
  const computed = getterOf(object, key)
  if (computed !== undefined) return begin(process, 'run', { body: computed, self: object, args: [] }, site, live)
  if (process.isReplaying) return process.replayed(site)
  if (process.heap.isShared(object)) return process.offer(site, live, new ReadField(process.heap, object, key))
  const value = (object as Fields)[key]
  process.note(site, value)
  return value
}

export function set(site: number, live: Live, object: unknown, key: PropertyKey, value: unknown): unknown {
  const { process } = machine
  if (!isObject(object)) {
    ;(object as { [key: PropertyKey]: unknown })[key] = value
    return value
  }
  if (process === undefined) return plainSet(site, object, key, value)
  const computed = setterOf(object, key)
  if (computed !== undefined) return begin(process, 'run', { body: computed, self: object, args: [value] }, site, live)
  if (process.isReplaying) return process.replayed(site)
  const write = new WriteField(object, key, value)
  return process.heap.isShared(object) ? process.offer(site, live, write) : process.now(site, write)
}

export function has(site: number, live: Live, object: unknown, key: PropertyKey): unknown {
  return access(site, live, object, new HasField(object as object, key))
}

/** An element, or `absent`; whether there is one and which is one access. */
export function element(site: number, live: Live, array: unknown, index: number): unknown {
  return access(site, live, array, new ReadElement(array as readonly unknown[], index))
}

export function del(site: number, live: Live, object: unknown, key: PropertyKey): unknown {
  return access(site, live, object, new DeleteField(object as object, key))
}

/** Calls without `await`; those with `Await` are awaited where they stand, which is one operation of the rewritten code. */
export function call(site: number, live: Live, callable: unknown, args: Live): unknown {
  return invocation(site, live, callable, undefined, args, 'begin')
}

export function callAwait(site: number, live: Live, callable: unknown, args: Live): unknown {
  return invocation(site, live, callable, undefined, args, 'run and await')
}

export function apply(site: number, live: Live, callable: unknown, self: unknown, args: Live): unknown {
  return invocation(site, live, callable, self, args, 'begin')
}

export function applyAwait(site: number, live: Live, callable: unknown, self: unknown, args: Live): unknown {
  return invocation(site, live, callable, self, args, 'run and await')
}

export function invoke(site: number, live: Live, object: unknown, method: PropertyKey, args: Live): unknown {
  return invocationOf(site, live, object, method, args, 'begin')
}

export function invokeAwait(site: number, live: Live, object: unknown, method: PropertyKey, args: Live): unknown {
  return invocationOf(site, live, object, method, args, 'run and await')
}

/** `begin`: an async function that is not awaited where it is called goes on by itself. */
type Mode = 'begin' | 'run and await'

function invocationOf(site: number, live: Live, object: unknown, method: PropertyKey, args: Live, mode: Mode): unknown {
  if (!isObject(object)) return invocation(site, live, (object as Fields)[method], object, args, mode, method)
  const { process } = machine
  const special = specialOperation(object, method, args)
  if (special !== undefined) {
    if (process === undefined) return plainly(special)
    if (isAsyncPrimitive(object, method) && mode === 'begin') refuseNotAwaited(method, site)
    const phased = standIns.phased?.(object, method)
    if (phased !== undefined) return begin(process, 'run', { body: phased, self: object, args: [] }, site, live)
    // `Atomics` works on its argument, which may be shared although `Atomics` itself is not in the heap.
    const isLocal = !process.heap.isShared(changedBy(object)) && !special.waits && object !== Atomics
    const answer = process.isReplaying
      ? process.replayed(site)
      : isLocal && special.isEnabled(process)
        ? process.unnoticed(site, live, special)
        : process.offer(site, live, special)
    // What a primitive is asked for with `await` it awaits itself.
    return mode === 'begin' || object instanceof Primitive ? answer : awaitedAnswer(process, site, live, answer)
  }
  if (positionOf(object) !== undefined && !Object.hasOwn(object, method)) {
    if (method === Symbol.iterator) return mode === 'begin' ? object : pause(site, live, object)
    const moved = nextResultOperation(object, method)
    if (moved !== undefined) return iteratorCall(site, live, object, moved, mode)
    if (Object.hasOwn(anyIterator, method)) refuseHelper(method, site)
  }
  const callable = (object as Fields)[method]
  const isHelper =
    generatorOf(object)?.made.isAsync === false && callable !== undefined && bodyOf(callable) === undefined
  if (isHelper && Object.hasOwn(anyIterator, method)) refuseHelper(method, site)
  return invocation(site, live, callable, object, args, mode, method)
}

/** `iterator.next()` is an access of what is iterated. */
function iteratorCall(site: number, live: Live, iterator: object, operation: AccessOperation, mode: Mode): unknown {
  const { process } = machine
  if (process === undefined) return plainly(operation)
  const isShared = !process.isReplaying && isIteratedShared(process.heap, iterator)
  const answer = process.isReplaying
    ? process.replayed(site)
    : isShared
      ? process.offer(site, live, operation)
      : process.now(site, operation)
  return mode === 'begin' ? answer : awaitedAnswer(process, site, live, answer)
}

function specialOperation(object: object, method: PropertyKey, args: Live): AccessOperation | undefined {
  return primitiveOperation(object, method, args) ?? containerOperation(object, method, args)
}

function invocation(
  site: number,
  live: Live,
  callable: unknown,
  self: unknown,
  args: Live,
  mode: Mode,
  name: PropertyKey = '',
): unknown {
  const { process } = machine
  const iterator = iteratorMadeBy(callable, self)
  if (iterator !== undefined) {
    const answer = made(site, iterator)
    return mode === 'begin' ? answer : pause(site, live, answer)
  }
  const job = promiseMethod(callable, self, args) ?? standIns.job?.(callable, args, site)
  if (job !== undefined) return jobCall(site, live, job, mode)
  const body = bodyOf(callable) ?? callbackBody(callable, self, args, name)
  if (process === undefined) return calledPlainly(callable, self, args, name)
  if (body !== undefined) {
    const kind = mode === 'run and await' ? mode : body.isAsync ? 'begin' : 'run'
    return begin(process, kind, { callable, body: body.body, self, args }, site, live)
  }
  const called = nativeCall(process, site, live, { callable, self, args, name })
  return mode === 'begin' ? called : awaitedAnswer(process, site, live, called)
}

/** What calls back later. */
function jobCall(site: number, live: Live, operation: AccessOperation, mode: Mode): unknown {
  const { process } = machine
  if (process === undefined) return plainly(operation)
  const answer = process.isReplaying ? process.replayed(site) : process.offer(site, live, operation)
  return mode === 'begin' ? answer : awaitedAnswer(process, site, live, answer)
}

/** Awaits what was answered, or what the pending operation will answer; the same in the log, whichever it was. */
function awaitedAnswer(process: ObjectProcess, site: number, live: Live, answer: unknown): unknown {
  const body: Body = function* () {
    return answer === stop ? yield : answer
  }
  return begin(process, 'run and await', { body, self: undefined, args: [] }, site, live)
}

interface NativeCall {
  readonly callable: unknown
  readonly self: unknown
  readonly args: Live
  readonly name: PropertyKey
}

function nativeCall(
  process: ObjectProcess,
  site: number,
  live: Live,
  { callable, self, args, name }: NativeCall,
): unknown {
  if (process.isReplaying) return process.replayed(site)
  if (isPromiseClass(self)) {
    const promise = promiseStatic(name, args)
    if (promise !== undefined) return made(site, promise)
    const combined = combination(name, args[0])
    if (combined !== undefined) return promiseOfAll(process, site, live, combined, args[0])
  }
  if (typeof callable !== 'function' && self instanceof Primitive) refuseMissing(name, site)
  if (typeof callable !== 'function') throw new TypeError(`${String(name) || 'it'} is not a function`)
  const resolved = resolverOperation(callable, args[0])
  if (resolved === undefined) refuseUnseen(callable, self, args, site)
  const shown = String(name) || callable.name || 'a function'
  const operation = resolved ?? nativeOperation(callable, self, args, process.heap, shown)
  return operation.visible ? process.offer(site, live, operation) : process.unnoticed(site, live, operation)
}

/** `Promise.all(this.list)` reads the list, which others may change. */
function promiseOfAll(
  process: ObjectProcess,
  site: number,
  live: Live,
  operation: AccessOperation,
  parts: unknown,
): unknown {
  if (isNativeIterator(parts)) refuseIterator(site)
  return isObject(parts) && isIteratedShared(process.heap, parts)
    ? process.offer(site, live, operation)
    : process.unnoticed(site, live, operation)
}

/** Array methods and the like that call back into user code, as bodies of our own. */
function callbackBody(callable: unknown, self: unknown, args: Live, name: PropertyKey): FunctionBody | undefined {
  return isObject(self) ? standIns.find?.(self, name, args, callable) : undefined
}

type FindStandIn = (object: object, method: PropertyKey, args: Live, callable: unknown) => FunctionBody | undefined

type FindPhased = (object: object, method: PropertyKey) => Body | undefined
type FindJob = (callable: unknown, args: Live, site: number) => AccessOperation | undefined

/** Filled by `access.ts`: the stand-ins are written with the operations of this file. */
export const standIns: StandIns = { find: undefined, phased: undefined, job: undefined, executor: undefined }

interface StandIns {
  find: FindStandIn | undefined
  phased: FindPhased | undefined
  job: FindJob | undefined
  /** `new Promise(executor)`, where the executor can be interrupted. */
  executor: Body | undefined
}

/** The language would tell of our function and not of that of the program. */
function constructing(newable: unknown): Class {
  const kind = loweredKind(newable)
  if (kind === undefined || (kind === 'function' && Object.hasOwn(newable as object, 'prototype')))
    return newable as Class
  throw new TypeError(`${(newable as { readonly name: string }).name || 'it'} is not a constructor`)
}

export function make(site: number, live: Live, newable: unknown, args: Live): unknown {
  const { process } = machine
  const construct = () =>
    isPromiseClass(newable) ? promiseOf(args[0]) : Reflect.construct(constructing(newable), [...args])
  if (process === undefined) {
    const object = construct()
    noteMaking(object as object, site, undefined)
    return object
  }
  if (isPromiseClass(newable) && standIns.executor !== undefined) {
    return begin(process, 'run', { body: standIns.executor, self: undefined, args: [args[0]] }, site, live)
  }
  if (process.isReplaying) return process.replayed(site)
  if (args.some(isNativeIterator)) refuseIterator(site)
  if (newable === Proxy || host.isProxy?.(newable) === true) refuseProxy(placeOfSite(site))
  // Native constructors read what they are given. What those of the user access is seen when they run, except loops and copies.
  // A view of a buffer reads nothing of it yet.
  const reads = nativeClasses.has(newable)
    ? reachableFrom(isBuffer(args[0]) ? [] : args, process.heap)
    : args.filter(isCollection).filter((collection) => process.heap.isShared(collection))
  const operation = outsideOf(new NativeOperation('calls new', reads, [], construct, [newable, ...args]))
  return operation.visible ? process.offer(site, live, operation) : process.unnoticed(site, live, operation)
}

/** Constructors run in one go, outside of the process. */
function outsideOf(operation: AccessOperation): AccessOperation {
  return {
    visible: operation.visible,
    waits: operation.waits,
    text: operation.text,
    operands: operation.operands,
    isEnabled: () => true,
    touch: (heap, process) => operation.touch(heap, process),
    perform: (heap, process) => outside(() => operation.perform(heap, process)),
  }
}

/** Constructors that look at what they are given and at nothing else. */
const nativeClasses = new Set<unknown>([Map, Set, Array, Object, Date, RegExp, Int32Array, Uint32Array, Float64Array])

/** `await value` in user code. */
export function pause(site: number, live: Live, value: unknown): unknown {
  const { process } = machine
  const awaited = awaitable(value, site)
  if (process === undefined) return plainly(awaitOperation(awaited))
  if (process.isReplaying) return process.replayed(site)
  return process.offer(site, live, awaitOperation(awaited))
}

export function plainCall(site: number, callable: unknown, args: Live): unknown {
  return outside(() => invocation(site, [], callable, undefined, args, 'begin'))
}

export function plainApply(site: number, callable: unknown, self: unknown, args: Live): unknown {
  return outside(() => invocation(site, [], callable, self, args, 'begin'))
}

export function plainInvoke(site: number, object: unknown, method: PropertyKey, args: Live): unknown {
  return outside(() => invocationOf(site, [], object, method, args, 'begin'))
}

/** For operations without accessors: objects that only this process can reach are accessed at once. */
export function access(site: number, live: Live, object: unknown, operation: AccessOperation): unknown {
  const { process } = machine
  if (process === undefined) return plainly(operation)
  if (process.isReplaying) return process.replayed(site)
  return isObject(object) && process.heap.isShared(object)
    ? process.offer(site, live, operation)
    : process.now(site, operation)
}

/** Stands at the head of every loop body. */
export function tick(): void {
  if (--running.fuel < 0) spent()
}

function spent(): void {
  running.fuel = loopLimit
  if (running.process === undefined) return
  mistake({
    code: 'E304',
    message: `a loop went round ${grouped(loopLimit)} times without an access to shared state`,
    hint: 'every operation must return: bound the loop, or wait with allways/sync',
  })
}
