/**
 * Two processes count visitors in a shared register. Reading and then writing loses a visitor when the other one comes in between;
 * a mutex around both steps, or one atomic update, does not. Shared objects are processes, so all that is explored is the
 * order in which their requests come.
 *
 *   npx allways check examples/locked-counter.check.ts
 *
 * finds the lost visitor without a lock, verifies the other two, and finds the deadlock of two locks taken in opposite orders.
 */
import { assert, join, type Mutex, mutex, program, type Register, register, spawn } from 'allways'

function* visit(visitors: Register<number>) {
  yield* visitors.write((yield* visitors.read()) + 1)
}

/** Starts a body twice, waits for both, and looks at the count. */
function* twoVisits(body: (visitors: Register<number>) => Generator<unknown, unknown, unknown>) {
  const visitors = yield* register('visitors', 0)
  const doors = [yield* spawn('front door', body, visitors), yield* spawn('back door', body, visitors)]
  for (const door of doors) yield* join(door)
  const count = yield* visitors.read()
  yield* assert(count === 2, `2 visitors, and ${count} counted`)
}

export const unlocked = program('unlocked', () => twoVisits(visit))

export const locked = program('locked', function* () {
  const lock = yield* mutex('lock')
  yield* twoVisits(function* (visitors) {
    yield* lock.with(() => visit(visitors))
  })
})

export const updated = program('updated', () =>
  twoVisits(function* (visitors) {
    yield* visitors.update((count) => count + 1)
  }),
)

function* both(first: Mutex, second: Mutex) {
  yield* first.lock()
  yield* second.lock()
  yield* second.unlock()
  yield* first.unlock()
}

export const crossed = program('crossed', function* () {
  const [left, right] = [yield* mutex('left'), yield* mutex('right')]
  yield* spawn('one', both, left, right)
  yield* spawn('two', both, right, left)
})
