/**
 * States as user code is given them. What is read of them can be recorded: every part is then an object that tells which question was
 * asked about the part, and looks like the part itself. Collections with an order of their own (`Map`, `Set`) are one question as a whole.
 */

import { setField } from '../../core/copy-value.ts'
import type { Diagnostic } from '../../core/diagnostic.ts'
import { ownView } from '../../core/plain-value.ts'
import { mistake } from '../../core/running.ts'
import { Address, encodeValue, type Value } from '../../core/value.ts'
import { viewWith } from './changed-views.ts'

type Container = { readonly [key: string]: unknown }

/**
 * A question about a part: which kind of thing it is, or which, if it has no parts; whether it is there; which parts it has; or all of
 * it at once.
 */
type Asked = 'what' | 'there' | 'parts' | 'whole'

/** A part of the state of a machine, by the way that leads to it. */
export class Part {
  readonly machine: number
  /** Nothing for the state itself. */
  readonly within: Part | undefined
  readonly key: string
  readonly #parts = new Map<string, Part>()

  constructor(machine: number, within?: Part, key = '') {
    this.machine = machine
    this.within = within
    this.key = key
  }

  part(key: string): Part {
    const known = this.#parts.get(key) ?? new Part(this.machine, this, key)
    this.#parts.set(key, known)
    return known
  }

  /** Names it among the parts of its machine. */
  get path(): string {
    return this.within === undefined ? '' : `${this.within.path}/${JSON.stringify(this.key)}`
  }

  /** Equal for states that answer the question alike, and only for those. */
  answer(asked: Asked, state: unknown): string {
    const whole = this.within === undefined ? { '': state } : this.within.in(state)
    const isThere = isContainer(whole) && Object.hasOwn(whole, this.key)
    if (asked === 'there' || !isThere) return isThere ? 'y' : 'x'
    const value = (whole as Container)[this.key]
    if (asked === 'whole' || !isContainer(value)) return textOf(value)
    if (Array.isArray(value)) return 'a'
    return asked === 'parts' ? `r${JSON.stringify(Object.keys(value))}` : 'r'
  }

  /** The part itself, if it is there. */
  in(state: unknown): unknown {
    const whole = this.within === undefined ? { '': state } : this.within.in(state)
    return isContainer(whole) ? whole[this.key] : undefined
  }
}

/** Parts in their order: states that differ in nothing else are equal, but who reads them sees it. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(textOf).join()}]`
  if (value instanceof Set) return `S(${[...value].map(textOf).join()})`
  if (value instanceof Map) return `M(${[...value].map(textOf).join()})`
  if (!isContainer(value)) return encodeValue(value as Value)
  return `{${Object.entries(value).map(textOf).join()}}`
}

/** Told of each question when it is asked. */
export type Listener = (part: Part, asked: Asked) => void

/** A value in which every question is told. */
export function recorded(part: Part, value: unknown, listener: Listener): unknown {
  if (!isContainer(value)) return value
  const printed = () => {
    listener(part, 'whole')
    return value
  }
  const view = ownView(new Proxy(standIn(value, printed), new Recorder(part, value, listener)))
  viewed.set(view, { part, listener })
  return view
}

const viewed = new WeakMap<object, { readonly part: Part; readonly listener: Listener }>()

/** Of a view that was made for a listener: the part that it stands for. One that was made for another listener is of another state. */
export function partOf(view: unknown, listener: Listener): Part | undefined {
  const known = typeof view === 'object' && view !== null ? viewed.get(view) : undefined
  return known?.listener === listener ? known.part : undefined
}

export function isView(value: unknown): boolean {
  return typeof value === 'object' && value !== null && viewed.has(value)
}

function isContainer(value: unknown): value is Container {
  if (typeof value !== 'object' || value === null || value instanceof Address) return false
  return !(value instanceof Map) && !(value instanceof Set)
}

/**
 * Stands for the part: a frozen object may not answer with anything but what it holds. It holds what no state does, so that who looks
 * at it past the recorder sees something else than the part. Node's `inspect` does that, but asks first.
 */
function standIn(value: Container, printed: () => Container): Container {
  const none = Array.isArray(value) ? [notRead] : { [notRead]: notRead }
  return Object.assign(none, { [inspected]: printed }) as object as Container
}

