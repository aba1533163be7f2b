/**
 * A counting semaphore. A release is left unread until a permit is needed: as long as there are permits, whether one more has
 * come back changes nothing.
 */
import type { CompositeOperation } from '../../core/operation.ts'
import { checkNoMore, shown } from '../../core/option-shape.ts'
import { takingOnly } from '../../core/taking-only.ts'
import { fail, grant } from './exclusive.ts'
import { isTry, LockHandle, lockMethods } from './lock-handle.ts'
import { checkCount, created, nextRequest, type Request, type Steps, sentBeforeNow, telling } from './protocol.ts'

/** A number of permits that processes take and give back; waiting processes get them in any order. */
export class Semaphore extends LockHandle {
  protected get prefix(): string {
    return 'semaphore'
  }

  protected get wanted(): string {
    return `a permit of semaphore "${this.id}"`
  }

  /** Gives a permit back, or adds one: a semaphore has no holders. */
  release(): CompositeOperation<void> {
    return telling(this, { kind: 'semaphore.release' })
  }
}

takingOnly(Semaphore, 'semaphore', lockMethods)

/** Creates a semaphore with a number of permits. */
export function semaphore(name: string, permits: number): CompositeOperation<Semaphore>
export function semaphore(name: string, permits: number, ...extra: readonly unknown[]): CompositeOperation<Semaphore> {
  checkNoMore(extra, `semaphore(${shown(name)}, permits)`)
  checkCount('the number of permits', permits, 0)
  return created(Semaphore, name, serve, permits)
}

function* serve(permits: number): Steps<void> {
  for (let left = permits; ; ) {
    const request = yield* nextRequest(isTaking)
    if (left > 0) left--
    else if (!isTry(request)) yield* untilReleased()
    else if ((yield* sentBeforeNow(isRelease)) === undefined) {
      yield* fail(request)
      continue
    }
    yield* grant(request)
  }
}

/** Those who try in the meantime fail: what was released before they came would have been received before them. */
function* untilReleased(): Steps<void> {
  for (;;) {
    const request = yield* nextRequest(isReleaseOrTry)
    if (isRelease(request)) return
    yield* fail(request)
  }
}

function isRelease({ kind }: Request): boolean {
  return kind === 'semaphore.release'
}

function isTaking(request: Request): boolean {
  return !isRelease(request)
}

function isReleaseOrTry(request: Request): boolean {
  return isRelease(request) || isTry(request)
}
