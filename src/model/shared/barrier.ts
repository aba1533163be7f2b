/**
 * A barrier. The order in which processes arrive makes no difference to them, but the server cannot know who will come, so it
 * receives them in every order: a round costs `parties`! executions.
 */
import type { CompositeOperation } from '../../core/operation.ts'
import { checkNoMore, shown } from '../../core/option-shape.ts'
import { takingOnly } from '../../core/taking-only.ts'
import { asking, checkCount, created, Handle, nextRequest, type Request, reply, type Steps } from './protocol.ts'

/** A meeting point for a number of processes; it can be used again and again. */
export class Barrier extends Handle {
  /** Waits until all parties wait. */
  wait(): CompositeOperation<void> {
    return asking(this, { kind: 'barrier.wait' }, `the others at barrier "${this.id}"`)
  }
}

takingOnly(Barrier, 'barrier', { wait: '' })

/** Creates a barrier for a number of processes. */
export function barrier(name: string, parties: number): CompositeOperation<Barrier>
export function barrier(name: string, parties: number, ...extra: readonly unknown[]): CompositeOperation<Barrier> {
  checkNoMore(extra, `barrier(${shown(name)}, parties)`)
  checkCount('the number of parties', parties, 1)
  return created(Barrier, name, serve, parties)
}

function* serve(parties: number): Steps<void> {
  for (;;) {
    const waiting: Request[] = []
    while (waiting.length < parties) waiting.push(yield* nextRequest())
    for (const one of waiting) yield* reply(one, 'barrier.passed')
  }
}
