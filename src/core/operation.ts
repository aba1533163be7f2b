/**
 * What a process may ask for. An operation is used as `yield* send(…)` in a generator or `await send(…)` in an async function.
 *
 * An `Operation` is its own iterator and its own iterator result: `yield*` calls `next()` once to learn what is asked (the
 * operation hands itself out) and once with the answer. So a step allocates nothing but the operation, and a driver can tell
 * `yield* send(…)` from the mistake `yield send(…)`: only the former puts an `Operation` in the place of the iterator result.
 */
import { mistake, refuseOperation, running } from './running.ts'
import type { Address } from './value.ts'

export type OperationKind =
  | 'spawn'
  | 'self'
  | 'join'
  | 'send'
  | 'receive'
  | 'poll'
  | 'choose'
  | 'assume'
  | 'assert'
  | 'announce'
  /** Of monitors: something must come about from now on, or has. */
  | 'hot'
  | 'cold'
  /** Of machines: the state that invariants are about. Monitors are not told. */
  | 'expose'

/** How messages travel. */
export const networkNames = ['bag', 'fifo', 'causal', 'mailbox', 'sender-queue'] as const
export type NetworkName = (typeof networkNames)[number]

/** The papers' names. */
const networkAliases: { readonly [alias: string]: NetworkName } = {
  asyn: 'bag',
  p2p: 'fifo',
  cd: 'causal',
  mbox: 'mailbox',
  '1-n': 'sender-queue',
}

export function findNetwork(name: unknown): NetworkName | undefined {
  // A key is a text, and a list that is deep cannot be made one.
  if (typeof name !== 'string') return undefined
  return (
    networkNames.find((known) => known === name) ??
    (Object.hasOwn(networkAliases, name) ? networkAliases[name] : undefined)
  )
}

/** Which messages a receive takes: all, those of a kind, those that satisfy a predicate, or those a library filter takes. */
export type Where = undefined | string | ((message: never) => boolean) | LibraryFilter

/** A filter of our own: depends on nothing but the message, and says in the reader's words what is waited for. */
export interface LibraryFilter {
  readonly waitsFor: string
  takes(message: unknown, sender?: string): boolean
  /** What it takes may be a long time in coming, and the process crash meanwhile; of what comes at once that makes no difference. */
  readonly takesTime?: boolean
}

/** Several filters of a process at once, which may look at local variables, as a predicate may, and at the sender. */
export interface UnionFilter {
  (message: unknown, sender?: string): boolean
  readonly waitsFor: string
  /** Whether it matters who sent a message: equal messages of different processes are then not the same answer. */
  readonly asksForSender: boolean
}

/** In place of the target of a receive of a process whose body has settled: nobody minds if it waits for ever. */
export const idle = 'idle'

export function isIdle(operation: Operation | undefined): boolean {
  return operation?.target === idle
}

/** A message that went to a receive that nobody waits for, because it had lost a race; and where that is. */
export interface Taken {
  readonly message: unknown
  readonly stack: string | undefined
}

/** Of a receive that waits: what earlier ones of its process took in vain, when places are captured. */
export const takenBefore = new WeakMap<Operation, readonly Taken[]>()

export function asksForSender({ where }: { readonly where: Where }): boolean {
  return typeof where === 'function' && (where as Partial<UnionFilter>).asksForSender === true
}

/** Marks sends that stay in memory, where nothing gets lost. */
export const reliable: LibraryFilter = { waitsFor: 'a message of memory', takes: () => true }

/** Marks those of them that finish what an earlier one began: the process has no moment in between. */
export const finishing: LibraryFilter = { ...reliable }

/** Marks sends that may get lost, and never come twice. */
export const losable: LibraryFilter = { ...reliable }

/** Marks sends to a queue that may get lost, and never come twice. */
export const droppable: LibraryFilter = { ...reliable }

/** Marks sends to a queue that may come twice, and never get lost. */
export const repeatable: LibraryFilter = { ...reliable }

/** Whether a partition never keeps the message away: services are reached from everywhere. */
export function isNeverCutOff(send: { readonly where: Where }): boolean {
  return isOverMemory(send) || send.where === droppable || send.where === repeatable
}

/** Whether faults do not concern a message. */
export function isOverMemory({ where }: { readonly where: Where }): boolean {
  return where === reliable || where === finishing
}

export interface SpawnDetail {
  readonly name: string
  /** What it is known by, where names of processes do not follow from who began whom. */
  readonly id?: string | undefined
  readonly body: ProcessBody
  readonly args: readonly unknown[]
  readonly daemon: boolean
  readonly replica: string | undefined
  /** False: faults never crash the process. */
  readonly crashes?: boolean | undefined
  /**
   * Of a machine: what it is given when it begins again, from what it exposed last. It crashes while it waits only, because all that
   * a handler does takes effect together.
   */
  readonly recovered?: ((exposed: unknown) => readonly unknown[]) | undefined
}

