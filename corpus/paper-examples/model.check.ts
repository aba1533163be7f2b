/** The numbered examples of the Must paper (Enea et al., OOPSLA 2024). */
import { type Address, assert, monitor, type Notification, program, receive, self, send, spawn } from 'allways'

function* receiver(times: number) {
  for (let i = 0; i < times; i++) yield* receive<number>()
}

function* sender(to: Address<number>, value: number) {
  yield* send(to, value)
}

/** S+S+R, Examples 2.3, 4.1 and 4.2. */
export const ssr = program('s+s+r', function* () {
  const t3 = yield* spawn('T3', receiver, 1)
  for (const value of [1, 2]) yield* spawn(`T${value}`, sender, t3, value)
})

/** S+S+R-BR, Example 4.3: two explorations meet in one graph, and only one of them may go on. */
export const ssrBr = program('s+s+r-br', function* () {
  const t1 = yield* spawn('T1', function* () {
    yield* send(yield* self<number>(), 0)
    yield* receive<number>()
  })
  const t4 = yield* spawn('T4', receiver, 1)
  yield* spawn('T2', sender, t4, 1)
  yield* spawn('T3', sender, t4, 2)
  yield* spawn('T5', sender, t1, 42)
})

/** Example 2.8: the second message is asked for first, and that is no violation of fifo. */
export const outOfOrder = program('example 2.8', function* () {
  const t2 = yield* spawn('T2', function* () {
    yield* receive((value: number) => value === 2)
    yield* receive((value: number) => value === 1)
  })
  yield* send(t2, 1)
  yield* send(t2, 2)
})

/** Example 3.1: T1 sends to T3 and then wakes T2, which sends to T3, too. */
export const example31 = program('example 3.1', function* () {
  const t3 = yield* spawn('T3', receiver, 2)
  const t2 = yield* spawn('T2', function* () {
    yield* receive<number>()
    yield* send(t3, 2)
  })
  yield* spawn('T1', function* () {
    yield* send(t3, 1)
    yield* send(t2, 1)
  })
})

const senderBeforeReceiver = 'the send of T1 comes before the send of T2'

/** Example 2.11 as in the paper: T1 and T2 tell a process of their own about what they are about to send. */
export const example211ByHand = program('example 2.11 by hand', function* () {
  const tm = yield* spawn('Tm', byHand)
  const t3 = yield* spawn('T3', receiver, 1)
  for (const value of [1, 2]) {
    yield* spawn(`T${value}`, function* () {
      yield* send(tm, value, { network: 'causal' })
      yield* send(t3, value)
    })
  }
})

function* byHand() {
  const first = yield* receive<number>()
  const second = yield* receive<number>()
  yield* assert(first === 1 && second === 2, senderBeforeReceiver)
}

const orderOfSends = monitor('order of sends', { observes: isSendToT3 }, function* () {
  const first = yield* receive<Notification>()
  const second = yield* receive<Notification>()
  yield* assert(first.message === 1 && second.message === 2, senderBeforeReceiver)
})

function isSendToT3(notification: Notification): boolean {
  return notification.kind === 'send' && notification.to.id === 'T3'
}

/** Example 2.11 with a monitor. */
export const example211 = program('example 2.11', { properties: [orderOfSends] }, function* () {
  const t3 = yield* spawn('T3', receiver, 1)
  for (const value of [1, 2]) yield* spawn(`T${value}`, sender, t3, value)
})

/** Example 2.11 with a monitor that observes and asserts nothing: what the order of sends costs. */
export const example211Observed = program(
  'example 2.11, observed only',
  {
    properties: [
      monitor('observer', { observes: isSendToT3 }, function* () {
        yield* receive<Notification>()
        yield* receive<Notification>()
      }),
    ],
  },
  function* () {
    const t3 = yield* spawn('T3', receiver, 1)
    for (const value of [1, 2]) yield* spawn(`T${value}`, sender, t3, value)
  },
)

/** Example 2.12: T2 sends to T3 after it has heard from T1, so the monitor sees the sends in that order. */
export const example212 = program('example 2.12', { properties: [orderOfSends] }, function* () {
  const t3 = yield* spawn('T3', receiver, 1)
  const t2 = yield* spawn('T2', function* () {
    yield* receive<number>()
    yield* send(t3, 2)
  })
  yield* spawn('T1', function* () {
    yield* send(t3, 1)
    yield* send(t2, 1)
  })
})

/** Example 2.12 by hand; `notify` is the network of what the monitor is told. */
function* example212With(notify: 'causal' | 'fifo') {
  const tm = yield* spawn('Tm', byHand)
  const t3 = yield* spawn('T3', receiver, 1)
  const t2 = yield* spawn('T2', function* () {
    yield* receive<number>()
    yield* send(tm, 2, { network: notify })
    yield* send(t3, 2)
  })
  yield* spawn('T1', function* () {
    yield* send(tm, 1, { network: notify })
    yield* send(t3, 1)
    yield* send(t2, 1)
  })
}

export const example212ByHand = program('example 2.12 by hand', () => example212With('causal'))

/** What goes wrong if notifications travel like other messages: a false alarm. */
export const example212Fifo = program('example 2.12 by hand, notified over fifo', () => example212With('fifo'))
