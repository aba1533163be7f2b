/** Specifications as users write them: what an object does when its operations are called one after another. */
import type { CallResult } from '../core/history.ts'
import type { Value } from '../core/value.ts'

/** One way in which an operation can take effect: the state it leaves and what it returns, nothing unless said otherwise. */
export interface Effect<State = unknown> {
  readonly state: State
  readonly returns?: Value
  /** The class name of what it throws, with or without the message. */
  readonly throws?: string | undefined
}

/** What a user writes. States are plain values unless there is a `key`. */
export interface SpecificationDefinition<State = Value> {
  readonly name?: string
  /** The state of a new object, or a function that makes one. */
  readonly initial: State | (() => State)
  /** The effect of an operation, a list if there are several, `undefined` if it cannot happen in this state. */
  apply(
    state: State,
    operation: string,
    args: readonly Value[],
    result: CallResult,
  ): Effect<State> | readonly Effect<State>[] | undefined
  /** Names of all operations. If given, any other is a diagnostic instead of a call that cannot happen. */
  readonly operations?: readonly string[]
  /** For states that are not plain values: equal for equal states and only for those. */
  key?(state: State): string | number
  describe?(state: State): string
  observes?(operation: string, args: readonly Value[], result: CallResult): boolean
  partition?(operation: string, args: readonly Value[]): Value | undefined
}

/** What `specification` makes of a definition; how it works inside is nobody's business here. */
export interface MadeSpecification {
  readonly kind: 'specification'
  readonly name: string
}

/** Those that come with the tool. */
export type BuiltInSpecificationName =
  | 'register'
  | 'cas-register'
  | 'counter'
  | 'set'
  | 'grow-only-set'
  | 'map'
  | 'kv'
  | 'queue'
  | 'stack'
  | 'priority-queue'
  | 'lock'
  | 'mutex'
  | 'log'
  | 'multi-register'
