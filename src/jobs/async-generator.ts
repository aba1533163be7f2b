/**
 * Async generators (ECMA-262 §27.6.3): requests wait in a queue, and the generator answers them one after the other.
 *
 * The generator that stands for the body yields three kinds of things: what it awaits, as it is; what it yields, as `Yielded`; and, from
 * within `yield*`, a value that is to be returned, as `Returned`. Programs cannot make the last two.
 */
import { isObject } from '../core/is-object.ts'
import { Given } from '../core/stamp.ts'
import { Awaiting } from './activity.ts'
import type { GeneratorBody } from './async-functions.ts'
import { shown } from './capability.ts'
import { dialect } from './dialect.ts'
import { JobQueue } from './job-queue.ts'
import { type ControlledPromise, core, pendingPromise } from './promise-core.ts'

type Resumption = 'next' | 'throw' | 'return'

/** How `yield*` is resumed: by an answer, because it hands on what it is resumed with. */
export interface Received {
  readonly kind: Resumption
  readonly value: unknown
}

/** `yield value`, when the value has been awaited. */
export class Yielded {
  readonly value: unknown
  /** From `yield*`: it is told how it is resumed. */
  readonly isDelegated: boolean

  constructor(value: unknown, isDelegated: boolean) {
    this.value = value
    this.isDelegated = isDelegated
  }
}

/** The generator around `yield*` returns this. */
export class Returned {
  readonly value: unknown

  constructor(value: unknown) {
    this.value = value
  }
}

interface Request {
  readonly kind: Resumption
  readonly value: unknown
  readonly promise: ControlledPromise
}

/** What it does when what it awaits has settled. */
type Phase =
  /** Goes on in its body. */
  | 'body'
  /** Returns in its body: `return(value)` awaits the value where the generator stands. */
  | 'return'
  /** Answers a `return(value)` that came when the body was over. */
  | 'drain'

class GeneratorActivity extends Awaiting {
  readonly #generator: Generator<unknown, unknown, unknown>
  readonly #requests = new JobQueue<Request>()
  #first: Request | undefined = undefined
  #state: 'start' | 'suspended' | 'running' | 'completed' = 'start'
  #phase: Phase = 'body'
  #isDelegating = false

  constructor(generator: Generator<unknown, unknown, unknown>) {
    super()
    this.#generator = generator
  }

  /** §27.6.1.2–4. */
  request(kind: Resumption, value: unknown): ControlledPromise {
    const promise = pendingPromise()
    if (this.#state === 'completed' || (this.#state === 'start' && kind !== 'next')) {
      if (kind !== 'return') this.#state = 'completed'
      if (kind === 'next') core.resolve(promise, { value: undefined, done: true })
      if (kind === 'throw') core.reject(promise, value)
      if (kind !== 'return') return promise
    }
    const request = { kind, value, promise }
    if (this.#first === undefined) this.#first = request
    else this.#requests.push(request)
    if (this.#state === 'running') return promise
    if (kind === 'return' && this.#state !== 'suspended') {
      this.#state = 'running'
      this.#drain()
    } else this.#take(request)
    return promise
  }

  protected override goOn(isFulfilled: boolean, value: unknown): void {
    if (this.#phase === 'drain') {
      this.#answer(isFulfilled, isFulfilled ? { value, done: true } : value)
      this.#drain()
    } else if (!isFulfilled) this.#resume(this.#goesOn() ? 'next' : 'throw', value)
    else this.#resume(this.#phase === 'return' ? 'return' : 'next', value)
  }

  #goesOn(): boolean {
    return this.#phase === 'return' && this.#isDelegating && dialect.goesOnAfterRejectedReturn
  }

  /** AsyncGeneratorUnwrapYieldResumption (§27.6.3.7). */
  #take({ kind, value }: Request): void {
    this.#state = 'running'
    if (kind !== 'return') return this.#resume(kind, value)
    this.#phase = 'return'
    try {
      this.await(value)
    } catch (error) {
      this.#resume('throw', error)
    }
  }

