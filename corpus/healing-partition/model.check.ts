/** A question and its answer across a network that may be partitioned: by a client that waits, and by one that does not. */
import { type Address, poll, program, receive, self, send, spawn } from 'allways'

interface Ping {
  readonly from: Address<string>
}

function* server() {
  const { from } = yield* receive<Ping>()
  yield* send(from, 'pong')
}

function* shop(waits: boolean) {
  const to = yield* spawn('server', { daemon: true }, server)
  yield* spawn('client', function* () {
    yield* send(to, { from: yield* self<string>() })
    if (waits) yield* receive<string>()
    else yield* poll<string>()
  })
}

const faults = { partitions: 1 } as const

/** A partition that heals only delays; one that does not leaves the client waiting. */
export const waiting = program('waits for the answer', { faults }, () => shop(true))
export const going = program('goes on without the answer', { faults }, () => shop(false))
