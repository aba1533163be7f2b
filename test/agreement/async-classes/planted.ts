/** Errors to plant in what goes on by itself in classes, each of which generated classes show. */
import type { Change } from '../jobs/bundle.ts'

export interface PlantedInClasses extends Change {
  readonly what: string
  /** Where to begin, because few classes show it; others are looked at as well. */
  readonly near?: number
}

const callbacks = 'semantics/memory/promise-callbacks.ts'
const timers = 'semantics/memory/timers.ts'
const loop = 'semantics/memory/class-loop.ts'
const runner = 'semantics/memory/client-runner.ts'

export const plantedInClasses: readonly PlantedInClasses[] = [
  {
    what: 'what changes a promise is not undone',
    file: loop,
    from: 'this.#heap.onRollBack(record.saved())',
    to: '',
  },
  {
    what: 'settling is no access',
    near: 100,
    file: loop,
    from: 'if (core.isPromise(of)) {',
    to: 'if (false) {',
  },
  {
    what: 'jobs are done at once, not at the end of the step',
    file: 'semantics/memory/promises.ts',
    from: '    leaveLoop(before)\n',
    to: '    leaveLoop(before)\n    runJobs()\n',
  },
  {
    what: 'jobs wait for the next step',
    file: runner,
    from: 'if (outcome !== undefined && client.promise !== undefined) this.#settle(client)\n    runJobs()',
    to: 'if (outcome !== undefined && client.promise !== undefined) this.#settle(client)',
  },
  {
    what: 'rejections are not given to the second callback of then',
    near: 180,
    file: callbacks,
    from: "typeof onRejected !== 'function') throw error",
    to: 'true) throw error',
  },
  {
    what: 'finally does not wait for what its callback gives',
    file: callbacks,
    from: 'if (isThenable) yield*',
    to: 'if (false) yield*',
  },
  {
    what: 'finally forgets a rejection',
    near: 80,
    file: callbacks,
    from: "yield* before(['rejected', error], onFinally)\n    throw error",
    to: "yield* before(['rejected', error], onFinally)",
  },
  {
    what: 'then of a thenable is called at once',
    near: 360,
    file: callbacks,
    from: 'yield* awaited(site - 5, [thenable, then, resolve, reject], undefined)',
    to: '',
  },
  {
    what: 'ticks and microtasks run at once',
    file: callbacks,
    from: 'yield* awaited(site - 7, [callback, args], undefined)',
    to: '',
  },
  {
    what: 'timers fire in the order in which they were armed',
    near: 70,
    file: timers,
    from: 'other.delay <= timer.delay',
    to: 'true',
  },
  {
    what: 'timers fire in any order',
    file: timers,
    from: 'other.delay <= timer.delay',
    to: "other.delay <= timer.delay && other.kind === 'immediate'",
  },
  {
    what: 'immediates wait for timers',
    near: 260,
    file: timers,
    from: "(other.kind === 'immediate') === (timer.kind === 'immediate') &&",
    to: '',
  },
  {
    what: 'what a promise was settled with is no state',
    file: 'semantics/memory/promise-parts.ts',
    from: 'core.valueOf(promise), ...reactions]',
    to: '...reactions]',
  },
  {
    what: 'a rejected call fulfils its promise',
    file: runner,
    from: "settleWith(promise, 'rejected', outcome.error)",
    to: "settleWith(promise, 'fulfilled', outcome.error)",
  },
  {
    what: 'where a generator stands is not undone',
    near: 1,
    file: 'semantics/memory/generators.ts',
    from: '    state.standing = before\n',
    to: '',
  },
  {
    what: 'an async generator does not await what return() gives it',
    near: 1,
    file: 'semantics/memory/async-generators.ts',
    from: 'value: yield* awaited(site - 4, [self], value) }',
    to: 'value }',
  },
  {
    what: 'a loop with await leaves a generator as it is',
    near: 1,
    file: 'semantics/memory/async-iteration.ts',
    from: 'if (method === undefined || method === null) return undefined\n    let result = applyAwait(ownSite - 31',
    to: 'if (true) return undefined\n    let result = applyAwait(ownSite - 31',
  },
  {
    what: 'code that goes on by itself has one name',
    file: runner,
    from: 'by.spawned++',
    to: 'by.spawned',
  },
]
