/** Shared memory as processes: a register and a mutex are daemons that serve one request at a time (Must paper, §5). */
import { type Address, assert, join, program, receive, self, send, spawn } from 'allways'

type RegisterRequest =
  | { readonly kind: 'load'; readonly from: Address<number> }
  | { readonly kind: 'store'; readonly value: number; readonly from: Address<number> }
  | { readonly kind: 'swap'; readonly expected: number; readonly value: number; readonly from: Address<number> }
type Register = Address<RegisterRequest>

function* register(initial: number) {
  let value = initial
  for (;;) {
    const request = yield* receive<RegisterRequest>()
    yield* send(request.from, value)
    if (request.kind === 'store') value = request.value
    if (request.kind === 'swap' && request.expected === value) value = request.value
  }
}

function* load(from: Register) {
  yield* send(from, { kind: 'load', from: yield* self<number>() })
  return yield* receive<number>()
}

function* store(to: Register, value: number) {
  yield* send(to, { kind: 'store', value, from: yield* self<number>() })
  yield* receive<number>()
}

/** Answers what the register held; it was replaced if that is `expected`. */
function* compareAndSwap(at: Register, expected: number, value: number) {
  yield* send(at, { kind: 'swap', expected, value, from: yield* self<number>() })
  return yield* receive<number>()
}

type LockRequest = { readonly kind: 'lock'; readonly from: Address<unknown> } | { readonly kind: 'unlock' }

function* mutex() {
  for (;;) {
    const { from } = yield* receive<LockRequest, 'lock'>('lock')
    yield* send(from, 'locked')
    yield* receive<LockRequest, 'unlock'>('unlock')
  }
}

/** Two processes try to set a flag; whoever comes first wins. */
export const compareAndSwapTwice = program('atomic_bool_cas', function* () {
  const flag = yield* spawn('flag', { daemon: true }, register, 0)
  const swappers = []
  for (let i = 1; i <= 2; i++) {
    const swapper = yield* spawn(`swapper ${i}`, function* () {
      yield* compareAndSwap(flag, 0, i)
    })
    swappers.push(swapper)
  }
  for (const swapper of swappers) yield* join(swapper)
  yield* assert((yield* load(flag)) !== 0, 'somebody has set the flag')
})

/** Adds one to a counter in two steps, with or without a lock around them. */
function* increment(counter: Register, lock: Address<LockRequest> | undefined) {
  if (lock !== undefined) {
    yield* send(lock, { kind: 'lock', from: yield* self() })
    yield* receive()
  }
  yield* store(counter, (yield* load(counter)) + 1)
  if (lock !== undefined) yield* send(lock, { kind: 'unlock' })
}

function* twoIncrements(lock: Address<LockRequest> | undefined) {
  const counter = yield* spawn('counter', { daemon: true }, register, 0)
  const processes = []
  for (let i = 1; i <= 2; i++) processes.push(yield* spawn(`incrementer ${i}`, increment, counter, lock))
  for (const process of processes) yield* join(process)
  yield* assert((yield* load(counter)) === 2, 'both increments count')
}

/** With the lock, only the order of the two critical sections is open. */
export const lockedCounter = program('mutex', function* () {
  yield* twoIncrements(yield* spawn('mutex', { daemon: true }, mutex))
})

/** Without it, an increment gets lost. */
export const racyCounter = program('counter without a mutex', () => twoIncrements(undefined))

/** Five producers, one consumer. */
export const multipleProducers = program('multiple_producer', { params: { n: 5 } }, function* ({ n }) {
  const main = yield* self<number>()
  for (let i = 1; i <= n; i++) {
    yield* spawn(`producer ${i}`, function* () {
      yield* send(main, i)
    })
  }
  for (let i = 0; i < n; i++) yield* receive<number>()
})
