/** The first phase of map-reduce: workers take items from a queue until it tells them to stop. At least one worker is needed. */
import { type Address, choose, every, type Process, program, receive, self, send, spawnAll } from 'allways'

type Request = { readonly kind: 'request'; readonly from: Address<Assignment> }
type Assignment = { readonly kind: 'assignment'; readonly task: 'work' | 'stop' }
type Peer = { readonly kind: 'peer'; readonly peer: Address<Assignment> }

function* worker(queue: Address<Request>): Process<Assignment> {
  const me = yield* self<Assignment>()
  while (true) {
    yield* send(queue, { kind: 'request', from: me })
    const { task } = yield* receive<Assignment>('assignment')
    if (task === 'stop') break
  }
}

export const workSteal = program(
  'work stealing',
  { params: { workers: every(2, { from: 1 }), work: every(2) } },
  function* ({ workers, work }) {
    const queue = yield* self<Request>()
    const all = yield* spawnAll(workers, 'worker', worker, queue)
    for (let i = 0; i < work; i++) {
      const { from } = yield* receive<Request>('request')
      yield* send(from, { kind: 'assignment', task: 'work' })
    }
    for (const _ of all) {
      const { from } = yield* receive<Request>('request')
      yield* send(from, { kind: 'assignment', task: 'stop' })
    }
  },
)

export const noStop = program(
  'work stealing, no stop',
  { params: { workers: every(2, { from: 1 }), work: every(2) } },
  function* ({ workers, work }) {
    const queue = yield* self<Request>()
    yield* spawnAll(workers, 'worker', worker, queue)
    for (let i = 0; i < work; i++) {
      const { from } = yield* receive<Request>('request')
      yield* send(from, { kind: 'assignment', task: 'work' })
    }
  },
)

/** One worker is told to stop, the others are forgotten: right for one worker. */
export const oneStop = program(
  'work stealing, one stop',
  { params: { workers: every(2, { from: 1 }), work: every(2) } },
  function* ({ workers, work }) {
    const queue = yield* self<Request>()
    yield* spawnAll(workers, 'worker', worker, queue)
    for (let i = 0; i < work; i++) {
      const { from } = yield* receive<Request>('request')
      yield* send(from, { kind: 'assignment', task: 'work' })
    }
    const { from } = yield* receive<Request>('request')
    yield* send(from, { kind: 'assignment', task: 'stop' })
  },
)

export const unanswered = program(
  'work stealing, an unanswered request',
  { params: { workers: every(2, { from: 1 }), work: every(2) } },
  function* ({ workers, work }) {
    const queue = yield* self<Request>()
    const all = yield* spawnAll(workers, 'worker', worker, queue)
    yield* receive<Request>('request')
    for (let i = 0; i < work; i++) {
      const { from } = yield* receive<Request>('request')
      yield* send(from, { kind: 'assignment', task: 'work' })
    }
    for (const _ of all) {
      const { from } = yield* receive<Request>('request')
      yield* send(from, { kind: 'assignment', task: 'stop' })
    }
  },
)

/** What a worker asks for goes to its peer, which may have stopped, or never stops: it takes two. */
export const peersAddress = program(
  'work stealing, address of a peer',
  { params: { workers: every(2, { from: 1 }), work: every(2) } },
  function* ({ workers, work }) {
    const queue = yield* self<Request>()
    const all = yield* spawnAll(workers, 'worker', impostor, queue)
    for (const one of all) {
      const peer = yield* choose(all)
      yield* send(one, { kind: 'peer', peer })
    }
    for (let i = 0; i < work; i++) {
      const { from } = yield* receive<Request>('request')
      yield* send(from, { kind: 'assignment', task: 'work' })
    }
    for (const _ of all) {
      const { from } = yield* receive<Request>('request')
      yield* send(from, { kind: 'assignment', task: 'stop' })
    }
  },
)

function* impostor(queue: Address<Request>): Process<Assignment | Peer> {
  const { peer } = yield* receive<Peer>('peer')
  while (true) {
    yield* send(queue, { kind: 'request', from: peer })
    const { task } = yield* receive<Assignment>('assignment')
    if (task === 'stop') break
  }
}
