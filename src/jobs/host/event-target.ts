/** `EventTarget` and `Event` (DOM §2), as far as Node has them. */

import { CallJob } from '../call-job.ts'
import { currentLoop } from '../loop.ts'

type Listener = ((this: unknown, event: Event) => unknown) | { handleEvent(event: Event): unknown }

interface Registered {
  readonly type: string
  readonly listener: Listener
  readonly capture: boolean
  readonly once: boolean
  isRemoved: boolean
}

export interface ListenerOptions {
  readonly capture?: boolean
  readonly once?: boolean
  readonly passive?: boolean
  readonly signal?: EventTarget & { readonly aborted: boolean }
}

export class Event {
  readonly type: string
  readonly bubbles: boolean
  readonly cancelable: boolean
  #target: EventTarget | null = null
  #isCanceled = false
  #stops = false
  #isDispatched = false

  constructor(type: string, options: { readonly bubbles?: boolean; readonly cancelable?: boolean } = {}) {
    this.type = `${type}`
    this.bubbles = options.bubbles === true
    this.cancelable = options.cancelable === true
  }

  get target(): EventTarget | null {
    return this.#target
  }

  get currentTarget(): EventTarget | null {
    return this.#isDispatched ? this.#target : null
  }

  get defaultPrevented(): boolean {
    return this.#isCanceled
  }

  preventDefault(): void {
    if (this.cancelable) this.#isCanceled = true
  }

  stopPropagation(): void {}

  stopImmediatePropagation(): void {
    this.#stops = true
  }

  /** Calls what is registered, while it is; a target under way is an error, as in the DOM. */
  static dispatch(event: Event, target: EventTarget, registered: readonly Registered[]): boolean {
    if (event.#isDispatched) throw new DOMException('The event is already being dispatched', 'InvalidStateError')
    event.#target = target
    event.#isDispatched = true
    event.#stops = false
    for (const one of registered) {
      if (event.#stops) break
      if (one.isRemoved) continue
      if (one.once) target.removeEventListener(event.type, one.listener, { capture: one.capture })
      call(one.listener, target, event)
    }
    event.#isDispatched = false
    return !event.#isCanceled
  }
}

export class CustomEvent extends Event {
  readonly detail: unknown

  constructor(type: string, options: ConstructorParameters<typeof Event>[1] & { readonly detail?: unknown } = {}) {
    super(type, options)
    this.detail = options.detail ?? null
  }
}

export class EventTarget {
  #registered: readonly Registered[] = []

  addEventListener(type: string, listener: Listener | null, options: ListenerOptions | boolean = {}): void {
    if (listener === null || listener === undefined) return
    const { capture = false, once = false, signal } = typeof options === 'boolean' ? { capture: options } : options
    if (signal?.aborted === true || this.#find(type, listener, capture) !== undefined) return
    this.#registered = [...this.#registered, { type, listener, capture, once, isRemoved: false }]
    signal?.addEventListener('abort', () => this.removeEventListener(type, listener, { capture }), { once: true })
  }

  removeEventListener(type: string, listener: Listener | null, options: ListenerOptions | boolean = {}): void {
    const capture = typeof options === 'boolean' ? options : options.capture === true
    const found = listener === null ? undefined : this.#find(type, listener, capture)
    if (found === undefined) return
    found.isRemoved = true
    this.#registered = this.#registered.filter((one) => one !== found)
  }

  dispatchEvent(event: Event): boolean {
    return Event.dispatch(
      event,
      this,
      this.#registered.filter(({ type }) => type === event.type),
    )
  }

  #find(type: string, listener: Listener, capture: boolean): Registered | undefined {
    return this.#registered.find((one) => one.type === type && one.listener === listener && one.capture === capture)
  }
}

/** What a listener throws ends nobody else's work: Node throws it in a tick. */
function call(listener: Listener, target: EventTarget, event: Event): void {
  try {
    if (typeof listener === 'function') Reflect.apply(listener, target, [event])
    else listener.handleEvent(event)
  } catch (error) {
    currentLoop.ticks.push(
      new CallJob(() => {
        throw error
      }),
    )
  }
}
