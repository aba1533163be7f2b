/** The members speak first and are pinged twice. The order of sends and receives differs, the exchange is deterministic. */
import { type Address, every, type Process, program, receive, self, send, spawnAll } from 'allways'

type Ping = { readonly kind: 'ping' }
type Ready = { readonly kind: 'ready' }

function* member(pinger: Address<Ready>): Process<Ping> {
  yield* send(pinger, { kind: 'ready' })
  yield* receive<Ping>('ping')
  yield* receive<Ping>('ping')
}

export const pingDet = program('ping-det', { params: { n: every(3) } }, function* ({ n }) {
  const me = yield* self<Ready>()
  const members = yield* spawnAll(n, 'member', member, me)
  for (const one of members) {
    yield* send(one, { kind: 'ping' })
    yield* send(one, { kind: 'ping' })
    yield* receive<Ready>('ready', { from: one })
  }
})

export const onePing = program('ping-det, one ping', { params: { n: every(3) } }, function* ({ n }) {
  const me = yield* self<Ready>()
  const members = yield* spawnAll(n, 'member', member, me)
  for (const one of members) {
    yield* send(one, { kind: 'ping' })
    yield* receive<Ready>('ready', { from: one })
  }
})

export const threePings = program('ping-det, three pings', { params: { n: every(3) } }, function* ({ n }) {
  const me = yield* self<Ready>()
  const members = yield* spawnAll(n, 'member', member, me)
  for (const one of members) {
    yield* send(one, { kind: 'ping' })
    yield* send(one, { kind: 'ping' })
    yield* receive<Ready>('ready', { from: one })
    yield* send(one, { kind: 'ping' })
  }
})

/** The member is ready after the pings, and the pinger pings again only when it is. */
export const readyLast = program('ping-det, ready last', { params: { n: every(3) } }, function* ({ n }) {
  const me = yield* self<Ready>()
  const members = yield* spawnAll(n, 'member', slow, me)
  for (const one of members) {
    yield* send(one, { kind: 'ping' })
    yield* receive<Ready>('ready', { from: one })
    yield* send(one, { kind: 'ping' })
  }
})

function* slow(pinger: Address<Ready>): Process<Ping> {
  yield* receive<Ping>('ping')
  yield* receive<Ping>('ping')
  yield* send(pinger, { kind: 'ready' })
}
