/** A registry counts the clients that register with it, and tells the master when all have. */
import { type Address, every, type Process, program, receive, self, send, spawn, spawnAll } from 'allways'

type Master = { readonly kind: 'master'; readonly from: Address<AllRegistered> }
type Register = { readonly kind: 'register' }
type RegistryAt = { readonly kind: 'registry'; readonly registry: Address<Register> }
type AllRegistered = { readonly kind: 'all registered' }

function* registry(clients: number): Process<Master | Register> {
  const master = yield* receive<Master>('master')
  for (let i = 0; i < clients; i++) yield* receive<Register>('register')
  yield* send(master.from, { kind: 'all registered' })
}

function* client(): Process<RegistryAt> {
  const { registry } = yield* receive<RegistryAt>('registry')
  yield* send(registry, { kind: 'register' })
}

export const registered = program('registry', { params: { clients: every(3) } }, function* ({ clients }) {
  const me = yield* self<AllRegistered>()
  const at = yield* spawn('registry', registry, clients)
  const all = yield* spawnAll(clients, 'client', client)
  yield* send(at, { kind: 'master', from: me })
  for (const one of all) yield* send(one, { kind: 'registry', registry: at })
  yield* receive<AllRegistered>('all registered')
})

export const noMaster = program('registry, no master', { params: { clients: every(3) } }, function* ({ clients }) {
  const at = yield* spawn('registry', registry, clients)
  const all = yield* spawnAll(clients, 'client', client)
  for (const one of all) yield* send(one, { kind: 'registry', registry: at })
  yield* receive<AllRegistered>('all registered')
})

/** Clients register with the master. */
export const wrongRegistry = program(
  'registry, wrong address',
  { params: { clients: every(3) } },
  function* ({ clients }) {
    const me = yield* self<AllRegistered | Register>()
    const at = yield* spawn('registry', registry, clients)
    const all = yield* spawnAll(clients, 'client', client)
    yield* send(at, { kind: 'master', from: me })
    for (const one of all) yield* send(one, { kind: 'registry', registry: me })
    yield* receive<AllRegistered>('all registered')
  },
)

export const noAnswer = program('registry, no answer', { params: { clients: every(3) } }, function* ({ clients }) {
  const me = yield* self<AllRegistered>()
  const at = yield* spawn('registry', forgetful, clients)
  const all = yield* spawnAll(clients, 'client', client)
  yield* send(at, { kind: 'master', from: me })
  for (const one of all) yield* send(one, { kind: 'registry', registry: at })
  yield* receive<AllRegistered>('all registered')
})

function* forgetful(clients: number): Process<Master | Register> {
  yield* receive<Master>('master')
  for (let i = 0; i < clients; i++) yield* receive<Register>('register')
}

export const oneShort = program(
  'registry, one receive short',
  { params: { clients: every(3) } },
  function* ({ clients }) {
    const me = yield* self<AllRegistered>()
    const at = yield* spawn('registry', hasty, clients)
    const all = yield* spawnAll(clients, 'client', client)
    yield* send(at, { kind: 'master', from: me })
    for (const one of all) yield* send(one, { kind: 'registry', registry: at })
    yield* receive<AllRegistered>('all registered')
  },
)

/** Takes the first client for the master. */
function* hasty(clients: number): Process<Master | Register> {
  const master = yield* receive<Master>('master')
  for (let i = 0; i < clients; i++) {
    if (i > 0) yield* receive<Register>('register')
  }
  yield* send(master.from, { kind: 'all registered' })
}
