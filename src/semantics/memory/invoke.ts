/** Calls of user functions from user functions: the callee's coroutine runs inside the caller's, or goes on by itself. */
import { InternalError } from '../../core/invariant.ts'
import { type ControlledPromise, pendingPromise } from '../../jobs/promise-core.ts'
import { ownSites } from './code.ts'
import {
  type Caller,
  type Invocation,
  isOurs,
  leftSite,
  machine,
  type ObjectProcess,
  stop,
  type Todo,
} from './process.ts'
import { noteMaking } from './promise-sites.ts'
import { awaitable, awaitedRejection, awaitOperation, settleWith } from './promises.ts'
import { outsideOfProcesses } from './yields.ts'

/** Prepares a call for `go`. */
export function begin(
  process: ObjectProcess,
  kind: 'run' | 'run and await' | 'begin',
  invocation: Invocation,
  site: number,
  live: readonly unknown[],
): unknown {
  process.todo = { kind, invocation, frame: { site, live, parent: process.frame } }
  return stop
}

/** Performs what the last operation left to do. */
export function* go(): Generator<unknown, unknown, unknown> {
  const { process } = machine
  if (process === undefined) return yield outsideOfProcesses.yielded
  const { todo } = process
  if (todo.kind === 'operation') return yield
  if (todo.kind === 'yield') return yield todo.yielded
  const { parent } = todo.frame
  process.frame = todo.frame
  try {
    if (todo.kind === 'begin') return yield* begun(process, todo.invocation, todo.frame)
    if (todo.kind === 'run') return yield* coroutineOf(todo.invocation)
    return yield* awaited(process, todo.frame, yield* resultOf(todo.invocation))
  } finally {
    process.frame = parent
  }
}

/** What a call gives, as something to await: awaited outside of what catches its errors, or it would be awaited twice. */
function* resultOf(invocation: Invocation): Generator<unknown, unknown, unknown> {
  try {
    return yield* coroutineOf(invocation)
  } catch (error) {
    if (isOurs(error)) throw error
    return awaitedRejection(error)
  }
}

function coroutineOf({ body, self, args }: Invocation): Generator<unknown, unknown, unknown> {
  return Reflect.apply(body, self, [...args])
}

/** The interruption point after an awaited call: still within the call, as far as positions are concerned. */
function* awaited(process: ObjectProcess, frame: Caller, value: unknown): Generator<unknown, unknown, unknown> {
  const awaited = awaitable(value, frame.site)
  process.frame = frame
  if (process.isReplaying) return process.replayed(ownSites.awaits)
  const answer = process.offer(ownSites.awaits, [], awaitOperation(awaited))
  return answer === stop ? yield : answer
}

/**
 * A call of an async function that is not awaited where it stands: it runs up to its first await as part of the caller, as in
 * JavaScript, and then goes on as a process of its own. The caller has its promise at once.
 */
function* begun(process: ObjectProcess, invocation: Invocation, frame: Caller): Generator<unknown, unknown, unknown> {
  const promise = ownPromise(process, frame.site)
  const child: Child = { invocation, promise, frame, from: process.cursor, name: process.children++ }
  const coroutine = coroutineOf(invocation)
  try {
    let next = coroutine.next()
    while (next.done !== true) {
      if (isAwaiting(process)) return leaveBehind(process, child)
      next = yield* handedOn(coroutine)
    }
    finish(process, promise, frame.site, 'fulfilled', next.value)
  } catch (error) {
    if (isOurs(error)) throw error
    finish(process, promise, frame.site, 'rejected', error)
  }
  return promise
}

/** Waits for the answer to the pending operation and gives it to the coroutine. */
function* handedOn(
  coroutine: Generator<unknown, unknown, unknown>,
): Generator<unknown, IteratorResult<unknown, unknown>, unknown> {
  let answer: unknown
  try {
    answer = yield
  } catch (error) {
    return coroutine.throw(error)
  }
  return coroutine.next(answer)
}

/** A call that goes on by itself after its first await. */
export interface Child {
  readonly invocation: Invocation
  /** The call that began it. */
  readonly frame: Caller
  readonly promise: ControlledPromise
  /** Where in its parent's log its first answers stand. */
  readonly from: number
  /** How many calls its parent began before it. */
  readonly name: number
}

/** Set by the world: makes the child a process. */
export const births: { born: ((parent: ObjectProcess, child: Child) => void) | undefined } = { born: undefined }

function leaveBehind(process: ObjectProcess, child: Child): ControlledPromise {
  // When the parent is run again, the child has long been born: the log says so.
  if (process.cursor < process.log.length) process.cursor++
  else {
    if (births.born === undefined) throw new InternalError('no world to be born into')
    births.born(process, child)
    process.note(leftSite, undefined)
  }
  process.pending = undefined
  return child.promise
}

/** Whether the callee stands before an operation that waits, such as an await, and not before an access or a call. */
function isAwaiting({ pending, todo }: ObjectProcess): boolean {
  const operation: Todo['kind'] = todo.kind
  return operation === 'operation' && pending?.operation.waits === true
}

/** The same promise on every run: others may hold it. */
function ownPromise(process: ObjectProcess, site: number): ControlledPromise {
  if (process.isReplaying) return process.replayed(site) as ControlledPromise
  const promise = pendingPromise()
  process.note(site, promise)
  noteMaking(promise, site, process.frame)
  return promise
}

function finish(
  process: ObjectProcess,
  promise: ControlledPromise,
  site: number,
  state: 'fulfilled' | 'rejected',
  value: unknown,
): void {
  if (process.isReplaying) {
    process.replayed(site)
    return
  }
  settleWith(promise, state, value)
  process.note(site, state)
}
