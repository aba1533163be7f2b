/** A server is initialised once, then set and asked until it is told to end. */
import { type Address, assert, type Process, program, receive, self, send, spawn } from 'allways'

type Message =
  | { readonly kind: 'init'; readonly value: number; readonly from: Address<Answer> }
  | { readonly kind: 'set'; readonly value: number }
  | { readonly kind: 'get'; readonly from: Address<Answer> }
  | { readonly kind: 'bye' }
type Answer = { readonly kind: 'ok' } | { readonly kind: 'value'; readonly value: number }

function* server(): Process<Message> {
  const { from, value } = yield* receive<Message, 'init'>('init')
  yield* send(from, { kind: 'ok' })
  let current = value
  while (true) {
    const message = yield* receive<Message>()
    switch (message.kind) {
      case 'init':
        yield* assert(false, 'initialised twice')
        break
      case 'set':
        current = message.value
        break
      case 'get':
        yield* send(message.from, { kind: 'value', value: current })
        break
      case 'bye':
        return
    }
  }
}

export const parikh = program('parikh', function* () {
  const me = yield* self<Answer>()
  const at = yield* spawn('server', server)
  yield* send(at, { kind: 'init', value: 0, from: me })
  yield* receive<Answer, 'ok'>('ok')
  yield* send(at, { kind: 'set', value: 1 })
  yield* send(at, { kind: 'bye' })
})

export const asks = program('parikh, asks', function* () {
  const me = yield* self<Answer>()
  const at = yield* spawn('server', server)
  yield* send(at, { kind: 'init', value: 0, from: me })
  yield* receive<Answer, 'ok'>('ok')
  yield* send(at, { kind: 'set', value: 1 })
  yield* send(at, { kind: 'get', from: me })
  yield* receive<Answer, 'value'>('value')
  yield* send(at, { kind: 'bye' })
})

export const initTwice = program('parikh, initialised twice', function* () {
  const me = yield* self<Answer>()
  const at = yield* spawn('server', server)
  yield* send(at, { kind: 'init', value: 0, from: me })
  yield* receive<Answer, 'ok'>('ok')
  yield* send(at, { kind: 'init', value: 1, from: me })
  yield* send(at, { kind: 'bye' })
})

export const noBye = program('parikh, no bye', function* () {
  const me = yield* self<Answer>()
  const at = yield* spawn('server', server)
  yield* send(at, { kind: 'init', value: 0, from: me })
  yield* receive<Answer, 'ok'>('ok')
  yield* send(at, { kind: 'set', value: 1 })
})

export const setAfterBye = program('parikh, set after bye', function* () {
  const me = yield* self<Answer>()
  const at = yield* spawn('server', server)
  yield* send(at, { kind: 'init', value: 0, from: me })
  yield* receive<Answer, 'ok'>('ok')
  yield* send(at, { kind: 'bye' })
  yield* send(at, { kind: 'set', value: 1 })
})

export const waitsForValue = program('parikh, waits without asking', function* () {
  const me = yield* self<Answer>()
  const at = yield* spawn('server', server)
  yield* send(at, { kind: 'init', value: 0, from: me })
  yield* receive<Answer, 'ok'>('ok')
  yield* send(at, { kind: 'set', value: 1 })
  yield* receive<Answer, 'value'>('value')
  yield* send(at, { kind: 'bye' })
})
