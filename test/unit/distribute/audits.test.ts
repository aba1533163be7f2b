import { expect, test } from 'vitest'
import { Audits } from '../../../src/distribute/audits.ts'

/** Which of so many executions are audited. */
function audited(audits: Audits, executions: number): readonly number[] {
  const chosen: number[] = []
  for (let explored = 1; explored <= executions; explored++) {
    audits.add(1)
    if (audits.left > 0) continue
    chosen.push(explored)
    audits.begin({ decisions: () => [] }, new Map())
  }
  return chosen
}

test('the first executions are audited one by one, and later ones ever more rarely', () => {
  const chosen = audited(new Audits(undefined), 60_000)
  expect(chosen.slice(0, 20)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 24, 36, 54, 81])
  expect(chosen.slice(-2)).toEqual([48_422, 56_614])
})

test('a thread beside others audits its first one, and then one in so many', () => {
  expect(audited(new Audits(undefined, 'beside others'), 20_000)).toEqual([1, 8_193, 16_385])
})
