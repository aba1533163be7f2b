import { expect, test } from 'vitest'
import { Pace } from '../../../src/collections/pace.ts'

test('of nothing there is no pace', () => {
  expect(new Pace().gained).toBe(0)
})

test('what executions grew by in the second half of the work counts', () => {
  const pace = new Pace()
  for (const [length, work] of [
    [1, 10],
    [2, 40],
    [3, 60],
    [5, 100],
  ] as const)
    pace.add(length, work)
  // Half of 100 was done when executions had 2 steps.
  expect(pace.gained).toBe(3)
})

test('work without growth makes the pace slower, and ends it', () => {
  const pace = new Pace()
  pace.add(4, 10)
  expect(pace.gained).toBe(4)
  pace.add(6, 30)
  pace.add(6, 40)
  expect(pace.gained).toBe(2)
  pace.add(6, 60)
  expect(pace.gained).toBe(0)
})
