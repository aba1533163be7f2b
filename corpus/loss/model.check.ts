/** Message loss, modelled where it is decided: the sender chooses whether the network loses what it sends. */
import { type Address, assume, choose, poll, program, receive, send, spawn } from 'allways'

/** A send that the network may lose. With one lossy send in a program, that is a budget of one lost message. */
function* lossySend(to: Address<number>, value: number) {
  const lost = yield* choose([false, true])
  if (!lost) yield* send(to, value)
}

export const lossAlone = program('a lossy send', function* () {
  const t1 = yield* spawn('T1', function* () {
    yield* poll<number>(() => false)
  })
  yield* lossySend(t1, 1)
})

export const lossThenSend = program('a lossy send, then a send', { deadlock: 'allow' }, function* () {
  const t1 = yield* spawn('T1', function* () {
    yield* assume((yield* receive<number>()) === 2)
  })
  yield* lossySend(t1, 1)
  yield* send(t1, 2)
})

export const lossAndSend = program('a lossy send beside a send', { deadlock: 'allow' }, function* () {
  const t1 = yield* spawn('T1', function* () {
    yield* assume((yield* poll<number>()) === 2)
  })
  yield* spawn('T2', lossySend, t1, 1)
  yield* spawn('T3', function* () {
    yield* send(t1, 2)
  })
})
