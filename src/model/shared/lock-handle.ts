/** The verbs that all locks of processes have, as requests to the server of the lock. */
import type { Lock, Performable } from '../../core/lock.ts'
import type { CompositeOperation, Operation } from '../../core/operation.ts'
import { criticalSection, type SectionBody } from './critical-section.ts'
import { asking, Handle } from './protocol.ts'

export abstract class LockHandle extends Handle implements Lock<'process'> {
  /** What the kinds of its requests begin with. */
  protected abstract get prefix(): string
  /** What a deadlock report says that a process waits for. */
  protected abstract get wanted(): string

  /** Waits until the lock can be had, and takes it. */
  acquire(): CompositeOperation<void> {
    return asking(this, { kind: `${this.prefix}.acquire` }, this.wanted)
  }

  /** Takes the lock if that is possible without waiting, and says whether it did. */
  tryAcquire(): CompositeOperation<boolean> {
    return asking(this, { kind: `${this.prefix}.tryAcquire` }, this.wanted)
  }

  /** Gives the lock back. */
  abstract release(): CompositeOperation<void>

  /** Holds the lock while `body` runs, and gives its result. */
  run<Yielded, Result>(body: () => Performable<Yielded, Result>): CompositeOperation<Result, Yielded | Operation<never>>
  run<Result>(body: () => Promise<Result>): CompositeOperation<Result>
  run(body: SectionBody): CompositeOperation<unknown, unknown> {
    const doors = { enter: () => this.acquire(), leave: () => this.release() }
    return criticalSection(`${this.prefix}.run`, doors, body)
  }
}

/** With their parameters. */
export const lockMethods = { acquire: '', tryAcquire: '', release: '', run: 'body' }

export function isTry({ kind }: { readonly kind: string }): boolean {
  return kind.endsWith('.tryAcquire')
}
