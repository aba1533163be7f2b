/** Giving back what only one process can hold: the client's side and the server's, for mutexes and writers. */
import { CompositeOperation } from '../../core/operation.ts'
import type { Address } from '../../core/value.ts'
import { assert, self } from '../process.ts'
import { asking, type Handle, nextRequest, reply, type Steps } from './protocol.ts'

/** Gives back; a violation, at the line that does it, if the caller does not hold. */
export function unlocking(handle: Handle, prefix: string, noun: string): CompositeOperation<void> {
  const what = `${noun} "${handle.id}"`
  const asked = asking<string | undefined>(handle, { kind: `${prefix}.unlock` }, what)
  return new CompositeOperation(asked.name, function* (): Steps<void> {
    const holder = yield* asked
    const { id } = yield* self()
    yield* assert(holder === undefined, `${id} unlocks ${what}, which ${holder} holds`)
  })
}

/** Waits until the holder gives back, and refuses everybody else. */
export function* untilUnlocked(holder: Address<unknown>, prefix: string): Steps<void> {
  for (;;) {
    const { from } = yield* nextRequest(`${prefix}.unlock`)
    if (from === holder) return yield* reply(from, `${prefix}.unlocked`)
    yield* refuse(from, prefix, holder.id)
  }
}

/** Answers an unlock of somebody who does not hold. */
export function* refuse(from: Address<unknown>, prefix: string, holder: string): Steps<void> {
  yield* reply(from, `${prefix}.refused`, holder)
}
