/** Giving back what only one process can hold: the client's side and the server's, for mutexes and writers. */
import { CompositeOperation } from '../../core/operation.ts'
import type { Address } from '../../core/value.ts'
import { assert, self } from '../process.ts'
import { isTry } from './lock-handle.ts'
import { asking, type Handle, nextRequest, type Request, reply, type Steps } from './protocol.ts'

/** Gives back; a violation, at the line that does it, if the caller does not hold. */
export function releasing(handle: Handle, prefix: string, noun: string): CompositeOperation<void> {
  const what = `${noun} "${handle.id}"`
  const kind = `${prefix}.release`
  // Asked inside: what is made outside would be a call of its own, which goes on by itself if this one is not awaited at once.
  return new CompositeOperation(kind, function* (): Steps<void> {
    const holder = yield* asking<string | undefined>(handle, { kind }, what)
    const { id } = yield* self()
    yield* assert(holder === undefined, `${id} releases ${what}, which ${holder} holds`)
  })
}

/**
 * Waits until the holder gives back, and refuses everybody else. `acquire` is not among what is received: executions differ only
 * in the order in which processes get what is held, and processes that neither try nor hold have nothing to ask for.
 */
export function* untilReleased(holder: Address<unknown>, prefix: string): Steps<void> {
  const concerns = (request: Request) => request.kind === `${prefix}.release` || isTry(request)
  for (;;) {
    const request = yield* nextRequest(concerns)
    if (isTry(request)) yield* fail(request)
    else if (request.from === holder) return yield* reply(request, `${prefix}.released`)
    else yield* refuse(request, prefix, holder.id)
  }
}

/** Answers a release of somebody who does not hold. */
export function* refuse(request: Request, prefix: string, holder: string): Steps<void> {
  yield* reply(request, `${prefix}.refused`, holder)
}

/** Answers a process that tries to get what it would have to wait for. */
export function* fail(request: Request): Steps<void> {
  yield* reply(request, tried(request.kind), false)
}

/** Answers a process that tried, or waited, and has the lock now. */
export function* grant(request: Request): Steps<void> {
  const { kind } = request
  if (isTry(request)) yield* reply(request, tried(kind), true)
  else yield* reply(request, kind.replace(/acquire$/, 'acquired'))
}

function tried(kind: string): string {
  return kind.replace(/tryAcquire$/, 'tried')
}
