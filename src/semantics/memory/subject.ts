/** What is explored: an instance, a client of it, and how finely their steps are cut. */
import type { AtomicSection } from '../../core/code.ts'
import type { ClientExecution, CodeStep } from '../../core/evidence.ts'
import type { Call, History } from '../../core/history.ts'
import type { Violation } from '../../core/property.ts'
import type { ObjectCall } from './client-process.ts'
import type { ModuleState } from './code.ts'

/** `access`: every access to shared state is a step. `await`: what stands between two awaits is one step. */
export type Granularity = 'access' | 'await'

export interface ObjectSubject {
  readonly create: () => object
  /** Of the modules the class comes from. */
  readonly modules: ModuleState
  /** Calls made first, alone, by none of the processes. */
  readonly setup: readonly ObjectCall[]
  readonly processes: readonly (readonly ObjectCall[])[]
  readonly granularity: Granularity
  /** Whether it matters that a call returned before another one was made. */
  readonly isTimed: boolean
  /**
   * Whether invisible steps are taken together with visible ones, calls as late and returns as early as possible. Nothing is
   * missed: invisible steps order nothing, and a later call or an earlier return only makes more calls precede others.
   */
  readonly isFused: boolean
  /** Lines that must run without interruption, to see what that would change. */
  readonly sections: readonly AtomicSection[]
  /** What has to be done before an execution begins, if it has not been: to be judged. It takes a breath now and then. */
  readonly prepare?: (() => Generator<undefined, void>) | undefined
  /** What is wrong with an ended execution. */
  readonly judge: (ending: ObjectEnding) => Violation | undefined
  /** What people are told about an ended execution. */
  readonly told?: ((ending: ObjectEnding, steps: readonly CodeStep[]) => ClientExecution) | undefined
}

export interface ObjectEnding {
  /** The calls that ran first and alone, which are not in the history. */
  readonly setup: readonly Call[]
  readonly history: History
  /** The same, for comparing: per process, per call, its result; and, when timed, what had returned when it was made. */
  readonly results: readonly (readonly string[])[]
  readonly before: readonly (readonly (readonly number[])[])[]
  readonly waiting: readonly ObjectWaiting[]
  /** What would have ended a program of Node's. */
  readonly failures: readonly ObjectFailure[]
}

export interface ObjectFailure {
  /** As in 'unhandled rejection: Error: no'. */
  readonly words: string
  readonly site: number
}

/** A process of the client that waits for ever. */
export interface ObjectWaiting {
  readonly process: string
  readonly operation: string
  /** As in 'acquireSync()'. */
  readonly forWhat: string
  readonly site: number
  /** Of who awaits a promise that nobody settles. */
  readonly unsettled?: Unsettled | undefined
}

interface Unsettled {
  /** If the promise is what code that goes on by itself will give: where that awaits, and so on, outermost first. */
  readonly awaits: readonly number[]
  /** Where the last of these promises was made. */
  readonly made: number | undefined
}

export function processName(index: number): string {
  return `p${index + 1}`
}
