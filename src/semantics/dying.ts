/** How a process crashes in an execution under the reference semantics, and begins again. */
import type { Event } from '../core/event.ts'
import type { Operation } from '../core/operation.ts'
import type { ProcessInWorld } from './process-in-world.ts'

/** A process that has crashed, and still sends something. */
export interface Dying {
  readonly words: readonly Operation[]
  /** Whether it begins again then. */
  readonly restarts: boolean
}

/** What it does next; nothing if it has crashed, and has nothing left to send. */
export function pendingOf({ coroutine, hasCrashed, dying }: ProcessInWorld): Operation | undefined {
  return dying?.words[0] ?? (hasCrashed ? undefined : coroutine.pending)
}

/** Ends it where it is, or begins it again, as soon as it has sent what it still sends; tells so. Whether it has begun again. */
export function crash(process: ProcessInWorld, kind: 'crash' | 'restart', events: Event[]): boolean {
  const { start, stoppedAt, pending = stoppedAt } = process.coroutine
  if (stoppedAt !== undefined) takeBackStop(start.id, events)
  const restarts = kind === 'restart'
  events.push({ kind: 'crash', process: start.id, index: process.events - 1, stack: pending?.stack, restarts })
  process.hasCrashed = !restarts
  const words = process.coroutine.connections?.lastWords(start.id) ?? []
  return dies(process, { words, restarts })
}

/** The first of its last words is sent; whether it has begun again. */
export function speaks(process: ProcessInWorld, { words, restarts }: Dying): boolean {
  return dies(process, { words: words.slice(1), restarts })
}

function dies(process: ProcessInWorld, { words, restarts }: Dying): boolean {
  process.dying = words.length === 0 ? undefined : { words, restarts }
  if (words.length > 0 || !restarts) return false
  process.coroutine = process.coroutine.restarted()
  process.history = []
  return true
}

/** A process that stopped at an assumption and then crashed has crashed before it. */
function takeBackStop(id: string, events: Event[]): void {
  const at = events.findLastIndex(({ kind, process }) => kind === 'stop' && process === id)
  events.splice(at, 1)
}
