/**
 * Small send/receive programs whose executions can be counted by hand. `main` spawns every process first and only then
 * sends, so its messages are causally unrelated to what the others send on their own.
 */
import { type Address, choose, poll, program, receive, self, send, spawn } from 'allways'

type Inbox = Address<unknown>

/** `poll`s `times` times and forgets what it got. */
function* poller(times: number) {
  for (let i = 0; i < times; i++) yield* poll()
}

/** Receives `times` messages. */
function* receiver(times: number) {
  for (let i = 0; i < times; i++) yield* receive()
}

/** Waits for a start message, then sends `values` to `to` in order. */
function* whenStarted(to: Inbox, ...values: readonly number[]) {
  yield* receive()
  for (const value of values) yield* send(to, value)
}

/** Looks once for a start message; sends `values` only if it was there. */
function* ifStarted(to: Inbox, ...values: readonly number[]) {
  if ((yield* poll()) === undefined) return
  for (const value of values) yield* send(to, value)
}

export const rNondet = program('r_nondet', function* () {
  const t1 = yield* spawn('T1', poller, 1)
  yield* send(t1, yield* choose([42, 17]))
})

export const rChoice = program('r_choice', { params: { values: 5 } }, function* ({ values }) {
  const t1 = yield* spawn('T1', poller, 1)
  yield* send(t1, yield* choose(Array.from({ length: values }, (_, value) => value)))
})

export const namedThread = program('named_thread', function* () {
  const t1 = yield* spawn('T1', poller, 1)
  const t2 = yield* spawn('T2', poller, 1)
  const t3 = yield* spawn('T3', whenStarted, t1, 1)
  yield* send(t3, 'start')
  yield* send(t2, 'start')
})

export const sSRr = program('s_s_rr', function* () {
  const t3 = yield* spawn('T3', poller, 2)
  const t1 = yield* spawn('T1', ifStarted, t3, 1)
  const t2 = yield* spawn('T2', ifStarted, t3, 2)
  yield* send(t1, 'start')
  yield* send(t2, 'start')
})

export const sRS = program('s_r_s', function* () {
  const t3 = yield* spawn('T3', poller, 1)
  const t1 = yield* spawn('T1', ifStarted, t3, 1)
  const t2 = yield* spawn('T2', ifStarted, t3, 2)
  yield* send(t1, 'start')
  yield* send(t2, 'start')
})

export const rSs = program('r_ss', function* () {
  const t1 = yield* spawn('T1', poller, 1)
  const t2 = yield* spawn('T2', ifStarted, t1, 1, 2)
  yield* send(t2, 'start')
})

export const rSBlk = program('r_s_blk', function* () {
  const t1 = yield* spawn('T1', receiver, 1)
  const t2 = yield* spawn('T2', whenStarted, t1, 1)
  yield* send(t2, 'start')
})

/** T2 may take T3's interruption instead of the start message; then nobody sends to T1. Causal delivery forbids that. */
export const rRsSBlk = program('r_rs_s_blk', { deadlock: 'allow' }, function* () {
  const t1 = yield* spawn('T1', receiver, 1)
  const t2 = yield* spawn('T2', function* () {
    if ((yield* receive()) === 'start') yield* send(t1, 'go')
  })
  const t3 = yield* spawn('T3', function* () {
    if ((yield* receive()) === 'start') yield* send(t2, 'interrupt')
  })
  yield* send(t2, 'start')
  yield* send(t3, 'start')
})

export const sSS = program('s_s_s', function* () {
  const main = yield* self()
  const started = []
  for (let i = 1; i <= 3; i++) started.push(yield* spawn(`T${i}`, whenStarted, main, i))
  for (const process of started) yield* send(process, 'start')
})

export const ssrrrS = program('ssrrr_s', function* () {
  const t1 = yield* spawn('T1', function* () {
    const own = yield* self()
    yield* send(own, 42)
    yield* send(own, 43)
    yield* receiver(3)
  })
  const t2 = yield* spawn('T2', whenStarted, t1, 17)
  yield* send(t2, 'start')
})

export const srS = program('sr_s', function* () {
  const t1 = yield* spawn('T1', function* () {
    const own = yield* self()
    yield* send(own, 0)
    yield* send(own, 1)
    yield* receive()
  })
  const t2 = yield* spawn('T2', whenStarted, t1, 2)
  yield* send(t2, 'start')
})

export const sRsrrSssCoplacing = program('s_rsrr_sss_coplacing', function* () {
  const t1 = yield* spawn('T1', function* () {
    yield* send(yield* self(), 0)
    yield* receiver(3)
  })
  const t2 = yield* spawn('T2', whenStarted, t1, 42)
  const t3 = yield* spawn('T3', whenStarted, t1, 1, 2)
  yield* send(t2, 'start')
  yield* send(t3, 'start')
})

export const sSSWb = program('s_s_s_wb', function* () {
  const t1 = yield* spawn('T1', function* () {
    yield* send(yield* self(), 1)
  })
  const t2 = yield* spawn('T2', whenStarted, t1, 2)
  const t3 = yield* spawn('T3', whenStarted, t1, 3)
  yield* send(t2, 'start')
  yield* send(t3, 'start')
})

export const nsRWb = program('ns_r_wb', { params: { n: 4 } }, function* ({ n }) {
  const sink = yield* spawn('sink', receiver, 1)
  const senders = []
  for (let i = 1; i <= n; i++) senders.push(yield* spawn(`T${i}`, whenStarted, sink, i))
  for (const sender of senders) yield* send(sender, 'start')
})

export const revisitOpt = program('revisit_opt', function* () {
  const t1 = yield* spawn('T1', poller, 2)
  for (const value of [1, 2]) {
    yield* spawn(`T${value + 1}`, function* () {
      yield* send(t1, value)
    })
  }
})
