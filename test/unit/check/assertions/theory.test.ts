/** What the solver takes constants for, against JavaScript. */
import { expect, test } from 'vitest'
import { discharge } from '../../../../src/check/assertions/discharge.ts'
import type { Literal } from '../../../../src/program/icet.ts'
import { assertion, literal, not } from './values.ts'

const { NaN: notANumber, POSITIVE_INFINITY: infinity } = Number
const constants: readonly Literal[] = [
  ...[undefined, null, true, false, '', 'a', '1'],
  ...[0, -0, 1, 2, -3, 7, 0.5, notANumber, infinity, -infinity],
]

test('every constant holds or not as it does in JavaScript', async () => {
  const all = constants.map((one) => assertion(one ? literal(one) : not(literal(one))))
  const found = await discharge(all, { milliseconds: 300_000 })
  expect(found.map(({ answer }) => answer)).toEqual(constants.map(() => 'proved'))
})
