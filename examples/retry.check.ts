/**
 * A client that does not wait for ever: if no answer has come it sends its request again, at most `retries` times. The server must
 * not charge twice, so it remembers which requests it has seen. `final` looks at what processes returned in the end.
 *
 *   npx allways check examples/retry.check.ts
 *   npx allways check examples/retry.check.ts -t forgetful
 *
 * The first holds; the second forgets to remember, and is found out.
 */
import { type Address, final, poll, program, receive, self, send, spawn } from 'allways'

type Request = { kind: 'charge'; id: number; from: Address<Reply> } | { kind: 'close' }
interface Reply {
  kind: 'charged'
  id: number
}

function* server(remembers: boolean) {
  const seen = new Set<number>()
  let charges = 0
  for (;;) {
    const request = yield* receive<Request>()
    if (request.kind === 'close') return charges
    if (!remembers || !seen.has(request.id)) charges++
    seen.add(request.id)
    yield* send(request.from, { kind: 'charged', id: request.id })
  }
}

function* client(to: Address<Request>, retries: number) {
  const from = yield* self<Reply>()
  let answered = false
  for (let attempt = 0; attempt <= retries && !answered; attempt++) {
    yield* send(to, { kind: 'charge', id: 1, from })
    // A poll may find nothing even if the answer is there: both are explored, and that is what a timeout is.
    answered = (yield* poll<Reply>('charged')) !== undefined
  }
  yield* send(to, { kind: 'close' })
}

const chargedOnce = final('charged once', ({ returned }) => returned.get('server') === 1)

function* shop(remembers: boolean, retries: number) {
  yield* spawn('client', client, yield* spawn('server', server, remembers), retries)
}

const options = { params: { retries: 2 }, properties: [chargedOnce] } as const

export const retry = program('retry', options, ({ retries }) => shop(true, retries))
export const forgetful = program('forgetful', options, ({ retries }) => shop(false, retries))
