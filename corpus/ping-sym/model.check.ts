/** The members speak first, in any order, and each is answered at the address it sent. */
import { type Address, choose, every, type Process, program, receive, self, send, spawnAll } from 'allways'

type Hello = { readonly kind: 'hello'; readonly from: Address<Ping> }
type Ping = { readonly kind: 'ping' }
type Peer = { readonly kind: 'peer'; readonly peer: Address<Ping> }

function* member(pinger: Address<Hello>): Process<Ping> {
  const me = yield* self<Ping>()
  yield* send(pinger, { kind: 'hello', from: me })
  yield* receive<Ping>('ping')
}

export const pingSym = program('ping-sym', { params: { n: every(3) } }, function* ({ n }) {
  const me = yield* self<Hello>()
  const members = yield* spawnAll(n, 'member', member, me)
  for (const _ of members) {
    const { from } = yield* receive<Hello>('hello')
    yield* send(from, { kind: 'ping' })
  }
})

/** Two members may have the same peer, and then another one is never answered: it takes two. */
export const peersAddress = program('ping-sym, address of a peer', { params: { n: every(2) } }, function* ({ n }) {
  const me = yield* self<Hello>()
  const members = yield* spawnAll(n, 'member', impostor, me)
  for (const one of members) {
    const peer = yield* choose(members)
    yield* send(one, { kind: 'peer', peer })
  }
  for (const _ of members) {
    const { from } = yield* receive<Hello>('hello')
    yield* send(from, { kind: 'ping' })
  }
})

function* impostor(pinger: Address<Hello>): Process<Ping | Peer> {
  const { peer } = yield* receive<Peer>('peer')
  yield* send(pinger, { kind: 'hello', from: peer })
  yield* receive<Ping>('ping')
}

/** Correct: in the end everybody has said hello and has been pinged. But one round talks to two members. */
export const answersLoopVariable = program(
  'ping-sym, answers in order',
  { params: { n: every(3) } },
  function* ({ n }) {
    const me = yield* self<Hello>()
    const members = yield* spawnAll(n, 'member', member, me)
    for (const one of members) {
      yield* receive<Hello>('hello')
      yield* send(one, { kind: 'ping' })
    }
  },
)

/** The rejected example of Brisk §4.2 (EX6): safe, but whose hello a round takes is open. */
export const ex6 = program('ping-sym, ping before hello', { params: { n: every(3) } }, function* ({ n }) {
  const me = yield* self<Hello>()
  const members = yield* spawnAll(n, 'member', member, me)
  for (const one of members) {
    yield* send(one, { kind: 'ping' })
    yield* receive<Hello>('hello')
  }
})
