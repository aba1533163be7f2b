/**
 * Requests to services that notice when a client crashes. Unlike shared objects, services take their time: a process may crash while it
 * waits for the answer. What a client holds at a service is told here, because only then does the service have to learn of a crash.
 */
import { type LibraryFilter, Operation, reliable } from '../../core/operation.ts'
import { running } from '../../core/running.ts'
import type { Address } from '../../core/value.ts'
import { firstMark, freeMark, ReplyFilter } from '../replies.ts'
import { type Question, type Steps, tell } from '../shared/protocol.ts'

interface Requested {
  /** What a deadlock report says the client waits for. */
  readonly waitsFor: string
  readonly mark?: LibraryFilter
  /** The service has something of the client's from then on, until `holds` tells otherwise. */
  readonly begins?: boolean
}

/** Sends a request and waits for the answer. */
export function* requesting<Result>(
  server: Address<never>,
  question: Question,
  { waitsFor, mark = reliable, begins = false }: Requested,
): Steps<Result> {
  const { reply, release } = freeMark()
  yield* telling(server, reply === firstMark ? question : { ...question, reply }, mark)
  if (begins) holds(server, 1)
  const filter = new ReplyFilter(waitsFor, reply, true)
  const answer = yield* new Operation<{ value: Result }>('receive', undefined, undefined, filter, undefined)
  release()
  return (answer as { readonly value: Result }).value
}

/** Sends a request that needs no answer. */
export function* telling(server: Address<never>, question: Question, mark: LibraryFilter = reliable): Steps<void> {
  yield* tell(server, question, mark)
  running.connections?.asks(server.id)
}

/** From now on the service has something of the client's, or no longer. */
export function holds(server: Address<never>, more: 1 | -1, which?: number): void {
  running.connections?.holds(server.id, more, which)
}
