/**
 * A read-write lock. That a reader has left matters only to a writer: the server reads it when a writer is next, for one reader
 * after the other, so that the order in which they left makes no difference. So a reader gets no answer when it leaves. One
 * that was not there is found when its leaving can be told from that of one that was, and reported by the server.
 *
 * A reader that comes after a writer's request waits for the writer. No behaviour is lost by that, since the request of a
 * writer that is overtaken could as well come later; but a process that reads twice at the same time can deadlock, as it can
 * with most implementations.
 */
import type { LockPair } from '../../core/lock.ts'
import type { CompositeOperation } from '../../core/operation.ts'
import { checkNoMore, shown } from '../../core/option-shape.ts'
import { takingOnly } from '../../core/taking-only.ts'
import type { Address } from '../../core/value.ts'
import { self } from '../process.ts'
import { fail, grant, refuse, releasing, untilReleased } from './exclusive.ts'
import { isTry, LockHandle, lockMethods } from './lock-handle.ts'
import {
  created,
  Handle,
  handleOf,
  nextRequest,
  type Request,
  type Steps,
  sentBeforeNow,
  telling,
  violated,
} from './protocol.ts'

/** A lock that one writer or any number of readers can hold at a time. */
export class ReadWriteLock extends Handle implements LockPair<LockHandle> {
  /** The lock as readers use it: any number at a time, while no writer holds it or waits for it. */
  get read(): ReadLock {
    return handleOf(ReadLock, this.id)
  }

  /** The lock as writers use it: one at a time, and no reader. */
  get write(): WriteLock {
    return handleOf(WriteLock, this.id)
  }
}

class ReadLock extends LockHandle {
  protected get prefix(): string {
    return 'rwlock.read'
  }

  protected get wanted(): string {
    return `read-write lock "${this.id}" to read`
  }

  release(): CompositeOperation<void> {
    return telling(this, { kind: 'rwlock.read.release' })
  }
}

class WriteLock extends LockHandle {
  protected get prefix(): string {
    return 'rwlock.write'
  }

  protected get wanted(): string {
    return `read-write lock "${this.id}" to write`
  }

  /** A violation if the caller does not hold the lock to write. */
  release(): CompositeOperation<void> {
    return releasing(this, 'rwlock.write', 'read-write lock')
  }
}

takingOnly(ReadLock, 'read', lockMethods)
takingOnly(WriteLock, 'write', lockMethods)

/** Creates a read-write lock that nobody holds. */
export function readWriteLock(name: string): CompositeOperation<ReadWriteLock>
export function readWriteLock(name: string, ...extra: readonly unknown[]): CompositeOperation<ReadWriteLock> {
  checkNoMore(extra, `readWriteLock(${shown(name)})`)
  return created(ReadWriteLock, name, serve)
}

/** Who has come to read since the last writer, once per time; some may have left. */
type Readers = readonly Address<unknown>[]

function* serve(): Steps<void> {
  const { id } = yield* self()
  let readers: Readers = []
  for (;;) {
    const request = yield* nextRequest(unlessLeaving(readers))
    const { kind, from } = request
    switch (kind) {
      case 'rwlock.read.acquire':
      case 'rwlock.read.tryAcquire':
        readers = [...readers, from]
        yield* grant(request)
        break
      case 'rwlock.write.acquire':
      case 'rwlock.write.tryAcquire':
        readers = isTry(request) ? yield* stillReading(readers) : yield* untilLeft(readers)
        if (readers.length === 0) yield* write(request)
        else yield* fail(request)
        break
      case 'rwlock.write.release':
        yield* refuse(request, 'rwlock.write', 'no writer')
        break
      default:
        yield* violated(`${from.id} ends reading under read-write lock "${id}" without having begun`)
    }
  }
}

function* write(request: Request): Steps<void> {
  yield* grant(request)
  yield* untilReleased(request.from, 'rwlock.write')
}

/** A writer is next: whoever only tries gets nothing. */
function* untilLeft(readers: Readers): Steps<Readers> {
  for (const reader of readers) {
    const isLeaving = leavingOf(reader)
    const concerns = (request: Request) => isLeaving(request) || isTry(request)
    for (let request = yield* nextRequest(concerns); isTry(request); request = yield* nextRequest(concerns)) {
      yield* fail(request)
    }
  }
  return []
}

/** Some reader that has not left yet, and those who came after it; nobody if all have left. */
function* stillReading(readers: Readers): Steps<Readers> {
  for (const [index, reader] of readers.entries()) {
    if ((yield* sentBeforeNow(leavingOf(reader))) === undefined) return readers.slice(index)
  }
  return []
}

/** Filters must not change while somebody waits with them, so they keep the readers there were. */
function unlessLeaving(readers: Readers): (request: Request) => boolean {
  return ({ kind, from }) => kind !== 'rwlock.read.release' || !readers.includes(from)
}

function leavingOf(reader: Address<unknown>): (request: Request) => boolean {
  return ({ kind, from }) => kind === 'rwlock.read.release' && from === reader
}
