import { expect, test } from 'vitest'
import { call } from '../../../src/jobs/activity.ts'
import { Loop } from '../../../src/jobs/loop.ts'
import { controlledPromise } from '../../../src/jobs/promise.ts'
import type { ControlledPromise } from '../../../src/jobs/promise-core.ts'
import { isAwaited } from '../../../src/jobs/waiting.ts'

const nothing = (): void => {}

/** The promise that never settles, after what is done with it and the jobs of that. */
function pendingAfter(use: (pending: ControlledPromise) => void): ControlledPromise {
  const loop = new Loop({
    unhandledRejection: nothing,
    rejectionHandled: nothing,
    uncaughtException: nothing,
    foreignPromise: nothing,
    endlessJobs: nothing,
  })
  return loop.enter(() => {
    const pending = new controlledPromise(nothing)
    use(pending)
    loop.runJobs()
    return pending
  })
}

function* awaiting(pending: ControlledPromise): Generator<unknown, void, unknown> {
  yield pending
}

test.each<[boolean, string, (pending: ControlledPromise) => void]>([
  [false, 'nobody', nothing],
  [true, 'a callback', (pending) => void pending.then(nothing)],
  [true, 'an await', (pending) => void call(awaiting, undefined, [pending])],
  [false, 'a link that hands it on to nobody', (pending) => void pending.catch(undefined)],
  [true, 'a callback behind such a link', (pending) => void pending.catch(undefined).then(nothing)],
  [false, 'a race that is lost', (pending) => void controlledPromise.race([pending, 1]).then(nothing)],
  [
    true,
    'a race that is open',
    (pending) => void controlledPromise.race([pending, new controlledPromise(nothing)]).then(nothing),
  ],
  [false, 'a race that nobody waits for', (pending) => void controlledPromise.race([pending])],
  [true, 'a part of all', (pending) => void controlledPromise.all([1, pending]).then(nothing)],
  [
    false,
    'a part of all that has failed',
    (pending) => {
      controlledPromise.all([controlledPromise.reject(1), pending]).then(nothing, nothing)
    },
  ],
  [false, 'any that has been decided', (pending) => void controlledPromise.any([1, pending]).then(nothing)],
  [
    true,
    'a promise resolved with it, awaited',
    (pending) =>
      void controlledPromise
        .resolve()
        .then(() => pending)
        .then(nothing),
  ],
  [
    false,
    'resolving functions of a promise that has settled',
    (pending) => {
      new controlledPromise((resolve, reject) => {
        pending.then(resolve, reject)
        resolve(1)
      }).then(nothing)
    },
  ],
])('%s: %s waits for it', (waits, _, use) => {
  expect(isAwaited(pendingAfter(use))).toBe(waits)
})