/** A process: a generator function, or an async function that the front end turned into one. */
// biome-ignore lint/suspicious/noExplicitAny: parameter bivariance, as in every "any function" type
export type ProcessBody = (...args: any[]) => unknown

/** Not a name for what objects hold by name: to assign it sets the prototype, and what was assigned is in no list. */
export const prototypeName = '__proto__'

/** "/" and "#" make up the ids of children and of namesakes. */
export function isProcessName(name: unknown): name is string {
  return typeof name === 'string' && name !== '' && name !== prototypeName && !/[/#\p{Cc}]/u.test(name)
}

/** Where operations note the place that asked for them; off except in replay, because a stack costs microseconds. */
export const placeCapture = { enabled: false }

/** Runs with places noted. */
export function withPlaces<T>(run: () => T): T {
  const before = placeCapture.enabled
  placeCapture.enabled = true
  try {
    return run()
  } finally {
    placeCapture.enabled = before
  }
}

/** In place of the target of a choice that has one option, because it is a call that is announced. */
export const callStep = 'call'

export class Operation<out Result = unknown> {
  readonly kind: OperationKind
  /** Address of a send or join; message of an assertion. */
  readonly target: unknown
  /** Message, options, condition or announced event. */
  readonly payload: unknown
  /** Of a send: `reliable` or `finishing` if faults do not concern the message. */
  readonly where: Where
  /** Network of a send, what a spawn begins, or the process whose messages alone a receive takes. */
  readonly detail: NetworkName | SpawnDetail | Address<never> | undefined
  /** Of the place that asked, when captured: text, or what becomes text when somebody reads it, which costs most. */
  readonly asked: string | { readonly stack?: string | undefined } | undefined
  /** The async process that called it. */
  readonly host = running.async
  done = false
  value: unknown = undefined

  constructor(
    kind: OperationKind,
    target: unknown,
    payload: unknown,
    where: Where,
    detail: Operation['detail'],
    asked?: Operation['asked'],
  ) {
    this.kind = kind
    this.target = target
    this.payload = payload
    this.where = where
    this.detail = detail
    this.asked = asked ?? (placeCapture.enabled ? new Error() : undefined)
    if (running.inert !== undefined) refuseOperation(kind)
    if (running.async !== undefined) running.async.called.push(this)
    else if (running.process !== undefined) {
      running.unperformed++
      if (placeCapture.enabled) running.made.push(this)
    }
  }

  /** The JavaScript stack at the place that asked. */
  get stack(): string | undefined {
    return typeof this.asked === 'object' ? this.asked.stack : this.asked
  }

  [Symbol.iterator](): Iterator<this, Result, unknown> {
    if (this.value !== undefined || this.done) refuseSecondUse(this.kind)
    if (running.async !== undefined) takeFrom(running.async.called, this)
    else {
      running.unperformed--
      if (placeCapture.enabled) running.made.splice(running.made.indexOf(this), 1)
    }
    return this as unknown as Iterator<this, Result, unknown>
  }

  /** First call: ask (the operation is its own iterator result). Second call: take the answer. */
  next(answer: unknown): unknown {
    if (this.value === undefined) {
      this.value = this
      return this
    }
    this.done = true
    this.value = answer
    return this
  }

  /** In an async process an operation is a promise of its answer. */
  // biome-ignore lint/suspicious/noThenProperty: it is awaited
  then<A = Result, B = never>(onFulfilled?: Fulfilled<Result, A>, onRejected?: Rejected<B>): Promise<A | B> {
    return chained(this, this.kind, onFulfilled, onRejected) as Promise<A | B>
  }

  catch<B = never>(onRejected?: Rejected<B>): Promise<Result | B> {
    return this.then(undefined, onRejected)
  }

  finally(onFinally?: (() => void) | null): Promise<Result> {
    return (this.then() as Promise<Result>).finally(onFinally)
  }
}

type Fulfilled<Result, A> = ((result: Result) => A | PromiseLike<A>) | null | undefined
type Rejected<B> = ((error: unknown) => B | PromiseLike<B>) | null | undefined

function chained(operation: object, name: string, onFulfilled: unknown, onRejected: unknown): unknown {
  if (running.async !== undefined)
    return running.async.promiseOf(operation).then(onFulfilled as never, onRejected as never)
  if (running.process !== undefined) {
    mistake({
      code: 'E208',
      message: `${name}().then(…) was used in a generator, where operations are not promises`,
      hint: 'write yield* in front of the operation, or make the process an async function',
    })
  }
  const error = new NotInProcessError(name)
  if (typeof onRejected === 'function') return (onRejected as (error: unknown) => unknown)(error)
  throw error
}

/** Usually it is the last one. */
function takeFrom(called: object[], operation: object): void {
  if (called.at(-1) === operation) {
    called.pop()
    return
  }
  const at = called.indexOf(operation)
  if (at >= 0) called.splice(at, 1)
}

function refuseSecondUse(kind: OperationKind): never {
  return mistake({
    code: 'E208',
    message: `the same ${kind}(…) was performed twice`,
    hint: `an operation is performed once: call ${kind}(…) again instead of keeping it in a variable`,
  })
}

/** An operation whose answer is known at once: `yield*` completes without suspending the process. */
export class SettledOperation<out Result> extends Operation<Result> {
  readonly answer: Result
  /** One that is shared is made where no process runs. */
  readonly #isCounted = running.process !== undefined && running.async === undefined

  constructor(kind: OperationKind, answer: Result) {
    super(kind, undefined, undefined, undefined, undefined)
    this.answer = answer
  }

  override [Symbol.iterator](): Iterator<this, Result, unknown> {
    if (!this.#isCounted) return this as unknown as Iterator<this, Result, unknown>
    const iterator = super[Symbol.iterator]() as Iterator<this, Result, unknown>
    this.done = true
    return iterator
  }

  override next(): unknown {
    return { done: true, value: this.answer }
  }
}

/**
 * Several operations under one name, such as `lock.acquire()`. A generator would do for `yield*` but not for `await`; this does
 * for both. `Yielded` is what a process that performs it is seen to yield. `Operation<never>` says "nothing of interest": every
 * other type of operation would swallow the receives beside it, from which `spawn` learns what the process accepts.
 */
export class CompositeOperation<out Result = unknown, out Yielded = Operation<never>> {
  readonly name: string
  readonly host = running.async
  readonly #steps: () => Iterator<unknown, Result, unknown>
  /** Counted as an operation is: one that nobody performs would do nothing, silently. */
  #isCounted = false
  #made: { readonly kind: string; readonly stack: string | undefined } | undefined

  constructor(name: string, steps: () => Iterator<unknown, Result, unknown>) {
    this.name = name
    this.#steps = steps
    if (running.inert !== undefined) refuseOperation(name)
    if (running.async !== undefined) running.async.called.push(this)
    if (running.process === undefined || running.async !== undefined) return
    running.unperformed++
    this.#isCounted = true
    if (!placeCapture.enabled) return
    this.#made = { kind: name, stack: new Error().stack }
    running.made.push(this.#made)
  }

  [Symbol.iterator](): Iterator<Yielded, Result, unknown> {
    if (running.async !== undefined) takeFrom(running.async.called, this)
    else if (this.#isCounted) {
      this.#isCounted = false
      running.unperformed--
      if (this.#made !== undefined) running.made.splice(running.made.indexOf(this.#made), 1)
    }
    return this.#steps() as Iterator<Yielded, Result, unknown>
  }

  /** As that of `Operation`. */
  // biome-ignore lint/suspicious/noThenProperty: it is awaited
  then<A = Result, B = never>(onFulfilled?: Fulfilled<Result, A>, onRejected?: Rejected<B>): Promise<A | B> {
    return chained(this, this.name, onFulfilled, onRejected) as Promise<A | B>
  }

  catch<B = never>(onRejected?: Rejected<B>): Promise<Result | B> {
    return this.then(undefined, onRejected)
  }

  finally(onFinally?: (() => void) | null): Promise<Result> {
    return (this.then() as Promise<Result>).finally(onFinally)
  }
}

/** An operation was awaited where no check is running, or in code the front end did not load. */
export class NotInProcessError extends Error {
  override readonly name = 'NotInProcessError'

  constructor(name: string) {
    super(
      `${name}() was awaited outside a check. Async processes work in files loaded by allways; elsewhere write a generator and yield* ${name}(…)`,
    )
  }
}

/** The process whose messages alone a receive takes, if it names one. */
export function senderNamedBy(receive: Operation): Address<never> | undefined {
  return receive.detail as Address<never> | undefined
}

/** What monitors are told. */
export type Notification<Message = unknown> =
  | { readonly kind: 'send'; readonly from: Address<never>; readonly to: Address<never>; readonly message: Message }
  | { readonly kind: 'receive'; readonly by: Address<never>; readonly message: Message }
  | { readonly kind: 'announce'; readonly by: Address<never>; readonly message: Message }
