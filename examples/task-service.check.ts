/**
 * A service that hands out work: every client asks the server for a task and tells the master when it is done.
 *
 *   npx allways check examples/task-service.check.ts
 *   npx allways check examples/task-service.check.ts --param clients=1
 *   npx allways prove examples/task-service.check.ts
 *
 * `check` explores every execution for three clients; `prove` shows the same for every number of them, with a sequential program
 * that does what this one does. The second program has a bug that one client does not meet. Things to change in the first: send
 * the server's address instead of the master's; let the master wait for one more; let each client ask twice.
 */
import { type Address, assert, every, type Process, program, receive, self, send, spawn, spawnAll } from 'allways'

type Request = { readonly kind: 'request'; readonly from: Address<Task> }
type Task = { readonly kind: 'task'; readonly item: string | undefined; readonly master: Address<Done> }
type Done = { readonly kind: 'done' }

function* client(server: Address<Request>): Process<Task> {
  yield* send(server, { kind: 'request', from: yield* self<Task>() })
  const { item, master } = yield* receive<Task>('task')
  yield* assert(item !== undefined, 'there is something to do')
  yield* send(master, { kind: 'done' })
}

function* master(clients: number): Process<Done> {
  for (let i = 0; i < clients; i++) yield* receive<Done>('done')
}

const options = { params: { clients: every(3) } } as const

export const service = program('task service', options, function* ({ clients }) {
  const server = yield* self<Request>()
  const toMaster = yield* spawn('master', master, clients)
  const all = yield* spawnAll(clients, 'client', client, server)
  for (const _ of all) {
    const { from } = yield* receive<Request>('request')
    yield* send(from, { kind: 'task', item: 'wash up', master: toMaster })
  }
})

/** There is one task: right for one client. */
export const oneTask = program('one task', options, function* ({ clients }) {
  const server = yield* self<Request>()
  const toMaster = yield* spawn('master', master, clients)
  yield* spawnAll(clients, 'client', client, server)
  for (let i = 0; i < clients; i++) {
    const { from } = yield* receive<Request>('request')
    yield* send(from, { kind: 'task', item: i === 0 ? 'wash up' : undefined, master: toMaster })
  }
})
