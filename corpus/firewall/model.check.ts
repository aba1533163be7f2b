/** A firewall between clients and a server: it passes good requests on, under its own address, and drops bad ones. */
import {
  type Address,
  assert,
  choose,
  every,
  type Process,
  program,
  receive,
  self,
  send,
  spawn,
  spawnAll,
} from 'allways'

type Request = { readonly kind: 'request'; readonly content: 'good' | 'bad'; readonly from: Address<Answer> }
type Forward = { readonly kind: 'forward'; readonly content: 'good' | 'bad'; readonly from: Address<Answer> }
/** What the server says, and what the firewall says. */
type Answer = { readonly kind: 'served' } | { readonly kind: 'response' }

function* server(): Process<Forward> {
  while (true) {
    const { content, from } = yield* receive<Forward>('forward')
    yield* assert(content !== 'bad', 'a bad request reached the server')
    yield* send(from, { kind: 'served' })
  }
}

function* firewall(behind: Address<Forward>): Process<Request | Answer> {
  const me = yield* self<Answer>()
  while (true) {
    const { content, from } = yield* receive<Request>('request')
    if (content === 'good') {
      yield* send(behind, { kind: 'forward', content, from: me })
      yield* receive<Answer, 'served'>('served')
      yield* send(from, { kind: 'response' })
    }
  }
}

function* client(wall: Address<Request>): Process<Answer> {
  const me = yield* self<Answer>()
  yield* send(wall, { kind: 'request', content: 'good', from: me })
  yield* receive<Answer, 'response'>('response')
}

export const filtered = program('firewall', { params: { clients: every(3) } }, function* ({ clients }) {
  const behind = yield* spawn('server', { daemon: true }, server)
  const wall = yield* spawn('firewall', { daemon: true }, firewall, behind)
  yield* spawnAll(clients, 'client', client, wall)
})

/** Clients may be up to no good; those do not wait for a response. */
function* anyClient(wall: Address<Request>): Process<Answer> {
  const me = yield* self<Answer>()
  const content = yield* choose(['good', 'bad'])
  yield* send(wall, { kind: 'request', content, from: me })
  if (content === 'good') yield* receive<Answer, 'response'>('response')
}

export const someBad = program(
  'firewall, some requests are bad',
  { params: { clients: every(3) } },
  function* ({ clients }) {
    const behind = yield* spawn('server', { daemon: true }, server)
    const wall = yield* spawn('firewall', { daemon: true }, firewall, behind)
    yield* spawnAll(clients, 'client', anyClient, wall)
  },
)

/** The server answers the client, and both the firewall and the client wait for something else. */
export const wrongAddress = program(
  'firewall, wrong address',
  { params: { clients: every(3) } },
  function* ({ clients }) {
    const behind = yield* spawn('server', { daemon: true }, server)
    const wall = yield* spawn('firewall', { daemon: true }, transparent, behind)
    yield* spawnAll(clients, 'client', client, wall)
  },
)

function* transparent(behind: Address<Forward>): Process<Request | Answer> {
  while (true) {
    const { content, from } = yield* receive<Request>('request')
    if (content === 'good') {
      yield* send(behind, { kind: 'forward', content, from })
      yield* receive<Answer, 'served'>('served')
      yield* send(from, { kind: 'response' })
    }
  }
}

export const letsBadThrough = program(
  'firewall, lets bad requests through',
  { params: { clients: every(3) } },
  function* ({ clients }) {
    const behind = yield* spawn('server', { daemon: true }, server)
    const wall = yield* spawn('firewall', { daemon: true }, open, behind)
    yield* spawnAll(clients, 'client', anyClient, wall)
  },
)

function* open(behind: Address<Forward>): Process<Request | Answer> {
  const me = yield* self<Answer>()
  while (true) {
    const { content, from } = yield* receive<Request>('request')
    yield* send(behind, { kind: 'forward', content, from: me })
    yield* receive<Answer, 'served'>('served')
    if (content === 'good') yield* send(from, { kind: 'response' })
  }
}

/** The client that sent a bad request is told so, and is gone. */
export const answersBad = program(
  'firewall, answers bad requests',
  { params: { clients: every(3) } },
  function* ({ clients }) {
    const behind = yield* spawn('server', { daemon: true }, server)
    const wall = yield* spawn('firewall', { daemon: true }, polite, behind)
    yield* spawnAll(clients, 'client', anyClient, wall)
  },
)

function* polite(behind: Address<Forward>): Process<Request | Answer> {
  const me = yield* self<Answer>()
  while (true) {
    const { content, from } = yield* receive<Request>('request')
    if (content === 'good') {
      yield* send(behind, { kind: 'forward', content, from: me })
      yield* receive<Answer, 'served'>('served')
    }
    yield* send(from, { kind: 'response' })
  }
}
