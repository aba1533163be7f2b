/**
 * Sender queues, as processes: a process that sends over `sender-queue` sends to a queue of its own, which passes the first message on
 * and waits until it is received before it takes the next. So which messages are there to be read depends on sends alone,
 * as everywhere in Must; that a receive makes room for another message is an event of the queue after it.
 */
import { Operation } from '../../core/operation.ts'
import { Address } from '../../core/value.ts'
import type { ProcessStart } from '../../semantics/process-start.ts'
import type { GraphEvent, GraphProcess } from './graph.ts'
import type { LocalState } from './histories.ts'

export function queueing(id: string): ProcessStart {
  return { id, body: queue, args: [Address.of(id)], daemon: true, monitor: true, unbounded: true }
}

/** Whom a message goes to is not in the message: the search looks it up (`headOf`). Nor is there a process to join. */
function* queue(self: Address<unknown>): Generator<Operation, void, unknown> {
  for (;;) {
    const message: unknown = yield* new Operation<unknown>('receive', undefined, undefined, undefined, undefined)
    yield* new Operation<void>('send', self, message, undefined, 'bag')
    yield* new Operation<void>('join', self, undefined, undefined, undefined)
  }
}

/** What a queue is about to pass on. */
export function headOf(process: GraphProcess): GraphEvent | undefined {
  return process.isQueue ? process.events.at(-1)?.source : undefined
}

/** The receive of what a queue has passed on, once there is one. */
export function readerOfPassed(process: GraphProcess): GraphEvent | undefined {
  return process.events.at(-1)?.reader
}

/**
 * The last event that takes effect together with a receive, where processes have turns (`Reference`): the choices behind it, and the message
 * over another network behind those. Undefined: the turn goes on, or ended the execution.
 */
export function endOfTurn(reader: GraphEvent, { wants, pending }: LocalState): GraphEvent | undefined {
  const { events } = reader.process
  let last = reader
  while (isChoice(events[last.index + 1]?.operation)) last = events[last.index + 1] as GraphEvent
  const next = events[last.index + 1]
  if (next === undefined) {
    const goesOn = pending === undefined ? wants === 'to act' : isChoice(pending) || isNotice(pending)
    return goesOn ? undefined : last
  }
  if (next.kind === 'error') return undefined
  return isNotice(next.operation) ? next : last
}

/** A choice of one begins another turn. */
function isChoice(operation: Operation | undefined): boolean {
  return operation?.kind === 'choose' && (operation.payload as readonly unknown[]).length > 1
}

function isNotice(operation: Operation | undefined): boolean {
  return operation?.kind === 'send' && operation.detail !== undefined
}

/** Messages to a process that wait in queues of others. */
export function queuedFor(process: GraphProcess): readonly GraphEvent[] {
  const waiting = process.siblings.flatMap(({ isQueue, inbox }) => (isQueue ? inbox : []))
  return waiting.filter((send) => send.reader === undefined && target(send) === process.id)
}

function target(send: GraphEvent): string {
  return ((send.operation as Operation).target as Address<never>).id
}
