/**
 * A counting semaphore. A release is left unread until an acquire needs it: as long as there are permits, whether one more has
 * come back changes nothing.
 */
import type { CompositeOperation, Operation } from '../../core/operation.ts'
import { criticalSection, type Performable, type SectionBody } from './critical-section.ts'
import { asking, checkCount, created, Handle, nextRequest, reply, type Steps, telling } from './protocol.ts'

/** A number of permits that processes take and give back; waiting processes get them in any order. */
export class Semaphore extends Handle {
  /** Waits until there is a permit, and takes it. */
  acquire(): CompositeOperation<void> {
    return asking(this, { kind: 'semaphore.acquire' }, `a permit of semaphore "${this.id}"`)
  }

  /** Gives a permit back, or adds one: a semaphore has no holders. */
  release(): CompositeOperation<void> {
    return telling(this, { kind: 'semaphore.release' })
  }

  /** Holds a permit while `body` runs, and gives its result. */
  with<Yielded, Result>(
    body: () => Performable<Yielded, Result>,
  ): CompositeOperation<Result, Yielded | Operation<never>>
  with<Result>(body: () => Promise<Result>): CompositeOperation<Result>
  with(body: SectionBody): CompositeOperation<unknown, unknown> {
    return criticalSection('semaphore.with', { enter: () => this.acquire(), leave: () => this.release() }, body)
  }
}

/** Creates a semaphore with a number of permits. */
export function semaphore(name: string, permits: number): CompositeOperation<Semaphore> {
  checkCount('the number of permits', permits, 0)
  return created(Semaphore, name, serve, permits)
}

function* serve(permits: number): Steps<void> {
  for (let left = permits; ; ) {
    const { from } = yield* nextRequest('semaphore.acquire')
    if (left > 0) left--
    else yield* nextRequest('semaphore.release')
    yield* reply(from, 'semaphore.acquired')
  }
}
