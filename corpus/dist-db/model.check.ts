/**
 * A store spread over workers: the database hands each request to some worker, which answers lookups to the client itself.
 * There is at least one worker, or the database has nobody to choose.
 */
import { type Address, choose, every, type Process, program, receive, self, send, spawn, spawnAll } from 'allways'

type Request = {
  readonly kind: 'request'
  readonly call: 'allocate' | 'lookup'
  readonly key: string
  readonly from: Address<Found>
}
type Forward = { readonly kind: 'forward'; readonly request: Request }
type Found = { readonly kind: 'found'; readonly value: number }

function* worker(): Process<Request | Forward> {
  while (true) {
    const { call, from } = yield* receive<Request>('request')
    if (call === 'lookup') yield* send(from, { kind: 'found', value: 1 })
  }
}

function* database(workers: readonly Address<Request>[]): Process<Request> {
  while (true) {
    const request = yield* receive<Request>('request')
    const one = yield* choose(workers)
    yield* send(one, request)
  }
}

function* client(at: Address<Request>): Process<Found> {
  const me = yield* self<Found>()
  const call = yield* choose(['allocate', 'lookup'])
  yield* send(at, { kind: 'request', call, key: 'color', from: me })
  if (call === 'lookup') yield* receive<Found>('found')
}

export const distDb = program(
  'distributed database',
  { params: { clients: every(2), workers: every(2, { from: 1 }) } },
  function* ({ clients, workers }) {
    const all = yield* spawnAll(workers, 'worker', { daemon: true }, worker)
    const at = yield* spawn('database', { daemon: true }, database, all)
    yield* spawnAll(clients, 'client', client, at)
  },
)

export const noAnswer = program(
  'distributed database, no answer',
  { params: { clients: every(2), workers: every(2, { from: 1 }) } },
  function* ({ clients, workers }) {
    const all = yield* spawnAll(workers, 'worker', { daemon: true }, silent)
    const at = yield* spawn('database', { daemon: true }, database, all)
    yield* spawnAll(clients, 'client', client, at)
  },
)

function* silent(): Process<Request | Forward> {
  while (true) yield* receive<Request>('request')
}

export const answersDatabase = program(
  'distributed database, answers go to the database',
  { params: { clients: every(2), workers: every(2, { from: 1 }) } },
  function* ({ clients, workers }) {
    const all = yield* spawnAll(workers, 'worker', { daemon: true }, worker)
    const at = yield* spawn('database', { daemon: true }, intercepting, all)
    yield* spawnAll(clients, 'client', client, at)
  },
)

/** Passes its own address on in place of the client's. */
function* intercepting(workers: readonly Address<Request>[]): Process<Request> {
  const me = yield* self<Found>()
  while (true) {
    const { call, key } = yield* receive<Request>('request')
    const one = yield* choose(workers)
    yield* send(one, { kind: 'request', call, key, from: me })
  }
}

export const forwardsOtherKind = program(
  'distributed database, another kind',
  { params: { clients: every(2), workers: every(2, { from: 1 }) } },
  function* ({ clients, workers }) {
    const all = yield* spawnAll(workers, 'worker', { daemon: true }, worker)
    const at = yield* spawn('database', { daemon: true }, wrapping, all)
    yield* spawnAll(clients, 'client', client, at)
  },
)

function* wrapping(workers: readonly Address<Request | Forward>[]): Process<Request> {
  while (true) {
    const request = yield* receive<Request>('request')
    const one = yield* choose(workers)
    yield* send(one, { kind: 'forward', request })
  }
}

/** Clients do not wait for an answer to `allocate`. */
export const answersAll = program(
  'distributed database, answers all',
  { params: { clients: every(2), workers: every(2, { from: 1 }) } },
  function* ({ clients, workers }) {
    const all = yield* spawnAll(workers, 'worker', { daemon: true }, talkative)
    const at = yield* spawn('database', { daemon: true }, database, all)
    yield* spawnAll(clients, 'client', client, at)
  },
)

function* talkative(): Process<Request | Forward> {
  while (true) {
    const { from } = yield* receive<Request>('request')
    yield* send(from, { kind: 'found', value: 1 })
  }
}
