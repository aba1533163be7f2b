/** A client that asks over a network that loses one message: once, again when no answer comes, and of a server that forgets. */
import { type Address, assert, poll, program, receive, self, send, spawn } from 'allways'

interface Ask {
  readonly kind: 'ask'
  readonly from: Address<Reply>
}
interface Reply {
  readonly kind: 'reply'
}

function* server(remembers: boolean) {
  let charges = 0
  for (;;) {
    const { from } = yield* receive<Ask>()
    if (!remembers || charges === 0) charges++
    yield* assert(charges === 1, 'charged twice')
    yield* send(from, { kind: 'reply' })
  }
}

function* client(retries: boolean, to: Address<Ask>) {
  const from = yield* self<Reply>()
  yield* send(to, { kind: 'ask', from })
  if (retries) {
    if ((yield* poll<Reply>()) !== undefined) return
    yield* send(to, { kind: 'ask', from })
  }
  yield* receive<Reply>()
}

function* shop(retries: boolean, remembers: boolean) {
  yield* spawn('client', client, retries, yield* spawn('server', { daemon: true }, server, remembers))
}

const faults = { losses: 1 } as const

export const once = program('asks once', { faults }, () => shop(false, true))
export const retrying = program('asks again', { faults }, () => shop(true, true))
export const forgetful = program('asks a server that forgets', { faults }, () => shop(true, false))
