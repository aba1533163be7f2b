/**
 * A timer without time: once started it may fire at any moment or never. Nobody can notice the moment but by asking, so it is
 * chosen then: asking n times while the timer runs has n + 1 outcomes, because what has fired stays fired.
 */
import type { CompositeOperation } from '../../core/operation.ts'
import { checkNoMore, shown } from '../../core/option-shape.ts'
import { takingOnly } from '../../core/taking-only.ts'
import { choose } from '../process.ts'
import { asking, created, Handle, nextRequest, reply, type Steps, withoutPlace } from './protocol.ts'

/** A timer that may fire at any moment after its start, or never. */
export class Timer extends Handle {
  /** Starts the timer, or starts it anew. */
  start(): CompositeOperation<void> {
    return asking(this, { kind: 'timer.start' }, `timer "${this.id}"`)
  }

  /** Stops the timer; it has not fired then, whatever it did before. */
  cancel(): CompositeOperation<void> {
    return asking(this, { kind: 'timer.cancel' }, `timer "${this.id}"`)
  }

  /** Whether the timer has fired since it was started; both answers are explored while it runs. */
  fired(): CompositeOperation<boolean> {
    return asking(this, { kind: 'timer.fired' }, `timer "${this.id}"`)
  }
}

takingOnly(Timer, 'timer', { start: '', cancel: '', fired: '' })

/** Creates a timer that has not been started. */
export function timer(name: string): CompositeOperation<Timer>
export function timer(name: string, ...extra: readonly unknown[]): CompositeOperation<Timer> {
  checkNoMore(extra, `timer(${shown(name)})`)
  return created(Timer, name, serve)
}

function* serve(): Steps<void> {
  let state: 'stopped' | 'running' | 'fired' = 'stopped'
  for (;;) {
    const request = yield* nextRequest()
    switch (request.kind) {
      case 'timer.start':
        state = 'running'
        yield* reply(request, 'timer.started')
        break
      case 'timer.cancel':
        state = 'stopped'
        yield* reply(request, 'timer.cancelled')
        break
      default:
        if (state === 'running') state = yield* withoutPlace(choose(['running', 'fired']))
        yield* reply(request, 'timer.state', state === 'fired')
    }
  }
}
