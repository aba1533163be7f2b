/**
 * What a process may ask for. An operation is used as `yield* send(…)` in a generator or `await send(…)` in an async function.
 *
 * An `Operation` is its own iterator and its own iterator result: `yield*` calls `next()` once to learn what is asked (the
 * operation hands itself out) and once with the answer. So a step allocates nothing but the operation, and a driver can tell
 * `yield* send(…)` from the mistake `yield send(…)`: only the former puts an `Operation` in the place of the iterator result.
 */
import { mistake, running } from './running.ts'
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

export function findNetwork(name: string): NetworkName | undefined {
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
  takes(message: unknown): boolean
}

/** Marks sends that stay in memory, where nothing gets lost. */
export const reliable: LibraryFilter = { waitsFor: 'a message of memory', takes: () => true }

/** Marks those of them that finish what an earlier one began: the process has no moment in between. */
export const finishing: LibraryFilter = { ...reliable }

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
  /** The JavaScript stack at the place that asked, when captured. */
  readonly stack: string | undefined
  done = false
  value: unknown = undefined

  constructor(
    kind: OperationKind,
    target: unknown,
    payload: unknown,
    where: Where,
    detail: Operation['detail'],
    stack?: string,
  ) {
    this.kind = kind
    this.target = target
    this.payload = payload
    this.where = where
    this.detail = detail
    this.stack = stack ?? (placeCapture.enabled ? new Error().stack : undefined)
    if (running.process !== undefined) {
      running.unperformed++
      if (placeCapture.enabled) running.made.push(this)
    }
  }

  [Symbol.iterator](): Iterator<this, Result, unknown> {
    if (this.value !== undefined || this.done) refuseSecondUse(this.kind)
    running.unperformed--
    if (placeCapture.enabled) running.made.splice(running.made.indexOf(this), 1)
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

  /** Makes `await` give `Result` its type. At run time the front end turns `await` into `yield*`, so nobody calls this. */
  // biome-ignore lint/suspicious/noThenProperty: the type of `await operation` is the point
  then<T>(_onFulfilled: (result: Result) => T, onRejected?: (error: unknown) => T): unknown {
    refuseCallback(this.kind, 'then')
    const error = new NotInProcessError(this.kind)
    if (onRejected !== undefined) return onRejected(error)
    throw error
  }
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
  readonly #answer: Result

  constructor(kind: OperationKind, answer: Result) {
    super(kind, undefined, undefined, undefined, undefined)
    this.#answer = answer
  }

  override [Symbol.iterator](): Iterator<this, Result, unknown> {
    return this as unknown as Iterator<this, Result, unknown>
  }

  override next(): unknown {
    return { done: true, value: this.#answer }
  }
}

/**
 * Several operations under one name, such as `lock.acquire()`. A generator would do for `yield*` but not for `await`; this does
 * for both. `Yielded` is what a process that performs it is seen to yield. `Operation<never>` says "nothing of interest": every
 * other type of operation would swallow the receives beside it, from which `spawn` learns what the process accepts.
 */
export class CompositeOperation<out Result = unknown, out Yielded = Operation<never>> {
  readonly name: string
  readonly #steps: () => Iterator<unknown, Result, unknown>
  /** Counted as an operation is: one that nobody performs would do nothing, silently. */
  #isCounted = false
  #made: { readonly kind: string; readonly stack: string | undefined } | undefined

  constructor(name: string, steps: () => Iterator<unknown, Result, unknown>) {
    this.name = name
    this.#steps = steps
    if (running.process === undefined) return
    running.unperformed++
    this.#isCounted = true
    if (!placeCapture.enabled) return
    this.#made = { kind: name, stack: new Error().stack }
    running.made.push(this.#made)
  }

  [Symbol.iterator](): Iterator<Yielded, Result, unknown> {
    if (this.#isCounted) {
      this.#isCounted = false
      running.unperformed--
      if (this.#made !== undefined) running.made.splice(running.made.indexOf(this.#made), 1)
    }
    return this.#steps() as Iterator<Yielded, Result, unknown>
  }

  /** As for `Operation`: gives `await` its type, and is called only outside a check. */
  // biome-ignore lint/suspicious/noThenProperty: the type of `await operation` is the point
  then<T>(_onFulfilled: (result: Result) => T, onRejected?: (error: unknown) => T): unknown {
    refuseCallback(this.name, 'then')
    const error = new NotInProcessError(this.name)
    if (onRejected !== undefined) return onRejected(error)
    throw error
  }
}

/** No part of the types, for nobody is to write it: but a call of what is missing would look like a mistake of the program that the check has found. */
for (const { prototype } of [Operation, CompositeOperation]) {
  for (const method of ['catch', 'finally']) {
    Object.defineProperty(prototype, method, {
      configurable: true,
      value: function (this: Operation | CompositeOperation): void {
        refuseCallback(this instanceof Operation ? this.kind : this.name, method)
        throw new NotInProcessError(this instanceof Operation ? this.kind : this.name)
      },
    })
  }
}

/** In a process the front end has turned `await` into something else: who calls this has written the call. */
function refuseCallback(name: string, method: string): void {
  if (running.process === undefined) return
  mistake({
    code: 'E208',
    message: `${name}(…).${method}(…) was used in a process, where operations are not promises`,
    hint: method === 'then' ? 'await the operation' : `await the operation in try { … } ${method} { … }`,
  })
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

/** The message filter of a receive, applied. */
export function matches(where: Where, message: unknown): boolean {
  if (where === undefined) return true
  if (typeof where === 'string')
    return typeof message === 'object' && message !== null && (message as { kind?: unknown }).kind === where
  return typeof where === 'function' ? where(message as never) : where.takes(message)
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
