/**
 * The port to threads that explore parts of one search. Whoever loads programs starts them; here it is decided who explores what. A
 * part is units that stand next to each other in the order in which one thread would explore them.
 */
import type { WorkUnit } from '../core/verdict.ts'
import type { Driven, Progress } from './driver.ts'

/** What a thread tells of the part that it explores. */
export type Report =
  /** See `Sharing`: nothing, if there is nothing to spare. */
  | { readonly kind: 'given'; readonly part: number; readonly units: readonly WorkUnit[] }
  | { readonly kind: 'progress'; readonly part: number; readonly progress: PartProgress }
  /** Plain data. After it the thread has nothing to do. */
  | { readonly kind: 'ended'; readonly part: number; readonly driven: Driven }

export type PartProgress = Pick<Progress, 'counts' | 'violations' | 'explored'>

/** `ready`: it has the same search as we do. `gone`: it never came, or it ended, and nothing else is heard of it. */
export type Heard = Report | { readonly kind: 'ready' } | { readonly kind: 'gone' }

/** What a thread is asked beside exploring; it looks about once a millisecond. `drop`: nobody needs its part any more. */
export type Asked = 'share' | 'surrender' | 'drop'

export interface Crew {
  /** Threads beside this one. */
  readonly size: number
  /** Milliseconds of a search that are over before it is worth to start them. */
  readonly after: number
  /** Starts them; each is `ready` some time, or `gone`. */
  start(hear: (member: number, heard: Heard) => void): void
  explore(member: number, part: number, units: readonly WorkUnit[]): void
  ask(member: number, what: Asked): void
  /** The share of the whole search that it has explored of its part. */
  explored(member: number): number
  /** Until something is heard, or so many milliseconds. */
  wait(milliseconds: number): Promise<void>
}
