/**
 * A key-value store. To allocate a key a client asks; if the key is free, the store waits for the value that this client sends
 * next, and serves nobody else meanwhile. Whether a key is free is left open.
 */
import { type Address, choose, every, type Process, program, receive, self, send, spawn, spawnAll } from 'allways'

type Request = {
  readonly kind: 'request'
  readonly call: 'allocate' | 'lookup'
  readonly key: string
  readonly from: Address<Reply>
}
type Value = { readonly kind: 'value'; readonly value: number }
type Reply =
  | { readonly kind: 'allocation'; readonly free: boolean }
  | { readonly kind: 'found'; readonly value: number }

function* database(): Process<Request | Value> {
  while (true) {
    const { call, from } = yield* receive<Request>('request')
    if (call === 'allocate') {
      const taken = yield* choose([true, false])
      if (taken) {
        yield* send(from, { kind: 'allocation', free: false })
      } else {
        yield* send(from, { kind: 'allocation', free: true })
        yield* receive<Value>('value', { from })
      }
    } else {
      yield* send(from, { kind: 'found', value: 1 })
    }
  }
}

function* client(at: Address<Request | Value>): Process<Reply> {
  const me = yield* self<Reply>()
  const call = yield* choose(['allocate', 'lookup'])
  yield* send(at, { kind: 'request', call, key: 'color', from: me })
  if (call === 'allocate') {
    const { free } = yield* receive<Reply, 'allocation'>('allocation')
    if (free) yield* send(at, { kind: 'value', value: 1 })
  } else {
    yield* receive<Reply, 'found'>('found')
  }
}

export const concDb = program('concurrent database', { params: { clients: every(3) } }, function* ({ clients }) {
  const at = yield* spawn('database', { daemon: true }, database)
  yield* spawnAll(clients, 'client', client, at)
})

/** The database waits for the value for ever, and whoever comes next waits for the database: it takes two clients. */
export const noValue = program(
  'concurrent database, no value',
  { params: { clients: every(3) } },
  function* ({ clients }) {
    const at = yield* spawn('database', { daemon: true }, database)
    yield* spawnAll(clients, 'client', forgetful, at)
  },
)

function* forgetful(at: Address<Request | Value>): Process<Reply> {
  const me = yield* self<Reply>()
  const call = yield* choose(['allocate', 'lookup'])
  yield* send(at, { kind: 'request', call, key: 'color', from: me })
  if (call === 'allocate') yield* receive<Reply, 'allocation'>('allocation')
  else yield* receive<Reply, 'found'>('found')
}

export const valueNotRead = program(
  'concurrent database, value not read',
  { params: { clients: every(3) } },
  function* ({ clients }) {
    const at = yield* spawn('database', { daemon: true }, inattentive)
    yield* spawnAll(clients, 'client', client, at)
  },
)

function* inattentive(): Process<Request | Value> {
  while (true) {
    const { call, from } = yield* receive<Request>('request')
    if (call === 'allocate') {
      const free = yield* choose([true, false])
      yield* send(from, { kind: 'allocation', free })
    } else {
      yield* send(from, { kind: 'found', value: 1 })
    }
  }
}

/** Program C of Brisk §2.3: correct, but requests come from two lines, which race. */
export const twoRequests = program(
  'concurrent database, two requests',
  { params: { clients: every(3) } },
  function* ({ clients }) {
    const at = yield* spawn('database', { daemon: true }, database)
    yield* spawnAll(clients, 'client', branching, at)
  },
)

function* branching(at: Address<Request | Value>): Process<Reply> {
  const me = yield* self<Reply>()
  const allocates = yield* choose([true, false])
  if (allocates) {
    yield* send(at, { kind: 'request', call: 'allocate', key: 'color', from: me })
    const { free } = yield* receive<Reply, 'allocation'>('allocation')
    if (free) yield* send(at, { kind: 'value', value: 1 })
  } else {
    yield* send(at, { kind: 'request', call: 'lookup', key: 'color', from: me })
    yield* receive<Reply, 'found'>('found')
  }
}
