/** The exhaustive engine, which knows nothing of lazily read requests, sees the same executions of shared objects. */

import { expect, test } from 'vitest'
import { settingFrom } from '../../../../src/core/setting.ts'
import { dpor } from '../../../../src/engines/dpor/dpor.ts'
import { exhaustive } from '../../../../src/engines/exhaustive/exhaustive.ts'
import {
  atomic,
  barrier,
  type CompositeOperation,
  channel,
  mutex,
  oneshot,
  program,
  readWriteLock,
  semaphore,
  spawn,
  timer,
} from '../../../../src/index.ts'
import { disagreement } from '../../../agreement/compare.ts'
import { exploreAll } from '../../../agreement/explored.ts'

type Use = () => CompositeOperation<unknown, unknown>

/** The uses of a shared object, one process each, the last one by main: few, because interleavings are many. */
const parallel = (uses: () => Generator<unknown, readonly [...Use[], Use], unknown>) =>
  program('parallel', function* () {
    const all = yield* uses()
    for (const [at, use] of all.slice(0, -1).entries()) {
      yield* spawn(`process ${at + 1}`, function* () {
        yield* use()
      })
    }
    yield* (all.at(-1) as Use)()
  })

const empty = function* () {}

const programs = {
  atomic: parallel(function* () {
    const shared = yield* atomic('shared', 0)
    return [() => shared.update((value) => value + 1), () => shared.compareAndSet(0, 5)]
  }),
  mutex: parallel(function* () {
    const lock = yield* mutex('lock')
    return [() => lock.run(empty), () => lock.run(empty)]
  }),
  'read-write lock': parallel(function* () {
    const lock = yield* readWriteLock('lock')
    return [() => lock.read.run(empty), () => lock.write.run(empty)]
  }),
  semaphore: parallel(function* () {
    const permit = yield* semaphore('permit', 1)
    return [() => permit.run(empty), () => permit.run(empty)]
  }),
  'mutex, tried': parallel(function* () {
    const lock = yield* mutex('lock')
    return [() => lock.tryAcquire(), () => lock.run(empty)]
  }),
  'read-write lock, tried to write': parallel(function* () {
    const lock = yield* readWriteLock('lock')
    return [() => lock.write.tryAcquire(), () => lock.read.run(empty)]
  }),
  'read-write lock, tried to read': parallel(function* () {
    const lock = yield* readWriteLock('lock')
    return [() => lock.read.tryAcquire(), () => lock.write.run(empty)]
  }),
  'semaphore, tried': parallel(function* () {
    const permit = yield* semaphore('permit', 0)
    return [() => permit.tryAcquire(), () => permit.release()]
  }),
  channel: parallel(function* () {
    const items = yield* channel<number>('items')
    return [() => items.send(1), () => items.close(), () => items.receive()]
  }),
  'bounded channel': parallel(function* () {
    const items = yield* channel<number>('items', { capacity: 1 })
    return [() => items.receive(), () => items.send(1)]
  }),
  oneshot: parallel(function* () {
    const result = yield* oneshot<number>('result')
    return [() => result.receive(), () => result.send(1)]
  }),
  barrier: parallel(function* () {
    const line = yield* barrier('line', 2)
    return [() => line.wait(), () => line.wait()]
  }),
  timer: parallel(function* () {
    const timeout = yield* timer('timeout')
    yield* timeout.start()
    return [() => timeout.fired(), () => timeout.cancel()]
  }),
}

test.each(Object.entries(programs))('dpor explores each execution of a %s once, and no other', (_name, of) => {
  const subject = of.views.runnable?.(settingFrom({ params: {}, network: 'fifo' }))
  if (subject === undefined) throw new Error('no runnable view')
  expect(disagreement(exploreAll(exhaustive, subject), exploreAll(dpor, subject))).toBe(undefined)
})
