/** Litmus tests in which `assume` stops a process: the stopped executions are the `blocked` ones. */
import { type Address, assume, poll, program, receive, self, send, spawn } from 'allways'

type Inbox = Address<unknown>

const options = { deadlock: 'allow' } as const

/** Looks once, and goes on only if a message was there. */
function* pollSomething() {
  yield* assume((yield* poll()) !== undefined)
}

function* pollExactly(value: number) {
  yield* assume((yield* poll()) === value)
}

function* receiveExactly(value: number) {
  yield* assume((yield* receive()) === value)
}

function* sendIfStarted(to: Inbox, ...values: readonly number[]) {
  yield* pollSomething()
  for (const value of values) yield* send(to, value)
}

export const rSsAssm = program('r_ss_assm', options, function* () {
  const t1 = yield* spawn('T1', pollSomething)
  const t2 = yield* spawn('T2', sendIfStarted, t1, 1, 2)
  yield* send(t2, 'start')
})

export const rNsAssm = program('r_ns_assm', { ...options, params: { n: 3 } }, function* ({ n }) {
  const t1 = yield* spawn('T1', pollSomething)
  const senders = []
  for (let i = 1; i <= n; i++) senders.push(yield* spawn(`sender ${i}`, sendIfStarted, t1, i))
  for (const sender of senders) yield* send(sender, 'start')
})

export const srsSRsNodangling = program('srs_s_rs_nodangling', options, function* () {
  const t1 = yield* spawn('T1', function* () {
    yield* poll()
  })
  const t2 = yield* spawn('T2', function* () {
    yield* assume((yield* receive()) === 'init')
    yield* poll()
    yield* send(t1, 1)
  })
  const t3 = yield* spawn('T3', function* () {
    yield* receive()
    yield* send(t2, 'value')
  })
  yield* send(t3, 'init')
  yield* send(t2, 'init')
})

export const rSSs = program('r_s_ss', options, function* () {
  const t1 = yield* spawn('T1', function* () {
    yield* poll()
  })
  const t3 = yield* spawn('T3', function* () {
    yield* assume((yield* receive()) === 'init')
    yield* send(yield* self(), 2)
    yield* send(t1, 42)
  })
  const t2 = yield* spawn('T2', function* () {
    yield* receive()
    yield* send(t3, 'value')
  })
  yield* send(t2, 'init')
  yield* send(t3, 'init')
})

function* rSRSsProgram(third: () => Generator<unknown, unknown, unknown>) {
  const t1 = yield* spawn('T1', pollExactly, 42)
  const t3 = (yield* spawn('T3', third)) as Inbox
  const t2 = yield* spawn('T2', function* () {
    yield* receive()
    yield* send(t3, 1)
  })
  const t4 = yield* spawn('T4', function* () {
    yield* receive()
    yield* receive()
    yield* send(t3, 2)
    yield* send(t1, 42)
  })
  yield* send(t2, 'a')
  yield* send(t4, 'b')
  yield* send(t4, 'c')
}

export const rSRSs = program('r_s_r_ss', options, () =>
  rSRSsProgram(function* () {
    yield* receive()
  }),
)

export const rSRSsNonblocking = program('r_s_r_ss_nonblocking', options, () =>
  rSRSsProgram(function* () {
    yield* poll()
  }),
)

/** T1 and T2 agree with opposite orders of T3 and T4; no global order of the four sends explains both. */
export const testMailbox = program('test_mailbox', options, function* () {
  const t1 = yield* spawn('T1', pollExactly, 1)
  const t2 = yield* spawn('T2', pollExactly, 2)
  yield* spawn('T3', function* () {
    yield* send(t2, 1)
    yield* send(t1, 1)
  })
  yield* spawn('T4', function* () {
    yield* send(t1, 2)
    yield* send(t2, 2)
  })
})

export const weirdStampTiebreak = program('weird_stamp_tiebreak', options, function* () {
  const main = yield* self()
  const t1 = yield* spawn('T1', function* () {
    yield* send(main, 2)
    if ((yield* poll()) === 1) yield* send(main, 3)
  })
  yield* spawn('T2', function* () {
    yield* send(main, 1)
    yield* send(t1, 1)
  })
  yield* send(main, 0)
  yield* receiveExactly(3)
})

/** The poll of T1 must find nothing although T2 has already sent to it, or main could not take 1 before 2. */
export const spuriousTimeoutMailbox = program('spurious_timeout_mailbox', options, function* () {
  const main = yield* self()
  const t1 = yield* spawn('T1', function* () {
    yield* send(main, 2)
    yield* assume((yield* poll()) === undefined)
  })
  yield* spawn('T2', function* () {
    yield* send(t1, 1)
    yield* send(main, 1)
  })
  yield* receiveExactly(1)
  yield* receiveExactly(2)
})
