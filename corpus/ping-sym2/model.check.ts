/** Members are told whom to report to, greet one process, are pinged by it, and report to another one, which counts. */
import { type Address, every, type Process, program, receive, self, send, spawn, spawnAll } from 'allways'

type Init = { readonly kind: 'init'; readonly report: Address<Done> }
type Hello = { readonly kind: 'hello'; readonly from: Address<Ping> }
type Ping = { readonly kind: 'ping' }
type Done = { readonly kind: 'done' }

function* member(greeter: Address<Hello>): Process<Init | Ping> {
  const me = yield* self<Ping>()
  const { report } = yield* receive<Init>('init')
  yield* send(greeter, { kind: 'hello', from: me })
  yield* receive<Ping>('ping')
  yield* send(report, { kind: 'done' })
}

function* counter(n: number): Process<Done> {
  for (let i = 0; i < n; i++) yield* receive<Done>('done')
}

export const pingSym2 = program('ping-sym2', { params: { n: every(3) } }, function* ({ n }) {
  const me = yield* self<Hello>()
  const reports = yield* spawn('counter', counter, n)
  const members = yield* spawnAll(n, 'member', member, me)
  for (const one of members) yield* send(one, { kind: 'init', report: reports })
  for (const _ of members) {
    const { from } = yield* receive<Hello>('hello')
    yield* send(from, { kind: 'ping' })
  }
})

/** A slip the authors of the benchmark once made themselves: the greeter and the members wait for each other. */
export const initLast = program('ping-sym2, initialised last', { params: { n: every(3) } }, function* ({ n }) {
  const me = yield* self<Hello>()
  const reports = yield* spawn('counter', counter, n)
  const members = yield* spawnAll(n, 'member', member, me)
  for (const _ of members) {
    const { from } = yield* receive<Hello>('hello')
    yield* send(from, { kind: 'ping' })
  }
  for (const one of members) yield* send(one, { kind: 'init', report: reports })
})

export const reportToGreeter = program('ping-sym2, wrong address', { params: { n: every(3) } }, function* ({ n }) {
  const me = yield* self<Hello | Done>()
  yield* spawn('counter', counter, n)
  const members = yield* spawnAll(n, 'member', member, me)
  for (const one of members) yield* send(one, { kind: 'init', report: me })
  for (const _ of members) {
    const { from } = yield* receive<Hello>('hello')
    yield* send(from, { kind: 'ping' })
  }
})

export const noReport = program('ping-sym2, no report', { params: { n: every(3) } }, function* ({ n }) {
  const me = yield* self<Hello>()
  const reports = yield* spawn('counter', counter, n)
  const members = yield* spawnAll(n, 'member', unreporting, me)
  for (const one of members) yield* send(one, { kind: 'init', report: reports })
  for (const _ of members) {
    const { from } = yield* receive<Hello>('hello')
    yield* send(from, { kind: 'ping' })
  }
})

function* unreporting(greeter: Address<Hello>): Process<Init | Ping> {
  const me = yield* self<Ping>()
  yield* receive<Init>('init')
  yield* send(greeter, { kind: 'hello', from: me })
  yield* receive<Ping>('ping')
}
