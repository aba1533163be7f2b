/** A process in an execution under the reference semantics: its code, its inbox, and what became of it. */
import { isIdle, type Operation } from '../core/operation.ts'
import type { EndedProcess } from '../core/property.ts'
import type { Value } from '../core/value.ts'
import type { Shown } from '../program/path.ts'
import type { EarlierLife } from './connections.ts'
import type { Coroutine } from './coroutine.ts'
import type { Dying } from './dying.ts'
import { crosses } from './faults.ts'
import type { Message } from './network/network.ts'
import type { ProcessStart } from './process-start.ts'
import { describePending, describeWaiting } from './waiting.ts'

export interface ProcessInWorld {
  coroutine: Coroutine
  /** What it asked for and was answered, since it began or restarted. */
  history: Performed[]
  /** Unread messages in sending order. */
  readonly inbox: Message[]
  clock: number[]
  events: number
  hasCrashed: boolean
  /** Somebody knows that it has ended. */
  isJoined: boolean
  /** The pending send was performed once and is to be performed again. */
  owesCopy: boolean
  /** It has crashed, and still sends something. */
  dying: Dying | undefined
}

export function processBegun(coroutine: Coroutine, inbox: Message[], clock: number[]): ProcessInWorld {
  const untroubled = { hasCrashed: false, isJoined: false, owesCopy: false, dying: undefined }
  return { coroutine, history: [], inbox, clock, events: 0, ...untroubled }
}

/** An operation and its answer. */
interface Performed {
  readonly operation: Operation
  readonly answer: unknown
  /** The message received. */
  readonly source?: Message | undefined
}

/** A process as far as it got, with all that is needed to run it again alone. */
export interface ProcessHistory {
  readonly start: ProcessStart
  readonly earlier: EarlierLife
  readonly performed: readonly Performed[]
  readonly status: Coroutine['status']
  readonly returned: unknown
  readonly pending: Operation | undefined
}

/** As judges see it; what a partition keeps from a process is not in its inbox. */
export function endedProcess(process: ProcessInWorld, cutOff: string | undefined): EndedProcess {
  const { start, status, pending, returned } = process.coroutine
  const { hot } = process.coroutine
  const daemon = start.daemon || isIdle(pending)
  const base = { id: start.id, daemon, value: returned as Value, ...(hot === undefined ? {} : { hot }) }
  if (process.hasCrashed) return { ...base, status: 'crashed' }
  if (pending === undefined) return { ...base, status: status === 'asking' ? 'waiting' : status }
  const arrived = process.inbox.filter((message) => cutOff === undefined || !crosses(message, cutOff))
  return { ...base, status: 'waiting', waiting: describeWaiting(start.id, pending, arrived) }
}

export function shownProcess({ coroutine }: ProcessInWorld): Shown {
  const { start, pending, announced, returned } = coroutine
  const state = (announced ?? returned) as Value
  return { process: start.id, stack: pending?.stack, state, pending: pending && describePending(pending) }
}

export function historyOf({ coroutine, history }: ProcessInWorld): ProcessHistory {
  const { start, earlier, status, returned, pending } = coroutine
  return { start, earlier, performed: history, status, returned, pending }
}

/** The vector clock of one that knows what both know. */
export function joined(left: readonly number[], right: readonly number[]): number[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, at) => Math.max(left[at] ?? 0, right[at] ?? 0))
}