const inspected = Symbol.for('nodejs.util.inspect.custom')

const notRead = 'what nobody has asked for'

class Recorder implements ProxyHandler<Container> {
  readonly #part: Part
  readonly #value: Container
  readonly #listener: Listener
  /** Those that were handed out: who reads twice gets the same object. */
  readonly #views = new Map<string, unknown>()
  /** Which parts there are has been asked. */
  #isListed = false

  constructor(part: Part, value: Container, listener: Listener) {
    this.#part = part
    this.#value = value
    this.#listener = listener
  }

  get(target: Container, key: string | symbol, receiver?: unknown): unknown {
    if (typeof key === 'symbol') return Reflect.get(target, key)
    if (this.#isMethod(key)) return key === 'with' ? this.#with(receiver) : Reflect.get(target, key)
    this.#listener(this.#part.part(key), 'what')
    if (!Object.hasOwn(this.#value, key)) return Reflect.get(Object.prototype, key)
    if (!this.#views.has(key)) this.#views.set(key, recorded(this.#part.part(key), this.#value[key], this.#listener))
    return this.#views.get(key)
  }

  has(target: Container, key: string | symbol): boolean {
    if (typeof key === 'symbol' || this.#isMethod(key)) return Reflect.has(target, key)
    if (Array.isArray(this.#value)) this.#listener(this.#part.part('length'), 'what')
    else if (!this.#isListed) this.#listener(this.#part.part(key), 'there')
    return key in this.#value
  }

  ownKeys(): (string | symbol)[] {
    if (Array.isArray(this.#value)) this.#listener(this.#part.part('length'), 'what')
    else this.#listener(this.#part, 'parts')
    this.#isListed = true
    return Reflect.ownKeys(this.#value)
  }

  /** As of the value itself: who is told something else may look no further. */
  getOwnPropertyDescriptor(target: Container, key: string | symbol): PropertyDescriptor | undefined {
    if (typeof key === 'symbol') return undefined
    this.isExtensible(target)
    if (!Object.isExtensible(target)) return Reflect.getOwnPropertyDescriptor(target, key)
    if (!this.has(target, key) || !Object.hasOwn(this.#value, key)) return undefined
    if (Array.isArray(target) && key === 'length')
      return { value: this.#value.length, writable: true, enumerable: false, configurable: false }
    return { value: this.get(target, key), writable: true, enumerable: true, configurable: true }
  }

  /** What is frozen is shown frozen, for which all of its parts have to be known. */
  isExtensible(target: Container): boolean {
    if (Object.isExtensible(target) && Object.isFrozen(this.#value)) {
      this.preventExtensions(target)
      Object.freeze(target)
    }
    return Object.isExtensible(target)
  }

  /** As a value that is given back is frozen: nothing can be hidden in an object that cannot grow. */
  preventExtensions(target: { [key: string]: unknown }): boolean {
    this.ownKeys()
    Reflect.deleteProperty(target, inspected)
    if (Array.isArray(target)) target.length = this.#value.length as number
    else delete target[notRead]
    for (const key of Object.keys(this.#value)) setField(target, key, this.get(target, key))
    return Reflect.preventExtensions(target)
  }

  defineProperty(target: Container, key: string | symbol, descriptor: PropertyDescriptor): boolean {
    return Object.isExtensible(target) ? changed() : Reflect.defineProperty(target, key, descriptor)
  }

  set(): boolean {
    return changed()
  }

  deleteProperty(): boolean {
    return changed()
  }

  #with(list: unknown): (...args: readonly unknown[]) => readonly unknown[] {
    return (...[index, value]) => viewWith(list as readonly unknown[], index, value)
  }

  /** What arrays can do is no part of them. */
  #isMethod(key: string): boolean {
    return Array.isArray(this.#value) && key !== 'length' && !Object.hasOwn(this.#value, key) && key in Array.prototype
  }
}

function changed(): never {
  return mistake(changesState)
}

export const changesState: Diagnostic = {
  code: 'E230',
  message: 'the state of a machine is changed',
  hint: 'states belong to their machines: change a copy, as in [...log].sort() or { ...state, term: 0 }',
}
