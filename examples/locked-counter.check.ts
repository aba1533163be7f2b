/**
 * Two processes count visitors in a shared variable. Loading and then storing loses a visitor when the other one comes in between;
 * a mutex around both steps, or one atomic update, does not. Shared objects are processes, so all that is explored is the
 * order in which their requests come.
 *
 *   npx allways check examples/locked-counter.check.ts
 *
 * finds the lost visitor without a lock, verifies the other two, and finds the deadlock of two locks taken in opposite orders.
 */
import { type Atomic, assert, atomic, join, type Mutex, mutex, program, spawn } from 'allways'

function* visit(visitors: Atomic<number>) {
  yield* visitors.store((yield* visitors.load()) + 1)
}

/** Starts a body twice, waits for both, and looks at the count. */
function* twoVisits(body: (visitors: Atomic<number>) => Generator<unknown, unknown, unknown>) {
  const visitors = yield* atomic('visitors', 0)
  const doors = [yield* spawn('front door', body, visitors), yield* spawn('back door', body, visitors)]
  for (const door of doors) yield* join(door)
  const count = yield* visitors.load()
  yield* assert(count === 2, `2 visitors, and ${count} counted`)
}

export const unlocked = program('unlocked', () => twoVisits(visit))

export const locked = program('locked', function* () {
  const lock = yield* mutex('lock')
  yield* twoVisits(function* (visitors) {
    yield* lock.run(() => visit(visitors))
  })
})

export const updated = program('updated', () =>
  twoVisits(function* (visitors) {
    yield* visitors.update((count) => count + 1)
  }),
)

function* both(first: Mutex, second: Mutex) {
  yield* first.acquire()
  yield* second.acquire()
  yield* second.release()
  yield* first.release()
}

export const crossed = program('crossed', function* () {
  const [left, right] = [yield* mutex('left'), yield* mutex('right')]
  yield* spawn('one', both, left, right)
  yield* spawn('two', both, right, left)
})
