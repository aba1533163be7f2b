/**
 * Counting by channel. A channel has one reader, so it is that reader's inbox; several channels of one reader are messages
 * that carry a channel's name, and `select` is a receive that takes any of several names.
 */
import { type Address, poll, program, receive, self, send, spawn } from 'allways'

interface Message {
  readonly channel: string
}

const on =
  (...channels: readonly string[]) =>
  (message: Message) =>
    channels.includes(message.channel)

function* sender(to: Address<number>, times: number) {
  for (let i = 0; i < times; i++) yield* send(to, i)
}

export const forwardRevisit = program('forward_revisit', function* () {
  const t1 = yield* spawn('T1', function* () {
    yield* poll<number>()
  })
  yield* sender(t1, 2)
})

/** `main` looks `polls` times; T1 sends `sends` messages. */
function* polls(sends: number, times: number) {
  yield* spawn('T1', sender, yield* self<number>(), sends)
  for (let i = 0; i < times; i++) yield* poll()
}

export const backwardRevisit = program('backward_revisit', () => polls(1, 1))
export const maximality1 = program('maximality1', () => polls(1, 2))
export const maximality2 = program('maximality2', () => polls(2, 2))

/** Two messages and `k` looks: meant for `bag`. */
export const stressMaxTwo = program('stress_max, 2 sends', { params: { k: 4 }, network: 'bag' }, ({ k }) => polls(2, k))

/** As many messages as looks: meant for `fifo`. */
export const stressMaxAll = program('stress_max, k sends', { params: { k: 4 } }, ({ k }) => polls(k, k))

export const block = program('block', { deadlock: 'allow' }, function* () {
  yield* receive()
})

export const rrbS = program('rrb_s', { deadlock: 'allow' }, function* () {
  yield* spawn('T1', sender, yield* self<number>(), 1)
  yield* poll()
  yield* receive()
})

export const blockingRev = program('blocking_rev', function* () {
  yield* spawn('T1', sender, yield* self<number>(), 3)
  yield* receive()
  yield* receive()
})

/** A message to oneself may be overlooked, too: a poll may find nothing at any time. */
export const spuriousTimeout = program('spurious_timeout', function* () {
  yield* send(yield* self(), 1)
  yield* poll()
})

export const smoke = program('two named channels', function* () {
  const main = yield* self<Message>()
  yield* send(main, { channel: 'c1' })
  yield* send(main, { channel: 'c2' })
  yield* receive(on('c2'))
})

export const select = program('select', function* () {
  const main = yield* self<Message>()
  yield* send(main, { channel: 'c1' })
  yield* send(main, { channel: 'c2' })
  yield* poll(on('c1', 'c2'))
})

export const selectRev = program('select_rev', { deadlock: 'allow' }, function* () {
  const main = yield* self<Message>()
  yield* spawn('T1', function* () {
    for (const channel of ['c1', 'c2', 'c3']) yield* send(main, { channel })
  })
  yield* receive(on('c1', 'c2'))
  yield* receive(on('c1', 'c3'))
  yield* receive(on('c2', 'c3'))
})

export const threeArbitraryThreads = program('three_arbitrary_threads', function* () {
  const main = yield* self<Message>()
  const t1 = yield* spawn('T1', function* () {
    yield* send(main, { channel: 'c1' })
    yield* poll(on('c2'))
  })
  yield* spawn('T2', function* () {
    yield* send(t1, { channel: 'c2' })
    yield* send(main, { channel: 'c3' })
  })
  yield* receive(on('c1', 'c3'))
  yield* poll(on('c1', 'c3'))
})
