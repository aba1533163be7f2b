/** A oneshot: a value that is sent once. Before it is there the server takes sends only, and afterwards whoever asks gets it. */
import { CompositeOperation } from '../../core/operation.ts'
import { checkNoMore, shown } from '../../core/option-shape.ts'
import { takingOnly } from '../../core/taking-only.ts'
import { assert, self } from '../process.ts'
import { asking, created, Handle, nextRequest, type Request, reply, type Steps } from './protocol.ts'

/** A value that is sent once and received by everybody who asks. */
export class Oneshot<in out T> extends Handle {
  /** Sends the value; a violation if one was sent before. */
  send(value: T): CompositeOperation<void> {
    const what = `oneshot "${this.id}"`
    const oneshot = this
    return new CompositeOperation('oneshot.send', function* (): Steps<void> {
      const isFirst = yield* asking<boolean>(oneshot, { kind: 'oneshot.send', value }, what)
      const { id } = yield* self()
      yield* assert(isFirst, `${id} sends to ${what}, which has been sent to before`)
    })
  }

  /** Waits for the value. */
  receive(): CompositeOperation<T> {
    return asking(this, { kind: 'oneshot.receive' }, `the value of oneshot "${this.id}"`)
  }
}

takingOnly(Oneshot, 'oneshot', { send: 'value', receive: '' })

/** Creates a oneshot that nothing has been sent to. */
export function oneshot<T>(name: string): CompositeOperation<Oneshot<T>>
export function oneshot<T>(name: string, ...extra: readonly unknown[]): CompositeOperation<Oneshot<T>> {
  checkNoMore(extra, `oneshot(${shown(name)})`)
  return created(Oneshot<T>, name, serve)
}

function* serve(): Steps<void> {
  const first = yield* nextRequest<Request & { readonly value: unknown }>('oneshot.send')
  yield* reply(first, 'oneshot.sent', true)
  for (;;) {
    const request = yield* nextRequest()
    if (request.kind === 'oneshot.send') yield* reply(request, 'oneshot.refused', false)
    else yield* reply(request, 'oneshot.value', first.value)
  }
}
