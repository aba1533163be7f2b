/** All pings are sent first; the answers come in any order. */
import { type Address, every, type Process, program, receive, self, send, spawnAll } from 'allways'

type Ping = { readonly kind: 'ping'; readonly from: Address<Pong | Count> }
type Pong = { readonly kind: 'pong' }
type Count = { readonly kind: 'count'; readonly pings: number }

function* member(): Process<Ping> {
  const { from } = yield* receive<Ping>('ping')
  yield* send(from, { kind: 'pong' })
}

export const ex3 = program('ex3', { params: { n: every(3) } }, function* ({ n }) {
  const me = yield* self<Pong | Count>()
  const members = yield* spawnAll(n, 'member', member)
  for (const one of members) yield* send(one, { kind: 'ping', from: me })
  for (const _ of members) yield* receive<Pong>('pong')
})

export const wrongKind = program('ex3, answers of another kind', { params: { n: every(3) } }, function* ({ n }) {
  const me = yield* self<Pong | Count>()
  const members = yield* spawnAll(n, 'member', counting)
  for (const one of members) yield* send(one, { kind: 'ping', from: me })
  for (const _ of members) yield* receive<Pong>('pong')
})

function* counting(): Process<Ping> {
  const { from } = yield* receive<Ping>('ping')
  yield* send(from, { kind: 'count', pings: 1 })
}

export const noReceives = program('ex3, answers are not read', { params: { n: every(3) } }, function* ({ n }) {
  const me = yield* self<Pong | Count>()
  const members = yield* spawnAll(n, 'member', member)
  for (const one of members) yield* send(one, { kind: 'ping', from: me })
})

export const oneShort = program('ex3, one answer is not read', { params: { n: every(3) } }, function* ({ n }) {
  const me = yield* self<Pong | Count>()
  const members = yield* spawnAll(n, 'member', member)
  for (const one of members) yield* send(one, { kind: 'ping', from: me })
  for (let i = 0; i < n; i++) {
    if (i > 0) yield* receive<Pong>('pong')
  }
})

export const oneTooMany = program('ex3, one receive too many', { params: { n: every(3) } }, function* ({ n }) {
  const me = yield* self<Pong | Count>()
  const members = yield* spawnAll(n, 'member', member)
  for (const one of members) yield* send(one, { kind: 'ping', from: me })
  for (const _ of members) yield* receive<Pong>('pong')
  yield* receive<Pong>('pong')
})

/** Which of the two answers of a member is read is open, and half of them stay unread. */
export const twoSends = program('ex3, two answers each', { params: { n: every(2) } }, function* ({ n }) {
  const me = yield* self<Pong | Count>()
  const members = yield* spawnAll(n, 'member', eager)
  for (const one of members) yield* send(one, { kind: 'ping', from: me })
  for (const _ of members) yield* receive<Pong>('pong')
})

function* eager(): Process<Ping> {
  const { from } = yield* receive<Ping>('ping')
  yield* send(from, { kind: 'pong' })
  yield* send(from, { kind: 'pong' })
}

/** Both answers are read: nothing is wrong but the race. */
export const twoSendsRead = program('ex3, two answers each, all read', { params: { n: every(2) } }, function* ({ n }) {
  const me = yield* self<Pong | Count>()
  const members = yield* spawnAll(n, 'member', eager)
  for (const one of members) yield* send(one, { kind: 'ping', from: me })
  for (const _ of members) yield* receive<Pong>('pong')
  for (const _ of members) yield* receive<Pong>('pong')
})
