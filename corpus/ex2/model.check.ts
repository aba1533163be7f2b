/** One process talks to each member of a set in turn: it sends its address and waits for the answer of that member. */
import { type Address, every, type Process, program, receive, self, send, spawnAll } from 'allways'

type Ping = { readonly kind: 'ping'; readonly from: Address<Pong> }
type Pong = { readonly kind: 'pong' }

function* member(): Process<Ping> {
  const { from } = yield* receive<Ping>('ping')
  yield* send(from, { kind: 'pong' })
}

export const ex2 = program('ex2', { params: { n: every(3) } }, function* ({ n }) {
  const me = yield* self<Pong>()
  const members = yield* spawnAll(n, 'member', member)
  for (const one of members) {
    yield* send(one, { kind: 'ping', from: me })
    yield* receive<Pong>('pong', { from: one })
  }
})

/** Everybody waits for a first message. */
export const noPing = program('ex2, nobody is pinged', { params: { n: every(3) } }, function* ({ n }) {
  const members = yield* spawnAll(n, 'member', member)
  for (const one of members) yield* receive<Pong>('pong', { from: one })
})

export const noPong = program('ex2, no member answers', { params: { n: every(3) } }, function* ({ n }) {
  const me = yield* self<Pong>()
  const members = yield* spawnAll(n, 'member', silent)
  for (const one of members) {
    yield* send(one, { kind: 'ping', from: me })
    yield* receive<Pong>('pong', { from: one })
  }
})

function* silent(): Process<Ping> {
  yield* receive<Ping>('ping')
}

export const pongToSelf = program('ex2, members answer themselves', { params: { n: every(3) } }, function* ({ n }) {
  const me = yield* self<Pong>()
  const members = yield* spawnAll(n, 'member', confused)
  for (const one of members) {
    yield* send(one, { kind: 'ping', from: me })
    yield* receive<Pong>('pong', { from: one })
  }
})

function* confused(): Process<Ping> {
  const me = yield* self<Pong>()
  yield* receive<Ping>('ping')
  yield* send(me, { kind: 'pong' })
}

/** Correct: nobody else has been pinged yet. But one round of the loop seems to talk to two members. */
export const fromAnyone = program('ex2, pong from anyone', { params: { n: every(3) } }, function* ({ n }) {
  const me = yield* self<Pong>()
  const members = yield* spawnAll(n, 'member', member)
  for (const one of members) {
    yield* send(one, { kind: 'ping', from: me })
    yield* receive<Pong>('pong')
  }
})
