/** Litmus tests about `spawn` and `join`: processes that come to be in some executions only, and causal edges they add. */
import { join, poll, program, receive, self, send, spawn } from 'allways'

function* nothing() {}

export const rjS = program('rj_s', function* () {
  const main = yield* self()
  const t1 = yield* spawn('T1', function* () {
    yield* receive()
    yield* send(main, 'done')
  })
  yield* send(t1, 'start')
  yield* join(t1)
  yield* receive()
})

export const nestedSpawn = program('nested_spawn', { deadlock: 'allow' }, function* () {
  const t1 = yield* spawn('T1', function* () {
    const zero = (yield* receive()) === 0
    if (zero) yield* receive()
    yield* spawn('nothing', nothing)
    if (zero) yield* receive()
  })
  for (const value of [0, 1]) {
    yield* spawn(`T${value + 2}`, function* () {
      yield* send(t1, value)
    })
  }
})

export const nestedSpawn2 = program('nested_spawn2', function* () {
  const main = yield* self()
  yield* spawn('T1', function* () {
    yield* spawn('nothing', nothing)
  })
  const t2 = yield* spawn('T2', function* () {
    yield* receive()
    yield* send(main, 1)
  })
  yield* send(t2, 'start')
  yield* send(main, 0)
  yield* receive()
})

export const nestedSpawn3 = program('nested_spawn3', function* () {
  const main = yield* self()
  const t1 = yield* spawn('T1', function* () {
    yield* receive()
    const t2 = yield* spawn('T2', function* () {
      yield* receive()
      yield* send(main, 1)
    })
    yield* send(t2, 'start')
  })
  yield* send(t1, 'start')
  yield* send(main, 0)
  if ((yield* receive()) === 0) yield* spawn('nothing', nothing)
})

/** The sender does not exist yet when the receiver looks. */
export const spawnAfterPoll = program('no_prefix_rev, spawn after poll', function* () {
  const main = yield* self()
  yield* poll()
  yield* spawn('T1', function* () {
    yield* send(main, 1)
  })
})

/** The receiver has ended when the message is sent. */
export const sendAfterJoin = program('no_prefix_rev, send after join', function* () {
  const t1 = yield* spawn('T1', function* () {
    yield* poll()
  })
  yield* join(t1)
  yield* send(t1, 1)
})
