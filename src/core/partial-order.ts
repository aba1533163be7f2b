/** One execution as the order that all its interleavings have in common. */
import type { Event } from './event.ts'
import type { Value } from './value.ts'

export interface PartialOrder {
  /** By decision, in the order they were taken: what came about by it. */
  readonly events: readonly Event[]
  /** By decision: earlier ones that must come before it, the immediate ones at least. */
  readonly after: readonly (readonly number[])[]
  /**
   * Those of them without which it cannot happen. The others only keep the order in which messages are sent: some of the decisions
   * in the order they were taken, each with its causes, are an execution without them as well.
   */
  readonly causes: readonly (readonly number[])[]
  /** What was announced, one after the other, if somebody listened. */
  readonly announced?: readonly Announced[] | undefined
}

interface Announced {
  /** The decision after which its process came to announce it; -1: before the first one. */
  readonly at: number
  readonly event: Value
}
