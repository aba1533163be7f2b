/** As ex3, but the answers are counted: the second loop runs so many times, not over the set. */
import { type Address, choose, every, type Process, program, receive, repeat, self, send, spawnAll } from 'allways'

type Ping = { readonly kind: 'ping'; readonly from: Address<Pong>; readonly number: number }
type Pong = { readonly kind: 'pong' }

function* member(): Process<Ping> {
  const { from } = yield* receive<Ping>('ping')
  yield* send(from, { kind: 'pong' })
}

export const pingIter = program('ping-iter', { params: { n: every(3) } }, function* ({ n }) {
  const me = yield* self<Pong>()
  const members = yield* spawnAll(n, 'member', member)
  for (const one of members) yield* send(one, { kind: 'ping', from: me, number: 0 })
  for (let i = 0; i < n; i++) yield* receive<Pong>('pong')
})

export const pingRepeat = program('ping-iter with repeat', { params: { n: every(3) } }, function* ({ n }) {
  const me = yield* self<Pong>()
  const members = yield* spawnAll(n, 'member', member)
  for (const one of members) yield* send(one, { kind: 'ping', from: me, number: 0 })
  yield* repeat(n, function* () {
    yield* receive<Pong>('pong')
  })
})

/** Right only where the two sizes happen to be equal. */
export const unrelated = program(
  'ping-iter, unrelated sizes',
  { params: { n: every(2), k: every(2) } },
  function* ({ n, k }) {
    const me = yield* self<Pong>()
    const members = yield* spawnAll(n, 'member', member)
    for (const one of members) yield* send(one, { kind: 'ping', from: me, number: 0 })
    for (let i = 0; i < k; i++) yield* receive<Pong>('pong')
  },
)

export const oneMore = program('ping-iter, one answer more', { params: { n: every(3) } }, function* ({ n }) {
  const me = yield* self<Pong>()
  const members = yield* spawnAll(n, 'member', member)
  for (const one of members) yield* send(one, { kind: 'ping', from: me, number: 0 })
  yield* receive<Pong>('pong')
  for (let i = 0; i < n; i++) yield* receive<Pong>('pong')
})

export const oneLess = program('ping-iter, one answer less', { params: { n: every(3) } }, function* ({ n }) {
  const me = yield* self<Pong>()
  const members = yield* spawnAll(n, 'member', member)
  for (const one of members) yield* send(one, { kind: 'ping', from: me, number: 0 })
  for (let i = 0; i < n; i++) {
    if (i !== 0) yield* receive<Pong>('pong')
  }
})

/** Number 0 is taken for no number. */
export const oneSilent = program('ping-iter, one member is silent', { params: { n: every(3) } }, function* ({ n }) {
  const me = yield* self<Pong>()
  const members = yield* spawnAll(n, 'member', numbered)
  let number = 0
  for (const one of members) {
    yield* send(one, { kind: 'ping', from: me, number })
    number++
  }
  for (let i = 0; i < n; i++) yield* receive<Pong>('pong')
})

function* numbered(): Process<Ping> {
  const { from, number } = yield* receive<Ping>('ping')
  if (number > 0) yield* send(from, { kind: 'pong' })
}

export const sometimesSilent = program(
  'ping-iter, members may be silent',
  { params: { n: every(2) } },
  function* ({ n }) {
    const me = yield* self<Pong>()
    const members = yield* spawnAll(n, 'member', moody)
    for (const one of members) yield* send(one, { kind: 'ping', from: me, number: 0 })
    for (let i = 0; i < n; i++) yield* receive<Pong>('pong')
  },
)

function* moody(): Process<Ping> {
  const { from } = yield* receive<Ping>('ping')
  const answers = yield* choose([true, false])
  if (answers) yield* send(from, { kind: 'pong' })
}
