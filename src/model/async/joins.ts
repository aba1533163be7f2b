/**
 * Joins of an async process that waits for something else as well: engines have no operation for that. A process of our own waits for the end
 * in its place and then says so, over memory, in a message that only this join takes. It is a daemon that no fault concerns.
 */
import { Operation } from '../../core/operation.ts'
import { running } from '../../core/running.ts'
import { Address } from '../../core/value.ts'
import { join, sendOverMemory, spawn } from '../process.ts'
import { freeMark, type Mark, ReplyFilter } from '../replies.ts'
import { withoutNotice } from './own-operations.ts'
import type { Request } from './requests.ts'

/** Makes a receive of the join. What is returned has to be performed before. */
export function awaitedInPlace(request: Request): Operation {
  const { operation } = request
  const joined = operation.target as Address<never>
  const me = Address.of<unknown>(running.process ?? '')
  const { reply, release } = freeMark()
  const filter = new ReplyFilter(`the end of "${joined.id}"`, reply)
  request.becomes(
    withoutNotice(() => new Operation('receive', undefined, undefined, filter, undefined, operation.stack)),
  )
  request.whenOver = release
  const name = `until ${joined.id.replaceAll('/', ' ').replaceAll('#', ' ')} ends`
  return withoutNotice(() => spawn(name, { daemon: true, crashes: false }, untilItEnds, joined, me, reply))
}

function* untilItEnds(joined: Address<never>, me: Address<unknown>, reply: Mark): Generator<Operation, void, never> {
  yield* join(joined)
  yield* sendOverMemory(me, { kind: 'end', reply })
}
