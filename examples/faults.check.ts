/**
 * A job that must be done although a worker may crash. `trusting` gives it to one worker and waits; `careful` gives it to a second one
 * when no answer has come. What may go wrong, and how often, is part of the program, and can be changed from outside:
 *
 *   npx allways check examples/faults.check.ts -t trusting
 *   npx allways check examples/faults.check.ts -t careful
 *   npx allways check examples/faults.check.ts -t careful --faults crashes=2
 *
 * The first waits for ever when its worker crashes. The second holds with one crash, and not with two.
 */
import { type Address, poll, program, receive, self, send, spawn } from 'allways'

interface Job {
  kind: 'job'
  from: Address<Done>
}
interface Done {
  kind: 'done'
}

function* worker() {
  const { from } = yield* receive<Job>()
  yield* send(from, { kind: 'done' })
}

function* trustingBoss() {
  const from = yield* self<Done>()
  const only = yield* spawn('worker', worker)
  yield* send(only, { kind: 'job', from })
  yield* receive<Done>()
}

function* carefulBoss() {
  const from = yield* self<Done>()
  const first = yield* spawn('first', { daemon: true }, worker)
  const second = yield* spawn('second', { daemon: true }, worker)
  yield* send(first, { kind: 'job', from })
  // Nothing may mean that the first worker has crashed, or that it is slow: nobody can tell.
  if ((yield* poll<Done>()) !== undefined) return
  yield* send(second, { kind: 'job', from })
  yield* receive<Done>()
}

export const trusting = program('trusting', { faults: { crashes: 1 } }, trustingBoss)
export const careful = program('careful', { faults: { crashes: 1 } }, carefulBoss)
