/** What the rest of `src/jobs` knows of a promise. */
import type { Undoable } from './loop.ts'
import type { ControlledPromise, PromiseState, Reaction } from './promise-core.ts'

/** What the rest of `src/jobs` may do with a promise; no property of a promise gives it away. */
export interface Core {
  readonly isPromise: (value: unknown) => value is ControlledPromise
  readonly stateOf: (promise: ControlledPromise) => PromiseState
  /** The value or the reason. */
  readonly valueOf: (promise: ControlledPromise) => unknown
  readonly reactionsOf: (promise: ControlledPromise) => readonly Reaction[]
  /** What `resolve(value)` of its executor does. */
  readonly resolve: (promise: ControlledPromise, value: unknown) => void
  readonly reject: (promise: ControlledPromise, reason: unknown) => void
  /** Settles a promise as the one that it was resolved with. */
  readonly followed: (promise: ControlledPromise, source: ControlledPromise) => void
  /** PerformPromiseThen (§27.2.5.4.1). */
  readonly subscribe: (reaction: Reaction) => void
  /** How often it was resolved: with a thenable, and with what that gave. */
  readonly resolutionsOf: (promise: ControlledPromise) => number
  /** Somebody waits for it who is no reaction. */
  readonly handle: (promise: ControlledPromise) => void
  readonly isHandled: (promise: ControlledPromise) => boolean
  /** It was made on another loop than the current one. */
  readonly isStrange: (promise: ControlledPromise) => boolean
  readonly record: (promise: ControlledPromise) => Undoable
}
