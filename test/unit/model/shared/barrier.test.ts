import { expect, test } from 'vitest'
import { assert, atomic, barrier, program, spawn } from '../../../../src/index.ts'
import { counts, violations } from './explored.ts'

const meeting = (parties: number, present: number, rounds = 1) =>
  program('meeting', function* () {
    const line = yield* barrier('line', parties)
    for (let i = 1; i <= present; i++) {
      yield* spawn(`runner ${i}`, function* () {
        for (let round = 0; round < rounds; round++) yield* line.wait()
      })
    }
  })

test('a round of n processes has n! executions, the orders of arrival, and every round multiplies', () => {
  expect([1, 2, 3, 4].map((n) => counts(meeting(n, n)))).toEqual(['1/0', '2/0', '6/0', '24/0'])
  expect(counts(meeting(2, 2, 3))).toBe('8/0')
})

test('nobody passes before all have arrived', () => {
  const arrivals = program('arrivals', function* () {
    const line = yield* barrier('line', 2)
    const arrived = yield* atomic('arrived', 0)
    for (const name of ['a', 'b']) {
      yield* spawn(name, function* () {
        yield* arrived.update((count) => count + 1)
        yield* line.wait()
        yield* assert((yield* arrived.load()) === 2)
      })
    }
  })
  expect(violations(arrivals)).toEqual([])
})

test('who waits for others that never come is named', () => {
  expect(violations(meeting(3, 2))).toEqual([
    'deadlock: runner 1 waits for the others at barrier "line"; runner 2 waits for the others at barrier "line"',
  ])
})

test('a barrier for nobody is refused at once', () => {
  expect(() => barrier('line', 0)).toThrow('the number of parties must be a whole number, at least 1, and is 0')
})
