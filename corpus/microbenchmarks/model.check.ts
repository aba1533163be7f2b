/** The synthetic programs of the Must paper (Table 1, §2): one receiver, N independent senders, and variations. */
import { type Address, poll, program, receive, self, send, spawn } from 'allways'

function* sender(to: Address<number>, value: number) {
  yield* send(to, value)
}

/** ns+r(N): only the message that arrives first matters. */
export const nsR = program('ns+r', { params: { n: 4 } }, function* ({ n }) {
  const receiver = yield* spawn('receiver', function* () {
    yield* receive<number>()
  })
  for (let i = 1; i <= n; i++) yield* spawn(`sender ${i}`, sender, receiver, i)
})

/** ns+nr(N): every order of arrival matters. */
export const nsNr = program('ns+nr', { params: { n: 4 } }, function* ({ n }) {
  const receiver = yield* spawn('receiver', function* () {
    for (let i = 0; i < n; i++) yield* receive<number>()
  })
  for (let i = 1; i <= n; i++) yield* spawn(`sender ${i}`, sender, receiver, i)
})

/** ns+nr-sel(N): the receiver asks for the messages one by one, so no order matters. */
export const nsNrSel = program('ns+nr-sel', { params: { n: 4 } }, function* ({ n }) {
  const receiver = yield* spawn('receiver', function* () {
    for (let i = 1; i <= n; i++) yield* receive((value: number) => value === i)
  })
  for (let i = 1; i <= n; i++) yield* spawn(`sender ${i}`, sender, receiver, i)
})

/** The waiter collects N messages, then tells `main`. */
function* workers(n: number, main: Address<number>) {
  const waiter = yield* spawn('waiter', function* () {
    for (let i = 0; i < n; i++) yield* receive<number>()
    yield* send(main, 1)
  })
  for (let i = 1; i <= n; i++) yield* spawn(`worker ${i}`, sender, waiter, i)
}

/** nworkers(N): `main` takes either its own message or the waiter's. */
export const nworkers = program('nworkers', { params: { n: 4 } }, function* ({ n }) {
  const main = yield* self<number>()
  yield* workers(n, main)
  yield* send(main, 0)
  yield* receive<number>()
})

/** As nworkers, but `main`'s own message is causally first. */
export const nworkersSendFirst = program('nworkers, send first', { params: { n: 4 } }, function* ({ n }) {
  const main = yield* self<number>()
  yield* send(main, 0)
  yield* workers(n, main)
  yield* receive<number>()
})

/** NNR: N looks at inboxes to which nobody sends. */
export const nnr = program('nnr', { params: { n: 4 } }, function* ({ n }) {
  for (let i = 1; i <= n; i++) {
    yield* spawn(`T${i}`, function* () {
      yield* poll()
    })
  }
})
