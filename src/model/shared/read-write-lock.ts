/**
 * A read-write lock. That a reader has left matters only to a writer: the server reads it when a writer is next, for one reader
 * after the other, so that the order in which they left makes no difference. So a reader gets no answer when it leaves. One
 * that was not there is found when its leaving can be told from that of one that was, and reported by the server.
 *
 * A reader that comes after a writer's request waits for the writer. No behaviour is lost by that, since the request of a
 * writer that is overtaken could as well come later; but a process that reads twice at the same time can deadlock, as it can
 * with most implementations.
 */
import type { CompositeOperation, Operation } from '../../core/operation.ts'
import type { Address } from '../../core/value.ts'
import { self } from '../process.ts'
import { criticalSection, type Performable, type SectionBody } from './critical-section.ts'
import { refuse, unlocking, untilUnlocked } from './exclusive.ts'
import { asking, created, Handle, nextRequest, type Request, reply, type Steps, telling, violated } from './protocol.ts'

/** A lock that one writer or any number of readers can hold at a time. */
export class ReadWriteLock extends Handle {
  /** Waits until no writer holds the lock or was before, and takes it together with other readers. */
  lockRead(): CompositeOperation<void> {
    return asking(this, { kind: 'rwlock.read' }, `read-write lock "${this.id}" to read`)
  }

  /** Gives back what `lockRead` took. */
  unlockRead(): CompositeOperation<void> {
    return telling(this, { kind: 'rwlock.leave' })
  }

  /** Waits until nobody holds the lock, and takes it. */
  lockWrite(): CompositeOperation<void> {
    return asking(this, { kind: 'rwlock.write' }, `read-write lock "${this.id}" to write`)
  }

  /** Gives back what `lockWrite` took; a violation if the caller does not hold it. */
  unlockWrite(): CompositeOperation<void> {
    return unlocking(this, 'rwlock', 'read-write lock')
  }

  /** Holds the lock as a reader while `body` runs, and gives its result. */
  withRead<Yielded, Result>(
    body: () => Performable<Yielded, Result>,
  ): CompositeOperation<Result, Yielded | Operation<never>>
  withRead<Result>(body: () => Promise<Result>): CompositeOperation<Result>
  withRead(body: SectionBody): CompositeOperation<unknown, unknown> {
    return criticalSection('rwlock.withRead', { enter: () => this.lockRead(), leave: () => this.unlockRead() }, body)
  }

  /** Holds the lock as the writer while `body` runs, and gives its result. */
  withWrite<Yielded, Result>(
    body: () => Performable<Yielded, Result>,
  ): CompositeOperation<Result, Yielded | Operation<never>>
  withWrite<Result>(body: () => Promise<Result>): CompositeOperation<Result>
  withWrite(body: SectionBody): CompositeOperation<unknown, unknown> {
    return criticalSection('rwlock.withWrite', { enter: () => this.lockWrite(), leave: () => this.unlockWrite() }, body)
  }
}

/** Creates a read-write lock that nobody holds. */
export function readWriteLock(name: string): CompositeOperation<ReadWriteLock> {
  return created(ReadWriteLock, name, serve)
}

function* serve(): Steps<void> {
  const { id } = yield* self()
  /** Who has come to read since the last writer, once per time; some may have left. */
  let readers: readonly Address<unknown>[] = []
  for (;;) {
    const { kind, from } = yield* nextRequest(unlessLeaving(readers))
    switch (kind) {
      case 'rwlock.read':
        readers = [...readers, from]
        yield* reply(from, 'rwlock.granted')
        break
      case 'rwlock.write':
        for (const reader of readers) yield* nextRequest(isLeaving(reader))
        readers = []
        yield* reply(from, 'rwlock.granted')
        yield* untilUnlocked(from, 'rwlock')
        break
      case 'rwlock.unlock':
        yield* refuse(from, 'rwlock', 'no writer')
        break
      default:
        yield* violated(`${from.id} ends reading under read-write lock "${id}" without having begun`)
    }
  }
}

/** Filters must not change while somebody waits with them, so they keep the readers there were. */
function unlessLeaving(readers: readonly Address<unknown>[]): (request: Request) => boolean {
  return ({ kind, from }) => kind !== 'rwlock.leave' || !readers.includes(from)
}

function isLeaving(reader: Address<unknown>): (request: Request) => boolean {
  return ({ kind, from }) => kind === 'rwlock.leave' && from === reader
}
