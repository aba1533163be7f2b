/** Five programs that tell the four networks apart. */
import { assert, program, receive, self, send, spawn } from 'allways'

function* receiver(times: number) {
  for (let i = 0; i < times; i++) yield* receive()
}

/** `a` tells `b` only after it has sent to `m`, so under causal delivery `b`'s message to `m` comes after `a`'s. */
export const program1 = program('program1', function* () {
  const m = yield* spawn('m', receiver, 3)
  const b = yield* spawn('b', function* () {
    yield* receive()
    yield* send(m, 4)
  })
  yield* spawn('a', function* () {
    yield* send(m, 3)
    yield* send(b, 5)
  })
  yield* send(m, 1)
  yield* send(m, 2)
})

/** As `program1`, but `a` and `b` do not know of each other. */
export const program2 = program('program2', function* () {
  const m = yield* spawn('m', receiver, 3)
  yield* spawn('a', function* () {
    yield* send(m, 3)
  })
  yield* spawn('b', function* () {
    yield* send(m, 4)
  })
  yield* send(m, 1)
  yield* send(m, 2)
})

export const program3 = program('program3', function* () {
  const a = yield* spawn('a', receiver, 3)
  for (const value of [1, 2, 3]) yield* send(a, value)
})

/** Two senders, two receivers, crossed (Di Giusto et al., figure 7a): `mailbox` alone forbids one of the four outcomes. */
export const program4 = program('program4', function* () {
  const m = yield* spawn('m', receiver, 2)
  const a = yield* spawn('a', receiver, 2)
  yield* spawn('b', function* () {
    yield* send(a, 3)
    yield* send(m, 4)
  })
  yield* send(m, 1)
  yield* send(a, 2)
})

/** `program4` with an observer that fails exactly in the outcome that `mailbox` forbids. */
export const program5 = program('program5', { deadlock: 'allow' }, function* () {
  const main = yield* self()
  const m = yield* spawn('m', function* () {
    const [first, second] = [yield* receive<number>(), yield* receive<number>()]
    if (first > second) yield* send(main, 'm saw 4 first')
  })
  const a = yield* spawn('a', function* () {
    const [first, second] = [yield* receive<number>(), yield* receive<number>()]
    if (first < second) yield* send(main, 'a saw 2 first')
  })
  yield* spawn('b', function* () {
    yield* send(a, 3)
    yield* send(m, 4)
  })
  yield* send(m, 1)
  yield* send(a, 2)
  yield* receive()
  yield* receive()
  yield* assert(false, 'm and a saw the two senders in opposite orders')
})
