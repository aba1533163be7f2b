import { expect, test } from 'vitest'
import { assert, join, program, spawn, timer } from '../../../../src/index.ts'
import { counts, violations } from './explored.ts'

const asked = (times: number) =>
  program('asked', function* () {
    const timeout = yield* timer('timeout')
    yield* timeout.start()
    let before = false
    for (let i = 0; i < times; i++) {
      const now = yield* timeout.fired()
      yield* assert(now || !before, 'what has fired stays fired')
      before = now
    }
  })

test('asking n times has n + 1 outcomes: it fires before one of the questions, or never', () => {
  expect([0, 1, 2, 5].map((n) => counts(asked(n)))).toEqual(['1/0', '2/0', '3/0', '6/0'])
  expect(violations(asked(5))).toEqual([])
})

test('a timer that was not started, or was cancelled, has not fired: 2 executions from the question before', () => {
  const cancelled = program('cancelled', function* () {
    const timeout = yield* timer('timeout')
    yield* assert(!(yield* timeout.fired()), 'not started')
    yield* timeout.start()
    yield* timeout.fired()
    yield* timeout.cancel()
    yield* assert(!(yield* timeout.fired()), 'cancelled')
  })
  expect(violations(cancelled)).toEqual([])
  expect(counts(cancelled)).toBe('2/0')
})

test('a timer started anew may fire again: 2 · 2 outcomes', () => {
  const anew = program('anew', function* () {
    const timeout = yield* timer('timeout')
    for (let i = 0; i < 2; i++) {
      yield* timeout.start()
      yield* timeout.fired()
    }
  })
  expect(counts(anew)).toBe('4/0')
})

test('a question and a cancellation by another process: fired or not when the question is first, not when it is second', () => {
  const race = program('race', function* () {
    const timeout = yield* timer('timeout')
    yield* timeout.start()
    const other = yield* spawn('other', function* () {
      yield* timeout.cancel()
    })
    yield* timeout.fired()
    yield* join(other)
  })
  expect(counts(race)).toBe('3/0')
})
