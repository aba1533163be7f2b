/** A lock service: a client asks for the lock, is told that it has it, and gives it back before the next one gets it. */
import { type Address, every, type Process, program, receive, self, send, spawnAll } from 'allways'

type Lock = { readonly kind: 'lock'; readonly from: Address<Granted> }
type Unlock = { readonly kind: 'unlock' }
type Granted = { readonly kind: 'granted' }

function* client(server: Address<Lock | Unlock>): Process<Granted> {
  const me = yield* self<Granted>()
  yield* send(server, { kind: 'lock', from: me })
  yield* receive<Granted>('granted')
  yield* send(server, { kind: 'unlock' })
}

export const lockServer = program('lock server', { params: { clients: every(3) } }, function* ({ clients }) {
  const server = yield* self<Lock | Unlock>()
  const all = yield* spawnAll(clients, 'client', client, server)
  for (const _ of all) {
    const { from } = yield* receive<Lock>('lock')
    yield* send(from, { kind: 'granted' })
    yield* receive<Unlock>('unlock', { from })
  }
})

export const neverGranted = program(
  'lock server, never granted',
  { params: { clients: every(3) } },
  function* ({ clients }) {
    const server = yield* self<Lock | Unlock>()
    const all = yield* spawnAll(clients, 'client', client, server)
    for (const _ of all) {
      const { from } = yield* receive<Lock>('lock')
      yield* receive<Unlock>('unlock', { from })
    }
  },
)

export const neverUnlocked = program(
  'lock server, never unlocked',
  { params: { clients: every(3) } },
  function* ({ clients }) {
    const server = yield* self<Lock | Unlock>()
    const all = yield* spawnAll(clients, 'client', keeper, server)
    for (const _ of all) {
      const { from } = yield* receive<Lock>('lock')
      yield* send(from, { kind: 'granted' })
      yield* receive<Unlock>('unlock', { from })
    }
  },
)

function* keeper(server: Address<Lock | Unlock>): Process<Granted> {
  const me = yield* self<Granted>()
  yield* send(server, { kind: 'lock', from: me })
  yield* receive<Granted>('granted')
}

/** Grants the lock to one client and waits for another one to give it back. Right for one client. */
export const grantedInOrder = program(
  'lock server, granted in order',
  { params: { clients: every(2) } },
  function* ({ clients }) {
    const server = yield* self<Lock | Unlock>()
    const all = yield* spawnAll(clients, 'client', client, server)
    for (const one of all) {
      const { from } = yield* receive<Lock>('lock')
      yield* send(one, { kind: 'granted' })
      yield* receive<Unlock>('unlock', { from })
    }
  },
)

/** Correct: only the client that has the lock gives it back. But that is not said. */
export const unlockedByAnyone = program(
  'lock server, unlock by anyone',
  { params: { clients: every(3) } },
  function* ({ clients }) {
    const server = yield* self<Lock | Unlock>()
    const all = yield* spawnAll(clients, 'client', client, server)
    for (const _ of all) {
      const { from } = yield* receive<Lock>('lock')
      yield* send(from, { kind: 'granted' })
      yield* receive<Unlock>('unlock')
    }
  },
)
