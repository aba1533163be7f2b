/**
 * A mutex. While somebody holds it the server receives nothing but a release and those who only try, so that executions differ
 * in little but the order in which processes get it. Nobody but the holder has a reason to release, so looking out for
 * others adds no executions either.
 */
import type { CompositeOperation } from '../../core/operation.ts'
import { checkNoMore, shown } from '../../core/option-shape.ts'
import { takingOnly } from '../../core/taking-only.ts'
import { grant, refuse, releasing, untilReleased } from './exclusive.ts'
import { LockHandle, lockMethods } from './lock-handle.ts'
import { created, nextRequest, type Steps } from './protocol.ts'

/** A lock that one process can hold at a time; waiting processes get it in any order. */
export class Mutex extends LockHandle {
  protected get prefix(): string {
    return 'mutex'
  }

  protected get wanted(): string {
    return `mutex "${this.id}"`
  }

  /** Gives the mutex back; a violation if the caller does not hold it. */
  release(): CompositeOperation<void> {
    return releasing(this, 'mutex', 'mutex')
  }
}

takingOnly(Mutex, 'mutex', lockMethods)

/** Creates a mutex that nobody holds. */
export function mutex(name: string): CompositeOperation<Mutex>
export function mutex(name: string, ...extra: readonly unknown[]): CompositeOperation<Mutex> {
  checkNoMore(extra, `mutex(${shown(name)})`)
  return created(Mutex, name, serve)
}

function* serve(): Steps<void> {
  for (;;) {
    const request = yield* nextRequest()
    if (request.kind === 'mutex.release') {
      yield* refuse(request, 'mutex', 'nobody')
    } else {
      yield* grant(request)
      yield* untilReleased(request.from, 'mutex')
    }
  }
}
