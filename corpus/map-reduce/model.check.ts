/**
 * Mappers take items from a queue until it tells them to stop, and send a result for each to the master. The amount of work and
 * the number of mappers are independent. There is at least one mapper, or nobody does the work.
 */
import { type Address, every, type Process, program, receive, self, send, spawn, spawnAll } from 'allways'

type Request = { readonly kind: 'request'; readonly from: Address<Assignment> }
type Assignment = { readonly kind: 'assignment'; readonly task: 'work' | 'stop'; readonly item: number }
type Result = { readonly kind: 'result'; readonly item: number }

function* queue(work: number, mappers: number): Process<Request> {
  for (let i = 0; i < work; i++) {
    const { from } = yield* receive<Request>('request')
    yield* send(from, { kind: 'assignment', task: 'work', item: i })
  }
  for (let i = 0; i < mappers; i++) {
    const { from } = yield* receive<Request>('request')
    yield* send(from, { kind: 'assignment', task: 'stop', item: 0 })
  }
}

function* mapper(work: Address<Request>, master: Address<Result>): Process<Assignment> {
  const me = yield* self<Assignment>()
  while (true) {
    yield* send(work, { kind: 'request', from: me })
    const { task, item } = yield* receive<Assignment>('assignment')
    if (task === 'stop') break
    yield* send(master, { kind: 'result', item })
  }
}

export const mapReduce = program(
  'map-reduce',
  { params: { mappers: every(2, { from: 1 }), work: every(2) } },
  function* ({ mappers, work }) {
    const me = yield* self<Result>()
    const items = yield* spawn('queue', queue, work, mappers)
    yield* spawnAll(mappers, 'mapper', mapper, items, me)
    for (let i = 0; i < work; i++) yield* receive<Result>('result')
  },
)

export const noWork = program(
  'map-reduce, no work',
  { params: { mappers: every(2, { from: 1 }), work: every(2) } },
  function* ({ mappers, work }) {
    const me = yield* self<Result>()
    const items = yield* spawn('queue', stopping, mappers)
    yield* spawnAll(mappers, 'mapper', mapper, items, me)
    for (let i = 0; i < work; i++) yield* receive<Result>('result')
  },
)

function* stopping(mappers: number): Process<Request> {
  for (let i = 0; i < mappers; i++) {
    const { from } = yield* receive<Request>('request')
    yield* send(from, { kind: 'assignment', task: 'stop', item: 0 })
  }
}

export const noStop = program(
  'map-reduce, no stop',
  { params: { mappers: every(2, { from: 1 }), work: every(2) } },
  function* ({ mappers, work }) {
    const me = yield* self<Result>()
    const items = yield* spawn('queue', working, work)
    yield* spawnAll(mappers, 'mapper', mapper, items, me)
    for (let i = 0; i < work; i++) yield* receive<Result>('result')
  },
)

function* working(work: number): Process<Request> {
  for (let i = 0; i < work; i++) {
    const { from } = yield* receive<Request>('request')
    yield* send(from, { kind: 'assignment', task: 'work', item: i })
  }
}

/** One result per mapper in place of one per item: right only if the two numbers are equal. */
export const resultAtStop = program(
  'map-reduce, results when stopped',
  { params: { mappers: every(2, { from: 1 }), work: every(2) } },
  function* ({ mappers, work }) {
    const me = yield* self<Result>()
    const items = yield* spawn('queue', queue, work, mappers)
    yield* spawnAll(mappers, 'mapper', combining, items, me)
    for (let i = 0; i < work; i++) yield* receive<Result>('result')
  },
)

function* combining(work: Address<Request>, master: Address<Result>): Process<Assignment> {
  const me = yield* self<Assignment>()
  while (true) {
    yield* send(work, { kind: 'request', from: me })
    const { task, item } = yield* receive<Assignment>('assignment')
    if (task === 'stop') {
      yield* send(master, { kind: 'result', item })
      break
    }
  }
}

export const noResult = program(
  'map-reduce, no results',
  { params: { mappers: every(2, { from: 1 }), work: every(2) } },
  function* ({ mappers, work }) {
    const items = yield* spawn('queue', queue, work, mappers)
    yield* spawnAll(mappers, 'mapper', idle, items)
    for (let i = 0; i < work; i++) yield* receive<Result>('result')
  },
)

function* idle(work: Address<Request>): Process<Assignment> {
  const me = yield* self<Assignment>()
  while (true) {
    yield* send(work, { kind: 'request', from: me })
    const { task } = yield* receive<Assignment>('assignment')
    if (task === 'stop') break
  }
}

export const noReduce = program(
  'map-reduce, results not read',
  { params: { mappers: every(2, { from: 1 }), work: every(2) } },
  function* ({ mappers, work }) {
    const me = yield* self<Result>()
    const items = yield* spawn('queue', queue, work, mappers)
    yield* spawnAll(mappers, 'mapper', mapper, items, me)
  },
)
