/** One execution as the order that all its interleavings have in common. */
import type { Event } from './event.ts'

export interface PartialOrder {
  /** By decision, in the order they were taken: what came about by it. */
  readonly events: readonly Event[]
  /** By decision: earlier ones that must come before it, the immediate ones at least. */
  readonly after: readonly (readonly number[])[]
}
