/** A process in an execution under the reference semantics: its code, its inbox, and what became of it. */
import type { Operation } from '../core/operation.ts'
import type { EndedProcess } from '../core/property.ts'
import type { Value } from '../core/value.ts'
import type { Coroutine, ProcessStart } from './coroutine.ts'
import { crosses } from './faults.ts'
import type { Message } from './network/network.ts'
import { describeWaiting } from './waiting.ts'

export interface ProcessInWorld {
  coroutine: Coroutine
  /** What it asked for and was answered, since it began or restarted. */
  history: Performed[]
  /** Unread messages in sending order. */
  readonly inbox: Message[]
  clock: number[]
  events: number
  hasCrashed: boolean
  /** The pending send was performed once and is to be performed again. */
  owesCopy: boolean
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
  readonly performed: readonly Performed[]
  readonly status: Coroutine['status']
  readonly returned: unknown
  readonly pending: Operation | undefined
}

/** As judges see it; what a partition keeps from a process is not in its inbox. */
export function endedProcess(process: ProcessInWorld, cutOff: string | undefined): EndedProcess {
  const { start, status, pending, returned } = process.coroutine
  const base = { id: start.id, daemon: start.daemon, value: returned as Value }
  if (process.hasCrashed) return { ...base, status: 'crashed' }
  if (pending === undefined) return { ...base, status: status === 'asking' ? 'waiting' : status }
  const arrived = process.inbox.filter((message) => cutOff === undefined || !crosses(message, cutOff))
  return { ...base, status: 'waiting', waiting: describeWaiting(start.id, pending, arrived) }
}