  #resume(kind: Resumption, value: unknown): void {
    let [how, what] = [kind, value]
    for (;;) {
      let result: IteratorResult<unknown, unknown>
      try {
        result = this.#step(how, what)
      } catch (error) {
        this.#answer(false, error)
        return this.#drain()
      }
      if (result.done === true) {
        this.#answer(true, { value: result.value, done: true })
        return this.#drain()
      }
      const out = result.value
      if (out instanceof Yielded) return this.#yield(out)
      if (out instanceof Returned) {
        ;[how, what] = ['return', out.value]
        continue
      }
      this.#phase = 'body'
      try {
        return this.await(out)
      } catch (error) {
        ;[how, what] = ['throw', error]
      }
    }
  }

  #step(kind: Resumption, value: unknown): IteratorResult<unknown, unknown> {
    const isDelegating = this.#isDelegating
    this.#isDelegating = false
    if (isDelegating) return this.#generator.next({ kind, value } satisfies Received)
    if (kind === 'next') return this.#generator.next(value)
    return kind === 'throw' ? this.#generator.throw(value) : this.#generator.return(value)
  }

  /** AsyncGeneratorYield (§27.6.3.8). */
  #yield({ value, isDelegated }: Yielded): void {
    this.#isDelegating = isDelegated
    this.#answer(true, { value, done: false })
    if (this.#first === undefined) this.#state = 'suspended'
    else this.#take(this.#first)
  }

  /** AsyncGeneratorDrainQueue (§27.6.3.10), with AsyncGeneratorAwaitReturn. */
  #drain(): void {
    for (let request = this.#first; request !== undefined; request = this.#first) {
      if (request.kind === 'return') {
        this.#phase = 'drain'
        try {
          return this.await(request.value)
        } catch (error) {
          this.#answer(false, error)
          continue
        }
      }
      if (request.kind === 'next') this.#answer(true, { value: undefined, done: true })
      else this.#answer(false, request.value)
    }
    this.#state = 'completed'
  }

  /** AsyncGeneratorCompleteStep (§27.6.3.5). */
  #answer(resolves: boolean, value: unknown): void {
    const request = this.#first as Request
    this.#first = this.#requests.take()
    if (resolves) core.resolve(request.promise, value)
    else core.reject(request.promise, value)
  }
}

class GeneratorObject extends Given {
  readonly #activity: GeneratorActivity

  constructor(object: object, activity: GeneratorActivity) {
    super(object)
    this.#activity = activity
  }

  static activityOf(object: unknown): GeneratorActivity | undefined {
    return isObject(object) && #activity in object ? object.#activity : undefined
  }
}

/** %AsyncIteratorPrototype% (§27.1.3). */
export const asyncIterator = {
  [Symbol.asyncIterator](): unknown {
    return this
  },
}

/** %AsyncGeneratorPrototype% (§27.6.1). */
const asyncGenerator = {
  __proto__: asyncIterator,
  next(value: unknown): ControlledPromise {
    return requested(this, 'next', value)
  },
  return(value: unknown): ControlledPromise {
    return requested(this, 'return', value)
  },
  throw(value: unknown): ControlledPromise {
    return requested(this, 'throw', value)
  },
}

const nativeFunction = Object.getPrototypeOf(async function* () {}) as {
  readonly constructor: new (...args: unknown[]) => object
}

/** %AsyncGeneratorFunction.prototype% (§27.4.3), which programs see as the constructor of what generators inherit from. */
export const asyncGeneratorFunction = Object.create(Function.prototype) as object
/** %AsyncGeneratorFunction% (§27.4.1): what it makes of text is the host's. */
function AsyncGeneratorFunction(...args: unknown[]): object {
  return new nativeFunction.constructor(...args)
}
hide(asyncIterator)
hide(asyncGenerator)
Object.defineProperties(asyncGenerator, {
  constructor: { value: asyncGeneratorFunction, configurable: true },
  [Symbol.toStringTag]: { value: 'AsyncGenerator', configurable: true },
})
Object.setPrototypeOf(AsyncGeneratorFunction, Function)
Object.defineProperty(AsyncGeneratorFunction, 'prototype', { value: asyncGeneratorFunction, writable: false })
Object.defineProperty(AsyncGeneratorFunction, 'length', { value: 1, configurable: true })
Object.defineProperties(asyncGeneratorFunction, {
  constructor: { value: AsyncGeneratorFunction, configurable: true },
  prototype: { value: asyncGenerator, configurable: true },
  [Symbol.toStringTag]: { value: 'AsyncGeneratorFunction', configurable: true },
})

/** Properties of what the language provides are not enumerable. */
function hide(owner: object): void {
  for (const name of Reflect.ownKeys(owner)) Object.defineProperty(owner, name, { enumerable: false })
}

/** One that is called on something else rejects, as all that these methods do is told by their promise. */
function requested(self: unknown, kind: Resumption, value: unknown): ControlledPromise {
  const activity = GeneratorObject.activityOf(self)
  if (activity !== undefined) return activity.request(kind, value)
  const promise = pendingPromise()
  const text = `[AsyncGenerator].prototype.${kind} called on incompatible receiver ${shown(self)}`
  core.reject(promise, new TypeError(`Method ${text}`))
  return promise
}

/** Calls an async generator function, given as its generator. What default values of parameters throw is thrown. */
export function generate(body: GeneratorBody, owner: object, self: unknown, args: ArrayLike<unknown>): object {
  const generator = Reflect.apply(body, self, args) as Generator<unknown, unknown, unknown>
  return new GeneratorObject(Object.create(prototypeOf(owner)), new GeneratorActivity(generator))
}

/** What `prototype` of a new async generator function is. */
export function generatorPrototype(): object {
  return Object.create(asyncGenerator)
}

/** Functions that were declared get their `prototype` from the language, which makes it for any function. */
function prototypeOf(owner: object): object {
  const { prototype } = owner as { readonly prototype?: unknown }
  if (!isObject(prototype)) return asyncGenerator
  if (Object.getPrototypeOf(prototype) === Object.prototype && Object.hasOwn(prototype, 'constructor')) {
    Reflect.deleteProperty(prototype, 'constructor')
    Object.setPrototypeOf(prototype, asyncGenerator)
  }
  return prototype
}
