/** Families with a closed form, for stress: small programs whose counts grow in a known way. */
import { type Address, poll, program, receive, self, send, spawn } from 'allways'

type Inbox = Address<unknown>

function* receiver(times: number) {
  for (let i = 0; i < times; i++) yield* receive()
}

function* poller(times: number) {
  for (let i = 0; i < times; i++) yield* poll()
}

function* sender(to: Inbox, times: number) {
  for (let i = 0; i < times; i++) yield* send(to, i)
}

function* senders(to: Inbox, k: number, m: number) {
  for (let i = 1; i <= k; i++) yield* spawn(`sender ${i}`, sender, to, m)
}

/** `k` senders of `m` messages each, and a receiver that takes them all. */
export const sendersMessages = program('senders x messages', { params: { k: 2, m: 2 } }, function* ({ k, m }) {
  yield* senders(yield* spawn('receiver', receiver, k * m), k, m)
})

/** The same with a receiver that looks `k * m` times. */
export const sendersMessagesPoll = program(
  'senders x messages, polled',
  { params: { k: 2, m: 2 } },
  function* ({ k, m }) {
    yield* senders(yield* spawn('receiver', poller, k * m), k, m)
  },
)

export const nsNrnb = program('ns_nrnb', { params: { n: 3 } }, function* ({ n }) {
  yield* senders(yield* spawn('receiver', poller, n), n, 1)
})

/** Even senders send to `a` and then `b`, odd ones to `b` and then `a`. */
function* crossedSenders(a: Inbox, b: Inbox, n: number) {
  for (let i = 0; i < n; i++) {
    yield* spawn(`sender ${i}`, function* () {
      yield* send(i % 2 === 0 ? a : b, i)
      yield* send(i % 2 === 0 ? b : a, i)
    })
  }
}

export const crossed = program('crossed_b', { params: { n: 2 } }, function* ({ n }) {
  yield* crossedSenders(yield* spawn('a', receiver, n), yield* spawn('b', receiver, n), n)
})

export const crossedPoll = program('crossed_nb', { params: { n: 2 } }, function* ({ n }) {
  yield* crossedSenders(yield* spawn('a', poller, n), yield* spawn('b', poller, n), n)
})

/** Three senders in a ring of three receivers: each receiver has two messages to choose from. */
export const threeCycle = program('3cycle_mbox', { params: { receives: 1 } }, function* ({ receives }) {
  const ring = []
  for (let i = 4; i <= 6; i++) ring.push(yield* spawn(`T${i}`, receiver, receives))
  for (const [i, first] of ring.entries()) {
    const second = ring[(i + 1) % 3] as Inbox
    yield* spawn(`T${i + 1}`, function* () {
      yield* send(first, i)
      yield* send(second, i)
    })
  }
})

/** Each relay tells the sink before it wakes the next: under causal delivery the sink hears them in order. */
export const relayChain = program('relaychain', { params: { n: 3 } }, function* ({ n }) {
  const sink = yield* spawn('sink', receiver, n)
  let next: Inbox | undefined
  for (let i = n; i >= 1; i--) next = yield* spawn(`relay ${i}`, relay, sink, next, i === 1)
})

function* relay(sink: Inbox, next: Inbox | undefined, first: boolean) {
  if (!first) yield* receive()
  yield* send(sink, 'relay')
  if (next !== undefined) yield* send(next, 'go')
}

/** One process tells the sink and wakes the others; `sinkFirst` says in which order. */
function* fan(n: number, sinkFirst: boolean) {
  const sink = yield* spawn('sink', receiver, n)
  const others: Inbox[] = []
  for (let i = 2; i <= n; i++) others.push(yield* spawn(`T${i}`, relay, sink, undefined, false))
  yield* spawn('T1', function* () {
    if (sinkFirst) yield* send(sink, 'first')
    for (const other of others) yield* send(other, 'go')
    if (!sinkFirst) yield* send(sink, 'last')
  })
}

export const tellSinkThenFanout = program('tell_sink_then_fanout', { params: { n: 3 } }, ({ n }) => fan(n, true))
export const fanout = program('fanout', { params: { n: 3 } }, ({ n }) => fan(n, false))

interface Peers {
  readonly kind: 'peers'
  readonly peers: readonly Inbox[]
}

const fromPeer = (message: unknown) => typeof message === 'number'

/** Processes that must know each other learn addresses from `main`; a receive of their own takes that message apart. */
function* introduce(n: number, body: (own: number, peers: readonly Inbox[]) => Generator<unknown, unknown, unknown>) {
  const peers: Inbox[] = []
  for (let i = 0; i < n; i++) {
    const peer = yield* spawn(`T${i}`, function* () {
      const known = yield* receive<Peers>('peers')
      yield* body(i, known.peers) as Generator<never, unknown, unknown>
    })
    peers.push(peer as Inbox)
  }
  for (const peer of peers) yield* send(peer, { kind: 'peers', peers })
}

export const allToAll = program('all2all_b', { params: { n: 3 } }, ({ n }) =>
  introduce(n, function* (own, peers) {
    for (const [i, peer] of peers.entries()) if (i !== own) yield* send(peer, own)
    for (let i = 1; i < n; i++) yield* receive(fromPeer)
  }),
)

export const allToAllReceiveFirst = program('all2all_recv_first_b', () =>
  introduce(3, function* (own, peers) {
    for (let distance = 1; distance <= 2; distance++) {
      yield* send(peers[(own + distance) % 3] as Inbox, own)
      yield* receive(fromPeer)
    }
  }),
)

/** Each client asks twice and waits for the answer each time. */
export const clientServer = program('client_server_2req', { params: { n: 2 } }, function* ({ n }) {
  const server = yield* spawn('server', function* () {
    for (let i = 0; i < 2 * n; i++) yield* send(yield* receive<Inbox>(), 'answer')
  })
  for (let i = 1; i <= n; i++) {
    yield* spawn(`client ${i}`, function* () {
      for (let request = 0; request < 2; request++) {
        yield* send(server, yield* self())
        yield* receive()
      }
    })
  }
})

/** `n` independent pairs: a message, and a look that may miss it. */
export const timeoutPairs = program('timeout_pairs', { params: { n: 3 } }, function* ({ n }) {
  for (let i = 1; i <= n; i++) yield* spawn(`sender ${i}`, sender, yield* spawn(`receiver ${i}`, poller, 1), 1)
})
