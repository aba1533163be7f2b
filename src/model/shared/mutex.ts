/**
 * A mutex. While somebody holds it the server receives nothing but an unlock, so that executions differ only in the order in
 * which processes get it. Nobody but the holder has a reason to unlock, so looking out for others adds no executions either.
 */
import type { CompositeOperation, Operation } from '../../core/operation.ts'
import { criticalSection, type Performable, type SectionBody } from './critical-section.ts'
import { refuse, unlocking, untilUnlocked } from './exclusive.ts'
import { asking, created, Handle, nextRequest, reply, type Steps } from './protocol.ts'

/** A lock that one process can hold at a time; waiting processes get it in any order. */
export class Mutex extends Handle {
  /** Waits until nobody holds the mutex, and takes it. */
  lock(): CompositeOperation<void> {
    return asking(this, { kind: 'mutex.lock' }, `mutex "${this.id}"`)
  }

  /** Gives the mutex back; a violation if the caller does not hold it. */
  unlock(): CompositeOperation<void> {
    return unlocking(this, 'mutex', 'mutex')
  }

  /** Holds the mutex while `body` runs, and gives its result. */
  with<Yielded, Result>(
    body: () => Performable<Yielded, Result>,
  ): CompositeOperation<Result, Yielded | Operation<never>>
  with<Result>(body: () => Promise<Result>): CompositeOperation<Result>
  with(body: SectionBody): CompositeOperation<unknown, unknown> {
    return criticalSection('mutex.with', { enter: () => this.lock(), leave: () => this.unlock() }, body)
  }
}

/** Creates a mutex that nobody holds. */
export function mutex(name: string): CompositeOperation<Mutex> {
  return created(Mutex, name, serve)
}

function* serve(): Steps<void> {
  for (;;) {
    const { kind, from } = yield* nextRequest()
    if (kind === 'mutex.unlock') {
      yield* refuse(from, 'mutex', 'nobody')
    } else {
      yield* reply(from, 'mutex.locked')
      yield* untilUnlocked(from, 'mutex')
    }
  }
}
