/** Small protocols: a bus with three roles, job queues, a bank. */
import { type Address, choose, join, type Process, program, receive, self, send, spawn } from 'allways'

interface Peers {
  readonly kind: 'config'
  readonly client: Address<{ readonly kind: 'ack' }>
  readonly acceptor: Address<BusMessage>
  readonly committer: Address<BusMessage>
  readonly standby: Address<BusMessage>
}
type BusMessage = Peers | { readonly kind: 'replicate' | 'store committed' | 'my status' | 'terminate' }

function* acceptor(): Process<BusMessage> {
  const { client, committer } = yield* receive<BusMessage, 'config'>('config')
  yield* send(committer, { kind: 'replicate' })
  for (;;) {
    const message = yield* receive<BusMessage>()
    if (message.kind === 'terminate') return
    if (message.kind === 'my status') yield* send(client, { kind: 'ack' })
  }
}

function* committer(): Process<BusMessage> {
  const { acceptor, standby } = yield* receive<BusMessage, 'config'>('config')
  for (;;) {
    const message = yield* receive<BusMessage>()
    if (message.kind === 'terminate') return
    if (message.kind === 'replicate') {
      yield* send(standby, { kind: 'store committed' })
      yield* send(acceptor, { kind: 'my status' })
    }
  }
}

function* standby(): Process<BusMessage> {
  const { acceptor, committer } = yield* receive<BusMessage, 'config'>('config')
  for (;;) {
    const message = yield* receive<BusMessage>()
    if (message.kind === 'terminate') return
    yield* send(acceptor, { kind: 'my status' })
    yield* send(committer, { kind: 'my status' })
  }
}

function* minibus(waits: boolean) {
  const roles = {
    acceptor: yield* spawn('acceptor', acceptor),
    committer: yield* spawn('committer', committer),
    standby: yield* spawn('standby', standby),
  }
  const client = yield* self<{ readonly kind: 'ack' }>()
  for (const role of Object.values(roles)) yield* send(role, { kind: 'config', client, ...roles })
  if (waits) yield* receive<{ readonly kind: 'ack' }>('ack')
  for (const role of Object.values(roles)) yield* send(role, { kind: 'terminate' })
}

/** The client terminates the bus after the first acknowledgement. */
export const minibusWait = program('minibus, wait', () => minibus(true))

/** The client terminates the bus at once. */
export const minibusNowait = program('minibus, nowait', () => minibus(false))

interface Job {
  readonly kind: 'job'
  readonly leaves: number
}
interface Workers {
  readonly kind: 'workers'
  readonly workers: readonly Address<Job | Workers>[]
}

/** Runs jobs; a job with leaves submits them, each to a worker of its choice. */
function* pushWorker(): Process<Job | Workers> {
  const { workers } = yield* receive<Job | Workers, 'workers'>('workers')
  for (;;) {
    const job = yield* receive<Job | Workers, 'job'>('job')
    for (let i = 0; i < job.leaves; i++) yield* send(yield* choose(workers), { kind: 'job', leaves: 0 })
  }
}

export const jobQueuePush = program('job_queue, push', function* () {
  const workers: Address<Job | Workers>[] = []
  for (let i = 0; i < 2; i++) workers.push(yield* spawn(`worker ${i}`, { daemon: true }, pushWorker))
  for (const worker of workers) yield* send(worker, { kind: 'workers', workers })
  yield* send(yield* choose(workers), { kind: 'job', leaves: 2 })
})

type QueueMessage = Job | { readonly kind: 'workers'; readonly workers: readonly Address<Job>[] }

/** The queue picks the worker. */
export const jobQueueProcess = program('job_queue, queue process', function* () {
  const queue = yield* spawn('queue', { daemon: true }, function* (): Process<QueueMessage> {
    const { workers } = yield* receive<QueueMessage, 'workers'>('workers')
    for (;;) {
      const job = yield* receive<QueueMessage, 'job'>('job')
      yield* send(yield* choose(workers), job)
    }
  })
  const workers: Address<Job>[] = []
  for (let i = 0; i < 2; i++) workers.push(yield* spawn(`worker ${i}`, { daemon: true }, leafWorker, queue))
  yield* send(queue, { kind: 'workers', workers })
  yield* send(queue, { kind: 'job', leaves: 2 })
})

function* leafWorker(queue: Address<Job>) {
  for (;;) {
    const job = yield* receive<Job>('job')
    for (let leaf = 0; leaf < job.leaves; leaf++) yield* send(queue, { kind: 'job', leaves: 0 })
  }
}

interface Request {
  readonly kind: 'request'
  readonly from: Address<Job>
}

/** Workers ask for work; the queue matches requests with jobs. */
export const jobQueuePull = program('job_queue, pull', function* () {
  const queue = yield* spawn('queue', { daemon: true }, function* (): Process<Job | Request> {
    for (;;) {
      const { from } = yield* receive<Job | Request, 'request'>('request')
      yield* send(from, yield* receive<Job | Request, 'job'>('job'))
    }
  })
  for (let i = 0; i < 2; i++) {
    yield* spawn(`worker ${i}`, { daemon: true }, function* () {
      for (;;) {
        yield* send(queue, { kind: 'request', from: yield* self<Job>() })
        const job = yield* receive<Job>('job')
        for (let leaf = 0; leaf < job.leaves; leaf++) yield* send(queue, { kind: 'job', leaves: 0 })
      }
    })
  }
  yield* send(queue, { kind: 'job', leaves: 2 })
})

type BankMessage =
  | { readonly kind: 'deposit'; readonly amount: number }
  | { readonly kind: 'withdraw'; readonly part: 'all' | 'half'; readonly from: Address<number> }

export const bank = program('bank', function* () {
  const account = yield* spawn('bank', { daemon: true }, function* () {
    let balance = 100
    for (;;) {
      const message = yield* receive<BankMessage>()
      if (message.kind === 'deposit') balance += message.amount
      else {
        const amount = message.part === 'all' ? balance : balance / 2
        balance -= amount
        yield* send(message.from, amount)
      }
    }
  })
  yield* spawn('withdraw', function* () {
    yield* send(account, { kind: 'withdraw', part: yield* choose(['all', 'half']), from: yield* self<number>() })
    yield* receive<number>()
  })
  yield* send(account, { kind: 'deposit', amount: 50 })
})

export const futureRace = program('a spawned sender against a message to oneself', function* () {
  const main = yield* self<number>()
  yield* spawn('future', function* () {
    yield* send(main, 1)
  })
  yield* send(main, 0)
  yield* receive<number>()
})

export const futureAlone = program('a spawned sender alone', function* () {
  const main = yield* self<number>()
  yield* spawn('future', function* () {
    yield* send(main, 1)
  })
  yield* receive<number>()
})

export const joinOfReceiveAndSend = program('simple_async_recv', function* () {
  const receiver = yield* spawn('receiver', function* () {
    yield* receive<number>()
  })
  const sender = yield* spawn('sender', function* () {
    yield* send(receiver, 1)
  })
  yield* join(receiver)
  yield* join(sender)
})
