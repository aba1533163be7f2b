/** Nondeterministic data: `choose` multiplies executions, whether or not anybody looks at what was chosen. */
import { type Address, assume, choose, join, program, receive, self, send, spawn } from 'allways'

interface Message {
  readonly channel: 'c1' | 'c2'
}
type Inbox = Address<Message>

const on = (channel: Message['channel']) => (message: Message) => message.channel === channel

export const coin = program('one choice', function* () {
  yield* choose([true, false])
})

export const sample = program('sample', { params: { values: 10 } }, function* ({ values }) {
  yield* choose(range(values))
})

export const sampleSometimes = program('sample after a coin', { params: { values: 10 } }, function* ({ values }) {
  if (yield* choose([true, false])) yield* choose(range(values))
})

export const sampleThenSend = program('sample, then send', { params: { values: 10 } }, function* ({ values }) {
  const sink = yield* spawn('sink', function* () {
    yield* receive()
  })
  yield* send(sink, yield* choose(range(values)))
})

/** Sends in each round in which its coin, or the plan that replaces the coin, says so. */
function* worker(to: Inbox, plan: readonly boolean[] | undefined) {
  for (let round = 0; round < 2; round++) {
    const sends = plan?.[round] ?? (yield* choose([true, false]))
    if (sends) yield* send(to, { channel: 'c1' })
  }
}

const once = [true, false]

function* twoWorkers(plans: readonly (readonly boolean[] | undefined)[]) {
  const main = yield* self<Message>()
  const workers = []
  for (const [i, plan] of plans.entries()) workers.push(yield* spawn(`worker ${i}`, worker, main, plan))
  for (const process of workers) yield* join(process)
  for (let i = 0; i < 4; i++) yield* receive(on('c1'))
}

export const workersFree = program('two workers', { deadlock: 'allow' }, () => twoWorkers([undefined, undefined]))
export const workersOneFixed = program('two workers, one fixed', { deadlock: 'allow' }, () =>
  twoWorkers([once, undefined]),
)
export const workersBothFixed = program('two workers, both fixed', { deadlock: 'allow' }, () =>
  twoWorkers([once, once]),
)

export const workersAssume = program('two workers that assume a coin', { deadlock: 'allow' }, function* () {
  const main = yield* self<Message>()
  const workers = []
  for (let i = 0; i < 2; i++) {
    const started = yield* spawn(`worker ${i}`, function* () {
      yield* assume(yield* choose([true, false]))
      yield* worker(main, once)
    })
    workers.push(started)
  }
  for (const process of workers) yield* join(process)
  for (let i = 0; i < 4; i++) yield* receive(on('c1'))
})

function* child(to: Inbox) {
  yield* send(to, { channel: 'c2' })
}

export const partitionedParallel = program('partitioned_parallel', { deadlock: 'allow' }, function* () {
  const main = yield* self<Message>()
  for (let i = 0; i < 2; i++) {
    yield* spawn(`worker ${i}`, function* () {
      yield* worker(main, once)
      yield* join(yield* spawn('child', child, main))
    })
  }
  yield* spawn('child', child, main)
  for (let i = 0; i < 2; i++) yield* receive(on('c2'))
  for (let i = 0; i < 4; i++) yield* receive(on('c1'))
})

function range(length: number): readonly number[] {
  return Array.from({ length }, (_, value) => value)
}
