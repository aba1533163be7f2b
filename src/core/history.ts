/** Histories: calls of operations of an object by several processes, with what they returned and when. */
import type { Place } from './diagnostic.ts'
import type { Value } from './value.ts'

export type CallResult =
  | { readonly kind: 'returned'; readonly value: Value }
  /** The class name of what was thrown, with its message; what is no error, as it is. */
  | { readonly kind: 'threw'; readonly error: string }
  /** It returned, but nobody knows what: fits every result. */
  | { readonly kind: 'unknown' }
  /** It never returned: it may have taken effect at any time since its call, or not at all. */
  | { readonly kind: 'pending' }

/** An error says so itself, as in `Error: no`; anything else looks like a value that is returned. */
export function thrownWords(error: string): string {
  return /^[\p{L}\p{N}_$]+: /u.test(error) ? error : `threw ${error}`
}

export interface Call {
  readonly process: string
  readonly operation: string
  readonly args: readonly Value[]
  readonly result: CallResult
  /**
   * Moments on one time line; a call precedes another if its `returned` is smaller than the other's `invoked`. Moments need
   * not be consecutive. A pending call's `returned` is Infinity.
   */
  readonly invoked: number
  readonly returned: number
  /** Where the history says so: a line of a recorded file, or of the user's source. */
  readonly place?: Place | undefined
}

/** In order of invocation. Calls of one process do not overlap. */
export interface History {
  readonly calls: readonly Call[]
}

export function precedes(left: Call, right: Call): boolean {
  return left.returned < right.invoked
}
