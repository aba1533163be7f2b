/** Monitors with a state that can be compared, as they were declared and as they are asked. */
import type { Value } from '../core/value.ts'
import type { Handler } from './system-definition.ts'

export interface WatchDefinition {
  readonly name: string
  readonly state: () => unknown
  /** By kind of what is sent or announced; of other kinds it is not told. */
  readonly on: ReadonlyMap<string, Handler>
  /** False, or what it waits for. */
  readonly hot: (state: Value) => unknown
  /** JavaScript stack at the place that declared it. */
  readonly stack: string | undefined
}

/** Throws diagnostics for what user code does wrong. */
export interface Watch {
  readonly name: string
  readonly first: Value
  /** After something was sent or announced. */
  after(state: Value, message: Value): Value
  isHot(state: Value): boolean
}
