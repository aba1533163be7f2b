/** Litmus tests with selective receives: a tag, or the sender, decides which messages a receive takes. */
import { type Address, type Process, poll, program, receive, self, send, spawn } from 'allways'

interface Message {
  readonly tag?: number
  readonly from?: number
}
type Inbox = Address<Message>

const tagged = (tag: number) => (message: Message) => message.tag === tag
const sentBy = (sender: number) => (message: Message) => message.from === sender

/** Waits for a start message, then sends one message per tag; tag 0 means none. */
function* sendTags(to: Inbox, ...tags: readonly number[]) {
  yield* receive()
  for (const tag of tags) yield* send(to, tag === 0 ? {} : { tag })
}

function* receiveTags(...tags: readonly number[]) {
  for (const tag of tags) yield* receive(tagged(tag))
}

export const ssRrTag = program('ss_rr_tag', function* () {
  const t2 = yield* spawn('T2', receiveTags, 2, 1)
  const t1 = yield* spawn('T1', sendTags, t2, 1, 2)
  yield* send(t1, 'start')
})

export const ssRrTagInOrder = program('ss_rr_tag in sending order', function* () {
  const t2 = yield* spawn('T2', receiveTags, 1, 2)
  const t1 = yield* spawn('T1', sendTags, t2, 1, 2)
  yield* send(t1, 'start')
})

export const ssRrTagNb = program('ss_rr_tag_nb', function* () {
  const t2 = yield* spawn('T2', function* () {
    yield* poll(tagged(1))
    yield* poll(tagged(2))
  })
  const t1 = yield* spawn('T1', sendTags, t2, 1, 2)
  yield* send(t1, 'start')
})

export const ssRrSsTag = program('ss_rr_ss_tag', function* () {
  const t2 = yield* spawn('T2', receiveTags, 2, 1)
  const t1 = yield* spawn('T1', sendTags, t2, 2, 1)
  const t3 = yield* spawn('T3', sendTags, t2, 1, 0)
  yield* send(t1, 'start')
  yield* send(t3, 'start')
})

function* fourSenders(sink: Inbox) {
  const senders = []
  for (let from = 1; from <= 4; from++) {
    const sender = yield* spawn(`T${from}`, function* () {
      yield* receive()
      yield* send(sink, { from })
    })
    senders.push(sender)
  }
  for (const sender of senders) yield* send(sender, 'start')
}

export const nsRTag = program('ns_r_tag', function* () {
  const sink = yield* spawn('T5', function* () {
    yield* receive(sentBy(1))
  })
  yield* fourSenders(sink)
})

export const nsRTagNb = program('ns_r_tag with poll', function* () {
  const sink = yield* spawn('T5', function* () {
    yield* poll(sentBy(1))
  })
  yield* fourSenders(sink)
})

/** Taking tag 2 out of order leaves tag 1 in front; under `bag` nothing is in front of anything. */
export const revisitOpt2 = program('revisit_opt_2', function* () {
  const t1 = yield* spawn('T1', function* () {
    yield* poll(tagged(2))
    yield* receive<Message>()
  })
  yield* spawn('T2', function* () {
    yield* send(t1, { tag: 1 })
    yield* send(t1, { tag: 2 })
  })
})

/** The untagged receive comes second, so the message in front of the tagged one can still be taken, or missed. */
export const ssRrNoTagSync = program('ss_rr_no_tag_sync', function* () {
  const t1 = yield* spawn('T1', function* () {
    yield* receive(tagged(2))
    yield* poll<Message>()
  })
  yield* send(t1, {})
  yield* send(t1, { tag: 2 })
})

export const nontrivialTag = program('nontrivial_tag', function* () {
  const t1 = yield* spawn('T1', function* () {
    yield* receive<Message>()
    yield* receive<Message>()
  })
  const t2 = yield* spawn('T2', function* () {
    yield* receive(tagged(1))
    yield* send(t1, { tag: 1, from: 2 })
    yield* send(t1, { tag: 2, from: 2 })
  })
  yield* send(t2, { tag: 1 })
  yield* send(t1, { tag: 2, from: 0 })
  yield* send(t1, { tag: 2, from: 0 })
})

/** The client waits for the last message first; what it does with the others is up to the network. */
export const messageOrdering = program('message_ordering', function* () {
  const client = yield* spawn('client', function* () {
    yield* receive(tagged(5))
    for (let i = 0; i < 4; i++) yield* receive<Message>()
  })
  for (let tag = 5; tag >= 1; tag--) yield* send(client, { tag })
})

type Segment = { readonly kind: 'syn'; readonly from: Address<Segment> } | { readonly kind: 'syn-ack' | 'ack' }

/** A handshake leaves nothing to chance: every message has one possible reader and one possible moment. */
export const tcpHandshake = program('tcp_handshake', function* () {
  const server = yield* spawn('server', function* () {
    const { from } = yield* receive<Segment, 'syn'>('syn')
    yield* send(from, { kind: 'syn-ack' })
    yield* receive<Segment>('ack')
  })
  yield* spawn('client', function* (): Process<Segment> {
    yield* send(server, { kind: 'syn', from: yield* self<Segment>() })
    yield* receive<Segment>('syn-ack')
    yield* send(server, { kind: 'ack' })
  })
})
