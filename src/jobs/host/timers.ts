/**
 * Ticks, microtasks, timers and immediates as programs know them: `queueMicrotask`, `process.nextTick`, and what `node:timers` exports.
 * Each is put into the loop that is the current one when it is called.
 */
import type { Armed } from '../armed.ts'
import { CallJob } from '../call-job.ts'
import { shown } from '../capability.ts'
import { currentLoop, type Loop } from '../loop.ts'

type Callback = (...args: unknown[]) => unknown

/** `queueMicrotask(callback)`. */
export function enqueueMicrotask(callback: unknown): void {
  const call = checked(callback)
  currentLoop.microtasks.push(new CallJob(() => void call()))
}

/** `process.nextTick(callback, …args)`. */
export function nextTick(callback: unknown, ...args: unknown[]): void {
  const call = checked(callback)
  currentLoop.ticks.push(new CallJob(() => void call(...args)))
}

/** `setTimeout(callback, delay, …args)`. */
export function startTimeout(callback: unknown, delay?: unknown, ...args: unknown[]): Timeout {
  return new Timeout(checked(callback), Number(delay), args, false)
}

/** `setInterval(callback, delay, …args)`. */
export function startInterval(callback: unknown, delay?: unknown, ...args: unknown[]): Timeout {
  return new Timeout(checked(callback), Number(delay), args, true)
}

/** `setImmediate(callback, …args)`. */
export function startImmediate(callback: unknown, ...args: unknown[]): Immediate {
  return new Immediate(checked(callback), args)
}

/** `clearTimeout` and `clearInterval`: a timer, or its number. */
export function clearTimer(timer: unknown): void {
  if (timer instanceof Timeout) timer.close()
  else if (typeof timer === 'number' || typeof timer === 'string') {
    const armed = currentLoop.armed.find(Number(timer))
    if (armed !== undefined) currentLoop.armed.disarm(armed)
  }
}

/** `clearImmediate`. */
export function clearOneImmediate(immediate: unknown): void {
  if (immediate instanceof Immediate) immediate.clear()
}

/** What arms something in the loop that is current, and knows it there. */
class Handle {
  readonly #loop: Loop = currentLoop
  readonly #armed: Armed

  constructor(kind: Armed['kind'], callback: () => void, delay: number, repeats: boolean) {
    this.#armed = this.#loop.armed.arm({ kind, delay, repeats, context: this.#loop.context, callback })
  }

  ref(): this {
    this.#loop.armed.setReferenced(this.#armed, true)
    return this
  }

  unref(): this {
    this.#loop.armed.setReferenced(this.#armed, false)
    return this
  }

  hasRef(): boolean {
    return this.#armed.isReferenced
  }

  protected get id(): number {
    return this.#armed.id
  }

  protected disarm(): void {
    this.#loop.armed.disarm(this.#armed)
  }

  protected rearm(): void {
    this.#loop.armed.rearm(this.#armed)
  }
}

export class Timeout extends Handle {
  constructor(callback: Callback, delay: number, args: readonly unknown[], repeats: boolean) {
    // Callbacks of timers have the timer as `this`.
    super('timer', () => void Reflect.apply(callback, this, args), delay, repeats)
  }

  /** Starts anew, also when it has fired. */
  refresh(): this {
    this.rearm()
    return this
  }

  close(): this {
    this.disarm()
    return this
  }

  [Symbol.toPrimitive](): number {
    return this.id
  }
}

export class Immediate extends Handle {
  constructor(callback: Callback, args: readonly unknown[]) {
    super('immediate', () => void Reflect.apply(callback, this, args), 0, false)
  }

  clear(): void {
    this.disarm()
  }
}

function checked(callback: unknown): Callback {
  if (typeof callback === 'function') return callback as Callback
  throw argumentError('The "callback" argument must be of type function', callback)
}

/** ERR_INVALID_ARG_TYPE. */
export function argumentError(text: string, given: unknown): TypeError {
  const error = new TypeError(`${text}. Received ${received(given)}`)
  return Object.assign(error, { code: 'ERR_INVALID_ARG_TYPE' })
}

function received(value: unknown): string {
  if (value === undefined || value === null) return String(value)
  if (typeof value === 'function') return `function ${value.name}`
  if (typeof value === 'object') return `an instance of ${value.constructor?.name}`
  return `type ${typeof value} (${typeof value === 'string' ? `'${value}'` : shown(value)})`
}
