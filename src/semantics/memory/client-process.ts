/** A process of a client: its calls one after the other, or a call that another process began and did not await. */
import type { CallResult } from '../../core/history.ts'
import type { ControlledPromise } from '../../jobs/promise-core.ts'
import type { Invocation, ObjectProcess, Outcome, Pending, Position } from './process.ts'

type CallArgument =
  | { readonly kind: 'value'; readonly value: unknown }
  /** What the process' call of that number returned. */
  | { readonly kind: 'result'; readonly call: number }

export interface ObjectCall {
  readonly operation: string
  readonly args: readonly CallArgument[]
}

/** A call that returned. */
export interface ReturnedCall {
  readonly result: CallResult
  /** Equal texts for equal results. */
  readonly text: string
  readonly raw: unknown
}

export type Status = 'idle' | 'running' | 'returning' | 'ended'

export class ClientProcess {
  readonly process: ObjectProcess
  readonly calls: readonly ObjectCall[]
  /** Of a call that was begun and not awaited. */
  readonly promise: ControlledPromise | undefined
  status: Status
  returned: readonly ReturnedCall[] = []
  /** For each call made: how many calls of each process had returned when it was made. */
  before: readonly (readonly number[])[] = []
  outcome: Outcome | undefined
  /** Calls begun and not awaited by earlier calls of this process: some may still be under way. */
  begunBefore = 0
  /** How much code went on by itself that operations and native code of this process began. */
  spawned = 0
  /** Whether nobody sees the promise. */
  readonly isAlone: boolean
  /** Whether the current call counts as made; its beginning may have been run before, up to what others can notice. */
  isMade = false

  constructor(process: ObjectProcess, calls: readonly ObjectCall[], promise?: ControlledPromise, isAlone = false) {
    this.process = process
    this.calls = calls
    this.promise = promise
    this.isAlone = isAlone
    this.status = promise !== undefined ? 'running' : calls.length === 0 ? 'ended' : 'idle'
  }

  /** What must be restored to go back to this moment. */
  save(): Saved {
    const { process, status, returned, before, outcome, isMade, begunBefore, spawned } = this
    const { log, logSites, pending, position, children, invocation } = process
    return {
      status,
      returned,
      before,
      outcome,
      isMade,
      begunBefore,
      spawned,
      log,
      logSites,
      length: log.length,
      pending,
      position,
      children,
      invocation,
    }
  }

  restore(saved: Saved): void {
    this.status = saved.status
    this.returned = saved.returned
    this.before = saved.before
    this.outcome = saved.outcome
    this.isMade = saved.isMade
    this.begunBefore = saved.begunBefore
    this.spawned = saved.spawned
    const { process } = this
    process.log = saved.log
    process.logSites = saved.logSites
    process.log.length = saved.length
    process.logSites.length = saved.length
    process.pending = saved.pending
    process.position = saved.position
    process.children = saved.children
    process.restore(saved.invocation)
  }
}

/**
 * The arrays of the log are those of the process, not copies. Going back cuts them to `length`, which is right because an array
 * only grows: a new call, and a loop that came back to where it was, take a new array.
 */
export interface Saved {
  readonly status: Status
  readonly returned: readonly ReturnedCall[]
  readonly before: readonly (readonly number[])[]
  readonly outcome: Outcome | undefined
  readonly isMade: boolean
  readonly begunBefore: number
  readonly spawned: number
  readonly log: unknown[]
  readonly logSites: number[]
  readonly length: number
  readonly pending: Pending | undefined
  readonly position: Position | undefined
  readonly children: number
  readonly invocation: Invocation | undefined
}
