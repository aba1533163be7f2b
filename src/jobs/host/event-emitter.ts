/** `EventEmitter` of `node:events`: calls its listeners at once, in the order in which they came. */
import { argumentError } from './timers.ts'

export type EventName = string | symbol
export type Listener = (...args: never[]) => unknown

interface Registered {
  /** What is called: of `once` it removes itself. */
  readonly call: Listener & { readonly listener?: Listener }
  /** What the program gave. */
  readonly listener: Listener
}

export const errorMonitor: unique symbol = Symbol('events.errorMonitor')

export class EventEmitter {
  #listeners: ReadonlyMap<EventName, readonly Registered[]> = new Map()
  #mostListeners: number | undefined = undefined

  static defaultMaxListeners = 10
  static readonly errorMonitor: typeof errorMonitor = errorMonitor

  constructor(options: { readonly captureRejections?: boolean } = {}) {
    if (options.captureRejections === true) throw new Error('captureRejections cannot be used under control')
  }

  on(name: EventName, listener: Listener): this {
    return this.#add(name, { call: checked(listener), listener }, 'last')
  }

  addListener(name: EventName, listener: Listener): this {
    return this.on(name, listener)
  }

  prependListener(name: EventName, listener: Listener): this {
    return this.#add(name, { call: checked(listener), listener }, 'first')
  }

  once(name: EventName, listener: Listener): this {
    return this.#add(name, this.#onlyOnce(name, listener), 'last')
  }

  prependOnceListener(name: EventName, listener: Listener): this {
    return this.#add(name, this.#onlyOnce(name, listener), 'first')
  }

  /** Of several equal ones the last. */
  off(name: EventName, listener: Listener): this {
    checked(listener)
    const all = this.#of(name)
    const found = all.findLast((one) => one.listener === listener || one.call === listener)
    if (found !== undefined) this.#remove(name, found, listener)
    return this
  }

  removeListener(name: EventName, listener: Listener): this {
    return this.off(name, listener)
  }

  removeAllListeners(name?: EventName): this {
    if (this.#of('removeListener').length === 0) {
      if (name === undefined) this.#listeners = new Map()
      else this.#put(name, [])
      return this
    }
    // Told one by one, and those that are told last.
    const others = this.eventNames().filter((one) => one !== 'removeListener')
    const names = name === undefined ? [...others, 'removeListener'] : [name]
    for (const one of names)
      for (const registered of this.#of(one).toReversed()) this.#remove(one, registered, registered.call)
    return this
  }

  emit(name: EventName, ...args: unknown[]): boolean {
    if (name === 'error') {
      if (this.#of(errorMonitor).length > 0) this.emit(errorMonitor, ...args)
      if (this.#of('error').length === 0) throw unhandled(args[0])
    }
    const all = this.#of(name)
    for (const { call } of all) Reflect.apply(call, this, args)
    return all.length > 0
  }

  listenerCount(name: EventName, listener?: Listener): number {
    const all = this.#of(name)
    return listener === undefined ? all.length : all.filter((one) => one.listener === listener).length
  }

  listeners(name: EventName): Listener[] {
    return this.#of(name).map(({ listener }) => listener)
  }

  rawListeners(name: EventName): Listener[] {
    return this.#of(name).map(({ call }) => call)
  }

  eventNames(): EventName[] {
    return [...this.#listeners.keys()]
  }

  setMaxListeners(most: number): this {
    this.#mostListeners = most
    return this
  }

  getMaxListeners(): number {
    return this.#mostListeners ?? EventEmitter.defaultMaxListeners
  }

  #of(name: EventName): readonly Registered[] {
    return this.#listeners.get(name) ?? []
  }

  /** Lists are replaced and never changed: one that is being told is not disturbed. */
  #put(name: EventName, all: readonly Registered[]): void {
    const listeners = new Map(this.#listeners)
    if (all.length === 0) listeners.delete(name)
    else listeners.set(name, all)
    this.#listeners = listeners
  }

  #add(name: EventName, one: Registered, where: 'first' | 'last'): this {
    if (this.#of('newListener').length > 0) this.emit('newListener', name, one.listener)
    const others = this.#of(name)
    this.#put(name, where === 'first' ? [one, ...others] : [...others, one])
    return this
  }

  /** `told` is what `removeListener` was given. Of the last one of its name, Node tells what the program gave. */
  #remove(name: EventName, one: Registered, told: Listener): void {
    const isLast = this.#of(name).length === 1
    this.#put(
      name,
      this.#of(name).filter((other) => other !== one),
    )
    if (this.#of('removeListener').length > 0) {
      this.emit('removeListener', name, isLast ? one.listener : told)
    }
  }

  #onlyOnce(name: EventName, listener: Listener): Registered {
    checked(listener)
    const emitter = this
    const call = function (this: unknown, ...args: unknown[]): unknown {
      if (!emitter.#of(name).includes(registered)) return undefined
      emitter.#remove(name, registered, call)
      return Reflect.apply(listener, this, args)
    }
    Object.defineProperty(call, 'name', { value: onceName })
    const registered: Registered = { call: Object.assign(call as Listener, { listener }), listener }
    return registered
  }
}

/** As in the Node that runs: programs see it when they are told of its removal. */
const onceName = 'bound onceWrapper'

function checked(listener: Listener): Listener {
  if (typeof listener === 'function') return listener
  throw argumentError('The "listener" argument must be of type function', listener)
}

/** What `error` throws when nobody listens. */
function unhandled(error: unknown): unknown {
  if (error instanceof Error) return error
  const text = typeof error === 'string' ? `'${error}'` : String(error)
  return Object.assign(new Error(`Unhandled error. (${text})`), { code: 'ERR_UNHANDLED_ERROR', context: error })
}
