/**
 * Events and storage in async processes. Emitters and targets of the host call their listeners at once, and stay what they are; what waits
 * for an event, or follows a chain of jobs, is that of the process.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import events from 'node:events'
import { mistake, running } from '../core/running.ts'
import { type AnyFunction, replaceProperty, trap } from './guard-traps.ts'

const NativeSignal = globalThis.AbortSignal

export function trapEvents(): void {
  refuseCapturing()
  for (const name of ['once', 'on']) trap(events, name, `events.${name}()`)
  for (const name of ['run', 'exit', 'enterWith', 'disable', 'getStore']) {
    trap(AsyncLocalStorage.prototype, name, `AsyncLocalStorage.${name}()`)
  }
  for (const name of ['bind', 'snapshot']) trap(AsyncLocalStorage, name, `AsyncLocalStorage.${name}()`)
  trapSignals()
}

/** What an async listener gives is a promise of the process, which no emitter of the host's takes for one. */
function refuseCapturing(): void {
  const emitters = events as unknown as { readonly init: AnyFunction }
  const original = emitters.init
  replaceProperty(events, 'init', function (this: unknown, ...args: unknown[]): unknown {
    const { captureRejections } = (args[0] ?? {}) as { readonly captureRejections?: unknown }
    if (running.process !== undefined && captureRejections === true)
      mistake({
        code: 'E208',
        message: 'an EventEmitter with captureRejections was made',
        hint: "leave it out, and catch in the listener: catch (error) { emitter.emit('error', error) }",
      })
    return Reflect.apply(original, this, args)
  })
}

interface Listening {
  readonly signal?: object
}

/** Targets of the host's know no signals but the host's own. */
function trapSignals(): void {
  const original = EventTarget.prototype.addEventListener as AnyFunction
  replaceProperty(EventTarget.prototype, 'addEventListener', function (this: EventTarget, ...args: unknown[]): unknown {
    const [type, listener, options] = args as [string, () => void, Listening | boolean | undefined]
    const { signal } = typeof options === 'object' ? options : {}
    const isOwn = running.process !== undefined && signal !== undefined && !(signal instanceof NativeSignal)
    if (!isOwn || typeof options !== 'object') return Reflect.apply(original, this, args)
    const { aborted, addEventListener } = signal as AbortSignal
    if (aborted) return undefined
    const stop = (): void => this.removeEventListener(type, listener, options as { capture?: boolean })
    Reflect.apply(addEventListener, signal, ['abort', stop])
    return Reflect.apply(original, this, [type, listener, { ...options, signal: undefined }])
  })
}

/** `structuredClone` has to be told that a promise of a process is one. */
export function refuseCloned(value: unknown, seen = new Set<unknown>()): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return
  seen.add(value)
  const kind = Object.prototype.toString.call(value)
  if (kind === '[object Promise]') throw new DOMException('#<Promise> could not be cloned.', 'DataCloneError')
  if (value instanceof Map) for (const entry of value) refuseCloned(entry, seen)
  else if (value instanceof Set) for (const element of value) refuseCloned(element, seen)
  else if (kind === '[object Array]' || kind === '[object Object]')
    for (const part of Object.values(value)) refuseCloned(part, seen)
}
